"""Cores, and how many threads linear algebra takes: one, since matrices here are small."""

from __future__ import annotations

import os

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def one_thread() -> None:
    """Ask for one thread, unless told otherwise; works before numpy is imported, and for child processes."""
    for name in VARIABLES:
        os.environ.setdefault(name, "1")


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
