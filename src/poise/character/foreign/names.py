"""Names for everything: the file's own where it gives one, made up and unique where it does not."""

from __future__ import annotations

from poise.character.constants import FREE
from poise.character.foreign.source import Source


def body_names(source: Source) -> dict[int, str]:
    """Id of each part to its name; nameless ones are called after their parent."""
    taken = {source.model.body(b).name for b in source.bodies}
    names: dict[int, str] = {}
    for b in source.bodies:
        b = int(b)
        own = source.model.body(b).name
        parent = names.get(int(source.model.body_parentid[b]))
        names[b] = own or _free(taken, f"{parent}_part" if parent else "root_body")
    _tell(source, "names of parts", [n for b, n in names.items() if not source.model.body(b).name])
    return names


def joint_names(source: Source, bodies: dict[int, str]) -> dict[int, str]:
    """Id of each joint of the body to its name; nameless ones are called after the part they move."""
    model = source.model
    inside = [j for j in range(model.njnt) if int(model.jnt_bodyid[j]) in bodies]
    taken = {model.joint(j).name for j in inside}
    names = {}
    for j in inside:
        wanted = "root" if model.jnt_type[j] == FREE else f"{bodies[int(model.jnt_bodyid[j])]}_joint"
        names[j] = model.joint(j).name or _free(taken, wanted)
    _tell(source, "names of joints", [n for j, n in names.items() if not model.joint(j).name and n != "root"])
    return names


def _free(taken: set[str], wanted: str) -> str:
    name, n = wanted, 1
    while name in taken or name == "world":
        n += 1
        name = f"{wanted}{n}"
    taken.add(name)
    return name


def _tell(source: Source, what: str, made: list[str]) -> None:
    if made:
        source.notes(what, made, "the file gives them none")
