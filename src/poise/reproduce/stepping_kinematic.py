"""[Stepping] chapter 3: goal-directed steps from examples, without physics."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.reproduce.claim import Finding, claims_of, number, table, take

claim = claims_of("stepping")


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


@claim(cost=6, why="our examples are simulated steps, whose swing foot follows a polynomial")
def foot_speed() -> Finding:
    """a Gaussian fits the speed of a stepping foot whatever its direction and length (fig. 3.1)"""
    from poise.behaviours.example_steps import database
    from poise.behaviours.example_steps.profile import foot_progress
    from poise.behaviours.example_steps.stepping import Walker
    from poise.character import Character

    body, fits = Character.named("adult"), []
    walker = Walker(body, database.default(body))
    for step in walker.database.steps:  # type: ignore[union-attr]
        clip, t = step.clip(walker.character), np.linspace(step.timing.lift, step.timing.land, 40)
        way = np.array([walker.legs.foot(clip.at(x), step.swing)[0][:2] for x in t])
        if np.linalg.norm(way[-1] - way[0]) > 0.08:
            speed = np.linalg.norm(np.gradient(way, t, axis=0), axis=1)
            fits.append(np.corrcoef(speed, np.gradient(foot_progress(t, step.timing), t))[0, 1])
    text = (
        f"correlation of {len(fits)} steps: {np.median(fits):.2f} in the middle, {min(fits):.2f} at the least"
    )
    return Finding(text, bool(np.median(fits) > 0.8))


@claim(cost=10, why="of processor time, one core")
def interactive() -> Finding:
    """steps are made fast enough to be used at interactive rates (3.7); wanted 200 frames/s"""
    rates = [number(take(name), "frames_per_s") for name in ("kinematic-steps", "turn-step", "fight-step")]
    return Finding(f"{', '.join(f'{r:.0f}' for r in rates)} frames/s", min(rates) > 200)
