"""The experiments of [Rolling]: Brown, Macchietto, Yin and Zordan (2013), table 1 and section 6."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from poise.behaviours.roll_out import RollOut
from poise.behaviours.rolling import cycle as cycles
from poise.behaviours.rolling.course import TRUNK, Course
from poise.behaviours.rolling.indices import INDICES
from poise.behaviours.rolling.measures import after_push, rolling, turned_over
from poise.behaviours.rolling.on_ground import place
from poise.behaviours.rolling.program import METRICS, PASSES, FeatureWeights
from poise.behaviours.rolling.roll import Roll, Start, launch
from poise.behaviours.rolling.roll_over import LYING, RollOver, poses
from poise.behaviours.rolling.steer import ACTS, EXCURSIONS, Steering
from poise.behaviours.stepping.stepper import Stepper
from poise.behaviours.stepping.walk import Pace, Walk
from poise.behaviours.tumble import Tumble, upright
from poise.character import Character
from poise.control.controller import Control
from poise.errors import BadInput
from poise.record.recording import Recording
from poise.scenes.options import Options
from poise.scenes.registry import SCENES, Compose, scene
from poise.scenes.stepping import Paced
from poise.simulate import Scene
from poise.worlds.disturb import Push
from poise.worlds.terrain import Slope, Stairs, Terrain, Uneven
from poise.worlds.world import World

STEP = 1.0 / 300.0  # [s] of the engine; control runs at 60 Hz
BABY_GAP = 0.4  # of the adult's
TICK = 1.0 / 60.0  # [s] of control, and of contact=lcp in lockstep with it
GAP = 0.01  # [m]: contacts are listed this early, else control starves between touches
SECONDS = 12.0
FORWARD, SLOW = 1.8, 1.4  # [m/s]
# §4: unit weights
PAPER = FeatureWeights((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), pose=1.0, contact=1000.0, metric="si")
ASIDE = Steering(angular_ks=(60.0, 0.0, 60.0), angular_kd=(12.0, 5.0, 12.0), acts="aside")
HIT = replace(
    ASIDE, angular_ks=(120.0, 0.0, 120.0), angular_kd=(20.0, 5.0, 20.0)
)  # firmer: it will be pushed
BESIDE = FeatureWeights(linear=(2.0, 3.0, 0.05), angular=(1.0, 0.0, 1.0), pose=0.02)
TUCK = {  # [deg]
    "spine": (45.0,), "hip": (139.0,), "knee": (141.0,), "neck": (70.0,), "shoulder": (55.0,), "elbow": (71.0,),
    "hip_out": (6.0,), "shoulder_out": (35.0,),
}  # fmt: skip
OPEN = {
    "spine": (5.0,), "hip": (10.0,), "knee": (5.0,), "neck": (20.0,), "shoulder": (150.0,), "elbow": (10.0,),
    "hip_out": (6.0,), "shoulder_out": (10.0,),
}  # fmt: skip


@dataclass(frozen=True)
class Task:
    """One kind of roll, where options do not say otherwise."""

    cycle: str | cycles.Cycle
    speed: float | None = None  # [m/s]; the cycle's own
    acts: str = "all"  # "aside": steered by torques unlike on the two sides, which cost a roll no speed
    terrain: Terrain | None = None
    slope: float = 0.0  # [rad]
    steered: bool = True  # False: by springs alone, since the program would hold a log's long contacts still
    literal: bool = False  # the paper's weights, contact supervisor and excursion
    partner: cycles.Cycle | None = None
    aside: Steering = ASIDE  # how it is steered where that acts aside


def _roller(o: Options, default: str) -> Character:
    """A body with the trunk that a roll needs."""
    body = o.character(default)
    lacks = [part for part in TRUNK if part not in body.body_names]
    if lacks:
        raise BadInput(
            f"'{body.name}' has no {' and no '.join(lacks)}: rolls need a trunk of {' and '.join(TRUNK)}"
        )
    return body


def _roll(o: Options, task: Task, pushes=()) -> Scene:
    """What the rolls share: a cycle on the adult along a course, steered by the feature program."""
    body = _roller(o, "adult")
    chosen = _cycles(o, task.cycle)
    heading = math.radians(o.between("heading", 0.0, -360, 360, "degrees")) if not task.slope else 0.0
    chosen, course = _styled(o, chosen), Course(task.slope, heading)
    acts = o.choice("acts", task.acts, ACTS)
    steering = _steering(o, chosen, task, acts)
    start = _start(o, steering)
    tip = chosen[0].style == "forward" and start.speed == start.spin == 0.0
    behaviour = Roll(
        chosen, course, steering if o.take("steer", task.steered) else None, _weights(o, task.literal, acts),
        o.positive("strength", 1.0, 100.0), task.partner, tip,
    )  # fmt: skip
    tumble = _tumble(o, behaviour, task)
    contact = o.choice("contact", "mujoco", ("mujoco", "lcp"))
    world = World(
        friction=o.positive("friction", 0.8, 10.0), terrain=task.terrain,
        pushes=pushes if o.pushes is None else o.pushes, contact=contact, gap=GAP,
        firm=not isinstance(tumble, RollOut),  # the hop of the way up leans on stops that give
        dt=o.take("dt", STEP if contact == "mujoco" else TICK, lambda x: 1e-4 <= x <= TICK, "give up to 1/60 s"),
    )  # fmt: skip
    begins = (
        partial(upright, body, heading)
        if isinstance(tumble, Tumble) and tumble.stands
        else partial(launch, behaviour, body, start)
    )
    return Scene(
        "", body, world, tumble or behaviour, seconds=SECONDS, control=Control(refresh_hz=60.0),
        launch=begins, measures=(partial(_measured, course, body.mass),),
        info={"wanted_speed_ms": steering.speed, "wanted_spin_rev_s": steering.spin},
    )  # fmt: skip


def _measured(course: Course, mass: float, take: Recording) -> dict[str, float | bool | None]:
    """Metrics of a roll; a function of its own, so that a scene can be pickled."""
    return rolling(course, mass)(take)


def _tumble(o: Options, roll: Roll, task: Task) -> Tumble | RollOut | None:
    """The roll as part of a tumble, where it should end standing, or begin and end so.

    A forward roll comes up from its own squat; the others are let go, and the body gets up as after a fall.
    """
    stand = o.choice("stand", "no", ("no", "end", "both"))
    rolls, speed = o.between("rolls", 3.0, 1, 1000, "revolutions"), o.between("walk", 0.0, 0, 1.2, "m/s")
    if stand == "no":
        return None
    forward = roll.cycles[0].style == "forward"
    if stand == "end" and not (forward or task.slope or task.literal):
        return RollOut(roll, rolls)
    if not forward or task.slope or task.literal or len(roll.cycles) < 2:
        raise BadInput(
            f"stand={stand}: rolls on level ground alone end standing, and forward ones alone begin so"
        )
    walks = Stepper(Walk(Paced(Pace(speed), 0.0, math.inf))) if speed else None
    return Tumble(roll, rolls, stand == "both", walks)


def _styled(o: Options, chosen: list[cycles.Cycle]) -> list[cycles.Cycle]:
    """The cycles with a share of a captured roll in them, where there is a motion file."""
    motion = o.take("motion", "")
    share = o.between("motion.share", 0.25, 0, 1, "a share of the captured roll")
    if not motion:
        return chosen
    from poise.behaviours.rolling.captured import cycle_of, mixed

    taken = cycle_of(motion, "forward" if chosen[0].style == "parkour" else chosen[0].style)
    return [mixed(c, taken, share) for c in chosen]


def _cycles(o: Options, own: str | cycles.Cycle) -> list[cycles.Cycle]:
    """The task's own cycle, or those that were asked for by name or file."""
    if isinstance(own, cycles.Cycle):
        return [own]
    return [cycles.named(name) for name in o.words("cycle", " ".join(_family(own)))]


