"""Plan ahead: a small model of the whole body, its optimal motion, and feedback that re-plans goal and time."""
