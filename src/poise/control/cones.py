"""What wrench the ground can give a sole: rows G w ≤ 0 of friction, centre of pressure and turning on the spot."""

import math

from poise.compiled import compiled

FACETS = 8  # of the friction pyramid


@compiled
def _local_frame(R, normal, out):
    """Axes at a support: z along the ground's normal, x the sole's own, projected."""
    dot = R[0, 0] * normal[0] + R[1, 0] * normal[1] + R[2, 0] * normal[2]
    x0, x1, x2 = R[0, 0] - dot * normal[0], R[1, 0] - dot * normal[1], R[2, 0] - dot * normal[2]
    size = math.sqrt(x0 * x0 + x1 * x1 + x2 * x2)
    if size < 1e-6:
        x0, x1, x2, size = 1.0, 0.0, 0.0, 1.0
    x0, x1, x2 = x0 / size, x1 / size, x2 / size
    out[0, 0], out[1, 0], out[2, 0] = x0, x1, x2
    out[0, 1] = normal[1] * x2 - normal[2] * x1
    out[1, 1] = normal[2] * x0 - normal[0] * x2
    out[2, 1] = normal[0] * x1 - normal[1] * x0
    for i in range(3):
        out[i, 2] = normal[i]


@compiled
def fill_cones(state, supports):
    """Local frames, Jacobians, touching corners and wrench limits of the planted supports."""
    for s in range(supports.active.shape[0]):
        if not supports.active[s]:
            continue
        T, J, J_local, margins = supports.frames[s], state.J[s], supports.J_local[s], supports.margins[s]
        _local_frame(state.R[s], state.ground.axes[s, :, 2], T)
        for half in (0, 3):
            for k in range(3):
                a, b, c, row = J[half], J[half + 1], J[half + 2], J_local[half + k]
                for i in range(row.shape[0]):
                    row[i] = T[0, k] * a[i] + T[1, k] * b[i] + T[2, k] * c[i]
        polygon = supports.polygon[s]
        supports.used[s] = _sole(state, s, margins, T, supports.rolls[s], polygon)
        _wrench_rows(supports.mu, margins[4], polygon, supports.used[s], margins[2], supports.G[s])


@compiled
def _sole(state, s, margins, T, way, polygon):
    """Corners that touch, in the support's own axes about its centre. Returns how many."""
    n, inset = 0, margins[1]
    x, corners, point, normal = (
        state.x[s],
        state.corners[s],
        state.ground.under[s],
        state.ground.axes[s, :, 2],
    )
    low = math.inf
    for c in range(state.corner_count[s]):
        height = 0.0
        for k in range(3):
            height += (corners[c, k] - point[k]) * normal[k]
        low = min(low, height)
    touch = margins[0] + min(max(low, 0.0), margins[5])  # one that bounced comes down again
    for c in range(state.corner_count[s]):
        height, px, py = 0.0, 0.0, 0.0
        for k in range(3):
            height += (corners[c, k] - point[k]) * normal[k]
            px += T[k, 0] * (corners[c, k] - x[k])
            py += T[k, 1] * (corners[c, k] - x[k])
        if height <= touch and way * px >= 0.0:
            polygon[n, 0], polygon[n, 1] = px, py
            n += 1
    mx, my = 0.0, 0.0
    for c in range(n):
        mx += polygon[c, 0] / n
        my += polygon[c, 1] / n
    for c in range(n):
        for i, middle in ((0, mx), (1, my)):
            reach = polygon[c, i] - middle
            polygon[c, i] = middle + (max(reach - inset, 0.0) if reach > 0 else min(reach + inset, 0.0))
    return n


@compiled
def _edge(G, row, ax, ay, bx, by):
    """Centre of pressure to the left of a → b: ex mx + ey my + (ey ax - ex ay) fz ≥ 0, written as a row ≤ 0."""
    ex, ey = bx - ax, by - ay
    size = math.sqrt(ex * ex + ey * ey)
    if size < 1e-9:
        return
    ex, ey = ex / size, ey / size
    G[row, 2], G[row, 3], G[row, 4] = -(ey * ax - ex * ay), -ex, -ey


@compiled
def _turning_rows(mu, polygon, n, thin, G):
    r"""What friction at the corners bears of turning on the spot, in the 8 rows after the facets (Caron et al. 2015).

    On a sole of half lengths X, Y, with the wrench about its middle and friction :math:`|f_x|, |f_y| ≤ μ f_z`:

    .. math:: ± m_z ≤ μ (X + Y) f_z - |Y f_x ± μ m_x| - |X f_y ± μ m_y|

    so that less is left as the pressure nears an edge. Other soles count with the box around them.
    """
    left, right, back, front = polygon[0, 1], polygon[0, 1], polygon[0, 0], polygon[0, 0]
    for c in range(1, n):
        back, front = min(back, polygon[c, 0]), max(front, polygon[c, 0])
        right, left = min(right, polygon[c, 1]), max(left, polygon[c, 1])
    X, Y = max(0.5 * (front - back), thin), max(0.5 * (left - right), thin)
    x, y = 0.5 * (front + back), 0.5 * (left + right)
    row, size = FACETS, 1.0 / (X + Y)  # rows of the size of the others: forces
    for way in (1.0, -1.0):
        for a in (1.0, -1.0):
            for b in (1.0, -1.0):
                G[row, 0] = size * (way * y + a * Y)
                G[row, 1] = size * (b * X - way * x)
                G[row, 2] = -mu + size * mu * way * (b * x - a * y)
                G[row, 3] = size * way * a * mu
                G[row, 4] = size * way * b * mu
                G[row, 5] = size * way
                row += 1


@compiled
def _wrench_rows(mu, torsion, polygon, n, thin, G):
    G[:, :] = 0.0
    for i in range(FACETS):
        angle = 2 * math.pi * i / FACETS
        G[i, 0], G[i, 1] = math.cos(angle), math.sin(angle)
        G[i, 2] = -mu * math.cos(math.pi / FACETS)
    if n > 0:
        _turning_rows(torsion * mu, polygon, n, thin, G)
    row = 2 * FACETS
    if n >= 3:
        for c in range(n):
            b = (c + 1) % n
            _edge(G, row + c, polygon[c, 0], polygon[c, 1], polygon[b, 0], polygon[b, 1])
    elif n >= 1:  # an edge or a point: a thin box about it
        ax, ay = polygon[0, 0], polygon[0, 1]
        bx, by = polygon[n - 1, 0], polygon[n - 1, 1]
        if n == 1:
            ax, bx = ax - thin, bx + thin
        ex, ey = bx - ax, by - ay
        size = max(math.sqrt(ex * ex + ey * ey), 1e-9)
        nx, ny = -ey / size * thin, ex / size * thin
        _edge(G, row, ax - nx, ay - ny, bx - nx, by - ny)
        _edge(G, row + 1, bx - nx, by - ny, bx + nx, by + ny)
        _edge(G, row + 2, bx + nx, by + ny, ax + nx, ay + ny)
        _edge(G, row + 3, ax + nx, ay + ny, ax - nx, ay - ny)
