"""One push on one scene: what is sent to a worker, and what comes back."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import poise

if TYPE_CHECKING:
    from poise.record import Recording
    from poise.worlds import Push

PUSH_S = 0.1  # how long a push lasts [s]
ONSET_S = 1.0  # nominal start of the push [s]
WALKING_S = 4.0  # the same for one that walks, once it is under way [s]
WAIT_S = 4.0  # from the end of the push to the verdict [s]
SETTLED_MS = 0.15  # CM speed below which a body counts as standing again [m/s]

# How replicas differ: uniform within these, drawn from the seed.
ONSET_SPREAD_S = 0.05
DIRECTION_SPREAD_DEG = 3.0
HEIGHT_SPREAD_M = 0.03
POSE_NOISE_RAD = 0.001


@dataclass(frozen=True)
class Case:
    """What all trials of a sweep share: a scene by name."""

    scene: str
    character: str | None
    options: dict[str, Any]
    mass: float  # of the body [kg]
    seed: int


@dataclass(frozen=True)
class PushTrial:
    """A case and a push by numbers: plain data, so that it pickles, hashes and prints."""

    case: Case
    direction_deg: float  # nominal; 0 = forward, 90 = left
    value_ms: float  # impulse / mass [m/s]
    replica: int
    force: tuple[float, float, float]  # with the replica's own direction [N]
    start: float  # [s]
    height: float  # of the point of application above the nominal one [m]
    seed: int

    @property
    def options(self) -> dict[str, Any]:
        """Of the scene."""
        return {"pose_noise": POSE_NOISE_RAD, **self.case.options}

    @property
    def push(self) -> Push:
        """On the trunk."""
        offset = (0.0, 0.0, self.height)
        return poise.Push(body="torso", force=self.force, start=self.start, duration=PUSH_S, offset=offset)

    @property
    def seconds(self) -> float:
        """End of the trial: the verdict is read there."""
        return self.start + PUSH_S + WAIT_S


def draw(
    case: Case, direction_deg: float, value_ms: float, replica: int, onset_s: float = ONSET_S
) -> PushTrial:
    """A replica's trial; its onset, direction, height and noise do not depend on the strength of the push."""
    rng = np.random.default_rng([case.seed, round(1000 * direction_deg), replica])
    onset, turn, height = rng.uniform(-1.0, 1.0, 3)
    angle = math.radians(direction_deg + DIRECTION_SPREAD_DEG * turn)
    newtons = value_ms * case.mass / PUSH_S
    return PushTrial(
        case, direction_deg, value_ms, replica,
        force=(newtons * math.cos(angle), newtons * math.sin(angle), 0.0),
        start=onset_s + ONSET_SPREAD_S * onset, height=HEIGHT_SPREAD_M * height, seed=int(rng.integers(2**31)),
    )  # fmt: skip


def run(trial: PushTrial) -> dict[str, Any]:
    """Simulate one trial; runs in a worker, which builds the scene itself and keeps nothing."""
    case = trial.case
    scene = poise.scene(
        case.scene, case.character, [trial.push], trial.seconds, trial.seed, after_fall=0.0, **trial.options
    )
    return {**asdict(trial), **verdict(poise.simulate(scene), trial.seconds)}


def verdict(take: Recording, seconds: float) -> dict[str, Any]:
    """Whether a body came through, by the rule, and how."""
    speed = take.metrics.get("com_speed_final_ms")
    settled = isinstance(speed, (int, float)) and speed < SETTLED_MS  # false for NaN and None
    whole = take.time[-1] > seconds - PUSH_S  # a take cut short by a NaN is not a recovery
    return {
        "survived": bool(not take.fell and whole and take.metrics.get("back_in_gait", settled)),
        "fell": bool(take.fell),
        "com_speed_final_ms": speed,
        "strategy": "fall" if take.fell else strategy(take.metrics, take.steps),
    }


def strategy(metrics: dict[str, Any], steps: int) -> str:
    """What the body did about the push, from the angular momentum it used: ankle, hip, arms, or how many steps."""
    if "back_in_gait" in metrics:
        return "gait"
    if steps:
        return "1 step" if steps == 1 else f"{steps} steps"
    peak = metrics.get("h_peak_kgm2s") or 0.0
    if peak < 5.0:  # kg m²/s: a body that turns about its ankles alone stays below this
        return "ankle"
    return "arms" if (metrics.get("arm_h_share") or 0.0) > 0.5 else "hip"
