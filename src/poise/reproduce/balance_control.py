"""[Balance] sections 2, 6 and 7: what the momentum laws and the weights are said to do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import poise
from poise.reproduce.balance import AFTER, SHOVE, claim
from poise.reproduce.claim import Finding, behaviour, end, number, take, variant

SIDE_SHOVE = "torso:0,300,0@1.0+0.1"
NUDGES_N = (40, 80, 160, 240)  # shoves that the adult survives standing


@claim(why="the answer grows with the shove; no switch between controllers")
def unified() -> Finding:
    """One method answers small and large disturbances, without large corrections to small ones (2)"""
    takes = [take("balance-push", push=f"torso:{n},0,0@1.0+0.1", seconds=5.0) for n in NUDGES_N]
    peaks = [number(t, "h_peak_kgm2s") / n for t, n in zip(takes, NUDGES_N)]
    stood = not any(t.fell for t in takes)
    texts = ", ".join(f"{n} N {1000 * p:.0f}" for n, p in zip(NUDGES_N, peaks))
    text = f"peak H per newton of shove [g m²/s per N]: {texts}; {'all stood' if stood else 'some fell'}"
    return Finding(text, stood and peaks[0] < 2.0 * peaks[-1])


@claim(why="a damper would only ask for rates against H; this one asks for rates that move the CP")
def regulates() -> Finding:
    """Angular momentum is regulated to useful values that are not zero, not only damped (2)"""
    recording = take("balance-push", push=SHOVE, seconds=5.0)
    H = np.linalg.norm(recording["angular_momentum"], axis=1)
    before = float(H[recording.time < 1.0].max())
    later = float(H[recording.time > AFTER].max())
    wanted = float(np.abs(recording["angular_momentum_rate_des"][recording.time > AFTER, :2]).max())
    text = (
        f"after the shove the law asks for Ḣ of up to {wanted:.0f} N m and |H| reaches {later:.1f} kg m²/s"
        f" ({before:.1f} at rest); {end(recording)}"
    )
    return Finding(text, later > 10 * before and wanted > 5.0 and not recording.fell)


@claim()
def arm_weights() -> Finding:
    """Lower tracking weights of the arms make greater use of the arms (6.3)"""
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


@claim(why="no rule mentions arms; the angular objective finds them where tracking lets go")
def windmill() -> Finding:
    """Wind-milling arms appear by themselves in balancing (1, Figure 1)"""
    recording = take("balance-push", push=SIDE_SHOVE, seconds=5.0, weights__arms=0.02)
    share = arm_use(recording)
    text = f"the arms' peak H is {100 * share:.0f} % of the body's ({end(recording)})"
    text = f"300 N to the left, arm weight 0.02: {text}"
    return Finding(text, share > 0.25 and not recording.fell)


@claim(cost=4.0, why="with feed-forward the low gains track better than high gains without it")
def feedforward() -> Finding:
    """Feed-forward accelerations allow low tracking gains (6.3)"""
    known = behaviour("butterfly")
    silent = {"clip": without_feedforward(known.clip)}
    on, off = take("butterfly"), variant("butterfly", silent)
    stiffer = replace(known.gains, track=4 * known.gains.track, track_damping=2 * known.gains.track_damping)
    stiff = variant("butterfly", silent | {"gains": stiffer})
    a, b, c = (number(t, "tracking_rmse_rad") for t in (on, off, stiff))
    text = f"butterfly, tracking error [rad]: {a:.4f} with feed-forward, {b:.4f} without, {c:.4f} without, 4 x as stiff"
    return Finding(text, a < 0.8 * b and a < c and not on.fell)


def without_feedforward(clip: poise.Clip) -> poise.Clip:
    """The same clip, but silent about its accelerations."""

    class Silent(poise.Clip):
        def sample(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            q, v, v_dot = super().sample(t)
            return q, v, np.zeros_like(v_dot)

    return Silent(clip.character, clip.times, clip.q, clip.loop, clip.contacts)


@claim(cost=4.0, why="a heavier pose leaves less of the body for balance")
def trade_off() -> Finding:
    """Objective weights trade style against robustness (7)"""
    stiff, soft = (take("balance-push", push=SHOVE, seconds=4.0, weights__tracking=w) for w in (10.0, 0.1))
    style = [number(t, "tracking_rmse_rad") for t in (stiff, soft)]
    sway = [float(np.ptp(t["com"][:, 0])) for t in (stiff, soft)]
    text = (
        f"tracking weight x10 / x0.1: pose error {style[0]:.3f} / {style[1]:.3f} rad,"
        f" CM sway {sway[0]:.3f} / {sway[1]:.3f} m"
        f" ({end(stiff)} / {end(soft)})"
    )
    return Finding(text, (style[0] < style[1] or stiff.fell) and (sway[0] > sway[1] or stiff.fell))
