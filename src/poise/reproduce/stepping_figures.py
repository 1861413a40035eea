"""[Stepping], figures 3.1, 3.2, 4.4 and 4.6: captured steps beside the curves that the thesis puts in their place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.example_steps.profile import Timing, fall, foot_progress
from poise.behaviours.example_steps.segment import in_order, moved
from poise.behaviours.example_steps.step import cut, print_of
from poise.draw.figure import Sheet
from poise.motion.clip import Clip
from poise.reproduce.claim import captured, number, take
from poise.reproduce.figure import figures_of
from poise.reproduce.stepping_kinematic import CAPTURED, swings

figure = figures_of("stepping")
FOOT, COM, MODEL = "tab:red", "tab:green", "#222222"
STEPPED = (
    "144_07",
    "69_16",
    "76_03",
    "77_09",
    "83_27",
    "69_20",
)  # captured: single steps, dodges, stairs and a walk
AT_REST = 0.1  # [m/s] of the centre of mass where a step begins and ends by itself
LONG = 0.15  # [m]: shorter steps are not drawn
SAMPLES = 80


class Taken(NamedTuple):
    """One captured step, seen from above: its times, and paths of the centre of mass and of both soles."""

    timing: Timing
    t: np.ndarray  # (n,) [s]
    com: np.ndarray  # (n, 2) [m]
    foot: np.ndarray  # (n, 2)
    pivot: np.ndarray  # (2,) the sole that stands

    @property
    def bezier(self) -> np.ndarray:
        """The quadratic curve of 3.4 and 4.4.2 (n, 2): from here, over the pivot, to where it ends."""
        u = np.linspace(0.0, 1.0, SAMPLES)[:, None]
        return (1 - u) ** 2 * self.com[0] + 2 * u * (1 - u) * self.pivot + u**2 * self.com[-1]

    @property
    def rise(self) -> float:
        """How far the centre of mass goes towards the pivot and back, the lesser of the two [m]."""
        near = np.linalg.norm(self.com - self.pivot, axis=1)
        return float(min(near[0], near[-1]) - near.min())

    @property
    def at_rest(self) -> bool:
        """Whether it begins and ends with a body that stands."""
        speed = np.linalg.norm(np.gradient(self.com, self.t, axis=0), axis=1)
        return max(speed[0], speed[-1]) < AT_REST

    def seen(self, path: np.ndarray) -> np.ndarray:
        """A path (n, 2) from where the centre of mass begins, along the way to where it ends."""
        way = self.com[-1] - self.com[0]
        x = way / np.linalg.norm(way)
        return (path - self.com[0]) @ np.array([[x[0], -x[1]], [x[1], x[0]]])

    @property
    def off(self) -> float:
        """Rms distance of the centre of mass from that curve [m]."""
        gaps = np.linalg.norm(self.com[:, None] - self.bezier[None], axis=2).min(axis=1)
        return float(np.sqrt(np.mean(gaps**2)))


def _taken(clip: Clip, least: float = LONG) -> list[Taken]:
    """The steps of a clip."""
    legs, found = TwoLegs(clip.character), []
    for i, timing in in_order(clip, legs):
        step = cut(clip, legs, i, timing, "")
        if not moved(step, least):
            continue
        t = np.linspace(timing.begin, timing.end, SAMPLES)
        poses = [clip.at(float(x)) for x in t]
        com = np.array([legs.com(q)[:2] for q in poses])
        foot = np.array([print_of(legs, q, i)[:2] for q in poses])
        pivot = print_of(legs, clip.at(0.5 * (timing.lift + timing.land)), 1 - i)[:2]
        found.append(Taken(timing, t, com, foot, pivot))
    return found


def _captured_steps(files: tuple[str, ...] = STEPPED) -> list[tuple[str, Taken]]:
    from poise.capture.captured import captured as read

    clips = [(file, read(captured(f"bvh/{file}.bvh"), lock=False).clip) for file in files]
    return [(file, step) for file, clip in clips for step in _taken(clip)]


def _from_rest() -> tuple[str, Taken]:
    """A captured step that begins and ends standing, and leans well over the foot that stays."""
    found = [pair for pair in _captured_steps(STEPPED[:2]) if pair[1].at_rest]
    return max(found, key=lambda pair: pair[1].rise)


@figure("3.1")
def foot_speed(path: Path) -> str:
    """Speed of a stepping foot over its swing: captured swings, scaled in time and height, and the curve of eq. 3.1"""
    x, found = np.linspace(0.0, 1.0, 40), []
    with Sheet(path, (6.0, 3.4)) as sheet:
        axes = sheet.subplots()
        for file in CAPTURED:
            for k, (_, speed) in enumerate(swings(file)):
                found.append(speed / speed.max())
                axes.plot(
                    x,
                    found[-1],
                    lw=0.9,
                    alpha=0.7,
                    color=f"C{CAPTURED.index(file)}",
                    label=file if k == 0 else None,
                )
        ideal = np.gradient(foot_progress(x, Timing(0.0, 0.0, 1.0, 1.0)), x)
        axes.plot(x, ideal / ideal.max(), "--", color=MODEL, lw=2, label="eq. 3.1")
        axes.set(xlabel="part of the swing", ylabel="speed / largest")
        axes.legend(fontsize=7)
    wide, ours = np.median([(s > 0.5).mean() for s in found]), (ideal > 0.5 * ideal.max()).mean()
    return (
        f"{len(found)} swings of 0.2 m and more, above half of their largest speed for {wide:.2f} of the swing, eq. 3.1"
        f" for {ours:.2f}: captured feet are quick for longer"
    )


@figure("3.2")
def com_speed(path: Path) -> str:
    """Speed of the centre of mass towards the pivot in a captured step, and the three even phases that stand for it"""
    file, step = _from_rest()
    towards = step.pivot - 0.5 * (step.com[0] + step.com[-1])
    towards = towards / np.linalg.norm(towards)
    along = step.com @ towards
    speed, top = np.gradient(along, step.t), float(along.max())
    ideal = fall(step.timing, top - along[0], top - along[-1])
    edges = [step.timing.begin, step.timing.lift, step.timing.land, step.timing.end]
    with Sheet(path, (6.0, 3.2)) as sheet:
        axes = sheet.subplots()
        axes.plot(step.t, speed, "+", color=COM, ms=5, label=f"captured, {file}")
        axes.plot(edges, [0.0, ideal.up, ideal.down, 0.0], color=MODEL, label="three phases")
        for name, at in zip(("$t_0$", "$t_1$", "$t_2$", "$t_3$"), edges):
            axes.axvline(at, color="#9aa1ab", lw=0.8, ls=":")
            axes.annotate(name, (at, 1.0), xycoords=("data", "axes fraction"), ha="center", va="bottom")
        axes.set(xlabel="time [s]", ylabel="towards the pivot [m/s]")
        axes.legend(fontsize=8)
    fit = np.interp(step.t, edges, [0.0, ideal.up, ideal.down, 0.0])
    off = float(np.sqrt(np.mean((fit - speed) ** 2)))
    return f"Correlation {np.corrcoef(fit, speed)[0, 1]:.2f}, {100 * off:.0f} cm/s off in the mean"


@figure("3.5")
def held_out(path: Path) -> str:
    """Three steps of a captured turn that is no example, made again from their footprints and times alone"""
    seen = take("kinematic-steps", motion=captured("bvh/69_16.bvh"), figure=str(path))
    com, blend, foot, bare = (
        100 * number(seen, f"{what}_path_{which}rmse_m")
        for what in ("com", "foot")
        for which in ("", "blend_")
    )
    return (
        f"Centre of mass off by {com:.1f} cm, blended alone by {blend:.1f}; foot by {foot:.1f} and {bare:.1f}"
    )


@figure("4.4")
def paths(path: Path) -> str:
    """Paths of swing foot and centre of mass seen from above: a captured step, and one of ours in physics"""
    file, left = _from_rest()
    own = _taken(_clip_of(take("directed-steps")))
    right = min(own, key=lambda step: _unlike(step, left))
    with Sheet(path, (7.2, 3.4)) as sheet:
        for axes, name, step in zip(
            sheet.subplots(1, 2), (f"captured, {file}", "directed-steps"), (left, right)
        ):
            axes.plot(*step.seen(step.foot).T, color=FOOT, label="swing foot")
            axes.plot(*step.seen(step.com).T, color=COM, label="centre of mass")
            axes.plot(*step.seen(step.bezier).T, "--", color=MODEL, lw=0.9, label="Bézier curve")
            axes.plot(*step.seen(step.pivot), "x", color=MODEL, label="pivot")
            axes.set(title=name, xlabel="along the way [m]")
            axes.set_aspect("equal", adjustable="datalim")
        axes.legend(fontsize=7)
    return f"The centre of mass is off its curve by {100 * left.off:.1f} cm captured, {100 * right.off:.1f} in physics"


def _unlike(a: Taken, b: Taken) -> float:
    """How much the pivot and the way of the foot of two steps differ, left and right alike [m]."""
    ways = [(s.seen(s.pivot), s.seen(s.foot[-1]) - s.seen(s.foot[0])) for s in (a, b)]
    return float(sum(np.abs(np.abs(x) - np.abs(y)).sum() for x, y in zip(*ways)))


def _clip_of(seen) -> Clip:
    """A take as a clip with its contacts."""
    import poise

    body = poise.Character.named(seen.info["character"])
    spans = {}
    for k, name in enumerate(seen.series["planted"].names):
        on = np.concatenate([[0], (seen["planted"][:, k] > 0.5).astype(int), [0]])
        first, last = np.flatnonzero(np.diff(on) > 0), np.flatnonzero(np.diff(on) < 0) - 1
        spans[name] = tuple((float(seen.time[a]), float(seen.time[b])) for a, b in zip(first, last))
    return Clip(body, seen.time - seen.time[0], seen["q"], contacts=spans)


@figure("4.6")
def curves(path: Path) -> str:
    """Captured paths of the centre of mass in single steps (red), and the quadratic Bézier curves for them (green)"""
    steps = _captured_steps()
    best = [max((s for f, s in steps if f == file), key=lambda s: s.rise) for file in STEPPED]
    with Sheet(path, (7.2, 4.4)) as sheet:
        for axes, file, step in zip(sheet.subplots(2, 3).flat, STEPPED, best):
            axes.plot(*step.seen(step.com).T, color=FOOT, lw=2)
            axes.plot(*step.seen(step.bezier).T, color=COM)
            axes.plot(*step.seen(step.pivot), "x", color=MODEL)
            axes.set_title(f"{file}, {step.timing.lift:.1f} s: {100 * step.off:.1f} cm")
            axes.set_aspect("equal", adjustable="datalim")
            axes.tick_params(labelsize=7)
    every = [step.off for _, step in steps]
    return (
        f"{len(every)} captured steps of {LONG:g} m and more are off by {100 * np.median(every):.1f} cm in the middle,"
        f" {100 * max(every):.1f} cm at the most"
    )
