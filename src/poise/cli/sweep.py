"""``poise sweep``: any scene over a grid of any options, on this machine or on many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.options import (
    Character,
    Cluster,
    Folder,
    Jobs,
    Json,
    Options,
    Pushes,
    Seconds,
    Seed,
    parse_options,
)
from poise.console import Progress, dumps, say

if TYPE_CHECKING:
    from poise.sweeps import Sweep

GRID = "Axis of the grid: options of the scene, character, seconds, push.direction [deg], push.speed [m/s]"


def sweep(
    scene: Annotated[str, typer.Argument(help="Scene by name.")],
    grid: Annotated[
        list[str], typer.Option(help=f"{GRID}. May be repeated.", metavar="KEY=FROM:TO:COUNT|KEY=A,B,C")
    ],
    character: Character = None,
    replicas: Annotated[int, typer.Option(help="Takes at each point, with other seeds.", min=1)] = 1,
    set_: Options = None,
    push: Pushes = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    metric: Annotated[
        list[str] | None, typer.Option(help="What is averaged and drawn. May be repeated.", metavar="NAME")
    ] = None,
    output: Folder = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Simulate a scene at every point of a grid.

    With -o DIR every take is a row of sweep.csv (and of sweep.parquet, where pyarrow is installed) and an
    interrupted sweep goes on where it stopped. Results do not depend on where takes were made.
    """
    from poise import sweeps

    common = parse_options(set_)
    common |= {} if character is None else {"character": character}
    common |= {} if seconds is None else {"seconds": seconds}
    progress, metrics = Progress(f"sweeping {scene}"), tuple(metric or ("survived",))
    try:
        made = sweeps.sweep(
            scene, grid, replicas, output, common, push or (), metrics, seed=seed, jobs=jobs, cluster=cluster,
            report=lambda done, total: progress(done / total, f"{done} of {total} takes"),
        )  # fmt: skip
    except KeyboardInterrupt:
        progress.close()
        say(
            "interrupted; "
            + ("the same command goes on from here" if output else "with -o DIR it could go on")
        )
        raise typer.Exit(130) from None
    progress.close()
    print(dumps(made.summary(metrics)) if json else describe(made, metrics))


def describe(made: Sweep, metrics: tuple[str, ...]) -> str:
    """Means of the metrics at each point, for people."""
    lines = [f"{made.scene}: {len(made.rows)} takes, means over {made.replicas} replicas"]
    columns = [made.mean(name) for name in metrics]
    for row in zip(*columns):
        at = " ".join(f"{key}={value}" for key, value in row[0][0].items())
        lines.append(f"  {at:40} " + "  ".join(f"{n} {v:.4g}" for n, (_, v) in zip(metrics, row)))
    return "\n".join(lines)
