// A stick on the picture, for fingers, and the first gamepad: how fast to walk, and where to turn.
const STICK = 34, PAD_MS = 100, DEAD = 0.15; // [pixels] of its way, time between two looks at a gamepad, slack of its sticks

class Stick {
  constructor(live) {
    this.live = live;
    this.base = element("div", $("view"), undefined, "stick");
    this.knob = element("i", this.base);
    this.base.title = "Walk: push it where to go";
    this.base.addEventListener("pointerdown", (event) => this.press(event));
    this.base.addEventListener("pointermove", (event) => this.held === event.pointerId && this.push(event));
    for (const end of ["pointerup", "pointercancel"]) this.base.addEventListener(end, () => this.rest());
    setInterval(() => this.pad(), PAD_MS);
  }

  press(event) {
    event.preventDefault();
    this.held = event.pointerId;
    this.base.setPointerCapture(event.pointerId);
    this.push(event);
  }

  push(event) {
    const box = this.base.getBoundingClientRect(), x = event.clientX - box.left - box.width / 2, y = event.clientY - box.top - box.height / 2;
    const size = Math.hypot(x, y), part = Math.min(1, STICK / (size || 1));
    this.knob.style.transform = `translate(${x * part}px, ${y * part}px)`;
    this.ask((x * part) / STICK, (-y * part) / STICK);
  }

  rest() {
    if (this.held === undefined) return;
    this.held = undefined;
    this.knob.style.transform = "";
    this.ask(0, 0);
  }

  // Right and ahead, from -1 to 1. To the side it turns; back it goes slowly.
  ask(right, ahead) {
    const speed = this.live.panel.value("walk") * (ahead < 0 ? 0.5 * ahead : ahead), wishes = { speed, side: 0, turn: -40 * right };
    const told = JSON.stringify(wishes), clock = performance.now();
    if (told === this.told || (right || ahead) && clock - (this.asked ?? 0) < 60) return;
    [this.told, this.asked] = [told, clock];
    this.live.walk(wishes);
  }

  pad() {
    const pad = navigator.getGamepads?.().find(Boolean);
    if (!pad || this.held !== undefined) return;
    const firm = (v) => (Math.abs(v) < DEAD ? 0 : v), [x, y] = [firm(pad.axes[0]), firm(-pad.axes[1])];
    if (!x && !y && !this.padded) return;
    this.padded = Boolean(x || y);
    this.ask(x, y);
  }
}
