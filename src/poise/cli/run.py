"""``poise run`` and ``poise react``: simulate a scene, write what happened and say how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from poise.cli import options
from poise.console import Progress, dumps, say, wrote


@dataclass(frozen=True)
class Asked:
    """Options that both commands have."""

    character: options.Character = None
    set_: options.Options = None
    push: options.Pushes = None
    seconds: options.Seconds = None
    seed: options.Seed = 0
    output: options.Files = None
    plot: options.Plot = None
    json: options.Json = False


@options.spread
def run(
    scene: Annotated[str, typer.Argument(help="Scene by name; see `poise list scenes`.")],
    motion: options.Motion = None,
    *,
    asked: Asked,
) -> None:
    """Simulate a scene and write what happened."""
    perform(scene, motion, asked)


@options.spread
def react(
    clip: Annotated[Path, typer.Argument(help="Motion file: .bvh or .amc.", metavar="CLIP")], *, asked: Asked
) -> None:
    """Make a clip react: follow it in physics on its own skeleton, push it, write it back.

    A .bvh is written with the hierarchy, names, channels, units, axes and frame rate of CLIP. Times of pushes count
    from the first captured frame. --set motion.start=S and motion.end=S choose a part, motion.mass=KG a mass.
    """
    perform("react", clip, asked)


def perform(scene: str, motion: Path | None, asked: Asked) -> None:
    """Simulate, write the files and print the summary; exit code 1 where the take blew up."""
    import poise
    from poise.draw.figure import check_ending
    from poise.files import check_folder, distinct
    from poise.formats import check_writable

    files = [check_writable(path) for path in distinct([*(asked.output or [])])]
    if asked.plot is not None:
        check_folder(check_ending(asked.plot))
        distinct([*files, asked.plot])
    progress = Progress(f"simulating {scene if motion is None else motion.name}")
    built = poise.scene(
        scene, character=asked.character, push=asked.push or None, seconds=asked.seconds, seed=asked.seed,
        **({} if motion is None else {"motion": motion}), **options.parse_options(asked.set_),
    )  # fmt: skip
    for push in built.world.pushes if asked.push else ():
        if push.start >= built.seconds:
            say(f"note: push {push} begins after the end of the take")
    take = poise.simulate(built, progress=progress)
    progress.close()
    for note in take.notes:
        say(f"note: {note}")
    for file in files:
        take.save(file)
        wrote(file)
    if asked.plot is not None:
        take.plot(asked.plot)
        wrote(asked.plot)
    summary = take.summary()
    print(dumps(summary) if asked.json else describe(summary))
    if take.blew_up is not None:
        raise typer.Exit(1)


def describe(summary: dict[str, Any]) -> str:
    """A take's summary for people."""
    if "blew_up" in summary:
        end = f"blew up at {summary['blew_up']:.2f} s"
    else:
        end = (
            f"fell at {summary['fall_time']:.2f} s" if summary["fell"] else f"stood, {summary['steps']} steps"
        )
    lines = [
        f"{summary['scene']}, {summary['character']}, {summary['seconds']:g} s: {end}"
        f"  ({summary['real_time_factor'] or 0:.1f} x real time)"
    ]
    for name, value in summary["metrics"].items():
        lines.append(f"  {name:28} {value:.4g}" if isinstance(value, float) else f"  {name:28} {value}")
    return "\n".join(lines)
