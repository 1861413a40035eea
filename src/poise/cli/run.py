"""``poise run`` and ``poise react``: simulate a scene, write what happened and say how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli import options
from poise.console import Progress, dumps, kept, say, wrote
from poise.errors import BadInput

if TYPE_CHECKING:
    from poise import Recording, Scene


ELSEWHERE = {"character", "motion", "name", "push", "seconds", "seed"}  # no options of a scene


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
    size: options.Size = None
    fps: options.Fps = None
    camera: options.View = "three-quarter"
    ghost: options.Ghost = False
    rate: options.Rate = None
    up: options.Up = None
    facing: options.Facing = None
    unit: options.Unit = None
    skeleton: options.Bones = None
    json: options.Json = False

    def told(self) -> dict[str, Any]:
        """Options of the scene."""
        corrected = options.corrections(self.rate, self.up, self.facing, self.unit, self.skeleton)
        told = options.parse_options(self.set_)
        if taken := sorted(told.keys() & ELSEWHERE):
            raise BadInput(
                f"--set does not take '{taken[0]}': the command has a place of its own for it, see --help"
            )
        return told | corrected


Window = Annotated[
    str | None,
    typer.Option(help="Seconds of CLIP in which physics acts; outside it is the clip itself.", metavar="A:B"),
]
Blend = Annotated[
    float | None,
    typer.Option(help="Seconds in which clip and physics go over into each other; 0.3.", metavar="S"),
]
Hold = Annotated[
    str | None,
    typer.Option(help="Parts that keep to CLIP, with how many times stiffer: arms,head=8.", metavar="PARTS"),
]
Loop = Annotated[bool, typer.Option("--loop", help="CLIP is a loop, and stays one.")]


@options.spread
def run(
    scene: Annotated[str, typer.Argument(help="Scene by name; see `poise list scenes`.")],
    motion: options.Motion = None,
    *,
    asked: Asked,
) -> None:
    """Simulate a scene and write what happened."""
    perform(scene, motion, asked, {})


@options.spread
def react(
    clip: Annotated[Path, typer.Argument(help="Motion file: .bvh or .amc.", metavar="CLIP")],
    window: Window = None,
    blend: Blend = None,
    hold: Hold = None,
    loop: Loop = False,
    *,
    asked: Asked,
) -> None:
    """Make a clip react: follow it in physics on its own skeleton, push it, write it back.

    A .bvh is written with the hierarchy, names, channels, units, axes and frame rate of CLIP; a .glb or .usda with its
    joints, rest pose and frame rate, in metres. Its first frame is that of CLIP. Times of pushes and of the window
    count from the first captured frame. --set motion.start=S and motion.end=S choose a part, motion.mass=KG a mass.
    """
    told = {"window": window, "blend": blend, "hold": hold, "loop": loop or None}
    perform("react", clip, asked, {key: value for key, value in told.items() if value is not None})


def perform(scene: str, motion: Path | None, asked: Asked, more: dict[str, Any]) -> None:
    """Simulate, write the files and print the summary; exit code 1 where the take blew up."""
    import poise
    from poise.draw.figure import check_ending
    from poise.files import check_folder, distinct
    from poise.formats import check_writable, parts

    long = parts.alone([*(asked.output or []), *([asked.plot] if asked.plot else [])])
    files = [] if long else [check_writable(path) for path in distinct([*(asked.output or [])])]
    if asked.plot is not None:
        check_folder(check_ending(asked.plot))
        distinct([*files, asked.plot])
    how = options.shot(asked.size, asked.fps, asked.camera, asked.ghost)
    progress = Progress(f"simulating {scene if motion is None else motion.name}")
    built = poise.scene(
        scene, character=asked.character, push=asked.push or None, seconds=asked.seconds, seed=asked.seed,
        **({} if motion is None else {"motion": motion}), **(asked.told() | more),
    )  # fmt: skip
    for push in built.world.pushes if asked.push else ():
        if push.start >= built.seconds:
            say(f"note: push {push} begins after the end of the take")
    take = poise.simulate(built, progress) if long is None else streamed(built, long, progress)
    progress.close()
    for note in take.notes:
        say(f"note: {note}")
    for file in files:
        take.save(file, **how)
        wrote(file)
    if asked.plot is not None:
        take.plot(asked.plot)
        wrote(asked.plot)
    summary = take.summary()
    print(dumps(summary) if asked.json else describe(summary))
    if take.blew_up is not None:
        raise typer.Exit(1)


def streamed(scene: Scene, folder: Path, progress: Progress) -> Recording:
    """Simulate into a folder of parts; returns the last one."""
    from poise.formats import parts
    from poise.simulate import stream

    take = None
    for take in parts.save(stream(scene, progress), folder):
        kept[:] = [f"{folder} ({take.info['part'] + 1} parts)"]
    assert take is not None
    wrote(folder)
    return take


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
