// Files out and in: record, mark a part, download, the command line; drop a motion or a body.
const FILES = ["bvh", "glb", "html", "npz", "csv", "mp4"], PART = 36000; // bytes of a file in one message
const TAKEN = ".bvh,.xml,.mjcf,.urdf";

class Files {
  constructor(panel, parent) {
    Object.assign(this, { panel, live: panel.live, part: [null, null] });
    this.span = element("div", $("spans"), undefined, "marked");
    const first = element("div", parent, undefined, "choices");
    this.rec = panel.button(first, "● Record", "Mark from now until stopped", () => this.record());
    panel.button(first, "[ from here", "The marked part begins at the time shown ([)", () => this.set(0));
    panel.button(first, "to here ]", "The marked part ends at the time shown (])", () => this.set(1));
    this.shown = element("span", first, "", "part");
    const second = element("div", parent, undefined, "choices");
    this.last = panel.select(second, "Take", [["part", "the marked part"], ...[5, 10, 30, 60].map((s) => [s, `the last ${s} s`])], 10);
    for (const ending of FILES) panel.button(second, ending.toUpperCase(), `Download as .${ending}`, () => this.fetch(ending));
    panel.button(second, "Command", "Copy the command line that has the same scene and shoves", async () => {
      const line = await (await fetch(`/take.txt${location.search}`)).text();
      await navigator.clipboard?.writeText(line).catch(() => {});
      panel.note(line);
    });
    const file = element("input", second);
    Object.assign(file, { type: "file", accept: TAKEN, hidden: true });
    file.addEventListener("change", () => file.files[0] && this.bring(file.files[0]));
    panel.button(second, "Bring a file", "BVH, MJCF or URDF; or drop it on the page: it is read, reported and put on the stage", () => file.click());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped) this.bring(dropped);
    });
  }

  record() {
    this.recording = !this.recording;
    this.part = this.recording ? [this.live.t, null] : [this.part[0], this.live.t];
    this.rec.textContent = this.recording ? "■ Stop" : "● Record";
    this.rec.classList.toggle("on", this.recording);
    if (!this.recording) this.last.value = "part";
    this.marks();
  }

  set(end) {
    this.part[end] = this.live.t;
    const [a, b] = this.part;
    if (a !== null && b !== null && b < a) this.part[1 - end] = null;
    if (this.part.every((t) => t !== null)) this.last.value = "part";
    this.marks();
  }

  // The marked part on the time line.
  marks() {
    const { live } = this, [a, b] = this.part, wide = live.newest - live.oldest || 1, end = b ?? (this.recording ? live.t : a);
    this.span.hidden = a === null && b === null;
    if (this.span.hidden) return;
    const left = (100 * ((a ?? b) - live.oldest)) / wide, right = (100 * (end - live.oldest)) / wide;
    this.span.style.left = `${Math.max(left, 0)}%`;
    this.span.style.width = `${Math.max(right - Math.max(left, 0), 0.4)}%`;
    const text = `${a === null ? "…" : a.toFixed(2)} – ${b === null ? (this.recording ? "now" : "…") : b.toFixed(2)} s`;
    if (this.shown.textContent !== text) this.shown.textContent = text;
  }

  query() {
    const [a, b] = this.part;
    if (this.last.value !== "part") return `last=${this.last.value}`;
    return a === null ? null : `from=${a}&to=${b ?? this.live.t}`;
  }

  fetch(ending) {
    const link = document.createElement("a"), token = new URLSearchParams(location.search).get("token"), query = this.query();
    if (!query) return this.panel.note("mark a part first: Record, or [ and ]");
    link.href = `/take.${ending}?${query}${token ? `&token=${encodeURIComponent(token)}` : ""}`;
    link.download = "";
    link.click();
    if (ending === "mp4") this.panel.note("drawing the film: some seconds without a graphics card");
  }

  // A file goes up in parts, the next one when the last has arrived.
  async bring(file) {
    const { live, panel } = this, all = new Uint8Array(await file.arrayBuffer());
    live.tell("bring", { name: file.name.slice(-100), size: all.length });
    for (let at = 0; at < all.length; at += PART) {
      const part = all.subarray(at, at + PART), got = new Promise((done) => (this.arrived = done));
      live.tell("part", { data: btoa(Array.from(part, (b) => String.fromCharCode(b)).join("")) });
      panel.note(`bringing ${file.name}: ${Math.round((100 * at) / all.length)} %`, true);
      if (await Promise.race([got, new Promise((done) => setTimeout(() => done(null), 10000))]) === null) return panel.note("the file did not arrive");
    }
    panel.note("reading the file and making a body of it …", true);
  }
}
