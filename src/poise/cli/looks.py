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
    strip: Annotated[
        Path | None,
        typer.Option(help="Stick figures of one stride, those of the other one below.", metavar="FILE.png"),
    ] = None,
    json: Json = False,
) -> None:
    """Say in numbers how a take or a clip looks, beside another.

    Steps, joints over the mean stride, pelvis, arms, momenta, effort and the forces under the feet of a walk; extremes
    of lean, joints, hands and head of any take. Every number is defined in docs/looks.md.
    """
    from poise.draw import looks as figure
    from poise.draw import strip as sticks
    from poise.draw.figure import check_ending
    from poise.files import check_folder
    from poise.inspect.looks import table, text, watched

    for path in (plot, strip):
        if path is not None:
            check_folder(check_ending(path))
    progress = Progress(f"looking at {file.name}")
    take, other = watched(file), None if beside is None else watched(beside)
    names = (file.stem, "" if beside is None else beside.stem)
    found = table(take, other)
    progress.close()
    if plot is not None:
        _drew(plot, figure.draw(take, other, names, plot))
    if strip is not None:
        walks = [(name, walk) for name, walk in zip(names, (take, other)) if walk is not None]
        _drew(strip, sticks.draw(walks, strip))
    print(dumps(plain({"file": str(file), **found}, finite=True)) if json else text(found, names))


def _drew(path: Path, done: bool) -> None:
    if done:
        wrote(path)
    else:
        say(f"note: '{path}' was not drawn: a walk has no strides, or no limbs as people's")
