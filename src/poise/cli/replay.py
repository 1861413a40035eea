"""``poise replay``: a take again, or whether it repeats bit for bit."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli import options
from poise.cli.options import Json
from poise.cli.run import describe
from poise.console import Progress, dumps, say, wrote
from poise.errors import BadInput
from poise.gate import gate, number

if TYPE_CHECKING:
    from poise import Scene
    from poise.record.replay import Verdict

PATIENCE_S = 600.0  # that --follow waits for a part


def replay(
    take: Annotated[
        Path,
        typer.Argument(
            help="A take written with `poise run ... -o TAKE.npz`, or .parts.", metavar="TAKE.npz"
        ),
    ],
    verify: Annotated[bool, typer.Option("--verify", help="Simulate again and compare bit for bit.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with a take in parts while it is being made, to its end.")
    ] = False,
    output: options.Files = None,
    size: options.Size = None,
    fps: options.Fps = None,
    camera: options.View = "three-quarter",
    ghost: options.Ghost = False,
    json: Json = False,
) -> None:
    """Show a take again, or check that it repeats.

    With -o it is written again, without simulating: a film from another side, say.
    With --verify the scene is simulated again and compared bit for bit; exit code 1 when it differs. Of a take in
    parts it compares what has been written; with --follow it waits for the rest, ten minutes at the most for each part.
    """
    import poise
    from poise.files import distinct
    from poise.formats import check_writable, parts

    how = options.shot(size, fps, camera, ghost)
    files = [check_writable(path) for path in distinct([*(output or [])])]
    if parts.is_parts(take):
        if files:
            raise BadInput(
                "a take in parts is not written again: give one of its parts, e.g. NAME.parts/000000.npz"
            )
        return replay_parts(take, verify, json, PATIENCE_S if follow else 0.0)
    if follow:
        raise BadInput(f"'{take}' is whole: only a take in parts can be followed while it grows")
    recorded = poise.Recording.load(take)
    for file in files:
        with gate(f"'{take}' is damaged"):
            recorded.save(file, **how)
        wrote(file)
    if not verify:
        with gate(f"'{take}' is damaged"):
            said = dumps(recorded.summary()) if json else describe(recorded.summary())
        print(said)
        return
    from poise.record.replay import verify as compare

    progress = Progress("simulating again")
    again = poise.simulate(scene_of(recorded.info), progress=progress)
    progress.close()
    if recorded.info.get("version") != again.info.get("version"):
        say(f"note: made by version {recorded.info.get('version')}, this is {again.info.get('version')}")
    told(compare(recorded, again), json)


def replay_parts(folder: Path, verify: bool, json: bool, patience: float) -> None:
    """The same of a take in parts, one after the other, as far as it has been written, or comes in time."""
    from poise.formats import parts
    from poise.record.replay import verify as compare
    from poise.simulate import stream

    recorded = parts.load(folder, patience)
    if not verify:
        last = deque(recorded, maxlen=1)[0]
        summary = {**last.summary(), "parts": last.info["part"] + 1, "ends": last.info["ends"]}
        return print(dumps(summary) if json else describe(summary))
    first = next(recorded)
    progress, report, before = Progress("simulating again"), None, 0
    for one, again in zip(chain([first], recorded), stream(scene_of(first.info), progress), strict=False):
        report = replace(part := compare(one, again), records=before + part.records)
        before = report.records
        if not report.equal:
            break
    progress.close()
    assert report is not None
    told(report, json)


def told(report: Verdict, json: bool) -> None:
    """Print whether a take repeats; exit code 1 where it does not."""
    found = {"equal": report.equal, "records": report.records, "report": str(report)}
    print(dumps(found) if json else report)
    if not report.equal:
        raise typer.Exit(1)


def scene_of(info: dict[str, Any]) -> Scene:
    """The scene that a take was made from, by the take's info."""
    import poise

    known = {"character", "push", "seconds", "seed"}
    options = {key: value for key, value in (info.get("options") or {}).items() if key not in known}
    try:
        name, seconds = info["scene"], info["seconds"]
    except KeyError as error:
        raise BadInput(f"the take does not say its {error.args[0]}: it cannot be simulated again") from None
    with gate("the take's scene cannot be made again"):
        window = (info.get("direction") or {}).get("window") or [0.0]
        first = number("the start of the window", window[0])
        pushes = [_asked(text, first) for text in info.get("pushes") or []] or None
        character = info.get("character_asked", info.get("character"))
        return poise.scene(name, character, push=pushes, seconds=seconds, seed=info.get("seed", 0), **options)


def _asked(text: str, first: float) -> Any:
    """A push as it was asked for: with a window its times count from the clip's start."""
    from poise.worlds.disturb import Push

    push = Push.parse(text)
    return replace(push, start=push.start + first) if first else push
