"""[Balance] section 9: implementation and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import poise
from poise.control.points import Point
from poise.reproduce.balance_control import NO_CLAMP
from poise.reproduce.balance_laws import SHOVE
from poise.reproduce.claim import Finding, behaviour, claim, end, number, take, variant

SCENES = (
    "stand",
    "balance-push",
    "butterfly",
    "squat",
    "side-kick",
    "head-drag",
    "cup",
    "grapple",
    "platform",
)
BODIES = ("adult", "insectoid", "chicken")
EXERCISES = ("butterfly", "squat", "side-kick")


@claim("balance.real-time", "All simulations run in real time (9)", cost=15.0)
def real_time() -> Finding:
    speeds = {scene: take(scene).real_time_factor for scene in SCENES}
    speeds |= {f"stand {body}": take("stand", body, seconds=5.0).real_time_factor for body in BODIES[1:]}
    slowest = min(speeds, key=lambda name: speeds[name])
    return Finding(
        f"slowest of {len(speeds)}: {slowest}, {speeds[slowest]:.1f} x real time;"
        f" median {np.median(list(speeds.values())):.1f}",
        speeds[slowest] > 1.0,
        "default mode, one core, recording included",
    )


@claim("balance.morphologies", "The method is general to non-human morphologies (abstract, 9)", cost=10.0)
def morphologies() -> Finding:
    texts, stood = [], True
    for body in BODIES[1:]:
        dv = 0.25 * poise.Character.named(body).mass / 0.1  # N for 0.25 m/s
        pushes = [
            f"torso:{dv * np.cos(a):.3f},{dv * np.sin(a):.3f},0@1.0+0.1" for a in np.arange(4) * np.pi / 2
        ]
        takes = [take("balance-push", body, push=p, seconds=5.1) for p in pushes]
        survived = sum(not t.fell for t in takes)
        quiet = take("stand", body, seconds=30.0)
        texts.append(f"{body} {end(quiet)} for 30 s, survives {survived} of 4 shoves of 0.25 m/s")
        stood &= survived == 4 and not quiet.fell
    return Finding(
        "; ".join(texts),
        stood,
        "the adult's gains and objective weights; only tracking weights are the body's own",
    )


@claim("balance.tuning", "Only tracking weights are tuned between characters and clips (9)", cost=15.0)
def tuning() -> Finding:
    takes = {scene: take(scene) for scene in SCENES}
    fallen = [scene for scene, t in takes.items() if t.fell]
    return Finding(
        f"{len(SCENES) - len(fallen)} of {len(SCENES)} scenes run to their end with one set of gains"
        + (f"; fell: {', '.join(fallen)}" if fallen else ""),
        not fallen,
        "no scene sets a gain; see src/poise/scenes",
    )


@claim("balance.supports", "Single-support and double-support motions both work (9)", cost=6.0)
def supports() -> Finding:
    takes = {scene: take(scene) for scene in ("squat", "side-kick")}
    text = ", ".join(f"{scene} {end(t)}" for scene, t in takes.items())
    return Finding(
        text, not any(t.fell for t in takes.values()), "squat stands on both feet, side-kick on one"
    )


@claim("balance.sixty-hertz", "Recomputing the optimisation at 60 Hz is enough (9)", cost=8.0)
def sixty_hertz() -> Finding:
    takes = {
        mode: take("balance-push", push=SHOVE, seconds=5.0, control__mode=mode) for mode in ("fast", "paper")
    }
    text = ", ".join(f"mode {mode} {end(t)}" for mode, t in takes.items())
    return Finding(
        f"250 N shove: {text}",
        not any(t.fell for t in takes.values()),
        "both solve at 60 Hz and hold v̇ in between",
    )


def exercise(scene: str, key: str, tempos: tuple[float, ...]) -> Finding:
    """Look for a tempo at which the paper's own pipeline completes an exercise with the angular objective only."""
    texts = []
    for tempo in tempos:
        options: dict[str, Any] = {"control__mode": "paper", key: tempo}
        on, off = (take(scene, angular=flag, **options) for flag in (True, False))
        texts.append(f"{tempo:g} s {end(on)} / {end(off)}")
        if off.fell and not on.fell:
            return Finding(
                f"mode paper, with / without: {', '.join(texts)}", True, f"needed at {tempo:g} s a cycle"
            )
    others = [take(scene, angular=False, control__mode=mode) for mode in ("robust", "fast")]
    rest = "" if any(t.fell for t in others) else "; modes robust and fast complete it without"
    return Finding(f"mode paper, with / without: {', '.join(texts)}", False, f"no such tempo found{rest}")


