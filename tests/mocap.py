"""Where the motion capture lies that some tests need; they skip with a reason where it does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "mocap"


def folder() -> Path:
    """The folder of motion capture files: POISE_MOCAP, or the one beside the project."""
    return Path(os.environ.get("POISE_MOCAP", BESIDE))


def need(*names: str) -> list[Path]:
    """Paths of files in that folder; the test is skipped when one is missing."""
    paths = [folder() / name for name in names]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        pytest.skip(f"motion capture not found: {', '.join(missing)} (set POISE_MOCAP)")
    return paths
