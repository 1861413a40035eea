"""``poise warm``: compile everything ahead."""

from __future__ import annotations

from poise.cli.options import Jobs, Json
from poise.console import Progress, dumps


def warm(jobs: Jobs = None, json: Json = False) -> None:
    """Compile everything ahead, so that the first run of a scene starts at once."""
    from poise.cli.compile_all import compile_all
    from poise.compiled.folder import folder

    progress = Progress("compiling (once)")
    count = compile_all(jobs, progress)
    progress.close()
    found = {"compiled": count, "folder": str(folder())}
    print(dumps(found) if json else f"{count} compiled functions kept in {folder()}")