@claim(
    "balance.butterfly-angular", "Butterfly cannot be completed without the angular objective (9)", cost=30.0
)
def butterfly_angular() -> Finding:
    return exercise("butterfly", "period", (1.6, 0.8, 0.5, 0.4))


@claim("balance.squat-angular", "Squat cannot be completed without the angular objective (9)", cost=30.0)
def squat_angular() -> Finding:
    return exercise("squat", "period", (2.0, 1.2, 1.0, 0.9, 0.8))


@claim(
    "balance.side-kick-angular", "Side kick cannot be completed without the angular objective (9)", cost=30.0
)
def side_kick_angular() -> Finding:
    return exercise("side-kick", "duration", (6.0, 4.0, 3.0))


@claim(
    "balance.tracks-without",
    "With tracking and linear objectives alone, joint angles are tracked accurately (9)",
    cost=6.0,
)
def tracks_without() -> Finding:
    errors = {scene: number(take(scene, angular=False), "tracking_rmse_rad") for scene in EXERCISES}
    text = ", ".join(f"{scene} {e:.3f} rad" for scene, e in errors.items())
    return Finding(text, all(e < 0.1 for e in errors.values()), "limit 0.1 rad rms over all joints")


@claim(
    "balance.angular-cost",
    "The angular objective costs only a minor reduction in tracking accuracy (9)",
    cost=6.0,
)
def angular_cost() -> Finding:
    pairs = {scene: [take(scene, angular=flag) for flag in (True, False)] for scene in EXERCISES}
    texts, minor = [], True
    for scene, (on, off) in pairs.items():
        a, b = number(on, "tracking_rmse_rad"), number(off, "tracking_rmse_rad")
        texts.append(f"{scene} {a:.3f} ({end(on)}) / {b:.3f} ({end(off)})")
        minor &= not on.fell and a < b + 0.05
    return Finding(
        f"tracking error with / without [rad]: {', '.join(texts)}",
        minor,
        "minor: standing, and less than 0.05 rad rms",
    )


@claim(
    "balance.head-drag",
    "Dragged by the head while squatting, it stays near the motion, meets the drag and balances (9)",
    cost=4.0,
)
def head_drag() -> Finding:
    recording = take("head-drag")
    error, pose = number(recording, "drag_error_m"), number(recording, "tracking_rmse_rad")
    return Finding(
        f"{end(recording)}, head {100 * error:.1f} cm from its target on average, joints {pose:.2f} rad from the squat",
        not recording.fell and error < 0.05 and pose < 0.35,
        "limits: 5 cm, 0.35 rad",
    )


@claim(
    "balance.out-of-plane",
    "Near joint lock it moves out of the plane in which the point travels (9)",
    cost=4.0,
)
def out_of_plane() -> Finding:
    recording = take("head-drag")
    side = float(np.abs(recording["q"][:, 1] - recording["q"][0, 1]).max())
    w, _, _, z = recording["q"][:, 3:7].T
    turn = float(np.degrees(np.abs(2 * np.arctan2(z, w))).max())
    return Finding(
        f"the pelvis leaves the sagittal plane by up to {100 * side:.1f} cm and turns by up to {turn:.1f}°",
        side > 0.02 or turn > 5.0,
        "2 cm or 5° would count; a symmetric body that does not lock has no reason to choose a side",
    )


@claim("balance.cup", "Side kick with head straight and cup upright, tracking preserved (9, Cup)", cost=6.0)
def cup() -> Finding:
    recording, kick = take("cup"), take("side-kick")
    cup_, head = number(recording, "cup_tilt_deg"), number(recording, "head_tilt_deg")
    pose, plain = number(recording, "tracking_rmse_rad"), number(kick, "tracking_rmse_rad")
    return Finding(
        f"{end(recording)}; cup within {cup_:.1f}°, head within {head:.1f}°;"
        f" joints {pose:.3f} rad off ({plain:.3f} without a cup)",
        not recording.fell and cup_ <= 10 and head <= 10 and pose < plain + 0.15,
        "limits: 10°, 10°, 0.15 rad more than the plain kick",
    )


@claim("balance.cup-head", "Tracking the head's acceleration improves the posture (9, Cup)", cost=6.0)
def cup_head() -> Finding:
    takes = take("cup"), variant("cup", {"others": without("head")})
    on, off = (number(t, "head_tilt_deg") for t in takes)
    return Finding(
        f"head tilt {on:.1f}° ({end(takes[0])}) with the head objective, {off:.1f}° ({end(takes[1])}) without",
        on < off and not any(t.fell for t in takes),
        "largest tilt of the take; a fall proves nothing",
    )


