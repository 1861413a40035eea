"""Options of a scene: typed look-ups that remember what was asked, so that an unknown key is refused by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from poise import gate
from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.balance.idle import Idle
from poise.character import Character
from poise.control.controller import FARTHEST, Control
from poise.errors import BadInput, unknown
from poise.motion.clip import Clip
from poise.motion.filters import CUTOFF
from poise.worlds.disturb import Push
from poise.worlds.plant import EXACT, RANGES, Plant
from poise.worlds.terrain import TERRAINS, Terrain

if TYPE_CHECKING:
    from poise.capture.captured import Captured

T = TypeVar("T")
SKELETONS = (".bvh", ".amc")  # files of whose skeleton a body can be made
MANY = 100.0  # times the default is the most that a gain or a weight may be


class Declared(NamedTuple):
    """What a scene says about one of its options."""

    default: Any
    low: float = math.nan
    high: float = math.nan
    known: tuple[str, ...] = ()  # words to choose from; empty where any will do


class Options:
    """What the caller asked for, taken key by key with a default."""

    def __init__(
        self,
        asked: Mapping[str, Any],
        character: str | Character | None,
        pushes: tuple[Push, ...] | None,
        seconds: float | None = None,
        seed: int = 0,
    ):
        self.asked, self.pushes, self.seconds, self.seed = dict(asked), pushes, seconds, seed
        self._character = character
        self.declared: dict[str, Declared] = {}  # what was looked up so far

    def take(
        self, key: str, default: Any, check: Callable[[Any], bool] | None = None, say: str = "",
        low: float = -gate.LARGEST, high: float = gate.LARGEST,
    ) -> Any:  # fmt: skip
        """Value of a key, of the default's type; ``check`` and ``say`` refuse what makes no sense.

        A number passes the gate: finite, from ``low`` to ``high``.
        """
        real = isinstance(default, (int, float)) and not isinstance(default, bool)
        self.declared.setdefault(key, Declared(default, low, high) if real else Declared(default))
        if key not in self.asked:
            return default
        value = self.asked[key]
        wrong = not isinstance(value, type(default))
        if isinstance(value, (bool, str)) if real else wrong:
            raise BadInput(
                f"option {key}={gate.shown(value)} should be {_kind(default)} (default {default!r})"
            )
        if real:
            unit = say if check is None else ""
            value = gate.number(
                f"option {key} =", value, low, high, whole=isinstance(default, int), unit=unit
            )
        if check is not None and not check(value):
            raise BadInput(f"option {key}={gate.shown(value)} is out of range; {say}")
        return value

    def choice(self, key: str, default: str, known: tuple[str, ...]) -> str:
        """One of a list of words."""
        value = self.take(key, default)
        self.declared[key] = Declared(default, known=tuple(known))
        if value not in known:
            raise unknown(f"value of option {key}", value, known)
        return value

    def words(self, key: str, default: str) -> list[str]:
        """Words with spaces between them, one at least."""
        return self.take(key, default, lambda text: bool(text.split()), "give one word or more").split()

    def positive(self, key: str, default: float, high: float = gate.LARGEST) -> float:
        """A number above zero."""
        return self.take(key, default, lambda x: x > 0, "give a number above zero", -high, high)

    def between(self, key: str, default: Any, low: float, high: float, unit: str = "a number") -> Any:
        """A number from one to another; ``unit`` says of what."""
        return self.take(key, default, None, unit, low, high)

    def friction(self, default: float = 0.8) -> float:
        """Of the ground."""
        return self.between("friction", default, 0, 10)

    def record(self, prefix: str, default: T) -> T:
        """A frozen dataclass with fields replaced by ``prefix.field`` keys, from zero to many times the default."""
        changes = {}
        for f in fields(default):  # type: ignore[arg-type]
            own = getattr(default, f.name)
            most = max(10.0, MANY * own) if isinstance(own, float) else gate.LARGEST
            changes[f.name] = self.take(f"{prefix}.{f.name}", own, low=0.0, high=most)
        return replace(default, **changes)  # type: ignore[type-var]

    def gains(self, default: Gains | None = None) -> Gains:
        return self.record("gains", default or Gains())

    def weights(self, default: Weights | None = None) -> Weights:
        return self.record("weights", default or Weights())

    def idle(self, default: bool) -> Idle | None:
        """How a body at rest moves: by the scene's seed, or not at all."""
        return Idle(self.seed) if self.take("idle", default) else None

    def reaction(self, default: float = 0.0) -> float:
        """How late a body knows what others do to it [s]."""
        return self.between("reaction", default, 0, 0.5, "seconds")

    def control(self, refresh_hz: float | None = None) -> Control:
        mode = self.take("control.mode", "robust")
        rate = self.between("control.refresh_hz", 0.0, 0, 1e5, "Hz")
        weigh = self.take("control.weigh", True)
        predict = self.between("control.predict", 0.0, 0, FARTHEST, "seconds")
        return Control(mode, rate or refresh_hz, self.take("two_pass", True), weigh=weigh, predict=predict)

    def terrain(self, own: Terrain | None) -> Terrain | None:
        """The ground by the name of its kind, with its numbers as ``terrain.key``; the scene's own if not asked."""
        kind = self.take("terrain", "")
        if kind not in ("", "flat", *TERRAINS):
            raise unknown("terrain", kind, ("flat", *TERRAINS))
        if kind not in TERRAINS:
            return None if kind else own
        numbers = signature(TERRAINS[kind]).parameters.values()
        return TERRAINS[kind](
            **{p.name: self.take(f"terrain.{p.name}", p.default, low=-1e3, high=1e3) for p in numbers}
        )

    def plant(self) -> Plant:
        """How the body differs from the model that its controller knows."""
        return Plant(
            **{
                n: self.between(f"plant.{n}", getattr(EXACT, n), low, high, unit)
                for n, low, high, unit in RANGES
            }
        )

    def character(self, default: str) -> Character:
        given = self._character if self._character is not None else default
        if isinstance(given, Character):
            return given
        if (
            Path(given).suffix.lower() in SKELETONS
            and "motion" not in self.asked
            and (told := self._corrections())
        ):
            return Character.from_bvh(given, **told)
        return Character.named(given)

    def cast(
        self,
        character: str,
        clip: Callable[[Character], Clip] | None = None,
        part: str = "in-place",
        lock: bool = True,
    ) -> tuple[Character, Clip | None, Captured | None]:
        """Who plays and what: a motion file on its own skeleton (or another body) if asked, else the scene's own clip.

        Args:
            character: The scene's own body.
            clip: The scene's own clip for a body; None is its rest pose.
            part: The part of a motion file that suits the scene, see ``captured.PARTS``.
            lock: Whether the feet of a motion file are held flat and still unless asked otherwise.
        """
        motion = self.take("motion", "")
        if not motion:
            body = self.character(character)
            return body, clip(body) if clip else None, None
        from poise.capture.captured import captured
        from poise.motion.parts import PARTS

        start, end, mass = (
            self.between(f"motion.{key}", math.nan, 0, 1e5) for key in ("start", "end", "mass")
        )
        cutoff = self.between("motion.cutoff", CUTOFF, 0.1, 1e4, "Hz")
        made = captured(
            motion, None if self._character is None else self.character(character),
            part=self.choice("motion.part", part, tuple(PARTS)), cutoff=cutoff,
            speed=self.take("motion.speed", 0.0 if part == "kick" else 1.0, lambda x: x == 0 or x >= 0.05,
                            "give 0.05 or more, or 0 for as fast as the feet can carry", 0.0, 100.0),
            start=None if math.isnan(start) else start, end=None if math.isnan(end) else end,
            mass=None if math.isnan(mass) else mass, lock=self.take("motion.lock", lock),
            beyond=self.between("motion.beyond", 0.0, 0, 60, "seconds"),
            overrides=self._corrections(),
        )  # fmt: skip
        return made.character, made.clip, made

    def _corrections(self) -> dict[str, Any]:
        """What the importer of a motion file is told: ``motion.rate=60``, or ``rate=60`` as for `poise inspect`."""
        from poise.capture.corrections import WORDS, corrections

        keys = {key for word in WORDS for key in (word, f"motion.{word}")}
        for key in keys:
            self.declared.setdefault(key, Declared(None))
        return corrections({key: value for key, value in self.asked.items() if key in keys})

    def cast_to(
        self, character: str, clip: Callable[[Character], Clip] | None = None, lock: bool = True
    ) -> tuple[Character, Clip | None, Captured | None]:
        """The same, with a motion file always retargeted to the scene's own body (or the one asked for)."""
        if self._character is None and "motion" in self.asked:
            self._character = character
        return self.cast(character, clip, "whole", lock)

    def finish(self) -> None:
        """Refuse what nobody asked about."""
        for key in self.asked:
            if key not in self.declared:
                raise unknown("option", key, self.declared)


def source_info(took: Captured | None) -> dict[str, Any]:
    """What a recording keeps of a motion file, if there was one."""
    return {} if took is None else {"motion": took.source()}


def _kind(default: Any) -> str:
    names = {bool: "on or off", int: "a whole number", float: "a number", str: "a word"}
    return names.get(type(default), type(default).__name__)
