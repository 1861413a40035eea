"""Columns of the tables of a score."""

C, V, A, H, H_DOT = (
    slice(i, i + 3) for i in range(0, 15, 3)
)  # of the body: centre of mass, rates, spin, its rate,
P, SPIN = slice(15, 17), slice(17, 19)  # pressure, and what Ḣ moves it by
X, X_DOT, X_DDOT = (slice(i, i + 3) for i in range(0, 9, 3))  # of a sole: place and rates,
TURN = slice(9, 13)  # axes,
W, W_DOT, TILT = (
    slice(i, i + 3) for i in range(13, 22, 3)
)  # their rates, and its pitch on a print with rates
