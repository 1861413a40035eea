"""The command line: each command is one typed function.

Exit code 0 when the work was done (a fall is a result), 2 for bad input, 1 for a failure of ours.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from poise.cli.anticipation import app as anticipation_app
from poise.cli.design import app as design_app
from poise.cli.steps import app as steps_app
from poise.console import Progress, dumps, say
from poise.errors import BadInput, PoiseError, unknown
from poise.threads import one_thread

app = typer.Typer(
    help="Characters that keep their balance: simulate, measure and film them.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(steps_app, name="steps")
app.add_typer(anticipation_app, name="anticipation")
app.add_typer(design_app, name="design")

FIGURES = (".png", ".svg", ".pdf")
KINDS = ("scenes", "characters", "behaviours")

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
Pushes = Annotated[
    list[str] | None,
    typer.Option(
        "--push",
        help="Push in newtons, world axes, seconds, e.g. torso:250,0,0@1.0+0.1. May be repeated.",
        metavar="BODY:FX,FY,FZ@START+DURATION",
    ),
]
Seconds = Annotated[float | None, typer.Option(help="How long to simulate; the scene's own by default.")]
Files = Annotated[
    list[Path] | None,
    typer.Option(
        "-o",
        "--output",
        help="File to write: .mp4 .gif .png .html .bvh .glb .usda .usdc .npz .csv. May be repeated.",
        metavar="FILE",
    ),
]
Plot = Annotated[Path | None, typer.Option(help="Figure of CM, CP and momenta to write.", metavar="FILE.png")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Option of the scene, e.g. angular=off, control.mode=fast. May be repeated.",
        metavar="KEY=VALUE",
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of everything random.", min=0)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object as the last line of stdout.")]
Folder = Annotated[Path | None, typer.Option("-o", "--output", help="Folder for the results.", metavar="DIR")]
Jobs = Annotated[int | None, typer.Option(help="Worker processes; all cores by default.", min=1)]


@app.command("list")
def list_(
    kind: Annotated[
        str | None, typer.Argument(help="scenes, characters or behaviours; all by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the scenes, characters and behaviours that exist."""
    from poise.cli.catalogue import catalogue

    if kind is not None and kind not in KINDS:
        raise unknown("kind", kind, KINDS)
    found = {name: catalogue(name) for name in ([kind] if kind else KINDS)}
    if json:
        print(dumps(found))
        return
    for name, entries in found.items():
        print(name)
        width = max(map(len, entries), default=0)
        for entry, text in entries.items():
            print(f"  {entry:{width}}  {text}")


