r"""Joint limits: hinges by range, balls by swing and twist; seen ahead in the solve, met by a stop in the world.

The one meaning of "beyond the limit", for the solve, the stops and the inverse kinematics: an excess e [rad], zero on
the limit and negative inside. A hinge at angle a has lower - a and a - upper. A ball joint's rotation, counted from its
centre, is split as q = swing · twist, the twist t about the child's z axis, the swing by an angle θ in a direction φ
([Balance] §8). The swing lies in an ellipse with its own radius to each side, r(φ), the twist in an interval:

.. math:: e_{swing} = \bar r\,(θ / r(φ) - 1), \qquad e_{twist} = \max(t - t_{high},\ t_{low} - t)

with the mean radius \bar r, and t taken within half a turn of the middle of its interval. At half a turn of swing
neither φ nor t has a meaning, and their gradients, θ / sin θ and 1 / cos(θ/2), have no bound. So both fade out beyond
141 degrees of swing: with n = min(1, cos(θ/2) / FADE), r(φ)⁻¹ becomes n r(φ)⁻¹ + (1 - n) r_min⁻¹ and e_twist becomes
n e_twist. Both are then continuous over all rotations, with gradients that are bounded by construction.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from poise.character.constants import HINGE, SLIDE
from poise.compiled import compiled
from poise.dynamics.tree import Tree
from poise.errors import unknown
from poise.geometry.quat_jit import product
from poise.records import Indices, Matrix, Record, Vector

if TYPE_CHECKING:
    from poise.character import Character

LOOK_AHEAD = 0.06  # [s]: a limit acts on what the joint would reach in this time
STEEPEST = 300.0  # [rad/s²]: most that a limit asks for
DEEPEST = 0.1  # [rad]: a stop's spring grows no further beyond this excess
FADE = 1.0 / 3.0  # cosine of half the swing below which its direction and the twist fade out: 141 degrees
TINY = 1e-9  # sine or cosine of half a swing that counts as zero


class JointLimits(Record):
    """Excess of every limited joint beyond its limit, e ≤ 0 inside, with its gradient along the joint's motion.

    One row a hinge side, one a swing, one a twist side: ``rows`` lists (degree of freedom, width, kind).
    """

    hinges: Matrix
    balls: Matrix
    excess: Vector
    dof: Indices
    width: Indices
    gradient: Matrix

    def __init__(self, tree: Tree, character: Character, margin: float = 0.0):
        """``margin`` [rad] makes the limits tighter on every side, by half of a narrow range at the most."""
        model = tree.model
        names = list(tree.joint_names)
        hinges = []
        for j in tree.joints:
            if model.jnt_limited[j] and model.jnt_type[j] in (SLIDE, HINGE):
                low, high = model.jnt_range[j]
                inside = min(margin, 0.25 * (high - low))
                at = (model.jnt_dofadr[j] - tree.dof0, model.jnt_qposadr[j] - tree.qpos0)
                hinges.append((*at, low + inside, high - inside))
        balls = []
        for name, limit in character.limits.items():
            if name not in names:
                raise unknown("joint", name, names)
            j = tree.joints[names.index(name)]
            at = (model.jnt_dofadr[j] - tree.dof0, model.jnt_qposadr[j] - tree.qpos0)
            sides = np.array([*limit.swing_x, *limit.swing_y, *limit.twist])
            sides -= np.sign(sides) * np.minimum(margin, 0.5 * np.abs(sides))  # zero stays inside
            balls.append((*at, *sides, *limit.centre))
        self.nv = tree.nv
        self.hinges = np.array(hinges, dtype=float).reshape(-1, 4)
        self.balls = np.array(balls, dtype=float).reshape(-1, 12)
        self.size = 2 * (len(hinges) + len(balls))
        self.excess = np.zeros(self.size)  # [rad]
        self.dof = np.zeros(self.size, dtype=np.int64)  # first degree of freedom of the row's joint
        self.width = np.zeros(self.size, dtype=np.int64)
        self.gradient = np.zeros((self.size, 3))
        self.seal()

    @classmethod
    def of(cls, character: Character, margin: float = 0.0) -> JointLimits:
        """The limits of a character alone in its model."""
        return cls(Tree(character.model), character, margin)

    def update(self, q: np.ndarray) -> None:
        """Refresh excess and gradient at a configuration."""
        limit_rows(self.hinges, self.balls, q, self.excess, self.dof, self.width, self.gradient)

    def worst(self, q: np.ndarray) -> float:
        """The largest excess at a configuration [rad], negative when all joints are inside."""
        self.update(q)
        return float(self.excess.max(initial=-np.inf))

    def inequalities(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """g (n,) and G (n, nv) such that g + G dq <= 0 keeps every joint inside, to first order in dq [rad]."""
        n = self.size + len(self.balls)
        g, G = np.empty(n), np.zeros((n, self.nv))
        _linearised(self, q, g, G)
        return g, G


def beyond(character: Character, q: np.ndarray) -> float:
    """How far the worst joint of a character is outside its limits [rad]; 0 when all are inside."""
    return max(JointLimits.of(character).worst(q), 0.0)


@compiled
def _linearised(limits, q, g, G):
    """The rows of all limits, then those of the other sides of the twists."""
    balls, gradient, dof = limits.balls, limits.gradient, limits.dof
    limit_rows(limits.hinges, balls, q, limits.excess, dof, limits.width, gradient)
    rows, first = limits.excess.shape[0], 2 * limits.hinges.shape[0] + 1
    for row in range(rows):
        g[row] = limits.excess[row]
        for k in range(limits.width[row]):
            G[row, dof[row] + k] = gradient[row, k]
    for b in range(balls.shape[0]):
        row = first + 2 * b
        g[rows + b] = -limits.excess[row] - (balls[b, 7] - balls[b, 6])  # so far inside is the other side
        for k in range(limits.width[row]):
            G[rows + b, dof[row] + k] = -gradient[row, k]


@compiled
def limit_rows(hinges, balls, q, excess, dof, width, gradient):
    """Excess and gradient of all rows: two a hinge, then swing and twist of each ball."""
    row = 0
    for k in range(hinges.shape[0]):
        value = q[int(hinges[k, 1])]
        excess[row], excess[row + 1] = hinges[k, 2] - value, value - hinges[k, 3]
        gradient[row, 0], gradient[row + 1, 0] = -1.0, 1.0
        for s in range(2):
            dof[row + s], width[row + s] = int(hinges[k, 0]), 1
        row += 2
    for k in range(balls.shape[0]):
        b = balls[k]
        a = int(b[1])
        for s in range(2):
            dof[row + s], width[row + s] = int(b[0]), 3
        # from the centre
        w, x, y, z = product(b[8], -b[9], -b[10], -b[11], q[a], q[a + 1], q[a + 2], q[a + 3])
        if w < 0:
            w, x, y, z = -w, -x, -y, -z
        ball_rows(w, x, y, z, b[2:8], excess[row : row + 2], gradient[row : row + 2])
        row += 2


@compiled
def ball_rows(w, x, y, z, sides, excess, gradient):
    r"""Swing and twist rows of one ball joint: excess (2,), and gradient (2, 3) along the child's angular velocity.

    With the unit vectors u_θ, along the swing, and u_φ, across it, both square to the child's z axis u_z:
    dθ = u_θ, dφ = u_φ / sin θ, dt = u_z + tan(θ/2) u_φ.
    """
    sine, cosine = math.sqrt(x * x + y * y), math.sqrt(w * w + z * z)  # of half the swing
    half = (w / cosine, z / cosine) if cosine > TINY else (1.0, 0.0)  # cosine and sine of half the twist
    side = (x / sine, y / sine) if sine > TINY else (1.0, 0.0)
    c, s = side[0] * half[0] - side[1] * half[1], side[1] * half[0] + side[0] * half[1]  # φ, in the parent
    cu, su = side[0] * half[0] + side[1] * half[1], side[1] * half[0] - side[0] * half[1]  # u_θ, in the child
    angle = 2.0 * math.atan2(sine, cosine)
    fade, fade_rate = (1.0, 0.0) if cosine > FADE else (cosine / FADE, -0.5 * sine / FADE)
    steep = 1.0 / max(cosine, FADE)  # fade / cosine
    swing, along, across = _swing(c, s, angle, fade, fade_rate, sides)
    excess[0] = swing
    across *= steep * (0.5 * angle / sine if sine > TINY else 0.0)
    along *= 1.0 if sine > TINY else 0.0
    gradient[0, 0], gradient[0, 1], gradient[0, 2] = along * cu - across * su, along * su + across * cu, 0.0
    beyond, sign = _twist(2.0 * math.atan2(half[1], half[0]), sides[4], sides[5])
    excess[1] = fade * beyond
    along, across = fade_rate * beyond, sign * steep * sine
    gradient[1, 0], gradient[1, 1] = along * cu - across * su, along * su + across * cu
    gradient[1, 2] = sign * fade


@compiled
def _swing(c, s, angle, fade, fade_rate, sides):
    """Excess of a swing in the direction (c, s); its rate along the swing, and across it per unit of fade."""
    rx = sides[1] if c > 0 else -sides[0]
    ry = sides[3] if s > 0 else -sides[2]
    mean = 0.25 * (sides[1] - sides[0] + sides[3] - sides[2])
    most = 1.0 / min(min(sides[1], -sides[0]), min(sides[3], -sides[2]))
    f = math.sqrt((c / rx) ** 2 + (s / ry) ** 2)
    g = fade * f + (1.0 - fade) * most
    around = c * s * (1.0 / ry**2 - 1.0 / rx**2) / f
    return mean * (angle * g - 1.0), mean * (g + angle * (f - most) * fade_rate), mean * around


@compiled
def _twist(turn, low, high):
    """How far a twist is beyond its interval [rad], the nearer way round, and the sign of the side."""
    away = turn - 0.5 * (low + high)
    if abs(away) > math.pi:
        turn -= math.copysign(2.0 * math.pi, away)
    return (turn - high, 1.0) if turn - high > low - turn else (low - turn, -1.0)


@compiled
def stop_torques(excess, dof, width, gradient, v, inertia_of, rate, tau):
    """Passive torque of joint stops: a critically damped spring along each excess, only beyond the limit.

    Its mass is the one felt along the gradient g, 1 / Σ (g² / inertia): a steep excess has a light one, so no torque
    exceeds the joint's inertia times rate² DEEPEST / |g| + 2 rate |speed|.

    Args:
        inertia_of: (nv,) inertia felt at each joint with all others free [kg m²].
        rate: Natural frequency of the stop [rad/s]. tau: (nv,) to be filled [N m].
    """
    tau[:] = 0.0
    for row in range(excess.shape[0]):
        if excess[row] <= 0.0:
            continue
        i, n = dof[row], width[row]
        speed, mobility = 0.0, 0.0
        for k in range(n):
            speed += gradient[row, k] * v[i + k]
            mobility += gradient[row, k] ** 2 / inertia_of[i + k]
        if mobility < 1e-12:
            continue
        push = (rate * rate * min(excess[row], DEEPEST) + 2 * rate * speed) / mobility
        if push > 0.0:
            for k in range(n):
                tau[i + k] -= push * gradient[row, k]
