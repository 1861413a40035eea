"""Prints the instructions of this processor that numpy can do without, for NPY_DISABLE_CPU_FEATURES."""

from numpy._core import _multiarray_umath as built  # type: ignore[attr-defined]  # numpy has no public list

if __name__ == "__main__":
    print(*(name for name in built.__cpu_dispatch__ if built.__cpu_features__.get(name)))
