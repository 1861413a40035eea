"""A take is the same bit for bit whether its code was just compiled or read from the cache."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import motion_files
from poise.capture.readers import bvh

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
import hashlib, sys, numpy as np, poise
for name in ("stand", "walk", "reactive-step", "squat", "roll-forward", "react", "react file"):
    file = {"motion": sys.argv[1]} if name.endswith("file") else {}
    take = poise.simulate(poise.scene(name.split()[0], seconds=1.5, seed=3, push="torso:60,40,0@0.5+0.1", **file))
    print(hashlib.sha256(b"".join(np.ascontiguousarray(take[k]).tobytes() for k in ("q", "v", "tau"))).hexdigest())
"""
KERNELS = (
    "Haswell",
    "Sandybridge",
    "Zen",
    "SkylakeX",
    "Nehalem",
)  # Zen has those of Haswell under its own name


@pytest.mark.slow
def test_takes_do_not_depend_on_the_kernels_of_the_blas(tmp_path: Path):
    """As other processors would run it: OpenBLAS picks its kernels by name; those that this one lacks are left out."""
    walk = motion_files.walk(motion_files.human(), 30.0, 1.6)
    bvh.write(motion_files.file_of(walk, unit=0.01, up="Y", order="ZXY", hz=30.0), tmp_path / "walk.bvh")
    takes = {}
    for kernels in KERNELS:
        words = [sys.executable, "-c", ON_ANY, str(tmp_path / "walk.bvh")]
        env = {**os.environ, "OPENBLAS_CORETYPE": kernels}
        done = subprocess.run(words, env=env, capture_output=True, text=True)
        assert done.returncode in (0, -signal.SIGILL), done.stderr
        if not done.returncode:
            takes[kernels] = done.stdout.split()
    assert {"Sandybridge", "Nehalem"} <= set(takes)
    assert all(len(found) == 7 for found in takes.values())
    assert len(set(map(tuple, takes.values()))) == 1, takes
