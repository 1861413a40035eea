"""How fast a joint may accelerate towards its limit, seen ahead."""

from poise.compiled import compiled
from poise.dynamics.limits import LOOK_AHEAD, STEEPEST

FAR_INSIDE, STAYS_INSIDE = 0.35, 0.1  # [rad]: a limit further away than these, now and ahead, is left alone


@compiled
def along(limits, row, values):
    """Rate of a joint row's excess for velocities or accelerations (nv,)."""
    total = 0.0
    for k in range(limits.width[row]):
        total += limits.gradient[row, k] * values[limits.dof[row] + k]
    return total


@compiled
def limit_bound(limits, row, v):
    """Largest acceleration of an excess that keeps it from growing past zero within the look-ahead."""
    excess = limits.excess[row]
    reach = excess + along(limits, row, v) * LOOK_AHEAD
    if excess < -FAR_INSIDE and reach < -STAYS_INSIDE:
        return STEEPEST
    bound = -2.0 * reach / (LOOK_AHEAD * LOOK_AHEAD)
    return min(max(bound, -STEEPEST), STEEPEST)
