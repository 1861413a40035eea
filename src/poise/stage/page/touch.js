// Hands: grab and pull, shove, throw, walk, rewind. Mouse, pen, finger and keys.
const STILL = 5, QUICK_MS = 350, HOLD_MS = 500, SEND_MS = 15; // [pixels] that a click may move, its time, that of a hand put on, between two messages
const WALK_KEYS = { w: "ahead", ArrowUp: "ahead", s: "astern", ArrowDown: "astern", a: "left", ArrowLeft: "left", d: "right", ArrowRight: "right", q: "turnLeft", e: "turnRight" };

class Touch {
  constructor(live, canvas) {
    this.live = live;
    this.canvas = canvas;
    this.down = new Set();
    this.pointer = null; // last place of the pointer
    this.sent = 0;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.lift(event));
    canvas.addEventListener("dblclick", (event) => this.go(event));
    addEventListener("keydown", (event) => this.key(event, true));
    addEventListener("keyup", (event) => this.key(event, false));
    addEventListener("blur", () => this.rest());
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  ray(place) {
    return rayAt(this.live.camera, place[0], place[1], this.canvas.clientWidth, this.canvas.clientHeight);
  }

  press(event) {
    const { live } = this;
    if (live.held) return event.stopImmediatePropagation(); // a second finger is for nothing while one pulls
    if (event.button || event.shiftKey || !live.now) return;
    const place = this.at(event), hit = live.picker.hit(this.ray(place), live.poses, live.own);
    if (!hit) return;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.pointer = place;
    if (live.panel.tool === "throw") return this.throw();
    clearTimeout(this.waits);
    this.waits = setTimeout(() => this.lean(), live.panel.tool === "lean" ? 0 : HOLD_MS);
    live.held = { ...hit, id: event.pointerId, name: live.take.scene.nodes[hit.node].name, start: place, place, since: performance.now(), pulling: false };
  }

  move(event) {
    const place = this.at(event), { held } = this.live;
    this.pointer = place;
    if (!held || held.id !== event.pointerId) {
      this.canvas.style.cursor = !event.buttons && this.live.now && this.live.picker.hit(this.ray(place), this.live.poses, this.live.own) ? "pointer" : "";
      return;
    }
    event.stopImmediatePropagation();
    held.place = place;
    if (!held.leaning && Math.hypot(place[0] - held.start[0], place[1] - held.start[1]) > STILL) held.pulling = true;
    this.moved();
  }

  // A hand is put where the pointer rests, and leans on the body: into it, and a little down.
  lean() {
    const { live } = this, { held } = live;
    if (!held || held.pulling || held.leaning) return;
    held.leaning = true;
    const into = add(scale(held.out, -1), [0, 0, -0.35]), size = Math.hypot(...into) || 1;
    live.tell("lean", { body: held.name, force: scale(into, live.panel.value("lean") / size), at: this.local(held) });
  }

  // The point that is held, in the body's own frame.
  local(held) {
    const [anchor, zero] = this.live.facts.frames[held.node];
    return add(anchor, turn(back([0, 0, 0, ...zero]), held.local));
  }

  // The body or the pointer has moved: say where the spring goes now, in the plane of the screen through the point.
  moved() {
    const { live } = this, { held } = live, clock = performance.now();
    if (!held?.pulling || clock - this.sent < SEND_MS) return;
    this.sent = clock;
    const point = place(live.poses[held.node], held.local), to = meet(this.ray(held.place), point, live.camera.axes()[2]);
    if (!to) return;
    to[2] = Math.max(to[2], 0.02);
    live.tell("pull", { body: held.name, to, at: this.local(held), stiffness: live.panel.value("stiffness"), most: live.panel.value("most") });
  }

  lift(event) {
    const { live } = this, { held } = live;
    if (!held || held.id !== event.pointerId) return;
    event.stopImmediatePropagation();
    live.held = null;
    clearTimeout(this.waits);
    if (held.pulling || held.leaning) live.tell("release", { body: held.name });
    else if (event.type === "pointerup" && performance.now() - held.since < QUICK_MS) this.shove(held.name, this.ray(held.place).along);
  }

  // Away from the camera, along the level.
  shove(body, along) {
    const level = Math.hypot(along[0], along[1]) || 1, n = this.live.panel.value("shove");
    const force = [(n * along[0]) / level, (n * along[1]) / level, 0];
    this.live.tell("shove", { body, force, seconds: this.live.panel.value("seconds") });
  }

  // A ball from the camera to what is under the pointer, or to the chest.
  throw() {
    const { live } = this, speed = live.panel.value("ballspeed"), com = live.value("com");
    if (!com || !live.facts.balls.length) return;
    let target = [com[0], com[1], com[2] + 0.2];
    if (this.pointer) {
      const ray = this.ray(this.pointer), hit = live.picker.hit(ray, live.poses, live.own);
      if (hit) target = add(ray.from, scale(ray.along, hit.t));
    }
    const eye = live.camera.eye(), away = minus(eye, target), far = Math.hypot(...away), near = Math.min(far, 4);
    const from = add(target, scale(away, near / far)), time = near / speed;
    from[2] = Math.max(from[2], 0.3);
    const velocity = scale(minus(target, from), 1 / time);
    velocity[2] += 0.5 * 9.81 * time; // so that it arrives there
    live.tell("throw", { place: from, velocity, ball: live.panel.value("ball") });
  }

  // To a place on the floor.
  go(event) {
    const ray = this.ray(this.at(event)), to = meet(ray, [0, 0, 0], [0, 0, 1]);
    event.stopImmediatePropagation();
    if (to && Math.hypot(to[0], to[1]) < 90 && !this.live.picker.hit(ray, this.live.poses, this.live.own)) this.live.tell("command", { wishes: { x: to[0], y: to[1] } });
  }

  key(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    if (event.target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, wish = WALK_KEYS[key], { live } = this;
    const once = { " ": () => live.tell("again"), p: () => live.player.toggle(), r: () => live.player.seek(live.player.time - 1),
      b: () => this.throw(), "[": () => live.panel.files.set(0), "]": () => live.panel.files.set(1), ",": () => live.player.step(-1), ".": () => live.player.step(1) };
    if (!wish && !once[key]) return;
    if (key === " " && event.target.tagName === "BUTTON") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!wish) return down && !(event.repeat && key !== "r") ? once[key]() : undefined;
    if (this.down.has(wish) === down) return;
    down ? this.down.add(wish) : this.down.delete(wish);
    this.walk();
  }

  rest() {
    if (!this.down.size) return;
    this.down.clear();
    this.walk();
  }

  walk() {
    const on = (wish) => (this.down.has(wish) ? 1 : 0), speed = this.live.panel.value("walk");
    const wishes = {
      speed: speed * (on("ahead") - 0.5 * on("astern")), side: 0.25 * (on("left") - on("right")), turn: 35 * (on("turnLeft") - on("turnRight")),
    };
    this.live.walk(wishes);
  }
}
