// What can be set: strength of hands, behaviour, scene, files in and out. And what there is to say.
const SLIDERS = [ // name, label, what it does, least, most, step, at first, unit
  ["shove", "Shove", "how hard a click shoves", 50, 1000, 10, 250, "N"],
  ["seconds", "for", "how long a shove lasts", 0.05, 0.5, 0.05, 0.1, "s"],
  ["most", "Pull", "the most that a pull may have", 20, 1000, 10, 300, "N"],
  ["stiffness", "spring", "how stiff the spring of a pull is", 50, 3000, 50, 600, "N/m"],
  ["walk", "Walk", "speed of the keys", 0.2, 1.2, 0.1, 0.7, "m/s"],
  ["ballspeed", "Ball", "how fast a ball is thrown", 2, 20, 1, 9, "m/s"],
];
const FILES = ["bvh", "glb", "html", "npz", "csv", "mp4"], PART = 36000; // bytes of a file in one message

class Panel {
  constructor(live) {
    this.live = live;
    this.inputs = {};
    document.body.classList.add("live");
    const card = element("div", $("tables"), undefined, "card hands");
    $("left").insertBefore(card, $("events"));
    this.text = element("p", $("view"), "", "note");
    this.hands(element("div", card, undefined, "sliders"));
    this.choices(element("div", card, undefined, "choices"));
    this.away(element("div", card, undefined, "choices"));
    this.drop();
    $("speed").title = "Speed: slow motion, real time, faster";
    for (const [value, label] of [["4", "4×"]]) element("option", $("speed"), label).value = value;
    document.querySelector("footer").lastElementChild.innerHTML =
      "<b>drag</b> a part to pull it, <b>click</b> it to shove it, <b>double-click</b> the floor to walk there; <kbd>WASD</kbd> walk <kbd>Q</kbd><kbd>E</kbd> turn <kbd>B</kbd> ball " +
      "<kbd>P</kbd> pause <kbd>,</kbd><kbd>.</kbd> frame <kbd>R</kbd> back <kbd>space</kbd> start again <kbd>1</kbd>–<kbd>4</kbd> views";
  }

  value(name) {
    return Number(this.inputs[name].value);
  }

  hands(parent) {
    for (const [name, label, what, min, max, step, at, unit] of SLIDERS) {
      const row = element("label", parent, label);
      row.title = what;
      const input = (this.inputs[name] = element("input", row));
      Object.assign(input, { type: "range", min, max, step });
      input.value = at;
      const shown = element("output", row), show = () => (shown.textContent = `${input.value} ${unit}`);
      input.addEventListener("input", show);
      show();
    }
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

  choices(parent) {
    const { live } = this, { facts } = live, same = (list) => list.map((name) => [name, name]);
    const balls = facts.balls.map((kg, k) => [k, `${kg} kg`]);
    this.inputs.ball = this.select(parent, "Ball", balls.length ? balls : [[0, "none"]]);
    this.button(parent, "Throw", "From the camera to what is under the pointer (B)", () => live.touch.throw()).disabled = !balls.length;
    if (facts.upright) this.behaviours(parent, same(facts.behaviours));
    if (facts.platform) this.ground(parent);
    const scene = this.select(parent, "Scene", same(facts.scenes), facts.scene);
    const body = this.select(parent, "Body", [["", "its own"], ...same(facts.characters)]);
    this.button(parent, "Put on stage", "Build this scene; the present one plays on meanwhile", () => {
      this.note("building …", true);
      live.tell("scene", { name: scene.value, character: body.value });
    });
  }

  // Another behaviour takes over, or the same with other numbers, without a restart.
  behaviours(parent, names) {
    const { live } = this, change = () => live.tell("behave", { name: name.value, arms: Number(arms.value), angular: law.value === "on" });
    const chosen = live.facts.behaviours.includes(live.facts.scene) ? live.facts.scene : "stand";
    const name = this.select(parent, "Behaviour", names, chosen, change);
    const arms = this.select(parent, "Arms", [["0.02", "free"], ["0.1", "usual"], ["1", "stiff"]], "0.1", change);
    arms.title = "How firmly the arms keep their pose: free ones swing to balance";
    const law = this.select(parent, "Angular", [["on", "on"], ["off", "off"]], "on", change);
    law.title = "Whether angular momentum is regulated; without it a shove topples sooner (not while roaming)";
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
    this.button(parent, "Shake", "The ground jumps by 8 cm, forth and back in turn", () => live.tell("ground", { axis: "x", distance: 0.08 * (side = -side), seconds: 0.25 }));
  }

  away(parent) {
    const last = this.select(parent, "Take away the last", [5, 10, 30, 60].map((s) => [s, `${s} s`]), 10);
    for (const ending of FILES) {
      const act = () => {
        const link = document.createElement("a"), token = new URLSearchParams(location.search).get("token");
        link.href = `/take.${ending}?last=${last.value}${token ? `&token=${encodeURIComponent(token)}` : ""}`;
        link.download = "";
        link.click();
      };
      this.button(parent, ending.toUpperCase(), `Download the last seconds as .${ending}`, act);
    }
    this.button(parent, "Command", "Copy the command line that has the same scene and shoves", async () => {
      const line = await (await fetch(`/take.txt${location.search}`)).text();
      await navigator.clipboard?.writeText(line).catch(() => {});
      this.note(line);
    });
    const file = element("input", parent);
    Object.assign(file, { type: "file", accept: ".bvh", hidden: true });
    file.addEventListener("change", () => file.files[0] && this.bring(file.files[0]));
    this.button(parent, "Bring a BVH", "Or drop it on the page: its skeleton becomes a body that follows it", () => file.click());
  }

  drop() {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.bring(file);
    });
  }

  // A file goes up in parts, the next one when the last has arrived.
  async bring(file) {
    const { live } = this, all = new Uint8Array(await file.arrayBuffer());
    live.tell("bring", { name: file.name.slice(-100), size: all.length });
    for (let at = 0; at < all.length; at += PART) {
      const part = all.subarray(at, at + PART), got = new Promise((done) => (this.arrived = done));
      live.tell("part", { data: btoa(Array.from(part, (b) => String.fromCharCode(b)).join("")) });
      this.note(`bringing ${file.name}: ${Math.round((100 * at) / all.length)} %`, true);
      if (await Promise.race([got, new Promise((done) => setTimeout(() => done(null), 10000))]) === null) return this.note("the file did not arrive");
    }
    this.note("reading the file and making a body of its skeleton …", true);
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
    const force = live.value("contact_force");
    const { word, limits = [], failures } = live.status ?? {};
    for (const fact of [live.over ? "at its end" : live.fell ? "has fallen" : word ?? "", limits.length ? `limit: ${limits.join(", ")}` : "", failures ? `failed solves: ${failures}` : "",
      !player.playing ? "paused" : `${live.factor.toFixed(2)} of ${live.rate === 1 ? "" : `${live.rate.toFixed(2)} × `}real time`,
      `${live.hz.toFixed(0)} frames/s`, `frame age ${(1000 * live.age).toFixed(0)} ms`, force ? `${Math.round(Math.hypot(...force))} N on the ground` : ""])
      if (fact) element("span", $("facts"), fact);
  }
}
