// Vectors as plain arrays, matrices as 16 numbers by columns, and a camera that goes round a point. z is up.
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// v turned by the rotation and shifted by the position of a pose (x y z, w x y z).
function place(pose, v) {
  return add(turn(pose, v), [pose[0], pose[1], pose[2]]);
}

function turn(pose, v) {
  const [w, x, y, z] = [pose[3], pose[4], pose[5], pose[6]];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

function matrixOf(pose, out) {
  const a = turn(pose, [1, 0, 0]), b = turn(pose, [0, 1, 0]), c = turn(pose, [0, 0, 1]);
  out.set([a[0], a[1], a[2], 0, b[0], b[1], b[2], 0, c[0], c[1], c[2], 0, pose[0], pose[1], pose[2], 1]);
  return out;
}

function product(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++)
    for (let r = 0; r < 4; r++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + r] * b[c * 4 + k];
      out[c * 4 + r] = sum;
    }
  return out;
}

class Camera {
  constructor(distance) {
    this.home = distance;
    this.fovy = 0.63;
    this.centre = [0, 0, 1]; // what it follows
    this.reset();
  }

  reset() {
    this.look(0.98, 0.19);
    this.distance = this.home;
    this.shift = [0, 0, 0];
  }

  // From an angle round the vertical (0: from the front) and above the horizon [rad]. Views from the side keep x to the right.
  look(side, above) {
    this.side = -side;
    this.above = above;
  }

  // Rows: right, up and back in the world.
  axes() {
    const [s, c] = [Math.sin(this.side), Math.cos(this.side)], [e, f] = [Math.sin(this.above), Math.cos(this.above)];
    return [[-s, c, 0], [-c * e, -s * e, f], [c * f, s * f, e]];
  }

  target() {
    return add(this.centre, this.shift);
  }

  eye() {
    return add(this.target(), scale(this.axes()[2], this.distance));
  }

  orbit(dx, dy) {
    this.side -= dx * 0.008;
    this.above = Math.min(Math.max(this.above + dy * 0.008, -0.2), 1.55);
  }

  pan(dx, dy, height) {
    const [right, up] = this.axes(), size = (2 * this.distance * Math.tan(this.fovy / 2)) / height;
    this.shift = add(this.shift, add(scale(right, -dx * size), scale(up, dy * size)));
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance * factor, 0.3), 60);
  }

  matrix(aspect) {
    const [right, up, back] = this.axes(), eye = this.eye();
    const near = 0.02 * this.distance, far = this.distance + 80, f = 1 / Math.tan(this.fovy / 2);
    const view = new Float32Array([
      right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
      -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
    ]);
    const lens = new Float32Array([
      f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0,
    ]);
    return product(lens, view);
  }

  // Pixel x, pixel y and depth of a point; null behind the camera.
  project(point, width, height) {
    const [right, up, back] = this.axes(), v = add(point, scale(this.eye(), -1));
    const depth = -dot(back, v);
    if (!(depth > 0.01)) return null;
    const size = height / (2 * Math.tan(this.fovy / 2) * depth);
    return [width / 2 + size * dot(right, v), height / 2 - size * dot(up, v), depth];
  }
}
