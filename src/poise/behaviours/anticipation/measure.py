"""How well a way to choose does against many threats, next to standing still and to chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from poise.behaviours.anticipation.choices import at_random
from poise.behaviours.anticipation.threat import Threat, zone_of
from poise.behaviours.anticipation.trial import Outcome, Range, share, still
from poise.character.character import Character

AFTER = 1.2  # [s] after the ball has passed, in which a body may still fall
STILL_LEAD = 0.35  # [s] before the ball comes, that a throw at a body that stands still begins
TRAIN_SEED = 1000


def outcomes(
    character: Character,
    threats: Sequence[Threat],
    choose,
    delay: float = 0.2,
    noise: float = 0.0,
    after: float = AFTER,
    report: Callable[[int], None] = lambda n: None,
) -> list[Outcome]:
    """Throw every threat once, from the throw on."""
    place, out = Range(character), []
    for n, threat in enumerate(threats):
        if choose is still:  # nothing happens before the ball is near
            late = max(threat.seconds - STILL_LEAD, 0.0)
            out.append(place.throw(threat, still, late, after=after, head_start=True))
        else:
            out.append(place.throw(threat, choose, delay, noise, seed=n, after=after))
        report(n + 1)
    return out


def summary(found: list[Outcome], threats: Sequence[Threat]) -> dict:
    """Numbers of a series of throws."""
    times = [o.decision_ms for o in found if np.isfinite(o.decision_ms)]
    zones = {zone: [o for o, t in zip(found, threats, strict=True) if zone_of(t.height) == zone]
             for zone in ("legs", "pelvis", "trunk", "head")}  # fmt: skip
    return {
        "threats": len(found), "damage_mean_j": float(np.mean([o.damage for o in found])),
        "fell": float(np.mean([o.fell for o in found])),
        "avoided": share(found, "avoided"), "blocked": share(found, "blocked"), "hit": share(found, "hit"),
        "stepped": float(np.mean([o.steps > 0 for o in found])),
        "effort_mean_j": float(np.mean([o.effort for o in found])),
        "decision_ms_median": float(np.median(times)) if times else None,
        "decision_ms_max": float(np.max(times)) if times else None,
        "hit_by_zone": {zone: share(some, "hit") for zone, some in zones.items()},
        "moves": dict(Counter(" ".join(o.move.split()[:3]) for o in found)),
    }  # fmt: skip


def against(
    character: Character,
    threats: Sequence[Threat],
    choose,
    delay: float = 0.2,
    noise: float = 0.0,
    report: Callable[[str, int], None] = lambda name, n: None,
) -> dict[str, dict]:
    """The same threats against a choice, against chance and against standing still."""
    ways = {
        "chosen": (choose, AFTER),
        "random": (at_random(np.random.default_rng(1)), AFTER),
        "still": (still, 0.2),
    }
    return {
        name: summary(
            outcomes(character, threats, way, delay, noise, after, lambda n, name=name: report(name, n)),
            threats,
        )
        for name, (way, after) in ways.items()
    }
