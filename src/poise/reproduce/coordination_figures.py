"""[Coordination], figures 2 to 4: rates of angular momentum after a push; arms and a tail that swing by themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.draw.figure import Sheet
from poise.record.recording import Recording
from poise.reproduce.claim import take
from poise.reproduce.coordination import against_legs, apart, counter_swing, tail_yaw
from poise.reproduce.figure import figures_of

figure = figures_of("coordination")
PUSH, WINDOW = "torso:-300,0,0@1.0+0.1", (0.9, 2.2)  # [s]
LINES = (
    ("angular_momentum_rate_free", "no control", "tab:red"),
    ("angular_momentum_rate_des", "desired", "tab:green"),
    ("angular_momentum_rate_solved", "solved", "tab:blue"),
    ("angular_momentum_rate", "simulated", "tab:purple"),
)


@figure("2")
def rates(path: Path) -> str:
    """Rate of angular momentum about the side axis after 300 N for 0.1 s: uncontrolled, desired, solved, simulated"""
    seen = take("balance-push", push=PUSH, seconds=3.0)
    now = (seen.time >= WINDOW[0]) & (seen.time <= WINDOW[1])
    with Sheet(path, (7.0, 3.4)) as sheet:
        axes = sheet.subplots()
        for name, label, colour in LINES:
            axes.plot(seen.time[now], seen[name][now, 1], color=colour, label=label)
        axes.axvspan(1.0, 1.1, color="#eceff3")
        axes.set(xlabel="time [s]", ylabel="$\\dot H_y$ [N m]")
        axes.legend(fontsize=8)
    rms = {label: float(np.sqrt(np.nanmean(seen[name][now, 1] ** 2))) for name, label, _ in LINES}
    gap = seen["angular_momentum_rate_solved"][now, 1] - seen["angular_momentum_rate"][now, 1]
    return (
        ", ".join(f"{label} {value:.0f}" for label, value in rms.items())
        + f" N m rms; simulated and solved differ by {float(np.sqrt(np.nanmean(gap**2))):.0f} N m rms"
    )


@figure("3")
def arms(path: Path) -> str:
    """Arms against each other while it walks at 0.8 m/s, with and without control of the spin, and the legs"""
    takes = {"with control": take("walk", speed=0.8), "without": take("walk", speed=0.8, step__spin=0.0)}
    _swings(path, "arms", {name: (seen, apart(seen, "shoulder")) for name, seen in takes.items()})
    return ", ".join(f"{label} {counter_swing(seen):.0f}° each way" for label, seen in takes.items())


@figure("4")
def tail(path: Path) -> str:
    """The dinosaur's tail while it walks at 0.5 m/s, with and without control of the spin, and its legs"""
    spins = {"with control": {}, "without": {"step__spin": 0.0}}
    takes = {
        name: take("walk", character="dinosaur", speed=0.5, seconds=8.0, **o) for name, o in spins.items()
    }
    _swings(path, "tail", {name: (seen, tail_yaw(seen)) for name, seen in takes.items()})
    swung = {name: against_legs(seen, tail_yaw(seen)) for name, seen in takes.items()}
    return ", ".join(
        f"{name} {swing:.1f}°, {phase % 360:.0f}° ahead of the legs" for name, (swing, phase) in swung.items()
    )


def _swings(path: Path, what: str, angles: dict[str, tuple[Recording, np.ndarray]]) -> None:
    """The last four seconds of some angles, and of the legs of the first take."""
    with Sheet(path, (7.0, 3.2)) as sheet:
        axes = sheet.subplots()
        for colour, (label, (seen, angle)) in zip(("tab:blue", "tab:red"), angles.items()):
            late = seen.time >= seen.time[-1] - 4.0
            axes.plot(seen.time[late], angle[late], color=colour, label=f"{what}, {label}")
        first, (seen, _) = next(iter(angles.items()))
        late = seen.time >= seen.time[-1] - 4.0
        axes.plot(seen.time[late], apart(seen, "hip")[late], color="#9aa1ab", lw=1, label=f"legs, {first}")
        axes.set(xlabel="time [s]", ylabel="angle [°]")
        sheet.legend(fontsize=8, ncols=3, loc="outside upper center")
