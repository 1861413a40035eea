r"""The whole-body problem with accelerations eliminated, exactly.

Wanted: minimise ½ v̇ᵀ P v̇ + rᵀ v̇ over accelerations and contact wrenches w, subject to the six root rows of the
equation of motion M_b v̇ + bias_b = D w, to cones on w, and to limits on torques and joints. With P = L Lᵀ,
Y = L⁻¹ M_bᵀ, S = Yᵀ Y and z = -L⁻¹ r, the best acceleration for given wrenches is

.. math:: \dot v = L^{-T} (z + Y \lambda), \qquad \lambda = S^{-1} (D w + e), \quad e = -bias_b - Y^T z

and its cost ½ (D w + e)ᵀ S⁻¹ (D w + e): a program in w alone. A limit g v̇ ≤ b that this solution would break joins the
program with a variable δ of its own, since by the optimality conditions v̇ moves only along L⁻ᵀ ŷ, where ŷ is L⁻¹ gᵀ
with its part in the span of Y removed. That direction leaves the root rows alone and adds ½ δᵀ (Ŷ Ŷᵀ) δ to the cost.
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.solvers.cholesky import backward, factor, forward, forward_rows


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def wrench_program(S, e, J_local, chosen, ease, w_ref, D, K, P_w, r_w):
    """Program ½ (D w + e)ᵀ S⁻¹ (D w + e) + ½ ease |w - w_ref|², with S given by its factor."""
    for s in range(chosen.shape[0]):
        for a in range(6):
            for i in range(6):
                D[i, 6 * s + a] = J_local[chosen[s], a, i]
    k = 6 * chosen.shape[0]
    column = np.empty(6)
    solved = e.copy()
    forward(S, solved)
    backward(S, solved)
    for c in range(k):
        for i in range(6):
            column[i] = D[i, c]
        forward(S, column)
        backward(S, column)
        for i in range(6):
            K[i, c] = column[i]
    for a in range(k):
        total = -ease[a % 6] * w_ref[a % 6]
        for i in range(6):
            total += D[i, a] * solved[i]
        r_w[a] = total
        for b in range(k):
            total = ease[a % 6] if a == b else 0.0
            for i in range(6):
                total += D[i, a] * K[i, b]
            P_w[a, b] = total


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def reduce(L, z, M, bias, J_local, chosen, ease, w_ref, Y, S, e, D, K, P_w, r_w):
    """Program in the wrenches: fills Y (6, nv), the factor S (6, 6), e (6), D (6, k), K = S⁻¹ D, P_w, r_w.

    Args:
        chosen: Indices of the planted supports. ease: (6,) regularisation of one wrench. w_ref: (6,) where it pulls.
    """
    nv = L.shape[0]
    for i in range(6):
        for j in range(nv):
            Y[i, j] = M[i, j]
    forward_rows(L, Y)
    for i in range(6):
        for j in range(i + 1):
            total = 0.0
            for q in range(nv):
                total += Y[i, q] * Y[j, q]
            S[i, j] = total
        total = -bias[i]
        for q in range(nv):
            total -= Y[i, q] * z[q]
        e[i] = total
    if not factor(S):
        return False
    wrench_program(S, e, J_local, chosen, ease, w_ref, D, K, P_w, r_w)
    return True


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def interior(P_w, r_w, G, chosen, w):
    """Unlimited minimiser of the program, and whether it happens to satisfy every cone."""
    F = P_w.copy()
    if not factor(F):
        return False
    for i in range(w.shape[0]):
        w[i] = -r_w[i]
    forward(F, w)
    backward(F, w)
    for s in range(chosen.shape[0]):
        rows = G[chosen[s]]
        for q in range(rows.shape[0]):
            total = 0.0
            for a in range(6):
                total += rows[q, a] * w[6 * s + a]
            if not total <= 1e-6:
                return False
    return True


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def accelerate(L, z, Y, S, e, D, w, Y_hat, delta, M, bias, J_local, chosen, v_dot, tau):
    """Accelerations and generalised joint forces that belong to wrenches w and limit variables δ."""
    nv = L.shape[0]
    multiplier = e.copy()
    for i in range(6):
        for c in range(w.shape[0]):
            multiplier[i] += D[i, c] * w[c]
    forward(S, multiplier)
    backward(S, multiplier)
    for j in range(nv):
        total = z[j]
        for i in range(6):
            total += Y[i, j] * multiplier[i]
        for q in range(delta.shape[0]):
            total += Y_hat[q, j] * delta[q]
        v_dot[j] = total
    backward(L, v_dot)
    for i in range(nv):
        total = bias[i]
        for j in range(nv):
            total += M[i, j] * v_dot[j]
        for s in range(chosen.shape[0]):
            for a in range(6):
                total -= J_local[chosen[s], a, i] * w[6 * s + a]
        tau[i] = total


@compiled(error_model="numpy")
def broken(
    tau, low, high, v_dot, v, limit_excess, limit_dof, limit_width, limit_gradient, ahead, steepest, out
):
    """List the limits that a solution breaks: torque i as i, joint row j as nv + j. Returns how many."""
    nv, n = tau.shape[0], 0
    for i in range(6, nv):
        slack = 1e-6 + 1e-4 * high[i]
        if tau[i] > high[i] + slack or tau[i] < low[i] - slack:
            out[n] = i
            n += 1
    for row in range(limit_excess.shape[0]):
        bound = limit_bound(row, v, limit_excess, limit_dof, limit_width, limit_gradient, ahead, steepest)
        if bound >= steepest:
            continue
        rate = 0.0
        for k in range(limit_width[row]):
            rate += limit_gradient[row, k] * v_dot[limit_dof[row] + k]
        if rate > bound + 1e-6:
            out[n] = nv + row
            n += 1
    return n


@compiled(error_model="numpy")
def limit_bound(row, v, excess, dof, width, gradient, ahead, steepest):
    """Largest acceleration of an excess that keeps it from growing past zero within the look-ahead."""
    speed = 0.0
    for k in range(width[row]):
        speed += gradient[row, k] * v[dof[row] + k]
    reach = excess[row] + speed * ahead
    if excess[row] < -0.35 and reach < -0.1:
        return steepest
    bound = -2.0 * reach / (ahead * ahead)
    return min(max(bound, -steepest), steepest)


@compiled(error_model="numpy")
def extend(
    rows, L, z, Y, S, e, K, M, bias, J_local, chosen, low, high, v,
    excess, dof, width, gradient, ahead, steepest, P_w, r_w, G,
):  # fmt: skip
    """The program with limits in it: P, r, G, lower, upper, sense (8 marks the soft joint limits), Ŷ."""
    nv, k, n = L.shape[0], r_w.shape[0], rows.shape[0]
    each = G.shape[1]
    cones = each * chosen.shape[0]
    Y_hat = np.zeros((n, nv))
    T = np.zeros((n, k))
    lower, upper = np.full(cones + n, -1e30), np.zeros(cones + n)
    sense = np.zeros(cones + n, dtype=np.int32)
    shift = e.copy()
    forward(S, shift)
    backward(S, shift)
    for q in range(n):
        row = rows[q]
        if row < nv:
            for j in range(nv):
                Y_hat[q, j] = M[row, j]
        else:
            for a in range(width[row - nv]):
                Y_hat[q, dof[row - nv] + a] = gradient[row - nv, a]
    forward_rows(L, Y_hat)
    YY = np.zeros(6)
    for q in range(n):
        row = rows[q]
        base = 0.0
        for i in range(6):
            total = 0.0
            for j in range(nv):
                total += Y[i, j] * Y_hat[q, j]
            YY[i] = total
            base += total * shift[i]
        for j in range(nv):
            base += Y_hat[q, j] * z[j]
        for c in range(k):
            for i in range(6):
                T[q, c] += YY[i] * K[i, c]
        if row < nv:
            for s in range(chosen.shape[0]):
                for a in range(6):
                    T[q, 6 * s + a] -= J_local[chosen[s], a, row]
            lower[cones + q] = low[row] - bias[row] - base
            upper[cones + q] = high[row] - bias[row] - base
        else:
            upper[cones + q] = limit_bound(row - nv, v, excess, dof, width, gradient, ahead, steepest) - base
            sense[cones + q] = 8
        forward(S, YY)
        backward(S, YY)
        for j in range(nv):
            for i in range(6):
                Y_hat[q, j] -= Y[i, j] * YY[i]
    P, r = np.zeros((k + n, k + n)), np.zeros(k + n)
    A = np.zeros((cones + n, k + n))
    P[:k, :k] = P_w
    r[:k] = r_w
    for s in range(chosen.shape[0]):
        A[s * each : (s + 1) * each, 6 * s : 6 * s + 6] = G[chosen[s]]
    for q in range(n):
        A[cones + q, :k] = T[q]
        for p in range(n):
            total = 0.0
            for j in range(nv):
                total += Y_hat[q, j] * Y_hat[p, j]
            P[k + q, k + p] = total
            A[cones + q, k + p] = total
        P[k + q, k + q] += 1e-9 * P[k + q, k + q] + 1e-12
    return P, r, A, lower, upper, sense, Y_hat
