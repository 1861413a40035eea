"""The claims of [Abstract], section 6 and 7: speed, final time, goals, robustness; judged by the body."""

from __future__ import annotations

import numpy as np

from poise.bench.plan import measure
from poise.reproduce.abstract_stage import ONSETS, around, change, motion, play, recovered
from poise.reproduce.claim import Finding, claims_of, table

claim = claims_of("abstract")

STAIRS = (0.1, 0.2, 0.3, -0.1, -0.2)  # [m]
VARIANTS = {
    "free": {}, "fixed": {"free": False}, "w_angular = 0, free": {"angular": 0.0},
    "w_angular = 0, fixed": {"angular": 0.0, "free": False},
}  # fmt: skip


@claim(cost=15, why="goal of this project: 0.5 s for 60 frames")
def offline() -> Finding:
    """the offline optimisation converges within 10 iterations; 60 frames take about a minute"""
    plans = {name: motion(name) for name in ("walk", "long", "squat")}
    found = {
        name: (max(s.iterations for s in control.segments), measure(ref, control)[0])
        for name, (ref, control) in plans.items()
    }
    text = "; ".join(f"{name}: {i} iterations, {s:.3f} s for 60 frames" for name, (i, s) in found.items())
    return Finding(text, all(i < 10 for i, _ in found.values()))


@claim(cost=5, why="best of three")
def online() -> Finding:
    """the online simulation runs at 20 frames a second on average, 42 degrees of freedom"""
    ref, control = motion("walk")
    fps = measure(ref, control)[1]
    dof = ref.character.model.nv
    return Finding(f"{fps:.0f} frames a second with the full body of {dof} degrees of freedom", fps > 20)


@claim(cost=5, why="change at the last cut, over four onsets; the paper names no forces")
def time_push() -> Finding:
    """a small forward push speeds a step up by 2-3 frames, a large backward one slows it by 10"""
    small = [change(push=(60.0, 0.0, 0.0), start=float(t)) for t in ONSETS[::2]]
    large = [change(push=(-200.0, 0.0, 0.0), start=float(t)) for t in ONSETS[::2]]
    text = f"60 N x 0.3 s forward {_span(small)} frames; 200 N x 0.3 s backward {_span(large)}"
    held = -4 <= np.mean(small) <= -1 and 5 <= np.mean(large) <= 15
    return Finding(text, bool(held))


@claim(cost=4, why="K^c of a height is small: height hardly changes the best time of this walk")
def time_stairs() -> Finding:
    """0.2 m up takes 4 frames longer, 0.2 m down 4 frames less"""
    rows = {lead: [change(shift=(0, 0, z), count=1, lead=lead) for z in (0.2, -0.2)] for lead in (1.0, 0.5)}
    text = "; ".join(
        f"{'whole' if lead == 1 else 'half'} stair by mid double support: up {a:+.1f}, down {b:+.1f} frames"
        for lead, (a, b) in rows.items()
    )
    held = any(a > 2 and b < -2 for a, b in rows.values())
    return Finding(text, held)


@claim(cost=4, why="the paper does not say how much shorter")
def time_length() -> Finding:
    """a 0.05 m longer step takes 4 frames more, a shorter one 17 frames less"""
    longer, shorter = change(shift=(0.05, 0, 0), count=1), change(shift=(-0.15, 0, 0), count=1)
    text = f"+0.05 m: {longer:+.1f} frames; -0.15 m: {shorter:+.1f} frames"
    return Finding(text, 2 <= longer <= 6 and shorter <= -8)


def _goals(shifts: dict[str, tuple[float, float, float]]) -> Finding:
    ends = {(name, n): play(shift=shift, count=n) for name, shift in shifts.items() for n in (1, 3)}
    lost = [f"{name} x {n}: {end.why}" for (name, n), end in ends.items() if not end.recovered]
    slip, miss = max(e.slip for e in ends.values()), max(e.goal_error for e in ends.values())
    text = f"{sum(e.recovered for e in ends.values())} of {len(ends)} (once and three in a row); "
    text += f"slip at most {100 * slip:.1f} cm, centre of mass {100 * miss:.1f} cm from its goal"
    why = "; ".join(lost) or "body success: slip <= 2 cm, legs reach, final centre of mass within 5 cm"
    return Finding(text, not lost, why)


table("abstract", _goals, (
    ("stairs", "one controller of a walk on flat ground climbs stairs of up to 0.3 m and descends 0.2 m",
     8, {f"{z:+.1f} m": (0.0, 0.0, z) for z in STAIRS}),
    ("lengths", "the same procedure makes longer and shorter steps", 8,
     {f"{x:+.2f} m": (x, 0.0, 0.0) for x in (-0.15, -0.1, -0.05, 0.05, 0.1)}),
))  # fmt: skip


