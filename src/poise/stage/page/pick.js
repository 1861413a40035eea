// What is under a pixel: a ray from the camera against the triangles of the body.
function rayAt(camera, x, y, width, height) {
  const [right, up, back] = camera.axes(), far = height / (2 * Math.tan(camera.fovy / 2));
  const d = add(add(scale(right, x - width / 2), scale(up, height / 2 - y)), scale(back, -far));
  return { from: camera.eye(), along: scale(d, 1 / Math.hypot(...d)) };
}

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const back = (pose) => [0, 0, 0, pose[3], -pose[4], -pose[5], -pose[6]]; // the opposite turn

// Where a ray meets a plane; null where it does not, or behind.
function meet(ray, point, normal) {
  const slope = dot(ray.along, normal), t = dot(minus(point, ray.from), normal) / slope;
  return Math.abs(slope) > 1e-6 && t > 0 ? add(ray.from, scale(ray.along, t)) : null;
}

class Picker {
  constructor(shapes) {
    this.shapes = shapes;
  }

  // The nearest node of the first `count` that a ray meets: its number, the distance, the point in its own frame, and the way out there.
  hit(ray, poses, count) {
    let best = null;
    for (let k = 0; k < count; k++) {
      if (!this.shapes[k]) continue;
      const away = back(poses[k]), from = turn(away, minus(ray.from, poses[k])), along = turn(away, ray.along);
      const { t, out } = this.distance(this.shapes[k], from, along);
      if (t < (best?.t ?? Infinity)) best = { node: k, t, local: add(from, scale(along, t)), out: turn(poses[k], out) };
    }
    return best;
  }

  distance({ points, faces }, from, along) {
    let nearest = Infinity, out = [0, 0, 1];
    const corner = (i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    for (let f = 0; f < faces.length; f += 3) {
      const a = corner(faces[f]), u = minus(corner(faces[f + 1]), a), v = minus(corner(faces[f + 2]), a);
      const p = cross(along, v), size = dot(u, p);
      if (Math.abs(size) < 1e-12) continue;
      const s = minus(from, a), x = dot(s, p) / size, q = cross(s, u), y = dot(along, q) / size, t = dot(v, q) / size;
      if (x >= 0 && y >= 0 && x + y <= 1 && t > 0 && t < nearest) {
        const n = cross(u, v);
        [nearest, out] = [t, scale(n, 1 / (Math.hypot(...n) || 1))];
      }
    }
    return { t: nearest, out };
  }
}
