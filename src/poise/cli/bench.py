"""``poise bench``: how fast it is beside its peers."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.options import Json
from poise.console import dumps


def bench(
    json: Json = False,
    quick: Annotated[bool, typer.Option(help="Fewer repeats: a few seconds, noisier.")] = False,
) -> None:
    """Time the controller against placo and bare MuJoCo, and inverse kinematics against mink, pink and placo."""
    from poise import bench as benches

    result = benches.bench(quick=quick)
    print(dumps(result) if json else benches.describe(result))
