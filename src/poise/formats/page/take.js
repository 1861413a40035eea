// The take as the page carries it, and from where to look at it.
function read() {
  const take = JSON.parse($("take").textContent);
  for (const name in take.series) take.series[name] = numbers(take.series[name]);
  for (const node of take.scene.nodes) node.pose = numbers(node.pose);
  for (const name of ["reference", "ghost"]) if (take.scene[name]) take.scene[name].poses = take.scene[name].poses.map(numbers);
  take.seconds = (take.frames - 1) / take.hz;
  return take;
}

// The path of the point to look at, smoothed, and the distance from which the body is in the picture.
function smoothPath(take) {
  const com = take.series.com ?? take.scene.nodes[0].pose, n = take.frames, reach = Math.round(0.35 * take.hz);
  const sums = [new Float64Array(n + 1), new Float64Array(n + 1), new Float64Array(n + 1)];
  const row = [];
  for (let i = 0; i < n; i++) {
    rowAt(com, i, row);
    for (let c = 0; c < 3; c++) sums[c][i + 1] = sums[c][i] + (Number.isFinite(row[c]) ? row[c] : i ? sums[c][i] / i : 0);
  }
  return (frame) => {
    const i = Math.round(frame), side = Math.min(reach, i, n - 1 - i);
    return sums.map((s, c) => ((s[i + side + 1] - s[i - side]) / (2 * side + 1)) * (c === 2 ? 0.93 : 1));
  };
}

function reach(take, path) {
  const out = new Float32Array(7);
  let far = 0.4;
  for (const f of [0, 0.25, 0.5, 0.75, 1].map((part) => part * (take.frames - 1))) {
    const centre = path(f);
    for (const [j] of [[0], ...take.scene.bones]) {
      const p = poseAt(take.scene.nodes[j].pose, f, out);
      far = Math.max(far, Math.hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]));
    }
  }
  return far;
}