@app.command()
def run(
    scene: Annotated[str, typer.Argument(help="Scene by name; see `poise list scenes`.")],
    character: Character = None,
    motion: Motion = None,
    set_: Options = None,
    push: Pushes = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    output: Files = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Simulate a scene and write what happened."""
    perform(scene, character, motion, set_, push, seconds, seed, output, plot, json)


@app.command()
def react(
    clip: Annotated[Path, typer.Argument(help="Motion file: .bvh or .amc.", metavar="CLIP")],
    push: Pushes = None,
    character: Character = None,
    set_: Options = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    output: Files = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Make a clip react: follow it in physics on its own skeleton, push it, write it back.

    A .bvh is written with the hierarchy, names, channels, units, axes and frame rate of CLIP. Times of pushes count
    from the first captured frame. --set motion.start=S and motion.end=S choose a part, motion.mass=KG a mass.
    """
    perform("react", character, clip, set_, push, seconds, seed, output, plot, json)


@app.command()
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

    files = [inspections.check_report(path) for path in output or []]
    progress = Progress(f"inspecting {file.name}")
    found = inspections.inspect(file, mass=mass, progress=progress, **parse_options(set_))
    progress.close()
    for path in files:
        found.save(path)
        say(f"wrote {path}")
    print(dumps(found.summary()) if json else found.text())


@app.command()
def replay(
    take: Annotated[
        Path, typer.Argument(help="A take written with `poise run ... -o TAKE.npz`.", metavar="TAKE.npz")
    ],
    verify: Annotated[bool, typer.Option("--verify", help="Simulate again and compare bit for bit.")] = False,
    json: Json = False,
) -> None:
    """Show a take again, or check that it repeats.

    With --verify the scene is simulated again and compared bit for bit; exit code 1 when it differs.
    """
    import poise

    recorded = poise.Recording.load(take)
    if not verify:
        print(dumps(recorded.summary()) if json else describe(recorded.summary()))
        return
    from poise.record.replay import verify as compare

    progress = Progress("simulating again")
    again = poise.simulate(scene_of(recorded.info), progress=progress)
    progress.close()
    if recorded.info.get("version") != again.info.get("version"):
        say(f"note: made by version {recorded.info.get('version')}, this is {again.info.get('version')}")
    report = compare(recorded, again)
    print(
        dumps({"equal": report.equal, "records": report.records, "report": str(report)}) if json else report
    )
    if not report.equal:
        raise typer.Exit(1)


@app.command()
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
    json: Json = False,
) -> None:
    """Measure the hardest push survived per direction.

    The limit is the largest push, on a grid of 0.05 m/s, such that it and every smaller one is survived by
    4 of 5 replicas. With -o DIR a sweep can be interrupted; the same command goes on where it stopped.
    """
    from poise import sweeps

    progress = Progress(f"pushing {scene}")
    try:
        how: dict[str, Any] = {
            "directions": directions, "replicas": replicas, "seed": seed, "max_ms": max_ms, "jobs": jobs,
            "phases": phases, "report": lambda done, note: progress(None, f"{done} trials  {note}"),
        }  # fmt: skip
        maps = sweeps.compare(scene, character, parse_options(set_), compare, output, **how)
    except KeyboardInterrupt:
        progress.close()
        say(
            "interrupted; the same command goes on from here"
            if output
            else "interrupted; with -o DIR it could go on"
        )
        raise typer.Exit(130) from None
    progress.close()
    if json:
        each = {value: result.summary() for value, result in maps.items()}
        print(dumps(each[""] if compare is None else {"compare": compare, "maps": each}))
        return
    for value, result in maps.items():
        what = f"{result.scene}, {result.character}, {value}".rstrip(", ")
        print(f"{what}, {result.replicas} replicas: largest push survived, for 0.1 s")
        for name, limit in result.limits_ms.items():
            more = " or more" if name in result.capped else ""
            print(
                f"  {name:>5}°  {limit:.2f} m/s  {result.limits_n[name]:4.0f} N  {result.strategies[name]}{more}"
            )


