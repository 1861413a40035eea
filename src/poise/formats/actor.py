"""What the three-dimensional writers draw: a body with shapes on its joints, and the rigid things about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from poise.draw import look, mesh
from poise.draw.mesh import Mesh
from poise.formats.skeletal import Bodies, bodies, capture_of
from poise.geometry import quat
from poise.geometry.skeleton import Capture

if TYPE_CHECKING:
    from poise.record.recording import Recording

GROUND = 4.0  # half the side of the floor that is written [m]
THICK = (0.11, 0.008, 0.055)  # radius of a bone over its length; at least, at most [m]
KNOB = 0.03  # radius of a joint without bones [m]
MOVES = 1e-7  # a thing that moves less [m, 1] stands still
ROUGH = 0.75  # of all surfaces, 0 to 1
SCENERY = "scenery"  # name of what is fixed to the world
HZ = 100.0  # rate of a file with a single frame


class Patch(NamedTuple):
    """A shape of one colour that is fixed to a joint, in the joint's frame."""

    joint: int
    mesh: Mesh
    rgba: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Prop:
    """A rigid thing: its shapes (joint 0), and where it was: positions (T, 3) [m], rotations (T, 4) wxyz."""

    name: str
    patches: tuple[Patch, ...]
    positions: np.ndarray
    rotations: np.ndarray


@dataclass(frozen=True, eq=False)
class Actor:
    """A body in motion with its shapes."""

    name: str
    capture: Capture
    patches: tuple[Patch, ...]
    props: tuple[Prop, ...] = ()  # other things of the world
    origin: np.ndarray | None = None  # (3,) where the root rests [m]; None puts the body on the floor
    world: Bodies | None = None  # of a take: where its shapes come from

    @property
    def rate(self) -> float:
        """Frames a second [Hz]."""
        return float(f"{self.capture.rate:.9g}") or HZ

    @cached_property
    def rest(self) -> np.ndarray:
        """Joints in the world in the rest pose (J, 3) [m]: nothing turned, the root in its place."""
        skeleton = self.capture.skeleton
        at = skeleton.offsets.copy()
        at[0] = 0.0 if self.origin is None else self.origin
        for j, p in enumerate(skeleton.parents):
            at[j] += at[p] if p >= 0 else 0.0
        if self.origin is not None:
            return at
        low = [float((patch.mesh.vertices[:, 2] + at[patch.joint, 2]).min()) for patch in self.patches]
        return at - [0.0, 0.0, min(low, default=float(at[:, 2].min()))]

    @property
    def at_rest(self) -> tuple[Patch, ...]:
        """Its shapes in the world in the rest pose."""
        return tuple(p._replace(mesh=p.mesh.moved(self.rest[p.joint], quat.IDENTITY)) for p in self.patches)


def of_recording(recording: Recording, ground: bool = False) -> Actor:
    """The character of a take with the shapes of its geoms; other bodies are props, as is a piece of floor if asked."""
    world = bodies(recording)
    patches = [
        Patch(j, shape, colour(rgba)) for j, b in enumerate(world.own) for shape, rgba in world.shapes(b)
    ]
    name = str(recording.info.get("character") or "character")
    return Actor(name, capture_of(world), tuple(patches), props_of(world, ground), world=world)


def of_capture(capture: Capture, name: str = "character") -> Actor:
    """A body of capsules along the bones of a skeleton."""
    skeleton = capture.skeleton
    patches = []
    for j in range(len(skeleton)):
        bones = [_bone(tip) for tip in skeleton.tips(j) if np.linalg.norm(tip) > 1e-6]
        shape = mesh.merged(bones) if bones else mesh.ellipsoid(np.full(3, KNOB))
        patches.append(Patch(j, shape, colour(look.BODY)))
    return Actor(name, capture, tuple(patches))


def by_colour(patches: tuple[Patch, ...]) -> dict[tuple[float, ...], list[Patch]]:
    """Shapes sorted by their colour rgba."""
    found: dict[tuple[float, ...], list[Patch]] = {}
    for patch in patches:
        found.setdefault(patch.rgba, []).append(patch)
    return found


def linear(c: float) -> float:
    """Light of a colour as screens take it: the inverse of the sRGB curve."""
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def moves(values: np.ndarray) -> bool:
    """Whether something changes over time (T, k)."""
    return bool(np.abs(values - values[0]).max() > MOVES)


def thinned(actor: Actor, frames: int) -> Actor:
    """Every n-th frame, so that there are no more than so many."""
    step = -(-len(actor.capture) // frames)
    props = tuple(
        replace(p, positions=p.positions[::step], rotations=p.rotations[::step]) for p in actor.props
    )
    return replace(actor, capture=actor.capture.frames(slice(None, None, step)), props=props)


def props_of(world: Bodies, ground: bool) -> tuple[Prop, ...]:
    """All that is not the character; of the ground a piece, if asked."""
    own = set(world.own.tolist())
    found = []
    for b in range(world.model.nbody):
        shapes = [] if b in own else world.geoms(b)
        if b == 0 and ground:
            shapes += _floors(world.model)
        if shapes:
            patches = tuple(Patch(0, shape, colour(rgba)) for shape, rgba in shapes)
            at, turned = world.positions[:, b], quat.align(world.rotations[:, b])
            found.append(Prop(SCENERY if b == 0 else world.name(b), patches, at, turned))
    return tuple(found)


def _floors(model: mujoco.MjModel) -> list[tuple[Mesh, np.ndarray]]:
    """A square piece of each plane that is fixed to the world."""
    corners = GROUND * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    square = Mesh(corners, np.tile([0.0, 0.0, 1.0], (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))
    planes = np.flatnonzero((model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_bodyid == 0))
    return [
        (square.moved(model.geom_pos[g], model.geom_quat[g]), np.array([*look.TILE_A, 1.0])) for g in planes
    ]


def _bone(tip: np.ndarray) -> Mesh:
    """A capsule from the joint to a tip."""
    length = float(np.linalg.norm(tip))
    part, least, most = THICK
    radius = min(max(part * length, least), most)
    shape = mesh.capsule(radius, max(0.5 * length - radius, 0.0))
    x, y, z = tip / length
    turn = quat.normalize([1 + z, -y, x, 0.0]) if z > -0.999999 else np.array([0.0, 1.0, 0.0, 0.0])
    return shape.moved(0.5 * tip, turn)


def colour(rgb: np.ndarray) -> tuple[float, ...]:
    """rgba, opaque where nothing is said, rounded so that equal colours are equal."""
    return tuple(float(c) for c in np.round([*rgb, 1.0][:4], 3))
