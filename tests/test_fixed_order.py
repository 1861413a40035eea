"""A take is the same bit for bit whether its code was just compiled or read from the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TAKE = """
import hashlib, numpy as np, poise
take = poise.simulate(poise.scene("reactive-step", seconds=2.0, seed=3))
print(hashlib.sha256(b"".join(np.ascontiguousarray(take[k]).tobytes() for k in ("q", "v", "tau"))).hexdigest())
"""


@pytest.mark.slow
def test_cold_and_warm_takes_agree(tmp_path: Path):
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    cold, warm = (
        subprocess.run(
            [sys.executable, "-c", TAKE], env=env, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    )
    assert len(cold.strip()) == 64
    assert cold == warm


ON_ANY = """
import hashlib, numpy as np, poise
for name in ("stand", "walk", "reactive-step", "react", "squat"):
    take = poise.simulate(poise.scene(name, seconds=1.5, seed=3))
    print(hashlib.sha256(b"".join(np.ascontiguousarray(take[k]).tobytes() for k in ("q", "v", "tau"))).hexdigest())
"""


@pytest.mark.slow
def test_takes_do_not_depend_on_the_kernels_of_the_blas():
    """As other processors would run it: OpenBLAS picks its kernels by name."""
    takes = {
        kernels: subprocess.run(
            [sys.executable, "-c", ON_ANY], env={**os.environ, "OPENBLAS_CORETYPE": kernels}, capture_output=True,
            text=True, check=True,
        ).stdout
        for kernels in ("Haswell", "Sandybridge", "Zen", "Nehalem")
    }  # fmt: skip
    assert len(takes["Haswell"].split()) == 5
    assert len(set(takes.values())) == 1
