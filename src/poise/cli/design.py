"""``poise design``: search for a cycle of poses that rolls."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poise.cli.options import Json, Seed, group
from poise.console import Progress, dumps, say

app = group("Search for motions that a body can go on with.")


@app.command()
def roll(
    style: Annotated[str, typer.Option(help="forward, backward, sideways or parkour.")] = "forward",
    character: Annotated[str, typer.Option(help="Body that rolls.")] = "adult",
    start: Annotated[
        str | None,
        typer.Option("--from", help="Cycle to begin with, by name or file; a hand-set guess by default."),
    ] = None,
    speed: Annotated[float | None, typer.Option(help="Speed to roll at [m/s]; any by default.")] = None,
    slope: Annotated[
        str, typer.Option(help="Of the ground [deg], uphill positive; -12,-6,0 leads there by a ladder.")
    ] = "0",
    evaluations: Annotated[int, typer.Option(help="Candidates to try.", min=1)] = 1000,
    rollouts: Annotated[int, typer.Option(help="Rollouts of each that rolls on.", min=1)] = 1,
    phase: Annotated[float | None, typer.Option(help="Where in a turn takes with it begin [deg].")] = None,
    seed: Seed = 0,
    again: Annotated[
        str | None,
        typer.Option(help="Make this cycle again, by the recipe in its file; other options are left out."),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Cycle to write.", metavar="FILE.yaml")
    ] = Path("cycle.yaml"),
    json: Json = False,
) -> None:
    """Search for a cycle of poses that rolls: minutes on one core, the same again for the same seed."""
    from poise.behaviours.rolling import recipe
    from poise.files import check_folder

    check_folder(output)
    progress = Progress(f"searching {again or style}")
    keep = lambda c: c.save(output)  # noqa: E731
    if again is not None:
        made = recipe.again(again, progress, keep)
    else:
        search = recipe.Search(recipe.slopes_of(slope), evaluations, seed, speed, rollouts=rollouts)
        made = recipe.design_roll(style, character, start, search, phase, progress, keep)
    progress.close()
    made.save(output)
    say(f"wrote {output}")
    found = {"style": made.style, "speed_ms": made.speed, "spin_rev_s": made.spin, "made": made.made}
    print(dumps(found) if json else f"{made.style}: {made.speed:.2f} m/s, {made.spin:.2f} rev/s")
