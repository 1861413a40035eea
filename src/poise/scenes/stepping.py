"""The experiments of [Stepping] chapter 4 and of [Coordination] §5-6: directed, reactive and many steps, walking."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

from poise.behaviours import (
    Balance,
    Behaviour,
    Footprint,
    Footprints,
    Pace,
    Recover,
    Roam,
    Stepper,
    StepWeights,
    Stride,
    Walk,
    Weights,
)
from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.following.follow import Follow
from poise.behaviours.life import Life
from poise.behaviours.stepping.able import obstacles
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.recover import PRESETS, SUPERVISORS
from poise.behaviours.stepping.restraint import Restraint
from poise.behaviours.stepping.step import Director
from poise.behaviours.stepping.stepper import STEPPING
from poise.behaviours.trotting.limbs import stands_on_four
from poise.character import Character
from poise.character.constants import BALL, GRAVITY
from poise.errors import BadInput
from poise.record.looks import extreme, of_walk
from poise.scenes import gait_measures as measured
from poise.scenes import measures
from poise.scenes.life_measures import damage
from poise.scenes.options import Options
from poise.scenes.registry import scene
from poise.scenes.stroll import as_people, strolling, unlike_people
from poise.scenes.trotting import trotting
from poise.simulate import Scene
from poise.simulate.scene import LONGEST
from poise.worlds.disturb import Push
from poise.worlds.world import World

REFRESH = 100.0  # [Hz]: a landing is noticed within 10 ms
QUICK = 250.0  # [Hz] for people: brakes and pressures that are 10 ms old throw a foot about that tips
BURDEN = 1 / 3  # mass of a person's leg over trunk, head and arms: heavier ones lag, and their feet scuff
FROM_FILES = 10.0  # times as firmly a body from a file keeps its height: hinged legs that straighten cannot lift a foot


CLEAR_OF = (
    1.15  # in widths of a sole, least distance of its soles' middles: feet are wider than what they stand on
)


@dataclass(frozen=True)
class Manner:
    """How a scene's body steps, where options do not say otherwise."""

    stride: Stride = Stride()  # noqa: RUF009 (frozen)
    weights: StepWeights = StepWeights()  # noqa: RUF009
    standing: Weights = Weights()  # noqa: RUF009
    body: str = "adult"
    restraint: Restraint | None = None


CAREFUL = Manner(
    Stride(double=0.28, lift=0.06),  # time to settle on both feet; at 0.05 a toe may scuff
    StepWeights(arms=3.0),  # at 1 steps back and aside fling an arm out
)
REACTING = Manner(  # the whole sole is used, and the trunk gives way
    Stride(sole=1.0, far=0.66, lift=0.06, double=0.28, trust=0.5, place=1.0),
    StepWeights(root=20.0, trunk=5.0, spin=400.0),
)
HUMAN = Manner(  # shorter and lower steps; nobody is flung about, and the trunk keeps its shape
    replace(REACTING.stride, wide=0.64, lift=0.04, apex=0.35, shortest=0.78, touch=0.72, clearance=1.3,
            scuff=0.025, load=0.4),
    StepWeights(root=20.0, trunk=5.0, arms=8.0, spin=400.0, vertical=1500.0, swing=300.0, swing_turn=60.0),
    Weights(arms=1.0), restraint=Restraint(weight=200.0),
)  # fmt: skip
# with these, or a plant's, reactions are plain unless asked for
PLAIN = {"preset", "supervisor", "life", "terrain"}
DOWN = 15.0  # [s] more for a take in which the body may fall and get up
REACTION = 0.1  # [s] after which people know that they were pushed
READY = 0.25  # in √(h/g): time in which the weight moves over before a foot leaves the ground


def stage(
    o: Options, director: Director, seconds: float, manner: Manner | None = None, pushes=(), checks=(),
    idle: bool = False,
) -> Scene:  # fmt: skip
    """What all stepping scenes share: body, world, stepper and their options."""
    manner = manner or Manner()
    human = manner.restraint is not None
    body = o.character(manner.body)
    mu = o.friction()
    life = o.take("life", False)
    world = World(
        friction=mu,
        pushes=pushes if o.pushes is None else o.pushes,
        dt=o.between("dt", 0.002, 1e-5, 0.02, "seconds"),
        blows=life,
        presses=True,
    )
    stepper = Stepper(
        director, stride=o.record("stride", roomy(manner.stride, body)),
        weights=o.record("step", firm(manner.weights, body)), standing=o.weights(manner.standing),
        gains=o.gains(), mu=0.9 * mu, grip=STEPPING._replace(gives=human),
        reaction=o.reaction(REACTION if human else 0.0), idle=o.idle(idle and not body.source), startles=human,
        restraint=o.record("restraint", manner.restraint) if manner.restraint else None,
    )  # fmt: skip
    behaviour = alive(o, stepper) if life else stepper
    noise = o.between("pose_noise", 0.0, 0, 0.99, "radians")
    return Scene(
        "", body, world, behaviour, seconds=seconds, control=o.control(QUICK if human else REFRESH),
        pose_noise=noise, measures=(measures.recovered, measures.arm_share, measured.steps, measured.landing, *checks,
                  *((damage,) if life else ())),
        info={"notes": obstacles(body)} if body.source else {},
    )  # fmt: skip


