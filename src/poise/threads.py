"""One thread per process: matrices here are small, and threads of linear algebra cost more than they give."""

from __future__ import annotations

import os

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def one_thread() -> None:
    """Ask for one thread, unless told otherwise; works before numpy is imported, and for child processes."""
    for name in VARIABLES:
        os.environ.setdefault(name, "1")