def without(body: str | None = None, points: bool = False) -> Callable:
    """The further objectives of the cup, but those on a body, or but its points."""
    others = behaviour("cup").others

    def fewer(t: float, state: Any) -> list:
        return [
            o
            for o in others(t, state)
            if not (getattr(o, "body", None) == body or (points and isinstance(o, Point)))
        ]

    return fewer


@claim("balance.cup-damping", "A point constraint with damping only reduces jerking of the arm (9)", cost=6.0)
def cup_damping() -> Finding:
    takes = take("cup"), variant("cup", {"others": without(points=True)})
    on, off = (acceleration(t["point.cup.base"], t.dt) for t in takes)
    return Finding(
        f"cup, rms [m/s²] {on:.2f} ({end(takes[0])}) with damping, {off:.2f} ({end(takes[1])}) without",
        on < off and not any(t.fell for t in takes),
        "same kick; a fall proves nothing",
    )


def acceleration(points: np.ndarray, dt: float) -> float:
    """Rms acceleration of a recorded point [m/s²]."""
    return float(np.sqrt(np.mean(np.sum((np.diff(points, 2, axis=0) / dt**2) ** 2, axis=1))))


@claim(
    "balance.grapple",
    "Hit by impulses, then tied down by several points, it adapts without falling (9)",
    cost=4.0,
)
def grapple() -> Finding:
    recording = take("grapple")
    height = recording["com"][:, 2]
    drop = 1 - float(height.min()) / float(height[0])
    return Finding(
        f"{end(recording)}; CM pulled down by {100 * drop:.0f} % of its height"
        f" after {len(recording.info.get('pushes') or [])} impulses",
        not recording.fell and drop > 0.1,
        "insectoid, keyframed twist; pulled down: a tenth of the height",
    )


@claim(
    "balance.lower-arms", "The creature lifts its lower arms by itself when disturbed (Figure 5)", cost=6.0
)
def lower_arms() -> Finding:
    hit = take("grapple", seconds=7.0)
    calm = poise.simulate(poise.scene("grapple", push=[], seconds=7.0))
    lifts = [float((hit[name] - calm[name])[:, 2].max()) for name in ("point.mid_hand_l", "point.mid_hand_r")]
    return Finding(
        f"lower hands rise {100 * lifts[0]:.0f} and {100 * lifts[1]:.0f} cm above where they are without the impulses",
        min(lifts) > 0.05,
        "no rule mentions arms; 5 cm counts",
    )


@claim(
    "balance.platform",
    "On a moving platform with μ = 0.1, hit by impulses, it keeps its balance (9, Platform)",
    cost=4.0,
)
def platform() -> Finding:
    recording = take("platform")
    return Finding(
        f"{end(recording)} through {recording.time[-1]:.0f} s with {len(recording.info.get('pushes') or [])} impulses",
        not recording.fell,
        "sum of sines in three translations and tilt",
    )


@claim("balance.platform-slip", "It reduces motion of the support relative to the platform (9)", cost=4.0)
def platform_slip() -> Finding:
    recording = take("platform")
    slip = number(recording, "platform_slip_m")
    ground = recording["ground"][:, :3]
    travel = float(np.linalg.norm(np.diff(ground[:, :2], axis=0), axis=1).sum())
    return Finding(
        f"slip {100 * slip:.1f} cm while the platform travelled {travel:.2f} m",
        not recording.fell and slip < 0.1 * max(travel, 1e-9),
        "limit: a tenth of the travel",
    )


@claim("balance.keyframed", "Moderately balanced keyframed motion is tracked with its style (9)", cost=6.0)
def keyframed() -> Finding:
    errors = {scene: number(take(scene), "tracking_rmse_rad") for scene in EXERCISES}
    text = ", ".join(f"{scene} {e:.3f} rad" for scene, e in errors.items())
    return Finding(text, all(e < 0.15 for e in errors.values()), "limit 0.15 rad rms over all joints")


@claim("balance.energetic", "Motions that are too energetic lose their style (9)", cost=6.0)
def energetic() -> Finding:
    periods = (1.6, 0.8, 0.4)
    takes = [take("butterfly", period=p) for p in periods]
    errors = [number(t, "tracking_rmse_rad") for t in takes]
    text = ", ".join(f"{p:g} s a cycle {e:.3f} rad ({end(t)})" for p, e, t in zip(periods, errors, takes))
    return Finding(
        f"butterfly, {text}", errors[-1] > 2 * errors[0], "style lost: at least twice the tracking error"
    )