@claim(cost=8, why="three stairs in a row, the same feet for both")
def anticipation() -> Finding:
    """a goal known ahead needs less force than a bent reference, which fails above +0.2/-0.1 m"""
    rows, less, fails = [], True, []
    for z in STAIRS:
        ahead, bent = (play(shift=(0.0, 0.0, z), anticipate=a) for a in (True, False))
        rows.append(f"{z:+.1f} m {ahead.effort / bent.effort:.2f}")
        less &= ahead.effort < bent.effort
        fails += [] if bent.recovered else [f"{z:+.1f}"]
    text = f"mean F² ahead over bent: {', '.join(rows)}; bent fails at: {', '.join(fails) or 'none'}"
    return Finding(text, less and "+0.3" in fails and "-0.2" in fails)


def _pushes(pushes, duration: float, variants=None) -> Finding:
    found = {name: recovered(pushes, duration, **more) for name, more in (variants or VARIANTS).items()}
    good, total = found["free"]
    text = ", ".join(f"{name} {good} of {total}" for name, (good, total) in found.items())
    return Finding(text, good >= 0.95 * total)


table("abstract", _pushes, (
    ("push-40", "sustained pushes of one second up to 40 N, all directions", 60, around(40.0), 1.0),
    ("push-100", "pushes of 100 N for 0.3 s, all directions (half of the paper's 200 N)", 60, around(100.0), 0.3),
    ("push-200-sagittal", "pushes of 200 N for 0.3 s, forward and backward", 20, around(200.0, (0, 4)), 0.3),
    ("push-200", "pushes of less than 0.3 s up to 200 N in all directions, in all examples", 40, around(200.0), 0.3,
     {"free": {}, "fixed": {"free": False}}),
), why="at the pelvis, eight onsets over a stride drawn from a seed; body success")  # fmt: skip


@claim(cost=15, why="at the pelvis, four onsets")
def free_time() -> Finding:
    """free final time is more stable, with smaller forces, and recovers where fixed time fails"""
    small = around(60.0, (0, 4))
    rows = {}
    for free in (True, False):
        ends = [play(push=p, start=float(t), free=free) for p in small for t in ONSETS[::2]]
        rows[free] = np.mean([e.effort for e in ends]), np.mean([e.h_peak for e in ends])
    large = {free: recovered(around(300.0, (4,)), 0.3, ONSETS[::2], free=free) for free in (True, False)}
    (ef, hf), (ex, hx) = rows[True], rows[False]
    text = f"60 N sagittal: F² free over fixed {ef / ex:.3f}, H peak {hf:.1f} against {hx:.1f} kg m²/s; "
    text += f"300 N backward: {large[True][0]} against {large[False][0]} of {large[True][1]}"
    return Finding(text, bool(ef < ex and large[True][0] > large[False][0]))


@claim(cost=15, why="80 N x 0.3 s from four sides, two onsets")
def angular() -> Finding:
    """minimising angular momentum always uses less force and is stabler than tracking alone"""
    rows = {}
    for name in ("walk", "long"):
        for angular in (None, 0.0):
            ends = [
                play(name, push=p, start=float(t), angular=angular)
                for p in around(80.0, (0, 2, 4, 6))
                for t in ONSETS[::4]
            ]
            rows[name, angular] = [
                np.mean([getattr(e, k) for e in ends]) for k in ("effort", "h_peak", "recovered")
            ]
    text, less = [], True
    for name in ("walk", "long"):
        (e1, h1, r1), (e0, h0, r0) = rows[name, None], rows[name, 0.0]
        text.append(
            f"{name}: F² {e1 / e0:.3f} of tracking alone, H peak {h1:.1f} / {h0:.1f}, recovered {r1:.0%} / {r0:.0%}"
        )
        less &= bool(e1 < e0 and r1 >= r0)
    return Finding("; ".join(text), less)


@claim(cost=5, why="the paper names no force")
def long_step() -> Finding:
    """pushed backward, a long step takes 4 frames longer; pushed forward, 4 less"""
    back, ahead = (change(name="long", push=(f, 0.0, 0.0), start=1.5) for f in (-80.0, 80.0))
    text = f"80 N x 0.3 s: backward {back:+.1f}, forward {ahead:+.1f} frames"
    return Finding(text, back > 1.5 and ahead < -1.5)


@claim(cost=5, why="eight directions, sinking and rising")
def squat() -> Finding:
    """a squat stays balanced under repeated pushes by changes of the whole body and the final time"""
    ends = [play("squat", push=p, start=t, duration=0.3) for p in around(80.0) for t in (0.5, 1.5)]
    good = sum(e.recovered for e in ends)
    return Finding(f"{good} of {len(ends)} pushes of 80 N x 0.3 s", good == len(ends))


def _span(values) -> str:
    return f"{min(values):+.1f} to {max(values):+.1f}"
