"""House: what plays now. Builds acts, their page, and changes from one to the next."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from poise.behaviours.life import Life
from poise.character.morphologies import CHARACTERS
from poise.errors import BadInput, PoiseError, unknown
from poise.formats import skeletal
from poise.formats.skeletal import Bodies
from poise.formats.writers import html
from poise.record.recording import Recording
from poise.scenes import SCENES, repertoire
from poise.scenes import scene as build
from poise.simulate import Scene
from poise.simulate.scene import LONGEST, Performance
from poise.stage import frame
from poise.stage.act import KEPT, Act, with_balls
from poise.stage.frame import Packer

WARM, PACE = 1.6, 0.4  # [s], [m/s]
# played before anybody looks: code is loaded then, not in front of the audience
SCRIPTS = ("pick.js", "live.js", "touch.js", "stick.js", "menu.js", "files.js", "panel.js", "start.js")
GUESSES = 60  # of an importer that are shown


@dataclass(frozen=True, eq=False)
class Play:
    """An act with what the page needs to show it."""

    act: Act
    world: Bodies
    page: str


def play(scene: Scene, clips: Mapping[str, str] | None = None) -> Play:
    """Put a scene on the stage; ``clips`` are motion files that may be followed there, by name."""
    if isinstance(scene.behaviour, Performance):
        raise BadInput(
            f"scene {scene.name!r} is performed without physics: it cannot be touched, so not staged"
        )
    act = Act(with_balls(scene), clips)
    first = act.session.save()
    with contextlib.suppress(PoiseError):  # what can walk does, so that no first step stalls
        act.session.command(speed=PACE)
    act.session.step(WARM)
    recording = act.recording()
    act.session.restore(first)
    world = skeletal.bodies(recording)
    return Play(act, world, page(act, recording, world))


def scene_of(name: str, character: str | None = None, motion: str | None = None, **options: Any) -> Scene:
    """A scene that never ends by itself, by name; names only, since a page may ask for it."""
    made = build(name, character=character, motion=motion, after_fall=math.inf, **options)
    if name == "roam" and not options:  # with all that the body can do
        roams = repertoire.act("roam", made.character, repertoire.Wish(friction=made.world.friction))[0]
        options = {"life": True} if isinstance(roams, Life) else {}
        made = replace(made, behaviour=roams, options=options)
    return replace(made, measures=(), seconds=LONGEST)  # measures are of whole takes of one behaviour


def asked(name: str, character: str) -> Scene:
    """A scene that a page asked for: names of ours and nothing else, no file."""
    if name not in stageable():
        raise unknown("scene", name, stageable())
    if character and character not in CHARACTERS:
        raise unknown("character", character, CHARACTERS)
    own = {"ride": "still"} if name == "platform" else {}  # here it is moved by hand
    return scene_of(name, character or None, **own)


def stageable() -> list[str]:
    """Scenes that have a physics loop to touch, by the file that they are in."""
    led = ("abstract", "example_steps", "react")
    return [name for name, make in SCENES.items() if make.__module__.rpartition(".")[2] not in led]


def page(act: Act, recording: Recording, world: Bodies) -> str:
    """The page of a take, made live."""
    data = html.contents(recording)
    scene = act.scene
    data["live"] = {
        "head": frame.HEAD.size, "pulls": frame.PULLS, "dt": act.dt,
        "kept": KEPT, "bodies": list(scene.character.body_names), "mass": scene.character.mass, "scene": scene.name,
        "scenes": stageable(), "characters": list(CHARACTERS), "behaviours": repertoire.ACTS, "clips": list(act.clips),
        "platform": scene.world.platform is not None, "conditions": vars(act.session.conditions),
        "balls": [b.mass for b in scene.world.balls],
    }  # fmt: skip
    packed = Packer(act.session, world)
    known = {name for name, _ in packed.layout}
    for chart in data["charts"]:
        for line in chart["lines"]:
            line["series"] = line["series"].removesuffix("_on_ground")
    data["charts"] = [c for c in data["charts"] if all(line["series"] in known for line in c["lines"])]
    data["series"] = {name: values for name, values in data["series"].items() if name in known}
    data["live"] |= {"layout": packed.layout, "frames": packed.frames}
    if "file" in scene.info:
        data["title"] = f"{scene.name} · {scene.info['file']}"
    data["facts"], data["fall"], data["events"], data["tables"] = [], None, [], report(scene)
    return html.filled(data, "poise.stage", ("live.css",), SCRIPTS)


def report(scene: Scene) -> list[dict[str, Any]]:
    """What was decided about a file that was brought, as a table for people."""
    guesses = list(scene.character.report or ())
    rows = [[g.what, str(g.value)[:80], g.evidence] for g in guesses[:GUESSES]]
    more = (
        [["…", f"{len(guesses) - GUESSES} more", "`poise inspect` has them"]]
        if len(guesses) > GUESSES
        else []
    )
    return [{"title": "What the file was taken for", "rows": rows + more}] if rows else []


def rehearse(act: Act, kind: str, fields: Mapping[str, Any]) -> bool:
    """Make ready what a message asks for, so that nothing is made or compiled while people watch."""
    if kind == "behave":
        act.prepare(**fields)
    if fields.get("dodge") or fields.get("wishes", {}).get("dodge"):
        repertoire.rehearse(act.scene.character)
    return True


def command_line(act: Act) -> str:
    """What to type to have the same scene and shoves again, without pulls, balls and commands."""
    words = ["poise", "run", act.scene.name, "--character", act.scene.character.name]
    for key, value in act.scene.options.items():
        words += ["--set", f"{key}={('off', 'on')[value] if isinstance(value, bool) else value}"]
    if (mu := act.session.conditions.friction) != act.scene.world.friction:
        words += ["--set", f"friction={mu:g}"]
    for push in act.session.pushes:
        words += ["--push", str(push)]
    return " ".join([*words, "--seconds", f"{max(act.session.time, 1.0):.1f}"])
