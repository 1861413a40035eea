"""What the first run on a new machine costs: processor time of a moment of standing, with nothing compiled yet."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

CODE = "import poise; poise.simulate(poise.scene('stand', seconds=1.0))"


def cold_start_cpu_s() -> float:
    """User and system time [s] of a process that imports, builds, compiles and simulates one second of `stand`."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.times()
        subprocess.run(
            [sys.executable, "-c", CODE], env={**os.environ, "NUMBA_CACHE_DIR": folder}, check=True
        )
        after = os.times()
    spent = (after.children_user - before.children_user, after.children_system - before.children_system)
    return sum(spent)
