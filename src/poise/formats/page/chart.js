// Plots over time with a cursor, and a plan from above. Each keeps its still part as a picture and draws the cursor on it.
const MARGIN = { left: 46, right: 10, top: 8, bottom: 20 };

// A number as text: a real minus sign, and no minus before zero.
function fixed(v, digits) {
  const text = v.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

function element(kind, parent, text, className) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

// Round numbers between two limits, about `count` of them.
function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((s) => s * power).find((s) => s >= rough * 0.999);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0));
  const out = [];
  for (let v = Math.ceil(low / step - 1e-6) * step; v <= high + step * 1e-6; v += step) out.push([v, fixed(v, digits)]);
  return out;
}

// Limits that hold nearly all values: the spike of an impact may leave the plot.
function limits(lines, least) {
  let low = Infinity, high = -Infinity;
  for (const { table, column } of lines) {
    const known = [];
    for (let i = 0; i < table.rows; i++) {
      const v = table.values[i * table.columns + column];
      if (Number.isFinite(v)) known.push(v);
    }
    if (!known.length) continue;
    known.sort((a, b) => a - b);
    const cut = Math.floor(known.length * 0.003);
    low = Math.min(low, known[cut]);
    high = Math.max(high, known[known.length - 1 - cut]);
  }
  if (low > high) [low, high] = [0, 1];
  const room = Math.max(0.08 * (high - low), 0.5 * (least - (high - low)), 1e-9);
  return [low - room, high + room];
}

function fit(canvas, ratio) {
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width === width && canvas.height === height) return false;
  [canvas.width, canvas.height] = [width, height];
  return true;
}

class Chart {
  constructor(parent, chart, take, seek) {
    this.take = take;
    this.lines = chart.lines.map((line) => ({ ...line, table: take.series[line.series] }));
    this.least = chart.unit === "m" ? 0.02 : chart.unit === "N" ? 10 : 0.1;
    [this.low, this.high] = limits(this.lines, this.least);
    const card = element("div", parent, undefined, "card chart");
    element("small", element("h2", card, chart.title), chart.unit === "1" ? "" : chart.unit);
    const legend = element("div", card, undefined, "legend");
    for (const line of this.lines) {
      const label = element("span", legend, `${line.label} `);
      label.style.setProperty("--dot", `var(--${line.colour})`);
      line.value = element("b", label);
    }
    this.canvas = element("canvas", card);
    this.still = document.createElement("canvas");
    this.listen(seek);
  }

  // New limits for lines that have grown.
  rescale() {
    [this.low, this.high] = limits(this.lines, this.least);
  }

  listen(seek) {
    const go = (event) => {
      const box = this.canvas.getBoundingClientRect(), inner = box.width - MARGIN.left - MARGIN.right;
      seek(((event.clientX - box.left - MARGIN.left) / inner) * this.take.seconds);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons && go(event));
  }

  x(t) {
    return MARGIN.left + (t / (this.take.seconds || 1)) * (this.width - MARGIN.left - MARGIN.right);
  }

  y(v) {
    return MARGIN.top + ((this.high - v) / (this.high - this.low)) * (this.height - MARGIN.top - MARGIN.bottom);
  }

  // Draw axes and lines once for this size and these colours.
  redraw(colours, ratio) {
    fit(this.canvas, ratio);
    [this.still.width, this.still.height, this.ratio] = [this.canvas.width, this.canvas.height, ratio];
    [this.width, this.height] = [this.still.width / ratio, this.still.height / ratio];
    const pen = this.still.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    this.frame(pen, colours);
    pen.save();
    pen.beginPath();
    pen.rect(MARGIN.left, MARGIN.top - 2, this.width - MARGIN.left - MARGIN.right, this.height - MARGIN.top - MARGIN.bottom + 4);
    pen.clip();
    this.lines.forEach((line, k) => this.curve(pen, line, colours[line.colour], line.colour === "cmp" ? 2.6 : 1.6, k));
    pen.restore();
  }

  frame(pen, colours) {
    const bottom = this.height - MARGIN.bottom;
    pen.fillStyle = colours.push + "2b";
    for (const push of this.take.scene.pushes) {
      const a = this.x(push.start - this.take.start), b = this.x(push.start + push.duration - this.take.start);
      pen.fillRect(a, MARGIN.top, Math.max(b - a, 1.5), bottom - MARGIN.top);
    }
    pen.font = "11px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const [v, text] of ticks(this.low, this.high, 4)) {
      pen.fillStyle = pen.strokeStyle = colours.line;
      pen.fillRect(MARGIN.left, Math.round(this.y(v)), this.width - MARGIN.left - MARGIN.right, 1);
      pen.fillStyle = colours.soft;
      pen.fillText(text, MARGIN.left - 6, this.y(v) + 4);
    }
    pen.textAlign = "center";
    for (const [t, text] of ticks(0, this.take.seconds || 1, Math.max(2, this.width / 90)))
      pen.fillText(t === 0 ? "0 s" : text, this.x(t), this.height - 5);
    if (this.take.fall !== null) {
      pen.fillStyle = colours.ink;
      for (let y = MARGIN.top; y < bottom; y += 6) pen.fillRect(this.x(this.take.fall - this.take.start), y, 1, 3);
    }
  }

  curve(pen, { table, column }, colour, width) {
    let drawing = false;
    pen.beginPath();
    for (let i = 0; i < table.rows; i++) {
      const v = table.values[i * table.columns + column];
      if (!Number.isFinite(v)) drawing = false;
      else {
        const [x, y] = [this.x(i / this.take.hz), this.y(v)];
        drawing ? pen.lineTo(x, y) : pen.moveTo(x, y);
        drawing = true;
      }
    }
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.stroke();
  }

  // A value with as many digits as the height of the plot can tell apart.
  said(v) {
    if (!Number.isFinite(v)) return "–";
    return fixed(v, Math.max(0, 3 - Math.ceil(Math.log10(this.high - this.low + 1e-9))));
  }

  show(frame, colours) {
    const pen = this.canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const x = this.x(frame / this.take.hz);
    pen.fillStyle = colours.ink;
    pen.globalAlpha = 0.7;
    pen.fillRect(x - 0.5, MARGIN.top, 1, this.height - MARGIN.top - MARGIN.bottom);
    pen.globalAlpha = 1;
    for (const line of this.lines) {
      const v = rowAt(line.table, frame, [])[line.column];
      const shown = this.said(v);
      if (line.value.textContent !== shown) line.value.textContent = shown;
      if (!Number.isFinite(v) || v < this.low || v > this.high) continue;
      pen.beginPath();
      pen.arc(x, this.y(v), 3, 0, 7);
      pen.fillStyle = colours[line.colour];
      pen.fill();
    }
  }
}

