"""Frames through MuJoCo's own OpenGL renderer, in memory, with EGL or OSMesa."""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import lru_cache

import mujoco
import numpy as np
from PIL import Image

from poise.draw import look
from poise.draw.view import BALL, Camera, Mark

CONTEXTS = {"egl": "mujoco.egl", "osmesa": "mujoco.osmesa", "cgl": "mujoco.cgl", "glfw": "mujoco.glfw"}
PROBE_SECONDS = 30
OVERSAMPLE = 2.0  # drawn larger, then reduced: smooth edges also where multisampling is slow,
DRAWN_PIXELS = 1.2e6  # as long as what is drawn stays below this
ARROW_WIDTH = 0.022  # [m]

# A broken graphics driver may end the process, so it is tried in another one first.
_PROBE = """
import importlib, sys
import mujoco, numpy
context = importlib.import_module(sys.argv[1]).GLContext(64, 64)
context.make_current()
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
scene, camera, option = mujoco.MjvScene(model, 10), mujoco.MjvCamera(), mujoco.MjvOption()
mujoco.mjv_defaultFreeCamera(model, camera)
mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
target = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, target)
pixels, box = numpy.zeros((64, 64, 3), numpy.uint8), mujoco.MjrRect(0, 0, 64, 64)
mujoco.mjr_render(box, scene, target)
mujoco.mjr_readPixels(pixels, None, box, target)
sys.stdout.write('drawn' if pixels.max() > 0 else 'blank')
"""


@lru_cache
def works(backend: str) -> bool:
    """Whether this machine draws with that backend; tried once, in a process of its own."""
    command = [sys.executable, "-c", _PROBE, CONTEXTS[backend]]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.startswith(b"drawn")


class GlPainter:
    """Draws what `data` holds; call it after the View has moved there."""

    def __init__(self, model: mujoco.MjModel, width: int, height: int, backend: str) -> None:
        self._model = model
        self._size = (width, height)
        scale = float(np.clip(np.sqrt(DRAWN_PIXELS / (width * height)), 1.0, OVERSAMPLE))
        width, height = round(width * scale), round(height * scale)
        model.vis.global_.offwidth, model.vis.global_.offheight = width, height
        # named directly: MuJoCo's own choice is made once, by MUJOCO_GL, when it is first imported
        self._context = importlib.import_module(CONTEXTS[backend]).GLContext(width, height)
        self._context.make_current()
        self._scene = mujoco.MjvScene(model, model.ngeom + 100)
        self._target = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._target)
        self._box = mujoco.MjrRect(0, 0, width, height)
        self._option, self._camera = mujoco.MjvOption(), mujoco.MjvCamera()
        self._scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False

    def __call__(self, data: mujoco.MjData, camera: Camera, marks: list[Mark]) -> np.ndarray:
        """One picture (height, width, 3) uint8."""
        model = self._model
        data.light_xpos[:] = camera.lookat - 4 * look.LIGHT  # the shadow map is small: it follows the body
        self._aim(camera)
        mujoco.mjv_updateScene(
            model, data, self._option, None, self._camera, mujoco.mjtCatBit.mjCAT_ALL, self._scene
        )
        for mark in marks:
            self._add(mark)
        pixels = np.empty((self._box.height, self._box.width, 3), dtype=np.uint8)
        self._context.make_current()
        mujoco.mjr_render(self._box, self._scene, self._target)
        mujoco.mjr_readPixels(pixels, None, self._box, self._target)
        picture = Image.fromarray(pixels[::-1])
        return np.asarray(picture.resize(self._size, Image.Resampling.BOX))

    def close(self) -> None:
        """Give the graphics memory back."""
        self._context.make_current()
        self._target.free()
        self._context.free()

    def _aim(self, camera: Camera) -> None:
        self._model.vis.global_.fovy = np.degrees(camera.fovy)
        self._camera.lookat, self._camera.distance = camera.lookat, camera.distance
        self._camera.azimuth = np.degrees(camera.azimuth)
        self._camera.elevation = np.degrees(camera.elevation)

    def _add(self, mark: Mark) -> None:
        scene = self._scene
        kind = mujoco.mjtGeom.mjGEOM_SPHERE if mark.tail is None else mujoco.mjtGeom.mjGEOM_ARROW
        geom = scene.geoms[scene.ngeom]
        mujoco.mjv_initGeom(
            geom, kind, np.full(3, BALL), mark.tip, np.eye(3).ravel(), mark.rgba.astype(np.float32)
        )
        if mark.tail is not None:
            # MuJoCo draws an arrow half as long as it is asked for
            mujoco.mjv_connector(geom, kind, ARROW_WIDTH, mark.tail, 2 * mark.tip - mark.tail)
        scene.ngeom += 1
