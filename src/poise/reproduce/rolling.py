"""[Rolling]: table 1, the ablations and the orientation task, each on ten seeds that nothing was tuned on."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

import poise
from poise.reproduce.claim import Finding, claims_of, dotted, few, table

claim = claims_of("rolling")

TEN = range(100, 110)  # start errors: yaw 12°, speed 0.25 m/s, spin 0.4 rad/s (standard deviations)
SECONDS = 12.0
WEAK = 0.35  # of the baby's strength


def seeds() -> range:
    """Of the takes of a claim."""
    return few(TEN, TEN[:3])


class Row(dict[str, np.ndarray]):
    """What the ten takes of a scene gave: metric → (10,)."""

    def spread(self, key: str, digits: int = 1) -> str:
        """Least to most."""
        return f"{np.min(self[key]):.{digits}f}-{np.max(self[key]):.{digits}f}"

    def mean(self, key: str) -> float:
        return float(np.mean(self[key]))


@lru_cache(maxsize=64)
def rows(scene: str, seconds: float = SECONDS, **options: Any) -> Row:
    """Ten takes; `a__b=1` is the option a.b."""
    given = dotted(options)
    takes = [
        poise.simulate(poise.scene(scene, seconds=seconds, seed=seed, **given)).metrics for seed in seeds()
    ]
    keys = [k for k, v in takes[0].items() if isinstance(v, (bool, int, float))]
    return Row({k: np.array([np.nan if t[k] is None else float(t[k]) for t in takes]) for k in keys})  # type: ignore[arg-type]


def _clean(row: Row, symmetric: bool = True) -> bool:
    """Heading, tilt, drift, flight and symmetry of every take within what a roll allows."""
    ok = (row["heading_drift_deg"] <= 10) & (row["tilt_90_deg"] <= 10) & (row["lateral_drift_m"] <= 0.5)
    ok &= (row["air_time_share"] <= 0.05) & (row["back_every_revolution"] > 0)
    if symmetric:
        ok &= row["left_right_deg"] <= 5
    return bool(ok.all())


def _words(row: Row) -> str:
    return (
        f"{row.spread('revolutions')} uninterrupted revolutions, {row.mean('spin_rev_s'):.2f} rev/s, "
        f"{row.mean('speed_ms'):.2f} m/s, heading ≤ {row['heading_drift_deg'].max():.0f}°, tilt ≤ "
        f"{row['tilt_90_deg'].max():.0f}°, drift ≤ {row['lateral_drift_m'].max():.2f} m, in the air "
        f"{100 * row['air_time_share'].max():.0f} % at most"
    )


def _row(scene: str, spin: float, speed: float, why: str = "", clean: bool = False) -> Finding:
    """A row of table 1 as a target: speed and spin within 15 % of it in the mean, and no pause in 8 of 10 takes."""
    row = rows(scene, speed=speed, spin=spin) if "keyframe" not in scene else rows(scene)
    on, most = int((row["stalled"] == 0).sum()) if "stalled" in row else 0, len(seeds())
    found = row.mean("speed_ms"), row.mean("spin_rev_s")
    off = abs(found[0] / speed - 1.0), abs(found[1] / spin - 1.0)
    text = (
        f"{_words(row)}; {100 * off[0]:.0f} % and {100 * off[1]:.0f} % off; on to the end in {on} of {most}"
    )
    held = max(off) <= 0.15 and on >= 0.8 * most and (not clean or _clean(row))
    per = found[0] / max(abs(found[1]), 1e-9)
    return Finding(text, held, f"asked {speed / spin:.2f} m a revolution, rolled {per:.2f}; {why}")


CIRCLE = "an adult's tucked outline is 1.6-1.8 m round: less than that a revolution would be skidding"
table("rolling", _row, ((scene.removeprefix("roll-"), text, 25, scene, *given) for scene, text, *given in (
    ("roll-forward", "Forward Roll 2: 0.9 rev/s, 1.2 m/s, continuous (table 1)", 0.9, 1.2, CIRCLE, True),
    ("roll-backward", "Backward Roll 2: 1.0 rev/s, 1.2 m/s, continuous (table 1)", 1.0, 1.2, CIRCLE, True),
    ("roll-sideways", "Sideways Roll: 1.0 rev/s, 1.5 m/s, continuous (table 1)", 1.0, 1.5,
     "the metres a revolution say how round a body is that does not slide"),
    ("roll-parkour", "Forward Roll 3: 1.5 rev/s, 1.8 m/s over one shoulder (table 1)", 1.5, 1.8, CIRCLE),
    ("roll-forward-keyframe", "Forward Roll 1 from two poses: 1.3 rev/s, 1.2 m/s (table 1)", 1.3, 1.2,
     f"the paper gives no gains; {CIRCLE}"),
    ("roll-backward-keyframe", "Backward Roll 1 from two poses: 1.3 rev/s, 1.0 m/s (table 1)", 1.3, 1.0,
     f"two poses do not carry the body over its feet; {CIRCLE}"),
    ("roll-uneven", "uneven terrain: 0.9 rev/s, 1.1 m/s (table 1)", 0.9, 1.1, f"bumps of 6 cm; {CIRCLE}"),
    ("roll-incline", "incline: 1.8 rev/s, 1.5 m/s (table 1)", 1.8, 1.5, f"8°; {CIRCLE}"),
    ("roll-decline", "decline: 0.4 rev/s, 1.0 m/s (table 1)", 0.4, 1.0, "10°"),
    ("roll-stairs", "stairs: 0.6 rev/s, 0.3 m/s (table 1)", 0.6, 0.3, "10 cm down a step of 0.6 m"),
)))  # fmt: skip


@claim(cost=25, why="600 N for 0.1 s at the torso")
def push() -> Finding:
    """after an impulse out of plane it returns to the rolling task (6)"""
    row = rows("roll-push")
    back = (row["heading_drift_deg"] <= 20) & (row["revolutions_after_push"] >= 3)
    text = (
        f"60 N s from the side: turned by up to {row['heading_peak_deg'].max():.0f}°, at the end ≤ "
        f"{row['heading_drift_deg'].max():.0f}°; {row.spread('revolutions_after_push')} revolutions after it; "
        f"{int(back.sum())} of {len(back)} back within 20°"
    )
    return Finding(text, bool(back.mean() >= 0.8))


@claim(cost=10, why="from the back")
def over() -> Finding:
    """a baby rolls over: AE set to 180° about its long axis (6, fig. 3)"""
    row = rows("roll-over", 10.0)
    return Finding(
        f"on its front and still in {int(row['prone'].sum())} of {len(row['prone'])}",
        bool(row["prone"].all()),
    )


@claim(cost=10)
def over_weak() -> Finding:
    """with lower gains it fails, and visibly tries (6)"""
    row = rows("roll-over", 10.0, strength=WEAK)
    peak = row["excursion_peak_deg"]
    text = f"on its front in {int(row['prone'].sum())} of {len(peak)}; "
    return Finding(
        f"{text}peak excursion {np.min(peak):.0f}-{np.max(peak):.0f}°",
        not row["prone"].any() and float(np.min(peak)) >= 30,
        f"strength={WEAK} of gains and torques",
    )


def _compared(index: str) -> Finding:
    ours, theirs = rows("roll-forward"), rows("roll-forward", index=index)
    worse = theirs.mean("revolutions") < 0.8 * ours.mean("revolutions") or (
        theirs.mean("heading_drift_deg") > 2 * ours.mean("heading_drift_deg") + 2
    )
    say = lambda row: (  # noqa: E731
        f"{row.spread('revolutions')} revolutions, heading {row.mean('heading_drift_deg'):.0f}°, left-right "
        f"{row.mean('left_right_deg'):.1f}°, drift {row.mean('lateral_drift_m'):.2f} m"
    )
    return Finding(f"index={index}: {say(theirs)}; AV+AE: {say(ours)}", bool(worse))


table("rolling", _compared, (
    ("root", "controlling the root in place of AE and AV is unnatural, unsatisfactory (6)", 45, "ROOT"),
    ("ae-in-plane", "AE held to a ramp in plane gives poor rolling (6)", 45, "AE"),
    ("ae-out-of-plane", "without AE out of plane small errors lead off axis (6)", 45, "AV"),
), "the searched cycle carries the roll: the index matters less here than where poses are two and fixed")  # fmt: skip


@claim(cost=45, why="held: neither on its own; our cycle was found by a search for one that rolls on springs")
def reference_alone() -> Finding:
    """reference motion alone does not roll on and correct disturbances (7)"""
    ours, alone = rows("roll-forward"), rows("roll-forward", steer=False)
    text = (
        f"springs alone: {alone.spread('revolutions')} revolutions, drift {alone.mean('lateral_drift_m'):.1f} m, "
        f"heading {alone.mean('heading_drift_deg'):.0f}°; steered: drift {ours.mean('lateral_drift_m'):.2f} m, heading "
        f"{ours.mean('heading_drift_deg'):.0f}°"
    )
    corrects = alone.mean("lateral_drift_m") <= 3 * ours.mean("lateral_drift_m")
    return Finding(text, not corrects and alone.mean("revolutions") < 3)


@claim(cost=45, why="firm springs lift incidental contacts by themselves")
def supervisor() -> Finding:
    """the two-pass contact supervisor rolls better than all contacts (5)"""
    one, two = rows("roll-forward"), rows("roll-forward", contacts="two")
    text = f"two passes {two.spread('revolutions')}, one pass {one.spread('revolutions')} revolutions"
    return Finding(text, two.mean("revolutions") > one.mean("revolutions"))


@claim(cost=25, why="it falls into the roll; speed and spin 0 but for the seed's errors")
def from_rest() -> Finding:
    """the phase may stall and go on: it starts from rest (4.3)"""
    row = rows("roll-forward", start__speed=0.0, start__spin=0.0)
    text = f"begun at rest, crouched and leaning: {row.spread('revolutions')} uninterrupted revolutions"
    return Finding(text, bool((row["revolutions"] >= 3).mean() >= 0.8))


@claim(cost=150, why="held: within 15 % in the mean, each of them")
def commanded() -> Finding:
    """speed and spin are what the user asks for (4, table 1)"""
    words, off = [], []
    asked = ("speed", "speed_ms", (1.1, 1.3, 1.5, 1.7)), ("spin", "spin_rev_s", (0.7, 0.9, 1.1, 1.4))
    for key, metric, values in asked:
        for value in values:
            row = rows("roll-forward", **{key: value})
            off.append(abs(row.mean(metric) / value - 1.0))
            words.append(
                f"{key} {value:g} gives {row.spread(metric, 2)}, {row.spread('revolutions')} revolutions"
            )
    return Finding("asked: " + "; ".join(words), max(off) <= 0.15)


@claim(cost=15, why="one core, recording included; held: the paper's 0.4 or more; 10 is what this project asks")
def speed() -> Finding:
    """the whole system runs at 0.2-0.4 of real time on one core (6)"""
    take = poise.simulate(poise.scene("roll-forward", seconds=SECONDS, seed=100))
    return Finding(f"{take.real_time_factor:.1f} × real time", take.real_time_factor >= 0.4)