def firm(weights: StepWeights, body: Character) -> StepWeights:
    """Weights that suit a body: of hinges alone, from somebody else's file, or with legs heavier than people's."""
    if _hinged(body):
        return replace(weights, vertical=FROM_FILES * weights.vertical)
    more = max(1.0, _burden(body) / BURDEN) ** 2
    return replace(weights, swing=more * weights.swing, swing_turn=more * weights.swing_turn)


def _burden(body: Character) -> float:
    """Mass of a leg over that of all but both legs: how much a leg that swings moves the rest."""
    leg = max(sum(float(body.model.body(name).mass[0]) for name in leg.bodies) for leg in Legs(body).both)
    return leg / max(body.mass - 2.0 * leg, leg)


def roomy(stride: Stride, body: Character) -> Stride:
    """The same of a stride: a swing foot that touches the other one trips the body."""
    return replace(stride, clearance=max(stride.clearance, CLEAR_OF)) if _hinged(body) else stride


def _hinged(body: Character) -> bool:
    return bool(body.source) and BALL not in body.model.jnt_type


def alive(o: Options, daily: Behaviour, down: bool = False, stepper: Stepper | None = None) -> Life:
    """Whatever a body does, with falls and ways back: ``strength`` is the part of its torques that it may use."""
    limp = o.choice("reflex", "on", ("on", "limp")) == "limp"
    effort = o.between("strength", 1.0, 0.1, 1.0)
    return Life(daily, stepper, effort, down, limp, rolls=o.take("roll_out", True))


def living(o: Options, made: Scene) -> Scene:
    """A scene in which a body balances or follows a clip, with falls that are got up from, on stops that give."""
    daily, manner = made.behaviour, REACTING
    assert isinstance(daily, (Balance, Follow))
    if made.world.contact != "mujoco":
        raise BadInput(
            f"life=on lies, rolls and gets up on the engine's own contact, not on {made.world.contact!r}"
        )
    stepper = Stepper(Recover(), manner.stride, manner.weights, manner.standing, mu=daily.mu)
    return replace(
        made, behaviour=alive(o, daily, stepper=stepper), world=replace(made.world, blows=True, firm=False),
        seconds=made.seconds + DOWN, measures=(*made.measures, damage),
    )  # fmt: skip


def _recover(o: Options, human: bool = False) -> Recover:
    preset = o.choice("preset", "robust", PRESETS)
    posed = TwoLegs if preset == "literal" and o.choice("foot", "sole", ("sole", "pose")) == "pose" else None
    if posed is not None:
        posed(o.character("adult"))  # refuses legs without closed formulas
    return Recover(
        o.choice("supervisor", "momentum", SUPERVISORS), preset, eager=o.positive("eager", 1.0, 10.0),
        ready=o.between("ready", READY if human else 0.0, 0, 10), tidy=human, posed=posed,
    )  # fmt: skip


def _style(o: Options, usual: str = "plain") -> tuple[bool, Manner]:
    """Whether the body reacts as people do, and how it steps then; a scene's usual style is for what it was made on."""
    robotic = any(key in PLAIN or key.startswith("plant.") for key in o.asked)
    strange = o.character("adult").name != "adult" or robotic
    human = o.choice("style", "plain" if strange else usual, ("plain", "human")) == "human"
    return human, HUMAN if human else REACTING


def _pushed(o: Options, push: Push, seconds: float, usual: str = "plain") -> Scene:
    """Stand, and be pushed."""
    human, manner = _style(o, usual)
    checks = (partial(measured.onset, push.start), measured.together, extreme)
    return stage(o, _recover(o, human), seconds, manner, (push,), checks)


