// The page with a running simulation as its source: frames come by a socket, the last seconds are kept for plots and trails.
const WINDOW_S = 10, RATE = 60, PLOTS_HZ = 4, FOLLOW_S = 0.25;

// Time as the stored page's player has it, but told to the server.
class Remote {
  constructor(live) {
    this.live = live;
    this.playing = true;
    this.time = 0; // since the first row that is kept
    this.loop = false;
  }

  get frame() {
    return this.time * RATE;
  }

  set speed(factor) {
    this.live.tell("speed", { factor });
  }

  seek(t) {
    this.live.tell("seek", { time: Math.max(t + this.live.take.start, 0) });
  }

  step(frames) {
    this.live.tell("step", { steps: Math.round(frames / (RATE * this.live.facts.dt)) });
  }

  toggle() {
    this.live.tell("pause", { on: this.playing });
  }
}

class Live extends Page {
  constructor(take) {
    super(take);
    this.facts = take.live;
    this.own = take.scene.bones.length + 1; // nodes of the body come first
    this.picker = new Picker(this.shapes());
    this.number = this.ack = this.seen = 0;
    this.t = 0;
    this.held = null;
    this.pulls = [];
    this.ghost = this.aimed = null;
    this.gaps = [];
    this.centre = this.path(0);
    this.path = () => this.centre;
    take.seconds = WINDOW_S;
    take.hz = RATE;
    take.scene.pushes = [];
    this.tables = this.facts.layout.map(([name, columns]) => {
      const table = (take.series[name] ??= {});
      return Object.assign(table, { rows: 0, columns, values: new Float32Array((WINDOW_S * RATE + 1) * columns).fill(NaN) });
    });
    this.panel = new Panel(this);
    this.stick = new Stick(this);
    this.connect();
  }

  playerOf() {
    return new Remote(this);
  }

  connect() {
    const socket = (this.socket = new WebSocket(`ws://${location.host}/socket${location.search}`));
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => (typeof data === "string" ? this.hear(JSON.parse(data)) : this.receive(data));
    socket.onopen = () => this.lost && location.reload(); // the stage may be another one now
    socket.onclose = () => {
      this.lost = true;
      this.panel.note("no connection: trying again", true);
      setTimeout(() => this.connect(), 1000);
    };
  }