@app.command()
def reproduce(
    paper: Annotated[str | None, typer.Option(help="Paper by name; all by default.", metavar="NAME")] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Claim by id. May be repeated.", metavar="ID")
    ] = None,
    output: Folder = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Measure the claims of the papers: held or not."""
    from poise import reproduce as claims

    chosen = claims.choose(paper, only)
    if output is not None:
        claims.check_folder(output)
    progress = Progress("measuring")
    rows = claims.measure(chosen, jobs, lambda done, name: progress(done / len(chosen), name))
    progress.close()
    if output is not None:
        claims.write(rows, output)
    print(dumps({"rows": rows}) if json else claims.table(rows, colour=sys.stdout.isatty()))


@app.command()
def bench(
    json: Json = False,
    quick: Annotated[bool, typer.Option(help="Fewer repeats: a few seconds, noisier.")] = False,
) -> None:
    """Time the controller against placo and bare MuJoCo."""
    from poise import bench as benches

    result = benches.bench(quick=quick)
    print(dumps(result) if json else benches.describe(result))


@app.command()
def warm(jobs: Jobs = None, json: Json = False) -> None:
    """Compile everything ahead, so that the first run of a scene starts at once."""
    from poise.cli.warm import warm as compile_all
    from poise.compiled.folder import folder

    progress = Progress("compiling (once)")
    count = compile_all(jobs, progress)
    progress.close()
    found = {"compiled": count, "folder": str(folder())}
    print(dumps(found) if json else f"{count} compiled functions kept in {folder()}")


@app.command()
def doctor(json: Json = False) -> None:
    """Say what is installed, what renders and what is slow."""
    from poise.cli import doctor as doctors

    findings = doctors.examine()
    print(dumps(findings) if json else doctors.describe(findings))


def perform(
    scene: str,
    character: str | None,
    motion: Path | None,
    options: list[str] | None,
    push: list[str] | None,
    seconds: float | None,
    seed: int,
    output: list[Path] | None,
    plot: Path | None,
    json: bool,
) -> None:
    """Simulate, write the files and print the summary: what `run` and `react` share."""
    import poise
    from poise.formats import check_writable

    files = [check_writable(path) for path in output or []]
    if plot is not None:
        check_plot(plot)
    progress = Progress(f"simulating {scene}" if motion is None else f"simulating {motion.name}")
    built = poise.scene(
        scene,
        character=character,
        push=push or None,
        seconds=seconds,
        seed=seed,
        **({} if motion is None else {"motion": motion}),
        **parse_options(options),
    )
    take = poise.simulate(built, progress=progress)
    progress.close()
    for note in take.notes:
        say(f"note: {note}")
    for file in files:
        take.save(file)
        say(f"wrote {file}")
    if plot is not None:
        take.plot(plot)
        say(f"wrote {plot}")
    summary = take.summary()
    print(dumps(summary) if json else describe(summary))


def check_plot(path: Path) -> None:
    """Refuse a figure that could not be written."""
    from poise.files import check_folder

    if path.suffix.lower() not in FIGURES:
        raise unknown("ending", path.suffix or path.name, FIGURES)
    check_folder(path)


def parse_options(pairs: list[str] | None) -> dict[str, Any]:
    """`key=value` texts as a dictionary; values become numbers or booleans where they read as such."""
    options: dict[str, Any] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadInput(f"option {pair!r} is not KEY=VALUE, e.g. --set angular=off")
        options[key.strip()] = parse_value(value.strip())
    return options


def parse_value(text: str) -> bool | int | float | str:
    """on/off/true/false, a whole number, a number, or the text itself."""
    words = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def scene_of(info: dict[str, Any]) -> Any:
    """The scene that a take was made from."""
    import poise

    known = {"character", "push", "seconds", "seed"}
    options = {key: value for key, value in (info.get("options") or {}).items() if key not in known}
    try:
        name, seconds = info["scene"], info["seconds"]
    except KeyError as error:
        raise BadInput(f"the take does not say its {error.args[0]}: it cannot be simulated again") from None
    pushes = info.get("pushes") or None
    character = info.get("character_asked", info.get("character"))
    return poise.scene(name, character, push=pushes, seconds=seconds, seed=info.get("seed", 0), **options)


def describe(summary: dict[str, Any]) -> str:
    """A take's summary for people."""
    end = f"fell at {summary['fall_time']:.2f} s" if summary["fell"] else f"stood, {summary['steps']} steps"
    lines = [
        f"{summary['scene']}, {summary['character']}, {summary['seconds']:g} s: {end}"
        f"  ({summary['real_time_factor'] or 0:.1f} x real time)"
    ]
    for name, value in summary["metrics"].items():
        lines.append(f"  {name:28} {value:.4g}" if isinstance(value, float) else f"  {name:28} {value}")
    return "\n".join(lines)


def main() -> None:
    """Entry point: turns errors into one paragraph and an exit code."""
    one_thread()  # no command has imported numpy yet
    try:
        app()
    except BadInput as error:
        say(f"poise: {error}")
        sys.exit(2)
    except BrokenPipeError:  # the reader of our stdout left, e.g. `poise list | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if os.environ.get("POISE_DEBUG"):
            raise
        kind = "" if isinstance(error, PoiseError) else f"{type(error).__name__}: "
        say(f"poise: {kind}{error} (POISE_DEBUG=1 shows the traceback)")
        sys.exit(1)


if __name__ == "__main__":
    main()
