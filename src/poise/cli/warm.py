"""``poise warm``: compile everything ahead, by a moment of every scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import poise
from poise.cli.options import Jobs, Json
from poise.console import Progress, dumps
from poise.draw.render import frames
from poise.errors import PoiseError

SECONDS = 0.3  # of each scene
Task = tuple[str, dict[str, Any]]  # a scene and its options
FIRST: list[Task] = [("stand", {})]  # what all others need as well
ALSO: list[Task] = [  # what no scene does by itself
    ("stand", {"control.mode": "fast"}),
    ("stand", {"control.mode": "paper"}),
    ("ofc-walk", {"physics": True}),
]


def warm(jobs: Jobs = None, json: Json = False) -> None:
    """Compile everything ahead, so that the first run of a scene starts at once."""
    from poise.compiled.folder import folder

    progress = Progress("compiling (once)")
    count = compile_all(jobs, progress)
    progress.close()
    found = {"compiled": count, "folder": str(folder())}
    print(dumps(found) if json else f"{count} compiled functions kept in {folder()}")


def compile_all(
    jobs: int | None = None, report: Callable[[float, str], None] = lambda share, note: None
) -> int:
    """Compile what the scenes need and keep it; returns how many forms there are now.

    One process begins with what all scenes share, others follow; each writes whole files, so they do not meet.
    """
    from poise.compiled.cache import kept
    from poise.sweeps.local import Pool

    rest = [*((name, {}) for name in poise.SCENES), *ALSO]
    with Pool(moment, jobs) as pool:
        for part in (FIRST, rest):
            for done, (_, name) in enumerate(pool.each(part), start=1):
                report(done / len(part), f"{name}, {len(kept())} compiled")
    return len(kept())


def moment(task: Task) -> str:
    """A short take of a scene, thrown away; a scene that refuses needs nothing."""
    name, options = task
    try:
        take = poise.simulate(poise.scene(name, seconds=SECONDS, **options))
        if task in FIRST:
            next(frames(take, [0.0], 64, 48, ghost=True))
    except PoiseError:
        return f"{name} refused"
    return name
