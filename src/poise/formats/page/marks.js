// What is drawn over the picture at a frame: points, forces, trails, pushes. The page is one of these.
class Marks {
  marks(frame, ground, polygon) {
    const { overlay, layers, colours, row, take } = this, has = (name) => take.series[name] && layers[name === "com" ? "com" : "cp"];
    overlay.begin(this.ratio);
    if (polygon && layers.support) overlay.polygon(polygon, colours.sole);
    if (layers.trail) {
      if (has("com")) overlay.line(this.trail("com", frame, ground), colours.com, 1.2);
      if (has("cp")) overlay.line(this.trail("cp", frame), colours.cp, 1.2);
    }
    if (layers.bones || !this.painter) overlay.bones(take.scene, this.poses, colours.accent, this.painter ? 2.5 : 7);
    if (has("com")) {
      const foot = this.drop(row.com, ground);
      overlay.line([row.com, foot], colours.com, 1, [2, 4]);
      overlay.dot(foot, colours.com, 3);
      overlay.centre(row.com, colours.com);
    }
    if (has("cmp")) overlay.dot(row.cmp, colours.cmp, 5);
    if (has("cp")) overlay.dot(row.cp, colours.cp, 5);
    if (layers.force && take.series.contact_force && take.series.cp) {
      const tip = add(row.cp, scale(row.contact_force, METRES_PER_NEWTON));
      if (tip.every(Number.isFinite)) overlay.arrow(row.cp, tip, colours.force, 3);
    }
    if (layers.xi) this.steps(ground);
    for (const push of take.scene.pushes) this.push(push);
  }

  // Where the body would come to rest, and where the swing foot is going.
  steps(ground) {
    const { overlay, colours, row, take } = this, on = (p) => this.drop([p[0], p[1], ground[2]], ground);
    const xi = take.series.xi && Number.isFinite(row.xi[0]) ? row.xi : row.capture;
    if (xi.length && Number.isFinite(xi[0])) overlay.dot(on(xi), colours.a, 5, "ξ");
    if (!take.series.footprint || !Number.isFinite(row.footprint[0])) return;
    const [x, y, turned] = row.footprint, [c, s] = [Math.cos(turned), Math.sin(turned)];
    const corner = (a, b) => on([x + a * c - b * s, y + a * s + b * c]);
    overlay.polygon([corner(-0.12, -0.045), corner(0.12, -0.045), corner(0.12, 0.045), corner(-0.12, 0.045)], colours.a);
  }

  // A point let down on the ground along the vertical.
  drop(point, ground) {
    const up = turn(ground, [0, 0, 1]), high = dot(up, add(point, [-ground[0], -ground[1], -ground[2]])) / (up[2] || 1);
    return [point[0], point[1], point[2] - high];
  }

  trail(name, frame, ground) {
    const table = this.take.series[name], from = Math.max(0, Math.floor(frame - TRAIL * this.take.hz)), points = [];
    for (let i = from; i <= frame; i++) {
      const p = rowAt(table, i, []);
      points.push(ground ? this.drop(p, ground) : p);
    }
    return points;
  }

  // An arrow that touches the body it pushes, while it pushes and a little longer.
  push(push) {
    const t = this.player.time + this.take.start, late = t - push.start - push.duration;
    if (t < push.start || late > FADE) return;
    const node = this.take.scene.nodes[push.node], pose = this.poses[push.node], size = Math.hypot(...push.force) || 1;
    const along = scale(push.force, 1 / size);
    node.middle ??= this.middle(node);
    const tip = add(place(pose, add(node.middle.centre, push.offset)), scale(along, -node.middle.radius));
    this.overlay.pen.globalAlpha = Math.min(1, 1 - late / FADE);
    this.overlay.arrow(add(tip, scale(along, -PUSH_LENGTH)), tip, this.colours.push, 6, `${Math.round(size)} N`);
    this.overlay.pen.globalAlpha = 1;
  }

  // Middle and half width of a thing, in its own frame.
  middle(node) {
    const { points } = this.shapes()[this.take.scene.nodes.indexOf(node)] ?? {};
    if (!points?.length) return { centre: [0, 0, 0], radius: 0.1 };
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    points.forEach((v, i) => ([low[i % 3], high[i % 3]] = [Math.min(low[i % 3], v), Math.max(high[i % 3], v)]));
    const half = low.map((v, c) => (high[c] - v) / 2);
    return { centre: low.map((v, c) => (v + high[c]) / 2), radius: 0.8 * Math.min(...half) + 0.02 };
  }

  // Triangles of every node in its own frame; of the skin, each goes to the joint that it follows most.
  shapes() {
    return (this.known ??= shapesOf(this.take.scene));
  }
}
