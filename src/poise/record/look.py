"""The look of pictures: colours, floor and light, put on any world before it is drawn."""

from __future__ import annotations

import mujoco
import numpy as np

SKY_TOP = np.array([0.76, 0.84, 0.92])
SKY_LOW = np.array([0.965, 0.97, 0.975])  # the horizon; the floor fades into it
TILE_A = np.array([0.905, 0.91, 0.915])
TILE_B = np.array([0.855, 0.865, 0.875])
TILE = 0.5  # edge of a tile [m]
BODY = np.array([0.36, 0.50, 0.66, 1.0])  # for geoms that have no colour of their own
PROP = np.array([0.80, 0.66, 0.46, 1.0])  # the same for what is not the character: platform, props
ARROW = np.array([0.91, 0.30, 0.22])
LIGHT = np.array([-0.16, 0.62, -1.0])  # direction of the sun
LIGHT = LIGHT / np.linalg.norm(LIGHT)
AMBIENT, DIFFUSE, HEAD = 0.46, 0.58, 0.18  # strength of sky, sun and camera light
GREY = 0.5  # MuJoCo's colour for "none given"


def dressed(model_xml: str, width: int, height: int) -> mujoco.MjModel:
    """The same world with our floor, sky and light; positions and q are untouched."""
    spec = mujoco.MjSpec.from_string(model_xml)
    _quality(spec, width, height)
    _sky(spec)
    _light(spec)
    _floor(spec)
    model = spec.compile()
    _colour(model)
    return model


def _quality(spec: mujoco.MjSpec, width: int, height: int) -> None:
    visual = spec.visual
    visual.global_.offwidth, visual.global_.offheight = width, height
    visual.quality.offsamples, visual.quality.shadowsize = 0, 1024  # several times faster without a graphics card
    visual.map.shadowclip, visual.map.zfar, visual.map.znear = 1.0, 60.0, 0.02
    visual.map.haze = 0.45
    visual.rgba.haze = [*SKY_LOW, 1]
    visual.headlight.ambient, visual.headlight.diffuse = [AMBIENT] * 3, [HEAD] * 3
    visual.headlight.specular = [0.0] * 3
    spec.stat.extent, spec.stat.center = 2.2, [0, 0, 0.8]  # size of the shadow map and of the near plane


def _sky(spec: mujoco.MjSpec) -> None:
    kinds = mujoco.mjtTexture.mjTEXTURE_SKYBOX, mujoco.mjtBuiltin.mjBUILTIN_GRADIENT
    for texture in list(spec.textures):
        if texture.type == kinds[0]:
            spec.delete(texture)
    spec.add_texture(
        name="poise_sky", type=kinds[0], builtin=kinds[1], rgb1=SKY_TOP, rgb2=SKY_LOW, width=256, height=1536
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
    floor = spec.add_material(name="poise_floor", texrepeat=[0.5 / TILE] * 2, texuniform=True, specular=0, shininess=0)
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "poise_tiles"
    for geom in spec.geoms:
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            geom.material, geom.rgba = "poise_floor", [1, 1, 1, 1]


def _colour(model: mujoco.MjModel) -> None:
    """Give a colour to what has none; character and props differ."""
    from poise.record.view import shown_geoms

    none = (model.geom_matid < 0) & np.all(model.geom_rgba[:, :3] == np.float32(GREY), axis=1)
    own = np.zeros(model.ngeom, dtype=bool)
    own[shown_geoms(model, character_only=True)] = True
    model.geom_rgba[none & own, :3] = BODY[:3]
    model.geom_rgba[none & ~own, :3] = PROP[:3]
