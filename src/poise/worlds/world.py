"""World: ground, disturbances and contact model around a character; Arena: the same, compiled and moving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character import Character
from poise.dynamics.relief import Relief, top_at
from poise.dynamics.tree import Tree
from poise.errors import BadInput, unknown
from poise.gate import number
from poise.geometry.linear import times
from poise.worlds.ball import Ball, Impacts, add_balls
from poise.worlds.blows import Blows
from poise.worlds.contact import CONTACTS, PenaltyContact
from poise.worlds.disturb import Drag, Lean, Push
from poise.worlds.ground import AXES, Move, Platform, add_floor, add_platform, suit
from poise.worlds.plant import EXACT, Plant
from poise.worlds.presses import Presses
from poise.worlds.stops import Stops
from poise.worlds.terrain import Terrain

SETTLED = 1e-4  # [m] that soles at rest sink into the ground


@dataclass(frozen=True)
class World:
    """What surrounds a character, as a frozen record.

    Args:
        friction: Of the ground.
        platform: The moving ground, or None for a flat floor.
        terrain: Ground that is not flat, or None.
        pushes, drags: Disturbances.
        balls: Balls in flight.
        contact: ``mujoco``, ``penalty`` or ``lcp``; the last two know a flat floor, and ``lcp`` large steps.
        dt: Time step [s].
        blows: Whether the impulse of the ground on each part of the body is added up, and recorded as ``blow``.
        presses: Whether what each sole presses with is recorded, as ``sole_force`` and ``sole_cp``, and other contacts.
        gap: How near to the ground a shape is listed as a contact before it touches [m].
        firm: Whether the stops of ball joints hold whatever loads them.
        plant: How the body differs from the model that its controller knows.
    """

    friction: float = 0.8
    platform: Platform | None = None
    pushes: Sequence[Push] = ()
    drags: Sequence[Drag] = ()
    balls: Sequence[Ball] = ()
    contact: str = "mujoco"
    dt: float = 0.002
    gap: float = 0.0
    terrain: Terrain | None = None
    firm: bool = False
    blows: bool = False
    plant: Plant = EXACT
    presses: bool = False

    def __post_init__(self) -> None:
        if self.contact not in CONTACTS:
            raise unknown("contact model", self.contact, CONTACTS)
        if self.contact != "mujoco" and self.terrain is not None:
            raise BadInput(f"contact model {self.contact!r} knows flat ground only; use mujoco on terrain")
        if self.platform is not None and self.terrain is not None:
            raise BadInput("a platform has its own flat top; leave out the terrain")
        number("friction", self.friction, 0.0)
        number("time step", self.dt, 1e-5, 0.02, unit="seconds")


class Arena:
    """A compiled world with its character in it, moved step by step. Nothing edits the state but the engine.

    ``nominal`` is the model that a controller knows; the same one unless the plant differs.
    """

    def __init__(self, world: World, character: Character):
        self.world, self.character = world, character
        spec = self._spec()
        self.model = self.nominal = spec.compile()
        self.xml = spec.to_xml()
        if world.plant.hidden:
            tree = Tree.of(self.nominal, character)
            self.model = world.plant.made(self.nominal, range(tree.body0, tree.body0 + tree.nbody))
        self.data = mujoco.MjData(self.model)
        self.tree = Tree.of(self.model, character)
        self.ground_body = "platform" if world.platform else None
        bodies = range(self.tree.body0, self.tree.body0 + self.tree.nbody)
        welded = [
            [b for b in bodies if int(self.model.body_weldid[b]) == self._body(s.body)]
            for s in character.supports
        ]
        self.contact = CONTACTS[world.contact](
            self.model, self.data, bodies, welded, world.friction * world.plant.friction
        )
        self._stops = Stops(self.tree, character, self.data, world.firm)
        self.engine_contact = world.contact == "mujoco"
        self._outside = not self.engine_contact
        self._implicit = world.contact == "lcp"  # found together with the step, once torques are known
        self.ground_force = np.zeros(self.model.nv)  # of a contact model outside the engine
        self._disturbed = False  # whether a force of a push or drag may still be in the engine's table
        self.impacts = Impacts(self.model, self.data, world.balls, bodies) if world.balls else None
        self.blows = Blows(self.model, self.data, bodies) if world.blows and self.engine_contact else None
        pressed = world.presses and self.engine_contact
        self.presses = Presses(self.model, self.data, bodies, welded) if pressed else None
        self._kept = [part for part in (self.blows, self.presses) if part is not None]
        self.pushes: list[Push] = []
        self.drags: list[Drag | Lean] = []
        self.moves: list[Move] = []  # of the platform, beyond its own
        for part in (*world.pushes, *world.drags):
            self.disturb(part)
        if world.platform:
            joints = [self.model.joint(f"platform_{a}") for a in AXES]
            self._drive = np.array([j.dofadr[0] for j in joints])
            self._drive_q = np.array([j.qposadr[0] for j in joints])

    def _spec(self) -> mujoco.MjSpec:
        world, spec = self.world, mujoco.MjSpec.from_string(self.character.spec_xml)
        option = spec.option
        option.timestep = world.dt
        option.integrator = mujoco.mjtIntegrator.mjINT_EULER  # joint damping is implicit in it
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.iterations, option.ls_iterations = 20, 20
        option.impratio = 10.0  # firm friction: soles creep less
        option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET  # a reset would pass for a recovery
        if world.platform:
            add_platform(spec, world.platform, world.friction)
        elif world.terrain:
            world.terrain.add(spec, world.friction)
        else:
            add_floor(spec, world.friction)
        for geom in spec.geoms:
            if geom.name.startswith("ground"):
                geom.gap = world.gap
        if self.character.floor is not None:
            suit(spec.geom("ground"), self.character.floor)
        add_balls(spec, world.balls)
        CONTACTS[world.contact].prepare(spec)
        return spec

    def _body(self, name: str) -> int:
        if name not in self.tree.names:
            raise unknown("body", name, self.tree.names)
        return self.tree.body0 + self.tree.body(name)

    def disturb(self, by: Push | Drag | Lean) -> None:
        """Add a push or a drag, at any time."""
        self._body(by.body)
        if isinstance(by, Push):
            self.pushes.append(by)
        else:
            self.drags.append(by)

    def let_go(self, drag: Drag | Lean) -> None:
        """End a drag."""
        self.drags.remove(drag)

    def slip(self, friction: float) -> None:
        """Give the ground another friction, at any time."""
        if not self.engine_contact:
            raise BadInput(
                f"contact model {self.world.contact!r} keeps its friction; scenes with mujoco's can change it"
            )
        for g in range(self.model.ngeom):
            if self.model.geom(g).name.startswith("ground"):
                self.model.geom_friction[g, 0] = friction

    def reset(self, q: np.ndarray, v: np.ndarray | None = None) -> None:
        """Place the character in a configuration, soles pressed into the ground as by its weight; v None is rest."""
        mujoco.mj_resetData(self.model, self.data)
        self.ground_force[:], self._disturbed = 0.0, False
        self.data.qpos[self.tree.qs] = q
        self.data.qvel[self.tree.dofs] = 0.0 if v is None else v
        self.data.qpos[self.tree.qpos0 + 2] -= SETTLED
        if self.impacts is not None:
            self.impacts.reset()
        for kept in (self.blows, self.presses):
            if kept is not None:
                kept.reset()

    def put_down(self) -> None:
        """Raise or lower the character until its feet touch the terrain, no corner of a sole below it."""
        relief, gaps = Relief(self.model, False), []
        if not len(relief.kind):
            return
        mujoco.mj_kinematics(self.model, self.data)
        for sole in self.character.supports:
            if sole.name in self.character.stance:
                body = self.data.body(self._body(sole.body))
                corners = body.xpos + times(sole.points, body.xmat.reshape(3, 3).T)
                gaps += [z - top_at(relief, x, y, np.inf) for x, y, z in corners]
        if gaps and np.isfinite(min(gaps)):
            self.data.qpos[self.tree.qpos0 + 2] -= min(gaps) + SETTLED

    def ease(self) -> None:
        """Raise a body whose pose errors press it into springs: a sole a millimetre too deep would be thrown up."""
        if isinstance(self.contact, PenaltyContact):
            mujoco.mj_fwdPosition(self.model, self.data)
            self.data.qpos[self.tree.qpos0 + 2] += self.contact.lift(self.character.mass)

    @property
    def sole_forces(self) -> np.ndarray | None:
        """Generalised force of springs on each support (S, nv), kept up to date; None where the ground has none."""
        return self.contact.shares[:, self.tree.dofs] if isinstance(self.contact, PenaltyContact) else None

    def begin(self) -> None:
        """First half of a step: kinematics and velocities of the present state; forces that depend on it alone."""
        mujoco.mj_step1(self.model, self.data)
        if self._outside and not self._implicit:
            self.ground_force[:] = 0.0
            self.contact.apply(self.ground_force)

    def finish(self) -> None:
        """Second half: disturbances, joint stops, drives, contact, integration."""
        self._stops.act()
        if self._disturbed or self.pushes or self.drags:
            self._disturb(self.data.time)
        if self._outside:
            self._press()
        if self.world.platform:
            self._move(self.data.time)
        if self.impacts is not None and self.impacts.met():
            self.impacts.step()
        else:
            mujoco.mj_step2(self.model, self.data)
        for kept in self._kept:
            kept.add()

    def _press(self) -> None:
        """Apply the force of a contact model outside the engine."""
        if self._implicit:
            self.contact.resolve(self.ground_force)
        self._stops.tau[:] += self.ground_force[self.tree.dofs]

    def _disturb(self, t: float) -> None:
        data = self.data
        data.xfrc_applied[:] = 0.0
        self._disturbed = bool(self.pushes or self.drags)
        for push in self.pushes:
            if push.acts(t):
                b = self._body(push.body)
                arm = times(data.xmat[b].reshape(3, 3), push.offset)
                data.xfrc_applied[b, :3] += push.force
                data.xfrc_applied[b, 3:] += np.cross(arm, push.force)
        for drag in self.drags:
            if drag.acts(t):
                b, x, pull = self.pull_of(drag)
                data.xfrc_applied[b, :3] += pull
                data.xfrc_applied[b, 3:] += np.cross(x - data.xipos[b], pull)

    def pull_of(self, drag: Drag | Lean) -> tuple[int, np.ndarray, np.ndarray]:
        """Body that a drag holds, the point that it holds it by (3,) [m], and its force there now (3,) [N]."""
        data, b = self.data, self._body(drag.body)
        x = data.xpos[b] + times(data.xmat[b].reshape(3, 3), drag.local)
        twist, arm = data.cvel[b], x - data.subtree_com[self.model.body_rootid[b]]
        return b, x, drag.force(data.time, x, twist[3:] + np.cross(twist[:3], arm))

    def _move(self, t: float) -> None:
        """Drive the platform: feed-forward and a stiff, critically damped servo, through forces like any machine."""
        platform, i = self.world.platform, self._drive
        assert platform is not None
        p, v, a = platform.at(t)
        if self.moves:
            more = np.zeros((3, len(AXES)))
            for move in self.moves:
                move.add(t, more)
            p, v, a = p + more[0], v + more[1], a + more[2]
        k = platform.stiffness
        data = self.data
        error, drift = p - data.qpos[self._drive_q], v - data.qvel[i]
        data.qfrc_applied[i] = platform.mass * (a + k * k * error + 2 * k * drift) + data.qfrc_bias[i]