def _family(name: str) -> list[str]:
    """A shipped cycle and its kin at other speeds: ``forward``, ``forward-slow``, ``forward-fast``."""
    return [known for known in cycles.shipped() if known == name or known.startswith(f"{name}-")]


def _steering(o: Options, chosen: list[cycles.Cycle], task: Task, acts: str) -> Steering:
    own = replace(
        task.aside if acts == "aside" else Steering(), excursion="integral" if task.literal else "axis"
    )
    order = sorted(chosen, key=lambda c: c.speed)
    speeds, turns = [c.speed for c in order], [c.spin for c in order]
    spins = (
        len(chosen) > 1 and "spin" in o.asked and "speed" not in o.asked
    )  # asked for alone: it is what is held
    spin = o.take("spin", chosen[0].spin, lambda x: -5 < x < 5, "give rev/s between -5 and 5")
    usual = chosen[0].speed if task.speed is None else task.speed
    usual = float(np.interp(spin, turns, speeds)) if spins else usual
    wanted = o.take("speed", usual, lambda x: -5 < x < 5, "give m/s between -5 and 5")
    spin = spin if "spin" in o.asked else float(np.interp(wanted, speeds, turns))
    if not o.take("line", True):  # as the paper: sideways only the velocity is damped
        own = replace(own, linear_ks=(0.0, 0.0, 0.0), homing=0.0)
    return replace(
        own, speed=wanted, spin=spin, spins=spins,
        index=o.choice("index", own.index, INDICES), excursion=o.choice("excursion", own.excursion, EXCURSIONS),
    )  # fmt: skip


def _weights(o: Options, literal: bool, acts: str) -> FeatureWeights:
    metric = o.choice("metric", "si" if literal else "gauss", METRICS)
    own = (BESIDE if acts == "aside" else FeatureWeights()) if metric == "gauss" else PAPER
    return replace(
        own, passes=o.choice("contacts", "two" if literal else "one", PASSES),
        pose=o.positive("weights.pose", own.pose), contact=o.positive("weights.contact", own.contact),
        mu=0.8 * o.positive("friction", 0.8, 10.0),
    )  # fmt: skip


