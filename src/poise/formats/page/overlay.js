// Marks over the picture: centre of mass, centres of pressure, forces, pushes, trails and bones.
const METRES_PER_NEWTON = 1 / 1000, PUSH_LENGTH = 0.55, FADE = 0.25, TRAIL = 1.5; // [m/N], [m], [s], [s]

class Overlay {
  constructor(canvas, camera) {
    this.canvas = canvas;
    this.camera = camera;
    this.pen = canvas.getContext("2d");
  }

  begin(ratio) {
    this.ratio = ratio;
    this.width = this.canvas.width / ratio;
    this.height = this.canvas.height / ratio;
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.lineJoin = this.pen.lineCap = "round";
  }

  at(point) {
    return this.camera.project(point, this.width, this.height);
  }

  line(points, colour, width, dash = []) {
    const pen = this.pen;
    let drawing = false;
    pen.beginPath();
    for (const point of points) {
      const p = point.every(Number.isFinite) ? this.at(point) : null;
      if (p) drawing ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1]);
      drawing = p !== null;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }

  polygon(points, colour) {
    this.line([...points, points[0]], colour, 1.5);
  }

  dot(point, colour, radius, label) {
    const p = point.every(Number.isFinite) && this.at(point), pen = this.pen;
    if (!p) return;
    pen.beginPath();
    pen.arc(p[0], p[1], radius, 0, 7);
    pen.fillStyle = colour;
    pen.fill();
    pen.strokeStyle = this.paper;
    pen.lineWidth = 1.5;
    pen.stroke();
    if (label) this.label(label, p[0] + radius + 5, p[1] + 4, colour);
  }

  // The usual sign of a centre of mass: a circle in four quarters, two of them filled.
  centre(point, colour) {
    const p = point.every(Number.isFinite) && this.at(point), pen = this.pen, r = 7;
    if (!p) return;
    pen.beginPath();
    pen.arc(p[0], p[1], r, 0, 7);
    pen.fillStyle = this.paper;
    pen.fill();
    pen.fillStyle = pen.strokeStyle = colour;
    for (const start of [0, Math.PI]) {
      pen.beginPath();
      pen.moveTo(p[0], p[1]);
      pen.arc(p[0], p[1], r, start - Math.PI / 2, start);
      pen.fill();
    }
    pen.beginPath();
    pen.arc(p[0], p[1], r, 0, 7);
    pen.lineWidth = 1.5;
    pen.stroke();
  }

  arrow(tail, tip, colour, width, label) {
    const a = this.at(tail), b = this.at(tip), pen = this.pen;
    if (!a || !b) return;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 2) return;
    const [x, y] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], head = Math.min(4 * width, length);
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(a[0], a[1]);
    pen.lineTo(b[0] - x * head * 0.8, b[1] - y * head * 0.8);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(b[0], b[1]);
    pen.lineTo(b[0] - x * head - y * head * 0.5, b[1] - y * head + x * head * 0.5);
    pen.lineTo(b[0] - x * head + y * head * 0.5, b[1] - y * head - x * head * 0.5);
    pen.fill();
    if (label) this.label(label, a[0], a[1] - 8, colour, "center");
  }

  label(text, x, y, colour, align = "left") {
    const pen = this.pen;
    pen.font = "600 12px system-ui, sans-serif";
    pen.textAlign = align;
    pen.strokeStyle = this.paper;
    pen.lineWidth = 3;
    pen.strokeText(text, x, y);
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  }

  bones(scene, poses, colour, width) {
    for (const [j, p] of scene.bones) this.line([poses[p].slice(0, 3), poses[j].slice(0, 3)], colour, width);
    for (const [j, ...end] of scene.tips) this.line([poses[j].slice(0, 3), place(poses[j], end)], colour, width);
    for (const [j] of scene.bones) this.dot([...poses[j].slice(0, 3)], colour, width * 0.8);
  }
}

// Corners of the convex hull of points, seen from above, in order; null with fewer than three.
function hull(points) {
  const known = points.filter((p) => p.every(Number.isFinite)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (known.length < 3) return null;
  const side = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && side(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(known), ...half(known.reverse())];
}
