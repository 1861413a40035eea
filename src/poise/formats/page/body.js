// Solid things by WebGL 2: floor, shadow, support and bodies. Without WebGL the page falls back to bones.
const LIGHT = [0.13, -0.52, 0.84]; // towards the sun
const SUNS = Array.from({ length: 14 }, (_, k) => [0.05 * Math.sqrt(k / 13), 2.4 * k]).map(([r, a]) => [r * Math.cos(a), r * Math.sin(a)]); // its disc
const SIZE = 40; // half the side of the floor that is drawn [m]

const BODY_VERTEX = `#version 300 es
in vec3 position; in vec3 normal; in vec3 colour;
uniform mat4 camera, place; uniform vec3 light, origin, up; uniform float flat_;
out vec3 shade, facing;
void main() {
  vec4 p = place * vec4(position, 1.0);
  if (flat_ > 0.5) p.xyz -= light * dot(up, p.xyz - origin) / dot(up, light) - up * 0.002;
  shade = colour; facing = mat3(place) * normal;
  gl_Position = camera * p;
}`;
const BODY_FRAGMENT = `#version 300 es
precision highp float;
in vec3 shade, facing; uniform vec3 light, eye; uniform float flat_, dark; uniform vec4 veil; out vec4 paint;
void main() {
  if (flat_ > 0.5) { paint = vec4(0.0, 0.0, 0.0, dark); return; }
  vec3 n = normalize(facing);
  if (veil.a > 0.0) { float rim = 1.0 - max(dot(n, eye), 0.0); paint = vec4(veil.rgb, veil.a * (0.35 + 0.65 * rim)); return; }
  float sky = 0.5 + 0.5 * n.z, sun = max(dot(n, light), 0.0), lamp = max(dot(n, eye), 0.0);
  paint = vec4(shade * (0.38 + 0.22 * sky + 0.36 * sun + 0.26 * lamp), 1.0);
}`;
const FLOOR_VERTEX = `#version 300 es
in vec3 position; uniform mat4 camera, place; uniform vec3 centre; out vec3 at, seen;
void main() { at = position; vec4 p = place * vec4(position, 1.0); seen = p.xyz - centre; gl_Position = camera * p; }`;
const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at, seen; uniform vec3 a, b; out vec4 paint;
void main() {
  vec2 tile = at.xy / 0.5, width = max(fwidth(tile), 1e-4);
  vec2 wave = 2.0 * (abs(fract((tile - 0.5 * width) * 0.5) - 0.5) - abs(fract((tile + 0.5 * width) * 0.5) - 0.5)) / width;
  float mixed = 0.5 - 0.5 * wave.x * wave.y, far = length(seen);
  paint = vec4(mix(a, b, mixed), 1.0 - smoothstep(3.0, 12.0, far));
}`;
const PATCH_VERTEX = `#version 300 es
in vec3 position; uniform mat4 camera; void main() { gl_Position = camera * vec4(position, 1.0); }`;
const PATCH_FRAGMENT = `#version 300 es
precision highp float; uniform vec4 colour; out vec4 paint; void main() { paint = colour; }`;

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const at = (name) => gl.getUniformLocation(made, name);
  return { made, at: new Proxy({}, { get: (kept, name) => (kept[name] ??= at(name)) }), slot: (name) => gl.getAttribLocation(made, name) };
}

class Painter {
  constructor(canvas, { nodes, floor, skin }) {
    this.plain = /[#&]plain/.test(location.hash); // page.html#plain: quick to draw without a graphics card
    const gl = (this.gl = canvas.getContext("webgl2", { antialias: !this.plain, stencil: true }));
    if (!gl) throw new Error("no WebGL 2");
    this.canvas = canvas;
    this.body = program(gl, BODY_VERTEX, BODY_FRAGMENT);
    this.floor = program(gl, FLOOR_VERTEX, FLOOR_FRAGMENT);
    this.patch = program(gl, PATCH_VERTEX, PATCH_FRAGMENT);
    this.parts = nodes.map((node) => (node.mesh ? { ...this.upload(node.mesh), casts: node.casts } : null));
    this.skin = skin ? new Skin(this, skin) : null;
    this.square = this.buffer(new Float32Array([-SIZE, -SIZE, 0, SIZE, -SIZE, 0, SIZE, SIZE, 0, -SIZE, SIZE, 0]));
    this.support = gl.createBuffer();
    this.place = new Float32Array(16);
    this.floorPlace = floor ? matrixOf([...floor.position, ...floor.rotation], new Float32Array(16)) : null;
  }

  buffer(data, kind = this.gl.ARRAY_BUFFER) {
    const made = this.gl.createBuffer();
    this.gl.bindBuffer(kind, made);
    this.gl.bufferData(kind, data, this.gl.STATIC_DRAW);
    return made;
  }

  attribute(slot, data, size, kind, normal) {
    const gl = this.gl;
    this.buffer(data);
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, size, kind, normal, 0, 0);
  }

  // Corners, normals, colours and triangles for a program; `more` adds what it has besides.
  upload(mesh, colours = bytes(mesh.colours), made = this.body, more = () => {}) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    this.attribute(made.slot("position"), numbers(mesh.vertices).values, 3, gl.FLOAT, false);
    this.attribute(made.slot("normal"), new Int8Array(bytes(mesh.normals).buffer), 3, gl.BYTE, true);
    this.attribute(made.slot("colour"), colours, 3, gl.UNSIGNED_BYTE, true);
    more();
    const faces = triangles(mesh);
    this.buffer(faces, gl.ELEMENT_ARRAY_BUFFER);
    gl.bindVertexArray(null);
    return { array, count: faces.length, kind: mesh.wide ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT };
  }

  // `poses` of all nodes; `ground` is a pose whose z axis is up where the body stands; `polygon` corners of the support.
  // `ghosts` are other poses of the body, each with a colour.
  draw(camera, poses, ground, polygon, colours, layers, ghosts = []) {
    const gl = this.gl, { width, height } = this.canvas, matrix = camera.matrix(width / height);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA); // leaves premultiplied colours
    if (this.floorPlace) this.drawFloor(matrix, camera.target(), colours);
    this.skin?.pose(poses);
    this.each(({ at }) => {
      gl.uniformMatrix4fv(at.camera, false, matrix);
      gl.uniform3fv(at.light, LIGHT);
      gl.uniform3fv(at.eye, camera.axes()[2]);
      gl.uniform4f(at.veil, 0, 0, 0, 0);
    });
    if (layers.body) this.drawParts(poses, 0);
    if (polygon && layers.support) this.drawSupport(matrix, polygon, colours.sole);
    if (layers.body) this.drawShadow(poses, ground, colours.shadow);
    for (const ghost of ghosts) this.drawGhost(ghost);
  }

  // For both programs that draw bodies: the rigid one and that of the skin.
  each(set) {
    for (const made of this.skin ? [this.body, this.skin.program] : [this.body]) {
      this.gl.useProgram(made.made);
      set(made);
    }
  }

  // See-through: its depth first, so that only its outside is seen.
  drawGhost({ poses, colour }) {
    const gl = this.gl;
    this.skin?.pose(poses);
    this.each(({ at }) => gl.uniform4f(at.veil, ...colour, 0.75));
    gl.colorMask(false, false, false, false);
    this.drawParts(poses, 0);
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.LEQUAL);
    this.drawParts(poses, 0);
    gl.depthFunc(gl.LESS);
    this.each(({ at }) => gl.uniform4f(at.veil, 0, 0, 0, 0));
  }

  drawFloor(matrix, centre, colours) {
    const gl = this.gl, { made, at, slot } = this.floor;
    gl.useProgram(made);
    gl.uniformMatrix4fv(at.camera, false, matrix);
    gl.uniformMatrix4fv(at.place, false, this.floorPlace);
    gl.uniform3fv(at.centre, centre);
    gl.uniform3fv(at.a, colours.tileA);
    gl.uniform3fv(at.b, colours.tileB);
    this.fan(this.square, slot("position"), 4);
  }

  drawParts(poses, flat) {
    const gl = this.gl, { made, at } = this.body;
    this.skin?.draw(flat);
    gl.useProgram(made);
    gl.uniform1f(at.flat_, flat);
    this.parts.forEach((part, k) => {
      if (!part || k >= poses.length || (flat && !part.casts)) return;
      gl.uniformMatrix4fv(at.place, false, matrixOf(poses[k], this.place));
      gl.bindVertexArray(part.array);
      gl.drawElements(gl.TRIANGLES, part.count, part.kind, 0);
    });
    gl.bindVertexArray(null);
  }

  // Soft, by several suns. Every pixel is darkened once for each, however many parts cover it.
  drawShadow(poses, ground, dark) {
    const gl = this.gl, suns = this.plain ? [[0, 0]] : SUNS;
    this.each(({ at }) => {
      gl.uniform3f(at.origin, ground[0], ground[1], ground[2]);
      gl.uniform3fv(at.up, turn(ground, [0, 0, 1]));
      gl.uniform1f(at.dark, 1 - (1 - dark) ** (1 / suns.length));
    });
    gl.enable(gl.STENCIL_TEST);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    gl.depthMask(false);
    suns.forEach(([x, y], k) => {
      gl.stencilFunc(gl.NOTEQUAL, k + 1, 255);
      this.each(({ at }) => gl.uniform3f(at.light, LIGHT[0] + x, LIGHT[1] + y, LIGHT[2]));
      this.drawParts(poses, 1);
    });
    this.each(({ at }) => gl.uniform3fv(at.light, LIGHT));
    gl.depthMask(true);
    gl.disable(gl.STENCIL_TEST);
  }

  drawSupport(matrix, polygon, colour) {
    const gl = this.gl, { made, at, slot } = this.patch;
    gl.useProgram(made);
    gl.uniformMatrix4fv(at.camera, false, matrix);
    gl.uniform4f(at.colour, ...colour, 0.22);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.support);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(polygon.flatMap((p) => [p[0], p[1], p[2] + 0.004])), gl.DYNAMIC_DRAW);
    gl.depthMask(false);
    this.fan(this.support, slot("position"), polygon.length);
    gl.depthMask(true);
  }

  fan(buffer, slot, count) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLE_FAN, 0, count);
    gl.disableVertexAttribArray(slot);
  }
}
