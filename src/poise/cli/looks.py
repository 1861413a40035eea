"""``poise looks``: how a take or a clip looks, in numbers, beside another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poise.cli.options import Json
from poise.console import Progress, dumps, plain, say, wrote


def looks(
    file: Annotated[
        Path, typer.Argument(help="A take (.npz), or a motion file (.bvh .amc).", metavar="TAKE|CLIP")
    ],
    beside: Annotated[
        Path | None, typer.Option(help="Another take or clip to compare it with.", metavar="TAKE|CLIP")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Figure of the joints over a stride.", metavar="FILE.png")
    ] = None,
    json: Json = False,
) -> None:
    """Say in numbers how a take or a clip looks, beside another.

    Steps, joints over the mean stride, pelvis, arms, momenta, effort and the forces under the feet of a walk; extremes
    of lean, joints, hands and head of any take. Every number is defined in docs/looks.md.
    """
    from poise.draw import looks as figure
    from poise.draw.figure import check_ending
    from poise.files import check_folder
    from poise.inspect.looks import table, text, watched

    if plot is not None:
        check_folder(check_ending(plot))
    progress = Progress(f"looking at {file.name}")
    take, other = watched(file), None if beside is None else watched(beside)
    names = (file.stem, "" if beside is None else beside.stem)
    found = table(take, other)
    progress.close()
    if plot is not None:
        if figure.draw(take, other, names, plot):
            wrote(plot)
        else:
            say(f"note: {file.name} has no strides, so that no figure was drawn")
    print(dumps(plain({"file": str(file), **found}, finite=True)) if json else text(found, names))
