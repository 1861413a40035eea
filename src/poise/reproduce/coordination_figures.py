"""[Coordination], figures 2 and 3: the rate of angular momentum after a push, and arms that swing by themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.draw.figure import Sheet
from poise.reproduce.claim import take
from poise.reproduce.coordination import apart, counter_swing
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
    with Sheet(path, (7.0, 3.2)) as sheet:
        axes = sheet.subplots()
        for colour, (label, seen) in zip(("tab:blue", "tab:red"), takes.items()):
            late = seen.time >= seen.time[-1] - 4.0
            axes.plot(seen.time[late], apart(seen, "shoulder")[late], color=colour, label=f"arms, {label}")
        seen = takes["with control"]
        axes.plot(
            seen.time[late], apart(seen, "hip")[late], color="#9aa1ab", lw=1, label="legs, with control"
        )
        axes.set(xlabel="time [s]", ylabel="left over right, half [°]")
        sheet.legend(fontsize=8, ncols=3, loc="outside upper center")
    return ", ".join(f"{label} {counter_swing(seen):.0f}° each way" for label, seen in takes.items())
