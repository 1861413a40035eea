"""``poise export-controller``: gains, poses and scores as JSON, for an engine without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poise.cli.options import Character, Motion, Options, parse_options
from poise.console import dumps, wrote


def export_controller(
    scene: Annotated[str, typer.Argument(help="Scene by name.")] = "reactive-step",
    character: Character = None,
    motion: Motion = None,
    set_: Options = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File to write; stdout by default.", metavar="FILE.json"),
    ] = None,
) -> None:
    """Write what a scene's controller is made of as plain JSON: body, gains, weights, poses, score of a clip."""
    import poise
    from poise.files import check_folder
    from poise.formats.controller import controller, save_controller

    if output is not None:
        check_folder(output)
    made = poise.scene(scene, character, motion=motion, **parse_options(set_))
    if output is None:
        print(dumps(controller(made)))
        return
    save_controller(made, output)
    wrote(output)
