"""[Balance] sections 4 and 6 to 8: what each part of the control is said to do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import poise
from poise.character.constants import GRAVITY
from poise.reproduce.balance_laws import AFTER, SHOVE
from poise.reproduce.claim import Finding, behaviour, claim, end, number, take, variant

SIDE_SHOVE = "torso:0,300,0@1.0+0.1"
HARD_SHOVE = "torso:0,330,0@1.0+0.1"
NO_CLAMP = 1e3  # a friction that never binds
NUDGES_N = (40, 80, 160, 240)  # shoves that the adult survives standing


@claim(
    "balance.unified",
    "One method answers small and large disturbances, without large corrections to small ones (2)",
)
def unified() -> Finding:
    takes = [take("balance-push", push=f"torso:{n},0,0@1.0+0.1", seconds=5.0) for n in NUDGES_N]
    peaks = [number(t, "h_peak_kgm2s") / n for t, n in zip(takes, NUDGES_N)]
    stood = not any(t.fell for t in takes)
    texts = ", ".join(f"{n} N {1000 * p:.0f}" for n, p in zip(NUDGES_N, peaks))
    return Finding(
        f"peak H per newton of shove [g m²/s per N]: {texts}; {'all stood' if stood else 'some fell'}",
        stood and peaks[0] < 2.0 * peaks[-1],
        "the answer grows with the shove; no switch between controllers",
    )


@claim(
    "balance.regulates",
    "Angular momentum is regulated to useful values that are not zero, not only damped (2)",
)
def regulates() -> Finding:
    recording = take("balance-push", push=SHOVE, seconds=5.0)
    H = np.linalg.norm(recording["angular_momentum"], axis=1)
    before = float(H[recording.time < 1.0].max())
    later = float(H[recording.time > AFTER].max())
    wanted = float(np.abs(recording["angular_momentum_rate_des"][recording.time > AFTER, :2]).max())
    return Finding(
        f"after the shove the law asks for Ḣ of up to {wanted:.0f} N m and |H| reaches {later:.1f} kg m²/s"
        f" ({before:.1f} at rest); {end(recording)}",
        later > 10 * before and wanted > 5.0 and not recording.fell,
        "a damper would only ask for rates against H; this one asks for rates that move the CP",
    )


@claim("balance.arm-weights", "Lower tracking weights of the arms make greater use of the arms (6.3)")
def arm_weights() -> Finding:
    weights, pushes = (0.5, 0.1, 0.02), (200, 260, 300)
    texts, verdicts = [], []
    for n in pushes:
        takes = [
            take("balance-push", push=f"torso:0,{n},0@1.0+0.1", seconds=5.0, weights__arms=w) for w in weights
        ]
        uses = [arm_use(t) for t in takes]
        texts.append(f"{n} N {', '.join(f'{100 * use:.0f} %' for use in uses)}")
        verdicts.append(uses[0] < uses[1] < uses[2])
    return Finding(
        f"peak H of the arms over that of the body, shove to the left, weights 0.5, 0.1, 0.02: {'; '.join(texts)}",
        all(verdicts),
        f"grows with every step of the weight in {sum(verdicts)} of {len(pushes)} shoves",
    )


def arm_use(recording: poise.Recording) -> float:
    """Peak angular momentum of the arms as a part of the body's peak, after the shove."""
    late = recording.time > AFTER
    arms, body = (
        np.linalg.norm(recording[n][late], axis=1).max() for n in ("arm_angular_momentum", "angular_momentum")
    )
    return float(arms / max(body, 1e-9))


@claim("balance.windmill", "Wind-milling arms appear by themselves in balancing (1, Figure 1)")
def windmill() -> Finding:
    recording = take("balance-push", push=SIDE_SHOVE, seconds=5.0, weights__arms=0.02)
    share = arm_use(recording)
    return Finding(
        f"300 N to the left, arm weight 0.02: the arms' peak H is {100 * share:.0f} % of the body's ({end(recording)})",
        share > 0.25 and not recording.fell,
        "no rule mentions arms; the angular objective finds them where tracking lets go",
    )


@claim("balance.feedforward", "Feed-forward accelerations allow low tracking gains (6.3)", cost=4.0)
def feedforward() -> Finding:
    known = behaviour("butterfly")
    silent = {"clip": without_feedforward(known.clip)}
    on, off = take("butterfly"), variant("butterfly", silent)
    stiff = variant("butterfly", silent | {"gains": stiffer(known.gains, 4.0)})
    a, b, c = (number(t, "tracking_rmse_rad") for t in (on, off, stiff))
    return Finding(
        f"butterfly, tracking error [rad]: {a:.4f} with feed-forward, {b:.4f} without, {c:.4f} without, 4 x as stiff",
        a < 0.8 * b and a < c and not on.fell,
        "with feed-forward the low gains track better than high gains without it",
    )


