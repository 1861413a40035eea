// What can be set, in a few cards: hands, behaviour, files. And what there is to say.
const SLIDERS = [ // name, label, what it does, least, most, step, at first, unit
  ["shove", "Shove", "how hard a click shoves", 50, 1000, 10, 250, "N"],
  ["lean", "Lean", "how hard a hand leans where it is held", 10, 300, 10, 80, "N"],
  ["walk", "Walk", "speed of keys and stick", 0.2, 1.2, 0.1, 0.7, "m/s"],
];
const MORE = [
  ["seconds", "Shove for", "how long a shove lasts", 0.05, 0.5, 0.05, 0.1, "s"],
  ["most", "Pull", "the most that a pull may have", 20, 1000, 10, 300, "N"],
  ["stiffness", "Spring", "how stiff the spring of a pull is", 50, 3000, 50, 600, "N/m"],
  ["ballspeed", "Ball", "how fast a ball is thrown", 2, 20, 1, 9, "m/s"],
];
const TOOLS = [
  ["hand", "Hand", "Drag a part to pull it, click it to shove it, hold still to lean on it"],
  ["lean", "Lean", "Press a part: a hand leans on it until it is let go"],
  ["throw", "Throw", "Press a part: a ball is thrown there (B throws one at any time)"],
];

class Panel {
  constructor(live) {
    this.live = live;
    this.inputs = {};
    this.tool = "hand";
    document.body.classList.add("live");
    this.text = element("p", $("view"), "", "note");
    this.hands(this.card("Hands"));
    this.menu = new Menu(this, this.card("Behaviour"));
    this.files = new Files(this, this.card("Record, take away, bring"));
    $("speed").title = "Speed: slow motion, real time, faster";
    element("option", $("speed"), "4×").value = "4";
    document.querySelector("footer").lastElementChild.innerHTML =
      "<b>drag</b> a part to pull it, <b>click</b> it to shove it, <b>hold</b> it to lean on it, <b>double-click</b> the floor to walk there; <kbd>WASD</kbd> walk <kbd>Q</kbd><kbd>E</kbd> turn <kbd>B</kbd> ball " +
      "<kbd>P</kbd> pause <kbd>,</kbd><kbd>.</kbd> frame <kbd>R</kbd> back <kbd>[</kbd><kbd>]</kbd> mark <kbd>space</kbd> start again <kbd>1</kbd>–<kbd>4</kbd> views";
  }

  card(title) {
    const card = element("div", $("left"), undefined, "card hands");
    $("left").insertBefore(card, $("events"));
    element("h2", card, title);
    return card;
  }

  value(name) {
    return Number(this.inputs[name].value);
  }

  slider(parent, [name, label, what, min, max, step, at, unit], said = (v) => v) {
    const row = element("label", parent, undefined, "slider"), input = (this.inputs[name] = element("input", row));
    row.prepend(label);
    row.title = what;
    Object.assign(input, { type: "range", min, max, step });
    input.value = at;
    const shown = element("output", row), show = () => (shown.textContent = `${said(Number(input.value))} ${unit}`);
    element("small", row, what);
    input.addEventListener("input", show);
    input.addEventListener("change", () => input.blur());
    show();
    return input;
  }

  hands(card) {
    const tools = element("div", card, undefined, "choices"), group = element("span", tools, undefined, "tools");
    this.tools = TOOLS.map(([name, label, title]) => {
      const button = this.button(group, label, title, () => this.take(name));
      button.setAttribute("aria-pressed", name === this.tool);
      return { name, button };
    });
    const balls = this.live.facts.balls.map((kg, k) => [k, `${kg} kg`]);
    this.inputs.ball = this.select(tools, "Ball", balls.length ? balls : [[0, "none"]]);
    this.button(tools, "Throw one", "From the camera to what is under the pointer (B)", () => this.live.touch.throw()).disabled = !balls.length;
    const sliders = element("div", card, undefined, "sliders told");
    for (const row of SLIDERS) this.slider(sliders, row);
    const more = element("details", card), box = (element("summary", more, "more"), element("div", more, undefined, "sliders told"));
    for (const row of MORE) this.slider(box, row);
  }

  take(tool) {
    this.tool = tool;
    for (const { name, button } of this.tools) button.setAttribute("aria-pressed", name === tool);
  }

  select(parent, label, options, chosen, changed) {
    const row = element("label", parent, label), box = element("select", row);
    for (const [value, text] of options) element("option", box, text).value = value;
    if (chosen !== undefined) box.value = chosen;
    box.addEventListener("change", () => {
      box.blur(); // keys are for walking again
      changed?.(box.value);
    });
    return box;
  }

  button(parent, label, title, act) {
    const made = element("button", parent, label);
    Object.assign(made, { type: "button", title });
    made.addEventListener("click", act);
    return made;
  }

  // Words over the picture; they go by themselves unless they stay.
  note(text, stays = false) {
    this.text.textContent = text;
    clearTimeout(this.timer);
    if (text && !stays) this.timer = setTimeout(() => (this.text.textContent = ""), 6000);
  }

  state() {
    const { live } = this, { take, player } = live, scrub = $("scrub"), clock = performance.now();
    scrub.min = live.oldest - take.start;
    scrub.max = live.newest - take.start;
    if (document.activeElement !== scrub || player.playing) scrub.value = player.time;
    $("play").textContent = player.playing ? "❚❚" : "▶";
    $("clock").textContent = `${live.t.toFixed(2)} s `;
    element("small", $("clock"), `/ ${live.newest.toFixed(2)}`);
    if (clock - (this.told ?? 0) < 250) return;
    this.told = clock;
    $("facts").replaceChildren();
    for (const fact of this.facts()) if (fact) element("span", $("facts"), fact);
    if (live.status?.conditions) this.menu.follow(live.status.conditions);
  }

  facts() {
    const { live } = this, { player } = live, { word = "", limits = [], failures, spin } = live.status ?? {}, force = live.value("contact_force");
    const rate = live.rate === 1 ? "" : `${live.rate.toFixed(2)} × `;
    return [
      live.over ? "at its end" : word, spin ? `${spin}: ${spin === "ZS" ? "zero" : "non-zero"} spin` : "", limits.length ? `limit: ${limits.join(", ")}` : "",
      failures ? `failed solves: ${failures}` : "", player.playing ? `${live.factor.toFixed(2)} of ${rate}real time` : "paused",
      `${live.hz.toFixed(0)} frames/s`, `frame age ${(1000 * live.age).toFixed(0)} ms`, force ? `${Math.round(Math.hypot(...force))} N on the ground` : "",
    ];
  }
}
