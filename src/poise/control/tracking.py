r"""Follow a pose: :math:`\dot v_{des} = k (q_{ref} \ominus q) + d (v_{ref} - v) + \dot v_{ref}` ([Balance] 11-12)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from poise.character.constants import BALL
from poise.compiled import compiled
from poise.control.objective import Objective
from poise.dynamics.state import Measure, State
from poise.dynamics.tree import Tree
from poise.geometry.quat_jit import rotation_between


@dataclass(frozen=True)
class Tracking(Objective):
    """Every joint, and the root's orientation, accelerates towards the reference; the root's place is left free."""

    v_dot: np.ndarray  # wanted accelerations (nv,)
    weight: np.ndarray  # (nv,), zero for the root's three translations

    def measure(self, state: State) -> Measure:
        return Measure(state.v, np.eye(state.nv), np.zeros(state.nv))

    def desired(self, state: State) -> np.ndarray:
        return self.v_dot

    def weights(self, state: State) -> np.ndarray:
        return self.weight


def firmness(tree: Tree, parts: Mapping[str, float]) -> np.ndarray:
    """Factor (nv,) of every degree of freedom: that of the body that it turns, one where that has none."""
    out, model = np.ones(tree.nv), tree.model
    for j in tree.joints:
        body = tree.names[model.jnt_bodyid[j] - tree.body0]
        own = model.dof_jntid[tree.dofs] == j
        out[own] = parts.get(body, 1.0)
    return out


def stiffen(factor: np.ndarray, k: np.ndarray, d: np.ndarray, weight: np.ndarray) -> None:
    """Multiply stiffness by a factor (nv,), damping by its root, and the weight so that the law prevails."""
    k *= factor
    d *= np.sqrt(factor)
    weight *= factor**2


class PoseError:
    """Difference of configurations in the tangent space, with the layout of one tree baked in."""

    def __init__(self, tree: Tree):
        model = tree.model
        self.kind = model.jnt_type[tree.joints].astype(np.int64)
        self.q_at = (model.jnt_qposadr[tree.joints] - tree.qpos0).astype(np.int64)
        self.v_at = (model.jnt_dofadr[tree.joints] - tree.dof0).astype(np.int64)

    def __call__(self, q: np.ndarray, q_ref: np.ndarray, out: np.ndarray) -> np.ndarray:
        """out = q_ref ⊖ q: velocity that takes q to q_ref in one second."""
        difference(self.kind, self.q_at, self.v_at, q, q_ref, out)
        return out

    def law(self, q, v, q_ref, v_ref, v_dot_ref, k, d, out) -> np.ndarray:
        """The wanted accelerations; k and d per degree of freedom."""
        pose_law(self.kind, self.q_at, self.v_at, q, v, q_ref, v_ref, v_dot_ref, k, d, out)
        return out

    def astray(
        self, q: np.ndarray, q_ref: np.ndarray, far: float, weight: np.ndarray, out: np.ndarray
    ) -> np.ndarray:
        """Weights that grow with the square of how much farther than an angle [rad] joints are from their reference."""
        difference(self.kind, self.q_at, self.v_at, q, q_ref, out)
        grown(self.kind, self.v_at, far, weight, out)
        return out


@compiled
def grown(kind, v_at, far, weight, out):
    """From differences to weights, in place; the root's stay."""
    for j in range(kind.shape[0]):
        i, n = v_at[j], 1 if kind[j] > BALL else 3 if kind[j] == BALL else 6
        size = 0.0
        for k in range(i, i + n):
            size += out[k] * out[k]
        more = 0.0 if n == 6 else max(math.sqrt(size) / far - 1.0, 0.0)
        for k in range(i, i + n):
            out[k] = weight[k] * (1.0 + more * more)


@compiled
def difference(kind, q_at, v_at, q, q_ref, out):
    for j in range(kind.shape[0]):
        a, i = q_at[j], v_at[j]
        if kind[j] > BALL:
            out[i] = q_ref[a] - q[a]
        elif kind[j] == BALL:
            rotation_between(q[a : a + 4], q_ref[a : a + 4], out[i : i + 3])
        else:
            for k in range(3):
                out[i + k] = q_ref[a + k] - q[a + k]
            rotation_between(q[a + 3 : a + 7], q_ref[a + 3 : a + 7], out[i + 3 : i + 6])


@compiled
def pose_law(kind, q_at, v_at, q, v, q_ref, v_ref, v_dot_ref, k, d, out):
    difference(kind, q_at, v_at, q, q_ref, out)
    for i in range(out.shape[0]):
        out[i] = k[i] * out[i] + d[i] * (v_ref[i] - v[i]) + v_dot_ref[i]