  // Ask for something; returns the number of the message.
  tell(what, fields = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) return 0;
    this.socket.send(JSON.stringify({ do: what, id: ++this.number, ...fields }));
    return this.number;
  }

  // A velocity from keys or stick; only what moves on its feet takes it.
  walk(wishes) {
    this.tell("command", { wishes });
  }

  hear(said) {
    if (said.say === "reload") location.reload();
    else if (said.say === "refused") this.panel.note(said.why);
    else if (said.say === "status") this.status = said;
    else if (said.say === "part") this.panel.files.arrived?.(said.have);
    else if (said.say === "shove") {
      const node = this.take.scene.nodes.findIndex((n) => n.name === said.body);
      const push = { node: Math.max(node, 0), body: said.body, force: said.force, start: this.t, duration: said.seconds, offset: [0, 0, 0] };
      this.take.scene.pushes = [...this.take.scene.pushes.slice(-20), push];
    }
  }

  receive(buffer) {
    const head = new DataView(buffer), { facts, poses } = this, before = this.t;
    const flags = head.getUint32(12, true);
    this.ack = head.getUint32(0, true);
    this.seen = head.getUint32(4, true);
    this.step = head.getUint32(8, true);
    this.t = head.getFloat64(16, true);
    [this.oldest, this.newest] = [head.getFloat64(32, true), head.getFloat64(40, true)];
    [this.factor, this.rate] = [head.getFloat32(48, true), head.getFloat32(52, true)];
    [this.player.playing, this.fell, this.over] = [!(flags & 1), Boolean(flags & 4), Boolean(flags & 8)];
    this.clocks(head.getFloat64(24, true));
    const values = new Float32Array(buffer, facts.head), size = 7 * poses.length;
    poses.forEach((pose, k) => pose.set(values.subarray(7 * k, 7 * k + 7)));
    const wide = facts.layout.reduce((sum, [, columns]) => sum + columns, 0);
    this.now = values.subarray(size, size + wide);
    this.pulls = [];
    for (let k = 0; k < facts.pulls; k++) {
      const p = values.subarray(size + wide + 10 * k, size + wide + 10 * k + 10);
      if (Number.isFinite(p[0])) this.pulls.push({ node: p[0], point: [...p.subarray(1, 4)], target: [...p.subarray(4, 7)], force: [...p.subarray(7, 10)] });
    }
    let rest = size + wide + 10 * facts.pulls;
    const part = (on, count) => (on ? Array.from({ length: count }, () => values.subarray(rest, (rest += 7))) : null);
    this.ghost = part(flags & 2, poses.length);
    this.aimed = part(flags & 16, this.own);
    if (this.t < before) this.take.scene.pushes = this.take.scene.pushes.filter((push) => push.start < this.t);
    this.keep();
    this.follow(this.t - before);
    this.touch?.moved();
    this.wake();
  }

  // How old a frame is, beyond the quickest that has come: the clocks of server and page are not the same.
  clocks(made) {
    const now = performance.now() / 1000;
    this.gaps = [...this.gaps.slice(-240), now - made];
    this.age = now - made - Math.min(...this.gaps);
    this.arrivals = [...(this.arrivals ?? []).slice(-60), now];
    this.hz = (this.arrivals.length - 1) / Math.max(now - this.arrivals[0], 1e-3);
  }

  // Put the frame into the tables: one row for each sixtieth of a second of simulated time.
  keep() {
    const { take, tables, now } = this, most = WINDOW_S * RATE + 1;
    let row = Math.round((this.t - take.start) * RATE);
    if (!tables[0].rows || row < 0 || row >= tables[0].rows + most) {
      [take.start, row] = [this.t, 0];
      for (const table of tables) table.rows = 0;
    }
    const late = Math.max(row - most + 1, 0);
    take.start += late / RATE;
    row -= late;
    let at = 0;
    for (const table of tables) {
      const { columns, values } = table, from = now.subarray(at, at + columns);
      if (late) values.copyWithin(0, late * columns);
      for (let k = Math.min(Math.max(table.rows - late, 0), row); k <= row; k++) values.set(from, k * columns);
      table.rows = row + 1;
      at += columns;
    }
    take.frames = row + 1;
    this.player.time = this.t - take.start;
  }

  // The camera goes after the body by time, not by frame.
  follow() {
    const clock = performance.now() / 1000, part = 1 - Math.exp(-(clock - (this.followed ?? clock)) / FOLLOW_S);
    this.followed = clock;
    const com = this.value("com");
    if (!com || !com.every(Number.isFinite)) return;
    const goal = [com[0], com[1], 0.93 * com[2]], far = Math.hypot(...minus(goal, this.centre)) > 3;
    this.centre = add(this.centre, scale(minus(goal, this.centre), far ? 1 : part));
  }

  value(name) {
    let at = 0;
    for (const [known, columns] of this.facts.layout) {
      if (known === name) return this.now?.subarray(at, at + columns);
      at += columns;
    }
  }

  fill() {
    for (const name in this.row) {
      const now = this.value(name);
      if (now) this.row[name] = name === "ground" ? now : [...now];
    }
  }

  support() {
    const row = this.value("support_points"), points = [];
    for (let k = 0; row && k < row.length; k += 3) points.push([row[k], row[k + 1], row[k + 2]]);
    return hull(points);
  }

  draw() {
    if (!this.now) return;
    const clock = performance.now() / 1000;
    if (clock - (this.plotted ?? 0) > 1 / PLOTS_HZ && this.ratio) {
      this.plotted = clock;
      for (const chart of [...this.charts, ...(this.plan ? [this.plan] : [])]) {
        chart.rescale();
        chart.redraw(this.colours, this.ratio);
      }
    }
    super.draw();
    this.drawn = (this.drawn ?? 0) + 1;
  }

  // The life before the last branch, and the pose that is followed.
  ghosts() {
    const { layers, solid } = this, found = [];
    if (this.ghost && layers.ghost) found.push({ poses: this.ghost, colour: solid.a });
    if (this.aimed && layers.reference) found.push({ poses: this.aimed, colour: solid.b });
    return found;
  }

  shows() {
    return true;
  }

  marks(frame, ground, polygon) {
    super.marks(frame, ground, polygon);
    const { overlay, colours } = this;
    if (!this.painter)
      for (const { poses } of this.ghosts()) {
        overlay.pen.globalAlpha = 0.45;
        overlay.bones(this.take.scene, poses.map((p) => [...p]), colours.a, 5);
        overlay.pen.globalAlpha = 1;
      }
    for (const pull of this.pulls) Number.isFinite(pull.target[0]) ? this.spring(pull) : this.hand(pull);
    this.panel.files.marks();
  }

  // A hand that leans: an arrow that ends at its point.
  hand({ point, force }) {
    const n = Math.hypot(...force), tail = add(point, scale(force, -(0.18 + n / 500) / (n || 1)));
    if (n < 1) return;
    this.overlay.arrow(tail, point, this.colours.push, 5, `${Math.round(n)} N`);
    this.overlay.dot(point, this.colours.push, 8);
  }

  // A spring from the point that is held to where it is drawn, and its force beside it.
  spring({ point, target, force }) {
    const { overlay, colours } = this, a = overlay.at(point), b = overlay.at(target), n = Math.hypot(...force);
    if (!a || !b) return;
    const pen = overlay.pen, [x, y] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(x, y) || 1, wide = 5;
    pen.beginPath();
    pen.moveTo(a[0], a[1]);
    for (let k = 1; k < 16; k++) {
      const s = k / 16, w = k % 2 ? wide : -wide;
      pen.lineTo(a[0] + s * x - (w * y) / length, a[1] + s * y + (w * x) / length);
    }
    pen.lineTo(b[0], b[1]);
    pen.strokeStyle = colours.push;
    pen.lineWidth = 1.5 + Math.min(n / 150, 3);
    pen.stroke();
    overlay.dot(point, colours.push, 4);
    overlay.dot(target, colours.push, 6);
    overlay.label(`${Math.round(n)} N`, b[0] + 10, b[1] - 8, colours.push);
  }

  // Where the middle of a part is on the screen, for those who drive the page.
  screen(name) {
    const k = this.take.scene.nodes.findIndex((node) => node.name === name), node = this.take.scene.nodes[k];
    node.middle ??= this.middle(node);
    const box = $("overlay").getBoundingClientRect(), [x, y] = this.overlay.at(place(this.poses[k], node.middle.centre));
    return [box.left + x, box.top + y];
  }

  state() {
    this.panel.state();
  }
}
