// The page: reads the take, builds what is on it, and draws when something has changed.
const $ = (id) => document.getElementById(id);
const VIEWS = [["Three-quarter", 0.98, 0.19], ["Front", 0, 0.08], ["Side", Math.PI / 2, 0.08], ["Above", Math.PI / 2, 1.55]];
const LAYERS = [
  ["body", "Body", "ink", true], ["bones", "Bones", "accent", false], ["com", "CM", "com", true], ["cp", "CP and CMP", "cp", true],
  ["force", "Ground force", "force", true], ["support", "Support", "sole", true],
  ["xi", "ξ and footfall", "a", false], ["reference", "Reference", "b", false], ["ghost", "Other life", "a", true], ["trail", "Trail", "soft", true],
  ["follow", "Follow", "soft", true],
];

class Page extends Marks {
  constructor(take) {
    super();
    this.take = take;
    this.player = this.playerOf(take);
    this.path = smoothPath(take);
    this.camera = new Camera(1.25 * (reach(this.take, this.path) + 0.15) / Math.tan(0.315));
    this.overlay = new Overlay($("overlay"), this.camera);
    this.layers = Object.fromEntries(LAYERS.map(([name, , , on]) => [name, on]));
    this.poses = this.take.scene.nodes.map(() => new Float32Array(7));
    this.row = { ground: new Float32Array(7), com: [], cp: [], cmp: [], contact_force: [], support_points: [], xi: [], footprint: [], capture: [] };
    try {
      this.painter = new Painter($("solid"), this.take.scene);
    } catch (error) {
      this.painter = null; // bones only
      this.take.notes.push(`bones only: ${error.message}`);
    }
    this.head();
    this.body();
    this.controls();
    this.gestures();
    this.keys();
    this.theme(this.wanted());
    const asked = /[#&]t=([\d.]+)/.exec(location.hash); // page.html#t=1.5 opens at that time
    if (asked) this.player.seek(Number(asked[1]) - this.take.start);
    new ResizeObserver(() => this.resized()).observe(document.querySelector("main"));
  }

  playerOf(take) {
    return new Player(take, () => this.wake());
  }

  head() {
    $("title").textContent = this.take.title;
    this.take.facts.forEach((fact, k) => {
      if (k) $("facts").append(" · ");
      element("span", $("facts"), fact, fact.startsWith("fell") ? "bad" : "");
    });
    for (const table of this.take.tables) {
      const card = element("div", $("tables"), undefined, "card");
      element("h2", card, table.title);
      const body = element("tbody", element("table", card));
      for (const cells of table.rows) {
        const row = element("tr", body);
        for (const cell of cells) element("td", row, cell);
      }
    }
    if (this.take.notes.length) {
      const card = element("div", $("tables"), undefined, "card");
      element("h2", card, "Notes");
      const list = element("ul", card);
      for (const note of this.take.notes) element("li", list, note);
    }
  }

  body() {
    const seek = (t) => this.player.seek(t);
    this.charts = this.take.charts.map((chart) => new Chart($("charts"), chart, this.take, seek));
    if (this.take.series.com || this.take.series.cp) {
      this.plan = new Plan($("charts"), this.take);
      $("charts").prepend($("charts").lastElementChild);
    }
    const { events, seconds, start } = this.take;
    $("events").hidden = !events.length;
    this.events = events.map((event) => {
      const item = element("li", $("events").querySelector("ol")), button = element("button", item);
      button.type = "button";
      element("time", button, `${event.time.toFixed(2)} s`);
      element("span", button, event.text);
      element("em", button, event.more);
      button.addEventListener("click", () => seek(event.time - start));
      const span = element("div", $("spans"), undefined, event.end === null ? "fall" : "");
      span.style.left = `${(100 * (event.time - start)) / (seconds || 1)}%`;
      if (event.end !== null) span.style.width = `${(100 * (event.end - event.time)) / (seconds || 1)}%`;
      return { ...event, item };
    });
  }

  controls() {
    VIEWS.forEach(([name, side, above], k) => {
      const button = element("button", $("views"), name);
      button.title = `${name} (${k + 1})`;
      button.addEventListener("click", () => this.view(k));
    });
    for (const [name, label, colour] of LAYERS) {
      if (!this.shows(name)) continue;
      const button = element("button", $("layers"), label);
      button.type = "button";
      button.style.setProperty("--dot", `var(--${colour})`);
      button.setAttribute("aria-pressed", this.layers[name]);
      button.addEventListener("click", () => {
        this.layers[name] = !this.layers[name];
        button.setAttribute("aria-pressed", this.layers[name]);
        this.wake();
      });
    }
    const player = this.player;
    $("scrub").max = this.take.seconds;
    $("scrub").addEventListener("input", () => player.seek(Number($("scrub").value)));
    $("play").addEventListener("click", () => player.toggle());
    $("back").addEventListener("click", () => player.step(-1));
    $("forth").addEventListener("click", () => player.step(1));
    $("speed").addEventListener("change", () => (player.speed = Number($("speed").value)));
    $("loop").addEventListener("change", () => (player.loop = $("loop").checked));
    $("theme").addEventListener("click", () => this.theme(this.shade === "dark" ? "light" : "dark", true));
  }

  // Whether a layer has something to show.
  shows(name) {
    const { scene, series } = this.take;
    return ["reference", "ghost"].includes(name) ? Boolean(scene[name]) : name === "xi" ? Boolean(series.xi || series.capture) : true;
  }

  view(k) {
    this.camera.reset();
    this.camera.look(VIEWS[k][1], VIEWS[k][2]);
    this.wake();
  }

  gestures() {
    const canvas = $("overlay"), held = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => held.delete(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY], [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        this.camera.zoom(apart(before) / apart(now));
        this.camera.pan(dx / 2, dy / 2, canvas.clientHeight);
      } else if (event.shiftKey || event.buttons & 6) this.camera.pan(dx, dy, canvas.clientHeight);
      else this.camera.orbit(dx, dy);
      held.set(event.pointerId, now);
      this.wake();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.camera.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) * 0.0012));
      this.wake();
    }, { passive: false });
    canvas.addEventListener("dblclick", () => this.view(0));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  keys() {
    const player = this.player, tenth = () => Math.round(this.take.hz / 10);
    const speed = (by) => {
      const box = $("speed"), k = Math.min(Math.max(box.selectedIndex + by, 0), box.options.length - 1);
      box.selectedIndex = k;
      player.speed = Number(box.value);
    };
    const actions = {
      " ": () => player.toggle(), k: () => player.toggle(),
      ArrowLeft: (far) => player.step(far ? -tenth() : -1), ArrowRight: (far) => player.step(far ? tenth() : 1),
      Home: () => player.seek(0), End: () => player.seek(this.take.seconds),
      "+": () => speed(1), "=": () => speed(1), "-": () => speed(-1),
      l: () => $("loop").click(), t: () => $("theme").click(),
    };
    VIEWS.forEach((_, k) => (actions[k + 1] = () => this.view(k)));
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
      if (event.key === " " && event.target.tagName === "BUTTON" && event.target.id !== "play") return;
      const act = actions[event.key] ?? actions[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act(event.shiftKey);
    });
  }

  wanted() {
    try {
      const kept = localStorage.getItem("poise-theme");
      if (kept) return kept;
    } catch { /* a page from disk may not be allowed to remember */ }
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  theme(shade, keep = false) {
    this.shade = document.documentElement.dataset.theme = shade;
    try {
      if (keep) localStorage.setItem("poise-theme", shade);
    } catch { /* not allowed to remember */ }
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const light = (name) => [1, 3, 5].map((i) => parseInt(colour(name).slice(i, i + 2), 16) / 255);
    this.colours = Object.fromEntries(
      ["ink", "soft", "line", "card", "accent", "x", "y", "z", "com", "cp", "cmp", "a", "b", "push", "force", "sole"].map((name) => [name, colour(name)]),
    );
    this.solid = { tileA: light("tile-a"), tileB: light("tile-b"), sole: light("sole"), a: light("a"), b: light("b"), shadow: Number(colour("shadow")) };
    this.overlay.paper = colour("card");
    this.resized();
  }

  resized() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    fit($("solid"), ratio);
    fit($("overlay"), ratio);
    for (const chart of [...this.charts, ...(this.plan ? [this.plan] : [])]) chart.redraw(this.colours, ratio);
    this.ratio = ratio;
    if (this.placed) this.draw(); // a canvas that changed its size is empty
    else this.wake();
  }

  // Draw before the next picture of the screen, however many changes there are until then.
  wake() {
    if (this.waiting || !this.colours) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const { take, player, colours, layers } = this, frame = player.frame;
    this.fill(frame);
    const centre = this.path(Math.min(frame, take.frames - 1));
    if (layers.follow || !this.placed) this.camera.centre = centre;
    this.placed = true;
    const ground = take.series.ground ? this.row.ground : [...(take.scene.floor?.position ?? [0, 0, 0]), ...(take.scene.floor?.rotation ?? [1, 0, 0, 0])];
    const polygon = this.support(frame);
    if (this.painter) this.painter.draw(this.camera, this.poses, ground, polygon, this.solid, layers, this.ghosts());
    this.marks(frame, ground, polygon);
    for (const chart of this.charts) chart.show(frame, colours);
    if (this.plan) this.plan.show(frame, colours, polygon);
    this.state();
  }

  // Bodies that are not there: poses of the joints, and a colour.
  ghosts() {
    const { scene } = this.take, found = [];
    for (const [name, colour] of [["reference", "b"], ["ghost", "a"]]) {
      const { poses, hz } = (this.layers[name] && scene[name]) || { poses: [] };
      const now = poses.map((table) => poseAt(table, this.player.time * hz, new Float32Array(7)));
      if (now.length && Number.isFinite(now[0][0])) found.push({ poses: now, colour: this.solid[colour] });
    }
    return found;
  }

  // Where everything is at a frame, into `poses` and `row`.
  fill(frame) {
    this.take.scene.nodes.forEach((node, k) => poseAt(node.pose, frame, this.poses[k]));
    for (const name in this.row) if (this.take.series[name]) rowAt(this.take.series[name], frame, this.row[name]);
  }

  // Soles touch or they do not: the support is that of the nearest frame, not of a mixture.
  support(frame) {
    const table = this.take.series.support_points;
    if (!table) return null;
    const row = rowAt(table, Math.round(frame), this.row.support_points), points = [];
    for (let k = 0; k < row.length; k += 3) points.push([row[k], row[k + 1], row[k + 2]]);
    return hull(points);
  }

  state() {
    const { player, take } = this;
    if (document.activeElement !== $("scrub") || player.playing) $("scrub").value = player.time;
    $("play").textContent = player.playing ? "❚❚" : "▶";
    $("clock").textContent = `${(player.time + take.start).toFixed(2)} s `;
    element("small", $("clock"), `/ ${(take.seconds + take.start).toFixed(2)}`);
    const t = player.time + take.start;
    for (const event of this.events) event.item.className = t >= event.time && t <= (event.end ?? event.time) + FADE ? "now" : "";
  }
}
