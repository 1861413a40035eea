"""The engine's own warnings are not written to MUJOCO_LOG.TXT in the working folder: a take says what went wrong."""

from __future__ import annotations

import mujoco


def hush() -> None:
    """Let warnings of the engine go, unless somebody listens to them already."""
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(_ignore)


def _ignore(message: str) -> None:
    pass
