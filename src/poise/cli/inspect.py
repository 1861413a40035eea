"""``poise inspect``: what a motion file is, and what its motion means."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poise.cli import options
from poise.cli.options import Json, parse_options
from poise.console import Progress, dumps, wrote


def inspect(
    file: Annotated[Path, typer.Argument(help="Motion file: .bvh, .amc or .c3d.", metavar="FILE")],
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Decide for the importer, e.g. metres_per_unit=0.01, up=Z, rate=60. May be repeated.",
            metavar="KEY=VALUE",
        ),
    ] = None,
    mass: Annotated[
        float | None, typer.Option(help="Of the subject [kg]; from the height by default.")
    ] = None,
    rate: options.Rate = None,
    up: options.Up = None,
    facing: options.Facing = None,
    unit: options.Unit = None,
    skeleton: options.Bones = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            help="Report: .html page, .png sheet, .json, .yaml (the rig, to correct it), .npz or .csv series.",
            metavar="FILE",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Say what a motion file is, and what its motion means.

    Units, axes, frame rate, artificial frames, floor, pops and contacts, each with its evidence and how to override
    it; then momenta, centre of pressure, rotation indices and class of spin, without any simulation.
    """
    from poise import inspect as inspections
    from poise.files import distinct

    files = [inspections.check_report(path) for path in distinct(output or [])]
    progress = Progress(f"inspecting {file.name}")
    told = parse_options(set_) | options.corrections(rate, up, facing, unit, skeleton)
    found = inspections.inspect(file, mass=mass, progress=progress, **told)
    progress.close()
    for path in files:
        found.save(path)
        wrote(path)
    print(dumps(found.summary()) if json else found.text())