@claim("balance.topples", "Forces that are too aggressive topple it, since it cannot step (9)", cost=4.0)
def topples() -> Finding:
    forces = (250, 500, 1000)
    takes = [take("balance-push", push=f"torso:{n},0,0@1.0+0.1", seconds=5.0) for n in forces]
    text = ", ".join(f"{n} N {end(t)}" for n, t in zip(forces, takes))
    return Finding(text, takes[-1].fell and not takes[0].fell, "pushes of 0.1 s, forward")


@claim(
    "balance.secondary",
    "Lifelike secondary motion appears that linear control alone does not show (9)",
    cost=4.0,
)
def secondary() -> Finding:
    texts, verdicts = [], []
    for mode in ("robust", "fast"):
        on, off = (
            take("balance-push", push=SHOVE, seconds=5.0, angular=f, control__mode=mode)
            for f in (True, False)
        )
        a, b = number(on, "h_peak_kgm2s"), number(off, "h_peak_kgm2s")
        texts.append(f"{mode} {a:.1f} / {b:.1f} ({end(on)} / {end(off)})")
        verdicts.append(a > 1.1 * b)
    return Finding(
        f"peak H with / without the angular objective: {'; '.join(texts)}",
        any(verdicts),
        "a tenth more counts",
    )


@claim("balance.small-steps", "Stiff penalty contact needs small integration steps (10)", cost=8.0)
def small_steps() -> Finding:
    steps, push = (0.0005, 0.002, 0.005, 0.01), "torso:150,0,0@1.0+0.1"
    texts, verdicts = [], []
    for name, scene, shove in (("standing", "stand", None), ("150 N shove", "balance-push", push)):
        takes = [take(scene, push=shove, seconds=3.5, control__mode="paper", dt=dt) for dt in steps]
        texts.append(f"{name}: " + ", ".join(f"{1000 * dt:g} ms {end(t)}" for dt, t in zip(steps, takes)))
        verdicts.append(takes[-1].fell and not takes[0].fell)
    return Finding(f"mode paper, {'; '.join(texts)}", all(verdicts), "same stiffness at every step size")


@claim(
    "balance.compliance", "Without clamps the motion teeters and answers ground forces poorly (10)", cost=16.0
)
def compliance() -> Finding:
    texts, verdict = [], {}
    for mode in ("paper", "fast"):
        options: dict[str, Any] = {"control__mode": mode, "scale": 1.5, "seconds": 8.0}
        on, off = take("platform", **options), variant("platform", {"mu": NO_CLAMP}, **options)
        verdict[mode] = off.fell and not on.fell
        texts.append(f"{mode} {end(on)} / {end(off)}")
    held = [mode for mode, good in verdict.items() if good]
    return Finding(
        f"platform moving 1.5 x as far, with / without the tangential clamp: {'; '.join(texts)}",
        verdict["paper"],
        f"shows in mode {', '.join(held)}"
        if held
        else "the clamp makes no difference between standing and falling",
    )


def limits_gain(mode: str) -> Finding:
    """Push limits with and without the angular objective."""
    from poise.sweeps import pushmap

    on, off = (
        pushmap(
            "balance-push", directions=4, replicas=3, options={"angular": flag, "control.mode": mode}, jobs=1
        )
        for flag in (True, False)
    )
    a, b = np.mean(list(on.limits_ms.values())), np.mean(list(off.limits_ms.values()))
    text = ", ".join(f"{name}° {on.limits_ms[name]:.2f} / {off.limits_ms[name]:.2f}" for name in on.limits_ms)
    return Finding(
        f"mode {mode}, limits with / without [m/s]: {text}; mean {a:.2f} / {b:.2f}",
        bool(a > b + 0.025),
        "four directions, three replicas, all must survive; half a grid step of gain in the mean counts",
    )


@claim(
    "balance.more-robust",
    "Guiding CM and CP together is more robust in extreme balance than CM alone (2)",
    cost=60.0,
)
def more_robust() -> Finding:
    return limits_gain("robust")


@claim("balance.more-robust-fast", "The same, least squares at 60 Hz on constraint contact", cost=60.0)
def more_robust_fast() -> Finding:
    return limits_gain("fast")


@claim(
    "balance.more-robust-paper",
    "The same, the paper's own pipeline (penalty ground, 60 Hz, 2 kHz)",
    cost=120.0,
)
def more_robust_paper() -> Finding:
    return limits_gain("paper")
