"""Compile everything ahead, by a moment of every scene."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import poise
from poise.errors import PoiseError

SECONDS = 0.3  # of each scene
FIRST: list[tuple[str, dict[str, Any]]] = [("stand", {})]  # what all others need as well
ALSO: list[tuple[str, dict[str, Any]]] = [  # what no scene does by itself
    ("stand", {"control.mode": "fast"}),
    ("stand", {"control.mode": "paper"}),
    ("ofc-walk", {"physics": True}),
]

Report = Callable[[float, str], None]


def compile_all(jobs: int | None = None, report: Report | None = None) -> int:
    """Compile what the scenes need and keep it; returns how many forms there are now.

    One process begins with what all scenes share, others follow; each writes whole files, so they do not meet.
    """
    from poise.compiled.cache import kept

    rest = [*((name, {}) for name in poise.SCENES), *ALSO]
    jobs = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        for part in (FIRST, rest):
            futures = [pool.submit(moment, name, options) for name, options in part]
            for done, future in enumerate(as_completed(futures), start=1):
                name = future.result()
                if report is not None:
                    report(done / len(part), f"{name}, {len(kept())} compiled")
    return len(kept())


def moment(name: str, options: dict[str, Any]) -> str:
    """A short take of a scene, thrown away; a scene that refuses needs nothing."""
    try:
        poise.simulate(poise.scene(name, seconds=SECONDS, **options))
    except PoiseError:
        return f"{name} refused"
    return name
