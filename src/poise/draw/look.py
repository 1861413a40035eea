"""The look of pictures: colours, floor and light, put on any world before it is drawn."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.draw.shade import Paint


def _rgb(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


SKY_TOP = _rgb(0.76, 0.84, 0.92)
SKY_LOW = _rgb(0.965, 0.97, 0.975)  # the horizon; the floor fades into it
TILE_A, TILE_B = _rgb(0.895, 0.90, 0.905), _rgb(0.845, 0.855, 0.865)
TILE = 0.5  # edge of a tile [m]
BELOW = 0.6  # depth of the floor in a world that has none [m]
BODY = _rgb(0.40, 0.55, 0.72)  # for geoms that have no colour of their own
PROP = _rgb(0.80, 0.66, 0.46)  # the same for what is not the character: platform, props
ARROW, TARGET = _rgb(0.91, 0.30, 0.22), _rgb(0.95, 0.62, 0.15)
ROPE = _rgb(0.62, 0.50, 0.34)
MARKS = {"com": _rgb(0.15, 0.17, 0.20), "cp": _rgb(0.82, 0.29, 0.36), "cmp": _rgb(0.88, 0.63, 0.19)}
LIGHT = np.array([-0.16, 0.62, -1.0]) / np.linalg.norm([-0.16, 0.62, -1.0])  # direction of the sun
GREY = np.float32(0.5)  # MuJoCo's colour for "none given"
GHOST = np.array([0.53, 0.38, 0.68, 0.75])  # of the pose that is followed
SUN_SIZE = 0.03  # half its width as seen from here [rad]: edges of shadows are soft
CONTACT_REACH = 0.10  # [m] over the floor, where things hide the sky from it
_ASIDE = np.cross([0.0, 0.0, 1.0], -LIGHT) / np.linalg.norm(np.cross([0.0, 0.0, 1.0], -LIGHT))
SUN_AXES = np.array([_ASIDE, np.cross(-LIGHT, _ASIDE), -LIGHT])  # rows: two across, one towards the sun
PAINT = Paint(
    sky=np.array([SKY_LOW, SKY_TOP], dtype=float), tiles=np.array([TILE_A, TILE_B], dtype=float), tile=TILE,
    fade=np.array([4.0, 18.0]), light=np.array([0.38, 0.22, 0.36, 0.26]), shadow=0.36, contact=0.45,
)  # fmt: skip


def dressed(model_xml: str) -> mujoco.MjModel:
    """The same world with our floor and colours; positions and q are untouched."""
    spec = mujoco.MjSpec.from_string(model_xml)
    _floor(spec)
    model = spec.compile()
    _colour(model)
    return model


def _floor(spec: mujoco.MjSpec) -> None:
    """Something to see a platform move against, and to stand terrain on, where there is no floor."""
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    if any(geom.type == plane for geom in spec.geoms):
        return
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    fixed = np.flatnonzero((model.geom_bodyid == 0) & (model.geom_contype != 0))
    up = data.geom_xmat[fixed].reshape(-1, 3, 3)[:, 2]
    middle, half = np.split(model.geom_aabb[fixed], 2, axis=1)
    low = data.geom_xpos[fixed, 2] + np.sum(up * middle - np.abs(up) * half, axis=1)
    spec.worldbody.add_geom(
        type=plane, size=[0, 0, 1], pos=[0, 0, min([-BELOW, *low])], contype=0, conaffinity=0
    )


def _colour(model: mujoco.MjModel) -> None:
    """Give a colour to what has none; character and props differ."""
    from poise.draw.form import shown_geoms

    none = (model.geom_matid < 0) & np.all(model.geom_rgba[:, :3] == GREY, axis=1)
    own = np.zeros(model.ngeom, dtype=bool)
    own[shown_geoms(model, character_only=True)] = True
    model.geom_rgba[none & own, :3] = BODY
    model.geom_rgba[none & ~own, :3] = PROP