def without_feedforward(clip: poise.Clip) -> poise.Clip:
    """The same clip, but silent about its accelerations."""

    class Silent(poise.Clip):
        def sample(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            q, v, v_dot = super().sample(t)
            return q, v, np.zeros_like(v_dot)

    return Silent(clip.character, clip.times, clip.q, clip.loop, clip.contacts)


def stiffer(gains: poise.behaviours.Gains, factor: float) -> poise.behaviours.Gains:
    """Tracking gains of a higher stiffness with the same damping ratio."""
    return replace(gains, track=factor * gains.track, track_damping=factor**0.5 * gains.track_damping)


@claim("balance.trade-off", "Objective weights trade style against robustness (7)", cost=4.0)
def trade_off() -> Finding:
    stiff, soft = (take("balance-push", push=SHOVE, seconds=4.0, weights__tracking=w) for w in (10.0, 0.1))
    style = [number(t, "tracking_rmse_rad") for t in (stiff, soft)]
    sway = [float(np.ptp(t["com"][:, 0])) for t in (stiff, soft)]
    return Finding(
        f"tracking weight x10 / x0.1: pose error {style[0]:.3f} / {style[1]:.3f} rad,"
        f" CM sway {sway[0]:.3f} / {sway[1]:.3f} m"
        f" ({end(stiff)} / {end(soft)})",
        (style[0] < style[1] or stiff.fell) and (sway[0] > sway[1] or stiff.fell),
        "a heavier pose leaves less of the body for balance",
    )


@claim(
    "balance.normal-clamp",
    "Clamping L̇ keeps the normal force within 0.2 and 1.8 of the weight (8, eq. 15)",
    cost=4.0,
)
def normal_clamp() -> Finding:
    recording = take("platform")
    weight = GRAVITY * mass(recording)
    wanted = (recording["linear_momentum_rate_des"][:, 2] + weight) / weight
    real = recording["contact_force"][:, 2] / weight
    low, high = np.nanpercentile(real, [0.5, 99.5])
    bounded = bool(np.nanmin(wanted) > 0.19 and np.nanmax(wanted) < 1.81)
    return Finding(
        f"platform ride, parts of the weight: wanted {np.nanmin(wanted):.2f} to {np.nanmax(wanted):.2f},"
        f" real {low:.2f} to {high:.2f}",
        bounded and low > 0.1 and high < 1.9,
        "the real force is that of contact; 99 % of the records counted",
    )


def mass(recording: poise.Recording) -> float:
    """Mass of the body in a take [kg]."""
    return poise.Character.named(recording.info["character"]).mass


@claim(
    "balance.friction-clamp",
    "Clamping L̇ to the friction cone keeps supports from sliding (8, eq. 16)",
    cost=30.0,
)
def friction_clamp() -> Finding:
    cases: list[tuple[str, str, dict[str, Any]]] = [
        (f"shove {n} N, paper", "balance-push",
         {"control__mode": "paper", "friction": 0.1, "push": f"torso:0,{n},0@1.0+0.1", "seconds": 3.5})
        for n in (100, 150, 200)
    ]  # fmt: skip
    cases += [
        (f"platform, {mode}", "platform", {"control__mode": mode}) for mode in ("paper", "fast", "robust")
    ]
    texts, better = [], []
    for name, scene, options in cases:
        on, off = take(scene, **options), variant(scene, {"mu": NO_CLAMP}, **options)
        a, b = number(on, "foot_slip_m"), number(off, "foot_slip_m")
        texts.append(f"{name} {1000 * a:.1f} ({end(on)}) / {1000 * b:.1f} ({end(off)})")
        better.append(not on.fell and (a < b or off.fell))
    return Finding(
        f"slip at μ = 0.1 with / without the clamp [mm]: {'; '.join(texts)}",
        all(better),
        f"less slip in {sum(better)} of {len(better)} cases; the cones of modes fast and robust act without it",
    )


@claim("balance.two-pass", "A first pass that finds an ideal CP gives better tracking (8)", cost=25.0)
def two_pass() -> Finding:
    texts, better = [], {"paper": 0, "robust": 0}
    for scene in ("squat", "butterfly"):
        for mode in better:
            on, off = (take(scene, two_pass=flag, control__mode=mode) for flag in (True, False))
            a, b = number(on, "tracking_rmse_rad"), number(off, "tracking_rmse_rad")
            better[mode] += (a < b or off.fell) and not on.fell
            texts.append(f"{scene} {mode} {a:.4f} / {b:.4f}{' (fell)' if on.fell or off.fell else ''}")
    return Finding(
        f"tracking error with / without [rad]: {'; '.join(texts)}",
        better["paper"] == 2,
        f"better in {better['paper']} of 2 in the paper's own pipeline, in {better['robust']} of 2 in mode robust",
    )


@claim(
    "balance.internal-points",
    "Point constraints are met by joint torques alone, no outside force (8)",
    cost=4.0,
)
def internal_points() -> Finding:
    recording = take("head-drag")
    force = unexplained_force(recording)
    return Finding(
        f"head-drag: horizontal force that the ground does not explain, over windows of 1 s: at most {force:.1f} N;"
        f" the head is {100 * number(recording, 'drag_error_m'):.1f} cm from its target on average",
        force < 5.0,
        "change of L less the integral of the ground force sampled at 100 Hz; a hand on the head would show",
    )


def unexplained_force(recording: poise.Recording, window: int = 100) -> float:
    """Largest mean force over a window of records that is not the ground's, horizontally [N]."""
    L, f, dt = recording["linear_momentum"][:, :2], recording["contact_force"][:, :2], recording.dt
    gained = np.vstack([np.zeros(2), np.cumsum(0.5 * dt * (f[1:] + f[:-1]), axis=0)])
    rest = L - gained
    return float(np.linalg.norm(rest[window:] - rest[:-window], axis=1).max() / (window * dt))


@claim("balance.joint-limits", "Joint limits are necessary against impossible postures (8)", cost=8.0)
def joint_limits() -> Finding:
    body = poise.Character.named("adult")
    free = replace(body, limits={})
    takes = [
        poise.simulate(poise.scene("balance-push", b, push=HARD_SHOVE, seconds=3.0)) for b in (body, free)
    ]
    reach = [reach_of_limits(body, t) for t in takes]
    return Finding(
        f"330 N to the left: joints reach {reach[0]:.2f} of their limit with limits ({end(takes[0])}),"
        f" {reach[1]:.2f} without ({end(takes[1])})",
        reach[0] < 1.1 < reach[1],
        "swing and twist of ball joints; 1 is the limit",
    )


def reach_of_limits(body: poise.Character, recording: poise.Recording) -> float:
    """How far any ball joint went, as a part of its limit, over a take."""
    start = (
        recording["q"].shape[1] - body.model.nq
    )  # a platform's joints would come first or last; here there is none
    furthest = 0.0
    for name, limit in body.limits.items():
        at = start + body.model.joint(name).qposadr[0]
        for quat in recording["q"][:, at : at + 4]:
            furthest = max(furthest, *limit.reach(quat))
    return furthest


@claim("balance.cheap", "Without inequality constraints the solve is cheaper than a QP (4, 7, 10)", cost=4.0)
def cheap() -> Finding:
    from poise.bench.rig import Rig

    rigs = {mode: Rig(poise.Character.named("adult"), mode, every_step=True) for mode in ("fast", "robust")}
    times: dict[str, list[float]] = {mode: [] for mode in rigs}
    for _ in range(5):
        for mode, rig in rigs.items():
            times[mode] += rig.ticks_us(200)
    fast, robust = (float(np.median(times[mode])) for mode in ("fast", "robust"))
    return Finding(
        f"one tick: {fast:.0f} µs as least squares (mode fast), {robust:.0f} µs as QP with cones (mode robust)",
        fast < robust,
        "medians, same body, taking turns; mode robust only calls the QP when a constraint is active",
    )


@claim(
    "balance.slip",
    "Without slip-free constraints the balance objectives still avoid slip on ordinary ground (10)",
    cost=4.0,
)
def slip() -> Finding:
    takes = {
        mode: take("balance-push", push=SHOVE, seconds=4.0, control__mode=mode) for mode in ("fast", "paper")
    }
    slips = {mode: number(t, "foot_slip_m") for mode, t in takes.items()}
    text = ", ".join(f"{mode} {1000 * s:.1f} mm ({end(takes[mode])})" for mode, s in slips.items())
    return Finding(
        f"largest drift of a sole after a 250 N shove: {text}",
        all(s < 0.01 for s in slips.values()),
        "mode paper knows no friction but the clamp, mode fast fits its contact forces inside cones; limit 1 cm",
    )
