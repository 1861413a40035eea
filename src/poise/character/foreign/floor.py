"""The floor that a file was made for: friction and firmness of its contact with the feet."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.character.character import Floor
from poise.character.foreign.source import Notes, Source

FLOORS = [int(getattr(mujoco.mjtGeom, f"mjGEOM_{k}")) for k in ("PLANE", "HFIELD", "BOX")]
DEFAULT_SOLREF = (0.02, 1.0)
DEFAULT_FRICTION = 1.0


def floor_of(source: Source, feet: list[int], notes: Notes) -> Floor | None:
    """What the engine would make of a foot on the file's own floor; None where neither says anything."""
    model = source.model
    feet = [g for g in feet if model.geom_contype[g] or model.geom_conaffinity[g] or g in source.floor_geoms]
    world = [
        g
        for g in range(model.ngeom)
        if model.body_weldid[model.geom_bodyid[g]] == 0
        and int(model.geom_type[g]) in FLOORS
        and _collides(model, g)
    ]
    ground = min(world, key=lambda g: FLOORS.index(int(model.geom_type[g])), default=None)
    mine = [g for g in (feet[:1] if feet else [])]
    both = mine + ([ground] if ground is not None else [])
    if not both:
        return None
    top = max(int(model.geom_priority[g]) for g in both)
    ruling = [g for g in both if model.geom_priority[g] == top]
    friction = max(float(model.geom_friction[g, 0]) for g in ruling)
    solref = np.average(
        [model.geom_solref[g] for g in ruling],
        axis=0,
        weights=[max(model.geom_solmix[g], 1e-9) for g in ruling],
    )
    given = ground is not None or friction != DEFAULT_FRICTION
    firm = None if np.allclose(solref, DEFAULT_SOLREF) else (float(solref[0]), float(solref[1]))
    bits = 0
    for g in mine + feet:
        bits |= int(model.geom_contype[g]) | int(model.geom_conaffinity[g])
    if given:
        notes(
            "friction",
            round(friction, 3),
            "of the feet on the file's own floor" if ground is not None else "of the feet",
        )
    return Floor(friction if given else None, firm, bits | 1)


def _collides(model: mujoco.MjModel, g: int) -> bool:
    return bool(model.geom_contype[g] or model.geom_conaffinity[g])
