"""Reading the text of an Acclaim skeleton (.asf)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poise.capture.readers.bvh_text import number, wrong
from poise.geometry import quat

TURNS = ("rx", "ry", "rz")
SHIFTS = ("tx", "ty", "tz")


@dataclass(frozen=True, eq=False)
class Bone:
    """One bone of a skeleton."""

    name: str  # its name
    parent: str  # the bone it starts at the end of, or "root"
    vector: np.ndarray  # (3,) from its start to its end [file units]
    axis: np.ndarray  # quaternion of the frame that its angles are about
    dof: tuple[str, ...]  # "rx", "ry", "rz" in the order of the frames' numbers
    limits: tuple[tuple[float, float], ...]  # (lowest, highest) of each [rad]


@dataclass(frozen=True, eq=False)
class Asf:
    """A skeleton: bones with parents first; `order` and the preset place and turn of the root; `length` of `:units`."""

    bones: tuple[Bone, ...]
    order: tuple[str, ...]
    position: np.ndarray
    orientation: np.ndarray
    length: float | None
    notes: tuple[str, ...]


Line = tuple[int, list[str]]


def parse_asf(text: str) -> Asf:
    """The skeleton that a text describes."""
    parts = _sections(text)
    units = {words[0].lower(): (at, words) for at, words in parts.get("units", [])}
    radians = "angle" in units and units["angle"][1][-1].lower().startswith("rad")
    scale = 1.0 if radians else math.pi / 180.0
    blocks = list(_blocks(parts.get("bonedata", [])))
    bones = dict(_bone(at, block, scale) for at, block in blocks)
    if len(bones) != len(blocks):
        raise wrong(blocks[-1][0], "two bones of one name")
    if not bones:
        raise wrong(max(1, text.count("\n")), "no bones (':bonedata' missing or empty): not an ASF file")
    parents = _hierarchy(parts.get("hierarchy", []), bones)
    root = {words[0].lower(): (at, words[1:]) for at, words in parts.get("root", [])}
    at, order = root.get("order", (1, ["TX", "TY", "TZ", "RX", "RY", "RZ"]))
    tokens = _dof(at, order, (*SHIFTS, *TURNS))
    position = np.array(_numbers(root.get("position", (1, ["0"] * 3)), 3))
    turn = np.array(_numbers(root.get("orientation", (1, ["0"] * 3)), 3)) * scale
    axis = root.get("axis", (1, ["XYZ"]))
    length = _numbers((units["length"][0], units["length"][1][1:]), 1)[0] if "length" in units else None
    return Asf(
        tuple(Bone(name, parents[name], *bones[name]) for name in parents),
        tokens,
        position,
        _axis(axis[0], turn, "".join(axis[1])),
        length if length is not None and length > 0 else None,
        ("the root has a preset place or turn",) if position.any() or turn.any() else (),
    )


def _sections(text: str) -> dict[str, list[Line]]:
    """Lines by the keyword they stand under; commas and parentheses are blanks, # begins a comment."""
    parts: dict[str, list[Line]] = {}
    now: list[Line] = []
    for at, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].translate(str.maketrans(",()", "   ")).split()
        if words and words[0].startswith(":"):
            now = parts.setdefault(words[0][1:].lower(), [])
            words = words[1:]
        if words:
            now.append((at, words))
    return parts


def _blocks(section: list[Line]) -> Iterator[tuple[int, list[Line]]]:
    """What stands between `begin` and `end`, with the line of its `begin`."""
    block: list[Line] | None = None
    start = 1
    for at, words in section:
        match words[0].lower(), block:
            case "begin", None:
                start, block = at, []
            case "end", list():
                yield start, block
                block = None
            case _, list():
                block.append((at, words))
            case _:
                raise wrong(at, f"expected 'begin', found {words[0][:64]!r}")
    if block is not None:
        raise wrong(start, "'begin' without 'end'")


def _bone(start: int, block: list[Line], scale: float):
    """Name, and (vector, axis, dof, limits)."""
    entries: dict[str, Line] = {}
    limits: list[float] = []
    key = ""
    for at, words in block:
        if words[0][0].isalpha() and words[0].lower() not in ("inf", "nan"):
            key, words = words[0].lower(), words[1:]
            entries[key] = (at, words)
        if key == "limits":
            limits += [_limit(at, word) for word in words]
    for need in ("name", "direction", "length"):
        if need not in entries:
            raise wrong(start, f"a bone without '{need}'")
    name = " ".join(entries["name"][1])
    if not name or name == "root":
        raise wrong(entries["name"][0], f"a bone named {name!r}")
    direction = np.array(_numbers(entries["direction"], 3))
    vector = direction * _numbers(entries["length"], 1)[0]
    at, words = entries.get("axis", (start, ["0", "0", "0", "XYZ"]))
    axis = _axis(at, np.array(_numbers((at, words), 3)) * scale, "".join(words[3:]) or "XYZ")
    at, words = entries.get("dof", (start, []))
    dof = _dof(at, words, TURNS)
    if limits and len(limits) != 2 * len(dof):
        why = f"bone '{name}' with {len(limits)} limits for {len(dof)} dof; two for each"
        raise wrong(entries["limits"][0], why)
    pairs = tuple((low * scale, high * scale) for low, high in zip(limits[::2], limits[1::2]))
    return name, (vector, axis, dof, pairs)


def _numbers(entry: Line, count: int) -> list[float]:
    at, words = entry
    if len(words) < count:
        raise wrong(at, f"{len(words)} numbers; {count} are needed")
    return [number(word, at) for word in words[:count]]


def _limit(at: int, word: str) -> float:
    infinite = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
    return infinite[word.lower()] if word.lower() in infinite else number(word, at)


def _axis(at: int, angles: np.ndarray, order: str) -> np.ndarray:
    """Quaternion of three angles [rad], one for each letter in turn, about fixed axes, first letter first."""
    letters = order.lower()
    if sorted(letters) != ["x", "y", "z"]:
        raise wrong(at, f"axis order {order[:16]!r}; give the letters X, Y and Z")
    return quat.from_euler(angles[::-1], letters[::-1])


def _dof(at: int, words: list[str], known: tuple[str, ...]) -> tuple[str, ...]:
    tokens = tuple(word.lower() for word in words)
    for token in tokens:
        if token not in known:
            raise wrong(at, f"dof {token[:16]!r} not understood; known: {', '.join(known)}")
    if len(set(tokens)) != len(tokens):
        raise wrong(at, f"a dof twice in '{' '.join(tokens)[:64]}'")
    return tokens


def _hierarchy(section: list[Line], bones: dict[str, tuple]) -> dict[str, str]:
    """Bone -> parent, parents first."""
    children: dict[str, list[str]] = {}
    parents: dict[str, str] = {}
    last = 1
    for at, block in _blocks(section):
        for last, words in block or [(at, [])]:
            for name in words:
                if name != "root" and name not in bones:
                    raise wrong(last, f"bone {name[:64]!r} is not in ':bonedata'")
            for child in words[1:]:
                if child in parents or child == "root":
                    raise wrong(last, f"bone {child[:64]!r} has two parents")
                parents[child] = words[0]
                children.setdefault(words[0], []).append(child)
    ordered: dict[str, str] = {}
    stack = list(reversed(children.get("root", [])))
    while stack:
        name = stack.pop()
        ordered[name] = parents[name]
        stack += reversed(children.get(name, []))
    loose = sorted(set(bones) - set(ordered))
    if loose:
        raise wrong(last, f"bones that hang on nothing in ':hierarchy': {', '.join(loose)[:200]}")
    return ordered
