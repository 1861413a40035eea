"""``poise reproduce``: the claims of the papers, measured."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from poise.cli.options import Folder, Jobs, Json
from poise.console import Progress, dumps


def reproduce(
    paper: Annotated[str | None, typer.Option(help="Paper by name; all by default.", metavar="NAME")] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Claim by id. May be repeated.", metavar="ID")
    ] = None,
    output: Folder = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Measure the claims of the papers: held or not."""
    from poise import reproduce as claims

    chosen = claims.choose(paper, only)
    if output is not None:
        claims.check_folder(output)
    progress = Progress("measuring")
    rows = claims.measure(chosen, jobs, lambda done, name: progress(done / len(chosen), name))
    progress.close()
    if output is not None:
        claims.write(rows, output)
    print(dumps({"rows": rows}) if json else claims.table(rows, colour=sys.stdout.isatty()))
