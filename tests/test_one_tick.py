"""One tick of a walk reads straight down: the files that it visits, in the order of their first call."""

from __future__ import annotations

import poise
from one_tick import calls_of_a_tick, switches

SWING = 2.5  # [s]: a foot of the walk is in the air
WALK = [  # what Stepper.update asks in a swing, in this order
    "behaviours/stepping/stepper.py",
    "behaviours/stepping/dcm.py",
    "behaviours/stepping/posture.py",
    "behaviours/stepping/walk.py",
    "behaviours/stepping/landing.py",
    "behaviours/stepping/heels.py",
    "behaviours/stepping/swing.py",
    "behaviours/stepping/height.py",
]
MOST_FILES, MOST_SWITCHES = 17, 45


def test_a_tick_of_walk_visits_the_files_that_it_should():
    calls = calls_of_a_tick(poise.scene("walk"), SWING)
    files = list(dict.fromkeys(file for file, _ in calls))
    assert [f for f in files if f.startswith("behaviours/")] == WALK
    assert len(files) <= MOST_FILES and switches(calls) <= MOST_SWITCHES
