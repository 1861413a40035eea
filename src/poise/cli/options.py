"""What commands share: their options, how `--set` is read, and groups of commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from poise.draw.shot import CAMERAS, Shot
from poise.errors import BadInput
from poise.formats import ENDINGS
from poise.gate import parse_value


def _many(flags: tuple[str, ...], metavar: str, text: str) -> Any:
    """An option that may be given several times."""
    return typer.Option(*flags, help=f"{text}. May be repeated.", metavar=metavar)


Character = Annotated[
    str | None,
    typer.Option(
        help="Body by name (see `poise list characters`), or made from a file: .xml .urdf .bvh .amc.",
        metavar="NAME|FILE",
    ),
]
Motion = Annotated[
    Path | None,
    typer.Option(
        help="Motion file to follow (.bvh .amc), on its own skeleton unless --character is given.",
        metavar="FILE",
    ),
]
PUSH = "Push in newtons, world axes, seconds, e.g. torso:250,0,0@1.0+0.1"
Pushes = Annotated[list[str] | None, _many(("--push",), "BODY:FX,FY,FZ@START+DURATION", PUSH)]
SET = "Option of the scene, e.g. angular=off, control.mode=fast"
Options = Annotated[list[str] | None, _many(("--set",), "KEY=VALUE", SET)]
WRITE = f"File to write: {' '.join(ENDINGS)}; .parts is a folder that a take of any length goes to as it runs"
Files = Annotated[list[Path] | None, _many(("-o", "--output"), "FILE", WRITE)]
Plot = Annotated[Path | None, typer.Option(help="Figure of CM, CP and momenta to write.", metavar="FILE.png")]
Size = Annotated[
    str | None, typer.Option(help="Pixels of a film, or of one picture of a sheet.", metavar="WxH")
]
Fps = Annotated[float | None, typer.Option(help="Frames a second of a film; 30, of a .gif 20.", metavar="N")]
View = Annotated[
    str, typer.Option("--camera", help="Where pictures are seen from.", metavar=f"{'|'.join(CAMERAS)}")
]
Ghost = Annotated[
    bool, typer.Option("--ghost", help="Show the pose that is followed, see-through, in pictures.")
]
Seconds = Annotated[float | None, typer.Option(help="How long to simulate; the scene's own by default.")]
Seed = Annotated[int, typer.Option(help="Seed of everything random.", min=0)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object as the last line of stdout.")]
Rate = Annotated[float | None, typer.Option(help="Frames a second of the motion file.", metavar="HZ")]
Up = Annotated[
    str | None, typer.Option(help="Axis of the motion file that points up.", metavar="X|Y|Z|-X|-Y|-Z")
]
FACING = "Where the body faces in the first frame, from above, from the axis after the up axis"
Facing = Annotated[float | None, typer.Option(help=f"{FACING}.", metavar="DEG")]
Unit = Annotated[str | None, typer.Option(help="Of lengths in the motion file.", metavar="m|cm|mm|in|METRES")]
Bones = Annotated[Path | None, typer.Option("--skeleton", help="Of an .amc file.", metavar="FILE.asf")]
Folder = Annotated[Path | None, typer.Option("-o", "--output", help="Folder for the results.", metavar="DIR")]
CLUSTER = "Scheduler whose workers are used (dask), or `local` to start one here"
Cluster = Annotated[str | None, typer.Option(help=f"{CLUSTER}.", metavar="tcp://HOST:PORT|local")]
Jobs = Annotated[int | None, typer.Option(help="Worker processes; all cores by default.", min=1)]


def corrections(
    rate: float | None, up: str | None, facing: float | None, unit: str | None, skeleton: Path | None
) -> dict[str, Any]:
    """What the importer of a motion file is told, as options of a scene."""
    told = {
        "rate": rate, "up": up, "facing": facing, "unit": None if unit is None else parse_value(unit),
        "skeleton": None if skeleton is None else str(skeleton),
    }  # fmt: skip
    return {f"motion.{key}": value for key, value in told.items() if value is not None}


def shot(size: str | None, fps: float | None, camera: str, ghost: bool) -> dict[str, Any]:
    """How films and pictures are drawn; what is wrong with it is told before a long simulation."""
    told = {"size": size, "fps": fps, "camera": camera, "ghost": ghost}
    Shot(**told)
    return told


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take its last parameter, a dataclass, as one option for each field."""
    *own, last = inspect.signature(command, eval_str=True).parameters.values()
    record = last.annotation
    hints = get_type_hints(record, include_extras=True)
    shared = [p.replace(annotation=hints[p.name]) for p in inspect.signature(record).parameters.values()]

    def called(**given: Any) -> None:
        fields = {p.name: given.pop(p.name) for p in shared}
        command(**given, **{last.name: record(**fields)})

    called.__name__, called.__doc__ = command.__name__, command.__doc__
    called.__annotations__ = {p.name: p.annotation for p in (*own, *shared)}
    called.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    return called


def group(text: str) -> typer.Typer:
    """A command that holds other commands."""
    made = typer.Typer(help=text, no_args_is_help=True, rich_markup_mode=None)
    made.callback(help=text)(lambda: None)  # without it a group of one command would be that command
    return made


def parse_options(pairs: list[str] | None) -> dict[str, Any]:
    """`key=value` texts as a dictionary; values become numbers or booleans where they read as such."""
    options: dict[str, Any] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadInput(f"option {pair!r} is not KEY=VALUE, e.g. --set angular=off")
        options[key.strip()] = parse_value(value.strip())
    return options
