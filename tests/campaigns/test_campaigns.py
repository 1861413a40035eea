"""A minute of each campaign, with its first seed; `make fuzz`, `make faults` and `make soak` run longer ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGNS = Path(__file__).parent
SECONDS = "40"  # what each prepares and looks at afterwards makes it a minute


@pytest.mark.parametrize("name", ["fuzz", "faults", "soak"])
def test_a_minute_finds_nothing(name: str):
    command = [sys.executable, CAMPAIGNS / f"{name}.py", "--seconds", SECONDS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
