"""A clip reacts: the character that the file implies follows it in physics, and is pushed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import mujoco
import numpy as np

from poise.behaviours.balance.balance import Balance
from poise.behaviours.following.follow import Follow
from poise.behaviours.following.spared import Spared
from poise.behaviours.stepping.legs import Legs
from poise.errors import BadInput
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.collide import fleshy
from poise.motion.feet import skate, stances
from poise.motion.score import Score, columns, score_of
from poise.motion.score.pace import paced, paces
from poise.scenes import following_measures, measures
from poise.scenes.direction import directed
from poise.scenes.options import Options, source_info
from poise.scenes.registry import scene
from poise.scenes.standing import DT, FRICTION, stage
from poise.scenes.stepping import living
from poise.simulate import Scene
from poise.worlds.terrain import Blocks
from poise.worlds.world import World

SLOWER = 1.5  # times the clip's length that following it may take,
PACES = "own", "captured"
HARDLY = 0.9  # of the captured pace: less than this much slower is left alone
EDGE = 0.03  # [m] of a tread around the sole that stands on it
MORE = 6.0  # [s] and some for steps that it does not have


@scene
def react(o: Options) -> Scene:
    """Follow a motion file on its own skeleton (a twist without one), and take pushes; ``life`` gets up after falls."""
    life = o.take("life", False)
    if not o.take("motion", ""):
        made = stage(o, "adult", library.twist, part="whole", mortal=True)
    else:
        made = followed(o, stays=not life)
    return living(o, made) if life else made


def followed(o: Options, stays: bool) -> Scene:
    """A motion file, followed as an animator directs it; on the spot it balances only where it ``stays`` there."""
    return directed(o, partial(_reacts, stays=stays))


def _reacts(o: Options, stays: bool) -> Scene:
    """On the spot by balance if it may, else by its score."""
    force = o.take("force", False)
    pace = o.take("pace", "own", PACES.__contains__, "give own, slowed where torques are short, or captured")
    body, clip, took = o.cast("adult", None, "whole", lock=False)
    assert clip is not None
    if len(body.stance) != 2 or (stays and in_place(clip) and not o.pushes):
        return _sparing(stage(o, "adult", library.twist, part="whole", mortal=True))
    assert took is not None
    clip, least = replace(clip, character=fleshy(body)), 1.0
    if pace == "own":
        score, clip, least = paced_score(clip)
    else:
        score = scored(clip)
    if score.doubt and not force:
        raise BadInput(
            f"'{took.path.name}' cannot be followed on its feet: {score.doubt}. Choose another part with "
            "motion.start and motion.end, or try all the same with force=on"
        )
    took = replace(took, after=skate(score.clip))
    mu = o.friction(FRICTION)
    start, speed = _beginning(score)
    blocks = _treads(score)
    world = World(
        friction=mu, pushes=o.pushes or (), dt=o.positive("dt", min(DT, body.model.opt.timestep)),
        terrain=Blocks(blocks) if blocks else None,
    )  # fmt: skip
    return Scene(
        "", score.clip.character, world, Follow(score, mu=0.9 * mu, reaction=o.reaction()),
        seconds=SLOWER * clip.seconds + MORE, control=o.control(), q_start=start, v_start=speed,
        pose_noise=o.take("pose_noise", 0.0),
        measures=(measures.recovered, measures.arm_share, partial(measures.feet_of, took),
                  partial(following_measures.followed, score, clip, least)),
        info=source_info(took),
    )  # fmt: skip


def _sparing(made: Scene) -> Scene:
    """The same, whose arms do not strike its own body on the way."""
    balance = made.behaviour
    if len(made.character.stance) != 2 or not isinstance(balance, Balance) or balance.clip is None:
        return made
    return replace(made, behaviour=replace(balance, others=Spared(balance.clip)))


def scored(clip: Clip) -> Score:
    """The score of a clip for the two limbs that its body stands on."""
    return score_of(clip, *_soles(clip))


def paced_score(clip: Clip) -> tuple[Score, Clip, float]:
    """Score and clip, no quicker than the body's torques allow, and the least share of the captured pace."""
    score, soles = scored(clip), _soles(clip)[0]
    least = float((pace := paces(score, soles)).min())
    if score.doubt or least > HARDLY:
        return score, clip, 1.0
    clip = paced(clip, pace)
    return scored(clip), clip, least


def _soles(clip: Clip) -> tuple[list[int], np.ndarray]:
    """Supports of both legs, and half lengths and widths (2, 2) of their soles [m]."""
    legs = Legs(clip.character).both
    return [leg.support for leg in legs], np.array([leg.half for leg in legs])


def _treads(score: Score) -> tuple[tuple[float, float, float, float, float, float], ...]:
    """A block under every print that stands above the floor: what the person stood on is not in the file."""
    half = [leg.half for leg in Legs(score.clip.character).both]
    high = [p for own in score.prints for p in own if p.level > 0]
    return tuple(
        (float(p.place[0]), float(p.place[1]), p.heading, float(half[p.sole][0]) + EDGE, float(half[p.sole][1]) + EDGE,
         p.level)
        for p in high
    )  # fmt: skip


def _beginning(score: Score) -> tuple[np.ndarray, np.ndarray]:
    """First pose and velocity, with the velocity of the centre of mass that the score begins with."""
    q, v, _ = score.clip.sample(score.clip.start + 1e-6)
    model = score.clip.character.model
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    mujoco.mj_subtreeVel(model, data)
    v[:3] += score.tables.body[0, columns.V] - data.subtree_linvel[1]
    return q, v


def in_place(clip: Clip) -> bool:
    """Whether all feet stay where they are from the first to the last frame."""
    return all(stances(clip, name) == ((clip.start, clip.end),) for name in clip.character.stance)