def _start(o: Options, steering: Steering) -> Start:
    """Speed and spin at the start, and the spread of their errors: ``start.spread=0`` is none.

    A forward roll whose speed and spin are 0 begins in a crouch, leaning forward.
    """
    own, share = Start(), o.between("start.spread", 1.0, 0, 5)
    return Start(
        o.take("start.speed", steering.speed, lambda x: -5 < x < 5, "give m/s between -5 and 5"),
        o.take("start.spin", steering.spin, lambda x: -5 < x < 5, "give rev/s between -5 and 5"),
        share * own.yaw_spread, share * own.speed_spread, share * own.spin_spread,
    )  # fmt: skip


def _keyframe(style: str, speed: float, spin: float) -> Task:
    """Unit weights in SI units, two passes, the integral of AV out of plane, and the blend between two poses."""
    tuck, spread = (cycles.Cycle(style, keys, speed, spin) for keys in (TUCK, OPEN))
    return Task(tuck, literal=True, partner=spread)


LEVEL = {  # rolls on a level floor that nothing disturbs
    "roll-forward": ("Forward rolls, one after the other, on a cycle of poses locked to the turn of the body.",
                     Task("forward", speed=FORWARD, acts="aside")),
    "roll-backward": ("Backward rolls.", Task("backward")),
    "roll-sideways": ("Log rolls about the body's long axis, arms overhead.", Task("sideways", steered=False)),
    "roll-parkour": ("Forward rolls over one shoulder, the axis of rotation oblique to the trunk.", Task("parkour")),
    "roll-forward-keyframe": (
        "Forward rolls from two fixed poses alone, tuck and open, as the paper has them: it does not get far.",
        _keyframe("forward", 1.2, 1.3)),
    "roll-backward-keyframe": ("Backward rolls from two fixed poses alone.", _keyframe("backward", 1.0, 1.3)),
}  # fmt: skip


def _level(text: str, task: Task) -> Compose:
    def compose(o: Options) -> Scene:
        return _roll(o, task)

    compose.__doc__ = text
    return compose


SCENES.update({name: _level(*row) for name, row in LEVEL.items()})


@scene
def roll_uneven(o: Options) -> Scene:
    """Forward rolls over a height field of smooth bumps, ``height`` from the lowest to the highest."""
    bumps = Uneven(
        o.between("height", 0.06, 0.001, 0.99, "metres"),
        o.between("wavelength", 1.2, 0.1, 40, "metres"),
        o.between("terrain.seed", 0, 0, 2**32),
    )
    return _roll(o, Task("forward", terrain=bumps, speed=FORWARD, acts="aside"))


@scene
def roll_incline(o: Options) -> Scene:
    """Forward rolls uphill on a tilted plane of ``angle`` degrees."""
    return _sloped(o, "uphill", 8.0, None, "aside")


@scene
def roll_decline(o: Options) -> Scene:
    """Forward rolls downhill on a tilted plane."""
    return _sloped(o, "forward", -10.0, SLOW, "all")


def _sloped(o: Options, cycle: str, angle_deg: float, speed: float | None, acts: str) -> Scene:
    angle = math.radians(o.between("angle", angle_deg, -30, 30, "degrees"))
    return _roll(o, Task(cycle, terrain=Slope(angle) if angle else None, slope=angle, speed=speed, acts=acts))


@scene
def roll_stairs(o: Options) -> Scene:
    """Forward rolls down stairs of ``drop``, each ``run`` long."""
    steps = Stairs(o.between("drop", 0.1, 0.001, 2, "metres"), o.between("run", 0.6, 0.05, 20, "metres"))
    return _roll(o, Task("forward", terrain=steps, speed=SLOW))


@scene
def roll_push(o: Options) -> Scene:
    """Forward rolls, hit from the side by 60 N s, and back to the task."""
    made = _roll(
        o, Task("forward", FORWARD, "aside", aside=HIT), (Push("torso", (0.0, 600.0, 0.0), 4.0, 0.1),)
    )
    return replace(made, measures=(*made.measures, after_push))


def _lie(
    body: Character, behaviour: RollOver, spread: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    pose = poses(body, LYING)[0]
    pose += np.deg2rad(2.0) * spread * rng.normal(size=len(pose))
    yaw, roll = spread * rng.normal(size=2) * np.deg2rad((5.0, 3.0))
    return place(body, pose, behaviour.facing, behaviour.course, roll, yaw, 0.0, 0.0)


@scene
def roll_over(o: Options) -> Scene:
    """A baby rolls from its back to its front, half a turn; ``strength=0.35`` is too weak, and tries."""
    body = _roller(o, "baby")
    behaviour = RollOver(o.positive("strength", 1.0, 100.0))
    spread = o.between("start.spread", 1.0, 0, 5)

    world = World(pushes=o.pushes or (), dt=STEP, gap=GAP * BABY_GAP)
    return Scene(
        "", body, world, behaviour, seconds=10.0, control=Control(refresh_hz=60.0),
        launch=partial(_lie, body, behaviour, spread), measures=(turned_over,),
    )  # fmt: skip
