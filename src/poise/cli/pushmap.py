"""``poise pushmap``: the hardest push survived in every direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.options import Character, Cluster, Folder, Jobs, Json, Options, Seed, parse_options
from poise.console import Progress, dumps, say

if TYPE_CHECKING:
    from poise.sweeps import PushMap


def pushmap(
    scene: Annotated[str, typer.Argument(help="Scene by name.")] = "balance-push",
    character: Character = None,
    directions: Annotated[
        int, typer.Option(help="Directions round the circle; 0° is forward, 90° left.", min=1)
    ] = 8,
    replicas: Annotated[
        int, typer.Option(help="Runs per push that differ a little; 4 of 5 must survive.", min=1)
    ] = 5,
    set_: Options = None,
    seed: Seed = 0,
    max_ms: Annotated[float, typer.Option(help="Largest push tried, impulse over mass [m/s].")] = 2.0,
    phases: Annotated[int, typer.Option(help="Instants of a stride at which a walker is pushed.", min=1)] = 1,
    compare: Annotated[
        str | None, typer.Option(help="One map for each value of an option, overlaid.", metavar="KEY=A,B")
    ] = None,
    output: Folder = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Measure the hardest push survived per direction.

    The limit is the largest push, on a grid of 0.05 m/s, such that it and every smaller one is survived by
    4 of 5 replicas. With -o DIR a sweep can be interrupted; the same command goes on where it stopped.
    """
    from poise import sweeps

    progress = Progress(f"pushing {scene}")
    try:
        maps = sweeps.compare(
            scene, character, parse_options(set_), compare, output, directions=directions, replicas=replicas,
            seed=seed, max_ms=max_ms, phases=phases, jobs=jobs, cluster=cluster,
            report=lambda done, note: progress(None, f"{done} trials  {note}"),
        )  # fmt: skip
    except KeyboardInterrupt:
        progress.close()
        how = "the same command goes on from here" if output else "with -o DIR it could go on"
        say(f"interrupted; {how}")
        raise typer.Exit(130) from None
    progress.close()
    if json:
        each = {value: result.summary() for value, result in maps.items()}
        print(dumps(each[""] if compare is None else {"compare": compare, "maps": each}))
        return
    for value, result in maps.items():
        print(describe(result, value))


def describe(found: PushMap, value: str = "") -> str:
    """A map for people; `value` is that of the option compared."""
    what = f"{found.scene}, {found.character}, {value}".rstrip(", ")
    lines = [f"{what}, {found.replicas} replicas: largest push survived, for 0.1 s"]
    for name, limit in found.limits_ms.items():
        more = " or more" if name in found.capped else ""
        newtons, how = found.limits_n[name], found.strategies[name]
        lines.append(f"  {name:>5}°  {limit:.2f} m/s  {newtons:4.0f} N  {how}{more}")
    return "\n".join(lines)
