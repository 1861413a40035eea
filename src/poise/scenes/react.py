"""A clip reacts: the character that the file implies follows it in physics, and is pushed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from poise.behaviours.following.follow import Follow
from poise.behaviours.stepping.legs import Legs
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.collide import fleshy
from poise.motion.feet import skate, stances
from poise.motion.score import Score, score_of
from poise.scenes import following_measures, measures
from poise.scenes.options import Options, source_info
from poise.scenes.registry import scene
from poise.scenes.standing import DT, FRICTION, stage
from poise.simulate import Scene
from poise.worlds.world import World

SLOWER = 1.5  # times the clip's length that following it may take,
MORE = 6.0  # [s] and some for steps that it does not have


@scene
def react(o: Options) -> Scene:
    """Follow a motion file on its own skeleton (a twist without one), and take pushes."""
    if not o.take("motion", ""):
        return stage(o, "adult", library.twist, part="whole")
    body, clip, took = o.cast("adult", None, "whole", lock=False)
    assert clip is not None
    if len(body.stance) != 2 or (_in_place(clip) and not o.pushes):
        return stage(o, "adult", library.twist, part="whole")
    assert took is not None
    score = scored(replace(clip, character=fleshy(body)))
    took = replace(took, after=skate(score.clip))
    mu = o.friction(FRICTION)
    start, speed, _ = score.clip.sample(score.clip.start + 1e-6)
    world = World(friction=mu, pushes=o.pushes or (), dt=o.positive("dt", min(DT, body.model.opt.timestep)))
    return Scene(
        "", score.clip.character, world, Follow(score, mu=0.9 * mu), seconds=SLOWER * clip.seconds + MORE,
        control=o.control(), q_start=start, v_start=speed, pose_noise=o.take("pose_noise", 0.0), after_fall=1.0,
        measures=(measures.recovered, measures.arm_share, partial(measures.feet_of, took),
                  partial(following_measures.followed, score, clip)),
        info=source_info(took),
    )  # fmt: skip


def scored(clip: Clip) -> Score:
    """The score of a clip for the two limbs that its body stands on."""
    legs = Legs(clip.character).both
    return score_of(clip, [leg.support for leg in legs], np.array([leg.half for leg in legs]))


def _in_place(clip: Clip) -> bool:
    """Whether all feet stay where they are from the first to the last frame."""
    return all(stances(clip, name) == ((clip.start, clip.end),) for name in clip.character.stance)