// The ground from above: forward is up. Paths of CM, CP and CMP, and the support at the cursor.
class Plan {
  constructor(parent, take) {
    this.take = take;
    this.points = ["cmp", "cp", "com"].filter((name) => take.series[name]);
    const card = element("div", parent, undefined, "card chart plan");
    element("small", element("h2", card, "From above"), "m, forward is up");
    const legend = element("div", card, undefined, "legend");
    for (const [name, label] of [["com", "CM"], ["cp", "CP"], ["cmp", "CMP"], ["sole", "support"]])
      if (name === "sole" || take.series[name]) element("span", legend, label).style.setProperty("--dot", `var(--${name})`);
    this.canvas = element("canvas", card);
    this.still = document.createElement("canvas");
    this.rescale();
  }

  rescale() {
    const { take } = this, lines = (column) => ["com", "cp"].filter((n) => take.series[n]).map((n) => ({ table: take.series[n], column }));
    const corners = take.series.support_points;
    this.box = [0, 1].map((column) => {
      const feet = corners ? Array.from({ length: corners.columns / 3 }, (_, k) => ({ table: corners, column: 3 * k + column })) : [];
      return limits([...lines(column), ...feet], 0.3);
    });
  }

  xy(p) {
    const [[x0, x1], [y0, y1]] = this.box, size = Math.min(this.width / (y1 - y0), this.height / (x1 - x0));
    return [this.width / 2 - (p[1] - (y0 + y1) / 2) * size, this.height / 2 - (p[0] - (x0 + x1) / 2) * size, size];
  }

  redraw(colours, ratio) {
    fit(this.canvas, ratio);
    [this.still.width, this.still.height, this.ratio] = [this.canvas.width, this.canvas.height, ratio];
    [this.width, this.height] = [this.still.width / ratio, this.still.height / ratio];
    const pen = this.still.getContext("2d"), step = 0.1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    const size = this.xy([0, 0])[2];
    pen.fillStyle = colours.line;
    const grid = step * Math.ceil(18 / (size * step));
    for (let k = -200; k <= 200; k++) {
      const [x, y] = this.xy([k * grid, k * grid]);
      if (x > 0 && x < this.width) pen.fillRect(Math.round(x), 0, 1, this.height);
      if (y > 0 && y < this.height) pen.fillRect(0, Math.round(y), this.width, 1);
    }
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = colours.soft;
    pen.textAlign = "right";
    pen.fillText(`grid ${Number(grid.toFixed(2))} m`, this.width - 4, this.height - 5);
    for (const name of this.points) this.path(pen, this.take.series[name], colours[name], name === "cmp" ? 2.6 : 1.4);
  }

  path(pen, table, colour, width) {
    let drawing = false;
    pen.beginPath();
    for (let i = 0; i < table.rows; i++) {
      const p = [table.values[3 * i], table.values[3 * i + 1]];
      if (p.every(Number.isFinite)) {
        const [x, y] = this.xy(p);
        drawing ? pen.lineTo(x, y) : pen.moveTo(x, y);
        drawing = true;
      } else drawing = false;
    }
    pen.globalAlpha = 0.75;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.stroke();
    pen.globalAlpha = 1;
  }

  show(frame, colours, polygon) {
    const pen = this.canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    if (polygon) {
      pen.beginPath();
      for (const p of polygon) pen.lineTo(...this.xy(p).slice(0, 2));
      pen.closePath();
      pen.fillStyle = colours.sole + "26";
      pen.strokeStyle = colours.sole;
      pen.lineWidth = 1;
      pen.fill();
      pen.stroke();
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.still, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    for (const name of this.points) {
      const p = rowAt(this.take.series[name], frame, []);
      if (!p.every(Number.isFinite)) continue;
      pen.beginPath();
      pen.arc(...this.xy(p).slice(0, 2), 4.5, 0, 7);
      pen.fillStyle = colours[name];
      pen.strokeStyle = colours.card;
      pen.lineWidth = 1.5;
      pen.fill();
      pen.stroke();
    }
  }
}