@scene
def reactive_step(o: Options) -> Scene:
    """Stand, be pushed, and step where the momenta say: ``style=human|plain``, ``reaction`` [s], ``idle``."""
    return _pushed(o, Push("torso", (450.0, 0.0, 0.0), 1.0, 0.1), 6.0, "human")


@scene
def multi_step(o: Options) -> Scene:
    """A push that takes several steps to stop, with the options of ``reactive-step``."""
    return _pushed(o, Push("torso", (-525.0, 0.0, 0.0), 1.0, 0.1), 7.0, "human")


@scene
def directed_steps(o: Options) -> Scene:
    """Follow 24 footprints: forward, back, sideways, diagonal, turning."""
    prints = course(Legs(o.character("adult")))
    return stage(o, Footprints(prints), 36.0, CAREFUL)


@dataclass(frozen=True)
class Paced:
    """One pace between two times, standing before and after."""

    pace: Pace
    start: float  # [s]
    stop: float

    def __call__(self, t: float) -> Pace | None:
        return None if t < self.start or t >= self.stop else self.pace


@scene
def walk(o: Options) -> Scene:
    """Walk: ``speed``, ``side`` [m/s], ``turn`` [deg/s], ``time`` of a step, ``stop`` [s], ``style=human|plain``."""
    if o.take("motion", ""):
        return strolling(o)
    asked = "style" in o.asked
    usual = "human" if o.character("adult").name == "adult" else "plain"  # the body that it was made on
    human = o.choice("style", usual, ("plain", "human")) == "human"
    unlike = unlike_people(o) if human else ""
    if human and not unlike:
        return as_people(o)
    scene = _plainly(o)
    if not (unlike and asked):
        return scene
    notes = [*scene.info.get("notes", ()), f"walks in plain style: {unlike}"]
    return replace(scene, info={**scene.info, "notes": notes})


def _plainly(o: Options) -> Scene:
    """The papers' walk: one pose, steps where the momenta say."""
    speed, side = o.between("speed", 0.8, -5, 5, "m/s"), o.between("side", 0.0, -5, 5, "m/s")
    turn = math.radians(o.between("turn", 0.0, -720, 720, "degrees a second"))
    stop = o.between("stop", math.inf, 0, LONGEST, "seconds")
    time = o.take(
        "time", 0.0, lambda x: x == 0 or x >= 0.05, "give 0.05 s or more, or 0 for the gait's own", 0.0, 10.0
    )
    start = 0.5
    pace = Paced(Pace(speed, side, turn, time or None), start, stop)
    if stands_on_four(o.character("adult")):
        return trotting(o, pace, speed, side)
    gait = (partial(measured.walking, start), measured.arm_swing, of_walk)
    if not turn and math.isinf(stop):
        gait += (partial(measured.back_in_gait, speed, side),)
    period = 2 * (time or Stride().time * math.sqrt(float(o.character("adult").com_rest[2]) / GRAVITY))
    return stage(o, Walk(pace, period=period), 12.0, checks=gait)


@scene
def roam(o: Options) -> Scene:
    """Stand, step where a push needs it, and walk where told: ``speed``, ``side``, ``turn``, or to ``x`` and ``y``."""
    human, manner = _style(o)
    return stage(o, Roam(recover=_recover(o, human)), 12.0, manner, idle=True)


ALL_WAYS = (  # of both feet, one after the other: forward, left [in heights of the centre of mass], turn [rad]
    (0.3, 0.0, 0.0), (0.35, 0.0, 0.0), (-0.25, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, -0.25, 0.0), (0.25, 0.2, 0.0),
    (-0.2, -0.15, 0.0), (0.0, 0.0, 0.5), (0.0, 0.0, -0.5), (0.2, 0.0, 0.3), (-0.15, 0.1, 0.4), (0.3, -0.1, -0.4),
)  # fmt: skip


def course(legs: Legs, moves=ALL_WAYS) -> list[Footprint]:
    """Footprints for a body of any size, each pair leaving its feet side by side; by default 24 of all kinds."""
    size, half = legs.height, 0.5 * legs.width
    x, y, angle, prints = 0.0, 0.0, 0.0, []
    for ahead, left, turn in moves:
        c, s = math.cos(angle), math.sin(angle)
        x, y = x + size * (c * ahead - s * left), y + size * (s * ahead + c * left)
        angle += turn
        first = 0 if left > 0 or turn > 0 else 1
        for limb in (first, 1 - first):
            side = half if limb == 0 else -half
            prints.append(Footprint(limb, x - side * math.sin(angle), y + side * math.cos(angle), angle))
    return prints
