"""``poise reproduce``: the claims of the papers, measured."""

from __future__ import annotations

import os
import sys
import time
from typing import Annotated

import typer

from poise.cli.options import Folder, Jobs, Json
from poise.console import Progress, dumps


def reproduce(
    paper: Annotated[str | None, typer.Option(help="Paper by name; all by default.", metavar="NAME")] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Claim or figure by id. May be repeated.", metavar="ID")
    ] = None,
    output: Folder = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds, directions and onsets.")] = False,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Measure the claims of the papers: held or not. With -o DIR, draw the papers' figures again, too."""
    from poise import reproduce as claims
    from poise.reproduce.claim import QUICK
    from poise.reproduce.figure import drawn

    if quick:
        os.environ[QUICK] = "1"  # workers inherit it
    chosen, figures = claims.choose(paper, only)
    if output is not None:
        claims.check_folder(output)
    progress, begun, spent = Progress("measuring"), time.monotonic(), sum(os.times()[:4])
    rows = (
        claims.measure(chosen, jobs, lambda done, name: progress(done / len(chosen), name)) if chosen else []
    )
    texts = drawn(figures, output) if output is not None else {}
    progress.close()
    if output is not None:
        wall, work = (time.monotonic() - begun) / 60, (sum(os.times()[:4]) - spent) / 60
        took = f" in {wall:.1f} min, {work:.1f} min of processor time on {os.cpu_count()} cores"
        flags = (" --quick" if quick else "") + (f" --paper {paper}" if paper else "")
        claims.write(
            rows,
            output,
            f"poise reproduce{flags} -o {output.name if output.is_absolute() else output.as_posix()}",
            took,
            texts,
        )
    print(dumps({"rows": rows}) if json else claims.table(rows, colour=sys.stdout.isatty()))
