"""[Stepping] chapter 3: goal-directed steps from examples, without physics."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from poise.reproduce.claim import Finding, captured, claims_of, number, table, take

claim = claims_of("stepping")
CAPTURED = "02_01", "136_21", "83_19", "83_20", "83_27"


def _scene(name: str, options: dict[str, Any] | None = None) -> Finding:
    seen = take(name, **(options or {}))
    worst, skate = number(seen, "landing_error_max_m"), number(seen, "foot_skate_m")
    text = f"{seen.steps} steps, {1000 * worst:.1f} mm off at the most, soles slide {1000 * skate:.2f} mm"
    return Finding(text, worst < 0.01 and skate < 0.005 and not seen.notes)


table("stepping", _scene, (
    ("careful", "four careful steps are placed precisely with examples from a database (fig. 3.4)",
     10, "kinematic-steps"),
    ("turn", "a ready stance is turned by stepping, without an example (3.7)", 6, "turn-step", {"angle": 90.0}),
    ("fight", "a kick is redirected by the steps before it, without an example (3.7)", 8, "fight-step"),
), why="closed leg kinematics put the soles where they belong in every frame")  # fmt: skip


@claim(cost=10, why="three steps of our own body in physics; with --motion against a captured clip")
def held_out() -> Finding:
    """three steps are nearer to a clip left out of the database than their blend (fig. 3.5)"""
    seen = take("kinematic-steps")
    com, blend, foot, foot_blend = (
        1000 * number(seen, f"{what}_path_{which}rmse_m")
        for what in ("com", "foot")
        for which in ("", "blend_")
    )
    text = (
        f"centre of mass off by {com:.0f} mm against {blend:.0f} mm of the blend, "
        f"foot {foot:.0f} mm against {foot_blend:.0f} mm"
    )
    return Finding(text, com < blend and foot < foot_blend)


@claim(
    cost=20, why="captured swings of 0.2 m and more; held: correlation 0.8 in the middle, 0.6 at the least"
)
def foot_speed() -> Finding:
    """a Gaussian fits the speed of a stepping foot whatever its direction and length (fig. 3.1)"""
    fits = [fit for file in CAPTURED for fit in _gaussians(file)]
    text = f"correlation of {len(fits)} captured swings: {np.median(fits):.2f} in the middle"
    text += f", {min(fits):.2f} at the least"
    return Finding(text, bool(np.median(fits) >= 0.8 and min(fits) >= 0.6))


def _gaussians(file: str) -> list[float]:
    """How well a Gaussian of time fits the speed of each swing of a captured clip."""
    fits = []
    for t, speed in swings(file):
        middle = (t * speed).sum() / speed.sum()
        width = np.sqrt((speed * (t - middle) ** 2).sum() / speed.sum())
        fits.append(float(np.corrcoef(speed, np.exp(-0.5 * ((t - middle) / width) ** 2))[0, 1]))
    return fits


def swings(file: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Times [s] and level speeds [m/s] of a foot in each swing of 0.2 m and more of a captured clip."""
    import mujoco

    from poise.capture.captured import captured as read
    from poise.motion.feet import stances

    clip, found = read(captured(f"bvh/{file}.bvh"), lock=False).clip, []
    body = clip.character
    data = mujoco.MjData(body.model)
    for name in body.stance:
        spans = list(stances(clip, name))
        for (_, lift), (land, _) in pairwise(spans):
            t = np.linspace(lift, land, 40)
            way = np.empty((len(t), 3))
            for i, x in enumerate(t):
                data.qpos[:] = clip.at(float(x))
                mujoco.mj_kinematics(body.model, data)
                way[i] = data.body(body.support(name).body).xpos
            if np.linalg.norm((way[-1] - way[0])[:2]) > 0.2:
                found.append((t, np.linalg.norm(np.gradient(way[:, :2], t, axis=0), axis=1)))
    return found


@claim(cost=10, why="of processor time, one core")
def interactive() -> Finding:
    """steps are made fast enough to be used at interactive rates (3.7); wanted 200 frames/s"""
    rates = [number(take(name), "frames_per_s") for name in ("kinematic-steps", "turn-step", "fight-step")]
    return Finding(f"{', '.join(f'{r:.0f}' for r in rates)} frames/s", min(rates) > 200)
