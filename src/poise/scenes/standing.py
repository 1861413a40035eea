"""What all standing scenes share: body, clip, world, balance and the options for them."""

from __future__ import annotations

from functools import partial

from poise.behaviours.balance.balance import Balance
from poise.behaviours.balance.gains import Weights
from poise.scenes import measures
from poise.scenes.options import Options
from poise.scenes.stepping import REACTION, living
from poise.simulate import Scene
from poise.worlds.contact import CONTACTS
from poise.worlds.world import World

FRICTION = 0.8  # of the ground
DT = 0.002  # [s]; a body whose file asks for a smaller step gets it
CAPTURED_ARMS = 0.2  # weight of the arms' joints while a motion file is followed: its style is in them
PAPER_DT = 0.0005  # [s]: the penalty ground is stiff


def stage(
    o: Options, character: str, clip=None, seconds: float = 6.0, pushes=(), friction: float = FRICTION,
    idle: bool = False, **more,
) -> Scene:  # fmt: skip
    """A character that balances while it follows a clip.

    Args:
        o: What was asked for.
        character: The scene's own body, by name.
        clip: The scene's own clip as a function of the body; None is the rest pose.
        seconds: Duration where no motion file is given [s].
        pushes: The scene's own disturbances.
        friction: Of the ground; a body's file may ask for its own.
        idle: Whether it sways, breathes and looks about unless asked; not in mode paper, nor bodies from files.
        more: ``part`` of a motion file, ``platform`` and how to ``ride`` it, ``firm`` (stops), ``weights``,
            ``others`` (objectives), ``measures``, ``watch``; ``mortal`` where somebody else asks about getting up.
    """
    mortal = more.pop("mortal", False)
    body, dance, took = o.cast(character, clip, more.pop("part", "in-place"))
    control = o.control()
    paper = control.mode == "paper"
    if friction == FRICTION and body.floor is not None and body.floor.friction is not None:
        friction = body.floor.friction
    mu = o.friction(friction)
    world = World(
        friction=mu,
        platform=more.pop("platform", None),
        pushes=pushes if o.pushes is None else o.pushes,
        contact=o.choice("contact", "penalty" if paper else "mujoco", tuple(CONTACTS)),
        firm=more.pop("firm", False),
        dt=o.between("dt", PAPER_DT if paper else min(DT, body.model.opt.timestep), 1e-5, 0.02, "seconds"),
    )
    lively, late = _style(o, idle)
    style = Weights(arms=CAPTURED_ARMS) if took else None
    behaviour = Balance(
        clip=dance, gains=o.gains(), weights=o.weights(more.pop("weights", style)),
        angular=o.take("angular", True),
        mu=0.9 * mu, others=more.pop("others", None),
        idle=o.idle(lively and not body.source and took is None and not paper), reaction=o.reaction(late),
        ride=more.pop("ride", None),
    )  # fmt: skip
    noise = o.between("pose_noise", 0.0, 0, 0.99, "radians")
    start, speed = (None, None) if dance is None else dance.sample(dance.start)[:2]
    more["watch"] = {k: at for k, at in more.pop("watch", {}).items() if at[0] in body.body_names}
    checks = (measures.recovered, measures.arm_share, *more.pop("measures", ()))
    if took is not None:
        assert dance is not None
        seconds, speed = dance.seconds or seconds, dance.sample(dance.start + 1e-6)[1]
        checks += (partial(measures.feet_of, took),)
        more["info"] = {"motion": took.source()}
    made = Scene(
        "", body, world, behaviour, seconds=seconds, control=control, q_start=start, v_start=speed,
        pose_noise=noise, measures=checks, **more,
    )  # fmt: skip
    return living(o, made) if not mortal and o.take("life", False) else made


def _style(o: Options, idle: bool) -> tuple[bool, float]:
    """Whether a body at rest moves, and how late it feels a push [s], unless asked; ``style`` says both at once."""
    human = o.choice("style", "human" if idle else "plain", ("human", "plain")) == "human"
    return human, REACTION if human and "style" in o.asked else 0.0
