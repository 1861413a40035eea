"""The look of pictures: colours, floor and light, put on any world before it is drawn."""

from __future__ import annotations

import mujoco
import numpy as np


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
MARKS = {"com": _rgb(0.15, 0.17, 0.20), "cp": _rgb(0.82, 0.29, 0.36), "cmp": _rgb(0.88, 0.63, 0.19)}
LIGHT = np.array([-0.16, 0.62, -1.0]) / np.linalg.norm([-0.16, 0.62, -1.0])  # direction of the sun
AMBIENT, DIFFUSE, HEAD = 0.46, 0.58, 0.18  # strength of the light from the sky, the sun and the camera
GREY = np.float32(0.5)  # MuJoCo's colour for "none given"


def dressed(model_xml: str) -> mujoco.MjModel:
    """The same world with our floor, sky and light; positions and q are untouched."""
    spec = mujoco.MjSpec.from_string(model_xml)
    _quality(spec)
    _sky(spec)
    _light(spec)
    _floor(spec)
    model = spec.compile()
    _colour(model)
    return model


def _quality(spec: mujoco.MjSpec) -> None:
    visual = spec.visual
    # several times faster where there is no graphics card
    visual.quality.offsamples, visual.quality.shadowsize = 0, 1024
    visual.map.shadowclip, visual.map.zfar, visual.map.znear = 1.0, 60.0, 0.02
    visual.map.haze = 0.45
    visual.rgba.haze = [*SKY_LOW, 1]
    visual.headlight.ambient, visual.headlight.diffuse = [AMBIENT] * 3, [HEAD] * 3
    visual.headlight.specular = [0.0] * 3


def _sky(spec: mujoco.MjSpec) -> None:
    kind = mujoco.mjtTexture.mjTEXTURE_SKYBOX
    for texture in list(spec.textures):
        if texture.type == kind:
            spec.delete(texture)
    gradient = mujoco.mjtBuiltin.mjBUILTIN_GRADIENT
    spec.add_texture(
        name="poise_sky", type=kind, builtin=gradient, rgb1=SKY_TOP, rgb2=SKY_LOW, width=256, height=1536
    )


def _light(spec: mujoco.MjSpec) -> None:
    for light in list(spec.lights):
        spec.delete(light)
    spec.worldbody.add_light(
        name="poise_sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=-4 * LIGHT,
        dir=LIGHT,
        diffuse=[DIFFUSE] * 3,
        ambient=[0.0] * 3,
        specular=[0.12] * 3,
        castshadow=True,
    )


def _floor(spec: mujoco.MjSpec) -> None:
    spec.add_texture(
        name="poise_tiles",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=TILE_A,
        rgb2=TILE_B,
        width=512,
        height=512,
    )
    floor = spec.add_material(name="poise_floor", texrepeat=[1 / TILE] * 2, texuniform=True)
    floor.specular, floor.shininess, floor.reflectance = 0.0, 0.0, 0.0
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "poise_tiles"
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    if not any(geom.type == plane for geom in spec.geoms):  # something to see a platform move against
        spec.worldbody.add_geom(type=plane, size=[0, 0, 1], pos=[0, 0, -BELOW], contype=0, conaffinity=0)
    for geom in spec.geoms:
        if geom.type == plane:
            geom.material, geom.rgba, geom.size = "poise_floor", [1, 1, 1, 1], [0, 0, 1]  # endless


def _colour(model: mujoco.MjModel) -> None:
    """Give a colour to what has none; character and props differ."""
    from poise.draw.view import shown_geoms

    none = (model.geom_matid < 0) & np.all(model.geom_rgba[:, :3] == GREY, axis=1)
    own = np.zeros(model.ngeom, dtype=bool)
    own[shown_geoms(model, character_only=True)] = True
    model.geom_rgba[none & own, :3] = BODY
    model.geom_rgba[none & ~own, :3] = PROP
