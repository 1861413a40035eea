// What the body does, and the few numbers that matter, each with what it does in a line.
const CONDITIONS = [ // name, label, least, most, step, unit, factor from what is shown, what it does
  ["friction", "Friction", 0.05, 1.5, 0.05, "", 1, "of the ground: below 0.3 it is ice"],
  ["strength", "Strength", 0.2, 1.5, 0.05, "×", 1, "part of its torques that the body may use"],
  ["delay", "Delay", 0, 40, 2, "ms", 0.001, "how late its torques act; it does not know"],
];
const WAYS = [["↑", 0, "ahead"], ["←", 90, "to its left"], ["→", -90, "to its right"], ["↓", 180, "back"]];

class Menu {
  constructor(panel, parent) {
    Object.assign(this, { panel, live: panel.live });
    const { facts } = this.live, same = (list) => list.map((name) => [name, name]);
    this.first(element("div", parent, undefined, "choices"), facts);
    this.about = element("p", parent, "", "about");
    this.numbers(element("div", parent, undefined, "sliders told"), facts);
    if (facts.platform) this.ground(element("div", parent, undefined, "choices"));
    const place = element("div", parent, undefined, "choices");
    const scene = panel.select(place, "Scene", same(facts.scenes), facts.scene);
    const body = panel.select(place, "Body", [["", "its own"], ...same(facts.characters)]);
    panel.button(place, "Put on stage", "Build this scene; the present one plays on meanwhile", () => {
      panel.note("building …", true);
      this.live.tell("scene", { name: scene.value, character: body.value });
    });
    this.explain();
  }

  first(parent, facts) {
    const { panel } = this, names = Object.keys(facts.behaviours).filter((name) => name !== "roll");
    const clips = facts.clips.map((name) => [`clip:${name}`, `follow ${name}`]);
    const own = facts.scene in facts.behaviours ? facts.scene : "";
    const options = [...(own ? [] : [["", "its own"]]), ...names.map((name) => [name, name]), ...clips];
    this.name = panel.select(parent, "Behaviour", options, own, () => this.change());
    const ways = element("span", parent, undefined, "ways");
    element("small", ways, "Roll");
    for (const [sign, angle, text] of WAYS) panel.button(ways, sign, `Turn, roll once ${text}, come up and roam on`, () => this.roll(angle));
    this.dodge = this.check(parent, "Dodge balls", "It looks out for balls while it stands, and ducks, blocks or leans away", () => this.look());
  }

  check(parent, label, title, changed) {
    const row = element("label", parent), input = element("input", row);
    row.append(` ${label}`);
    Object.assign(input, { type: "checkbox" });
    row.title = title;
    input.addEventListener("change", () => {
      input.blur();
      changed();
    });
    return input;
  }

  numbers(parent, facts) {
    this.arms = this.panel.slider(parent, ["arms", "Arms", "weight of their pose: light ones swing to balance", -2, 0.3, 0.1, -1, ""], (v) => (10 ** v).toPrecision(2));
    this.arms.addEventListener("change", () => this.change());
    this.inputs = CONDITIONS.map(([name, label, least, most, step, unit, factor, what]) => {
      const input = this.panel.slider(parent, [name, label, what, least, most, step, facts.conditions[name] / factor, unit]);
      input.addEventListener("change", () => this.adjust());
      return { name, input, factor };
    });
    const row = element("div", parent, undefined, "told-check");
    this.angular = this.check(row, "Angular law", "Whether angular momentum is regulated", () => this.change());
    this.angular.checked = true;
    element("small", row, "regulates angular momentum while it stands; off, a shove topples it sooner");
  }

  // Another behaviour takes over, or the same with other numbers, without a restart.
  change(more = {}) {
    const [kind, clip] = this.name.value.startsWith("clip:") ? ["follow", this.name.value.slice(5)] : [this.name.value || "roam", ""];
    if (!this.name.value) this.name.value = "roam";
    this.live.tell("behave", { name: kind, clip, arms: 10 ** Number(this.arms.value), angular: this.angular.checked, dodge: this.dodge.checked, heading: 0, ...more });
    this.explain();
  }

  // In the world's axes from the way that the body faces now.
  roll(angle) {
    const [x, y] = turn(this.live.poses[0], [1, 0, 0]);
    this.change({ name: "roll", clip: "", heading: angle + (Math.atan2(y, x) * 180) / Math.PI });
    this.name.value = "roam";
  }

  look() {
    if (this.name.value === "roam") this.live.tell("command", { wishes: { dodge: this.dodge.checked ? 1 : 0 } });
    else this.change();
  }

  adjust() {
    this.live.tell("adjust", Object.fromEntries(this.inputs.map(({ name, input, factor }) => [name, Number(input.value) * factor])));
  }

  explain() {
    this.about.textContent = this.live.facts.behaviours[this.name.value] ?? "";
  }

  // What another window has set, or a rewind.
  follow(conditions) {
    for (const { name, input, factor } of this.inputs)
      if (document.activeElement !== input && Math.abs(Number(input.value) * factor - conditions[name]) > 1e-6) {
        input.value = conditions[name] / factor;
        input.dispatchEvent(new Event("input"));
      }
  }

  // The platform underfoot: tilt it, or shake it.
  ground(parent) {
    const { live } = this, tilted = { roll: 0, pitch: 0 };
    for (const axis of ["roll", "pitch"]) {
      const input = element("input", element("label", parent, `Tilt (${axis})`));
      Object.assign(input, { type: "range", min: -10, max: 10, step: 1, value: 0, title: "Degrees of the ground" });
      input.addEventListener("change", () => {
        live.tell("ground", { axis, distance: ((Number(input.value) - tilted[axis]) * Math.PI) / 180, seconds: 0.8 });
        tilted[axis] = Number(input.value);
      });
    }
    let side = 1;
    this.panel.button(parent, "Shake", "The ground jumps by 8 cm, forth and back in turn", () => live.tell("ground", { axis: "x", distance: 0.08 * (side = -side), seconds: 0.25 }));
  }
}
