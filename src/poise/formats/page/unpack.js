// Numbers as the page carries them: base64 of small integers, between the least and the largest of each column.
const STEPS = 65534, NONE = -32768;

function bytes(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

function numbers(packed) {
  const [rows, columns] = packed.shape;
  const steps = new Int16Array(bytes(packed.data).buffer), values = new Float32Array(steps.length);
  for (let i = 0; i < steps.length; i++) {
    const c = i % columns, low = packed.low[c];
    values[i] = steps[i] === NONE ? NaN : low + ((steps[i] + STEPS / 2) / STEPS) * (packed.high[c] - low);
  }
  return { rows, columns, values };
}

// Row of a table at a frame that may lie between two, into `out`; nan stays nan.
function rowAt(table, frame, out) {
  const last = table.rows - 1, f = Math.min(Math.max(frame, 0), last);
  const i = Math.floor(f), j = Math.min(i + 1, last), part = f - i, n = table.columns, v = table.values;
  for (let c = 0; c < n; c++) {
    const a = v[i * n + c], b = v[j * n + c];
    out[c] = part === 0 || Number.isNaN(b) ? a : a + part * (b - a);
  }
  return out;
}

// Position (3) and rotation (4, wxyz) of a thing at a frame; quaternions are blended and made unit again.
function poseAt(table, frame, out) {
  rowAt(table, frame, out);
  const size = Math.hypot(out[3], out[4], out[5], out[6]) || 1;
  for (let c = 3; c < 7; c++) out[c] /= size;
  return out;
}
