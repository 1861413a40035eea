// One smooth skin that bends with the joints of the body.
// Joints come as dual quaternions, which keep a limb round where it twists.
const SKIN_VERTEX = (joints) => `#version 300 es
in vec3 position; in vec3 normal; in vec3 colour; in vec4 weights; in uvec4 joints;
uniform mat4 camera; uniform vec4 rows[${2 * joints}]; uniform vec3 light, origin, up; uniform float flat_;
out vec3 shade, facing;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  vec4 r = vec4(0.0), d = vec4(0.0), first = rows[2 * int(joints[0])];
  for (int i = 0; i < 4; i++) {
    int k = 2 * int(joints[i]);
    float w = dot(first, rows[k]) < 0.0 ? -weights[i] : weights[i];
    r += w * rows[k];
    d += w * rows[k + 1];
  }
  float size = length(r);
  r /= size; d /= size;
  vec4 p = vec4(turned(r, position) + 2.0 * (r.w * d.xyz - d.w * r.xyz + cross(r.xyz, d.xyz)), 1.0);
  facing = turned(r, normal);
  if (flat_ > 0.5) p.xyz -= light * dot(up, p.xyz - origin) / dot(up, light) - up * 0.002;
  shade = colour;
  gl_Position = camera * p;
}`;

// Triangles of a mesh or skin, as numbers of corners.
function triangles(mesh) {
  const raw = bytes(mesh.faces).buffer;
  return mesh.wide ? new Uint32Array(raw) : new Uint16Array(raw);
}

class Skin {
  constructor(painter, skin) {
    const gl = (this.gl = painter.gl), count = skin.rest.length;
    this.program = program(gl, SKIN_VERTEX(count), BODY_FRAGMENT);
    this.rest = skin.rest;
    this.rows = new Float32Array(8 * count);
    const corners = skin.vertices.shape[0], colours = new Uint8Array(3 * corners);
    let from = 0;
    for (const [last, ...rgb] of skin.colours) for (; from <= last; from++) colours.set(rgb, 3 * from);
    Object.assign(this, painter.upload(skin, colours, this.program, () => {
      painter.attribute(this.program.slot("weights"), bytes(skin.weights), 4, gl.UNSIGNED_BYTE, true);
      const slot = this.program.slot("joints");
      painter.buffer(bytes(skin.joints));
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribIPointer(slot, 4, gl.UNSIGNED_BYTE, 0, 0);
    }));
  }

  // From where a corner rests to where its joints have taken it.
  pose(poses) {
    this.rest.forEach((rest, k) => {
      const pose = poses[k], from = turn(pose, rest), [w, x, y, z] = [pose[3], pose[4], pose[5], pose[6]];
      const [a, b, c] = [0, 1, 2].map((i) => 0.5 * (pose[i] - from[i])); // half the shift, times the turn
      this.rows.set([x, y, z, w, a * w + b * z - c * y, b * w + c * x - a * z, c * w + a * y - b * x, -a * x - b * y - c * z], 8 * k);
    });
    this.gl.useProgram(this.program.made);
    this.gl.uniform4fv(this.program.at["rows[0]"], this.rows);
  }

  draw(flat) {
    const gl = this.gl;
    gl.useProgram(this.program.made);
    gl.uniform1f(this.program.at.flat_, flat);
    gl.bindVertexArray(this.array);
    gl.drawElements(gl.TRIANGLES, this.count, this.kind, 0);
    gl.bindVertexArray(null);
  }
}

// Triangles of every node in its own frame: its mesh, or the part of the skin that follows it most.
function shapesOf({ nodes, skin }) {
  const shapes = nodes.map((node) => (node.mesh ? { points: numbers(node.mesh.vertices).values, faces: triangles(node.mesh) } : null));
  if (!skin) return shapes;
  const at = numbers(skin.vertices).values, joints = bytes(skin.joints), faces = triangles(skin), parts = skin.rest.map(() => []);
  for (let f = 0; f < faces.length; f += 3) parts[joints[4 * faces[f]]].push(faces[f], faces[f + 1], faces[f + 2]);
  parts.forEach((corners, k) => {
    if (!corners.length || shapes[k]) return;
    const points = new Float32Array(3 * corners.length);
    corners.forEach((c, i) => points.set([0, 1, 2].map((d) => at[3 * c + d] - skin.rest[k][d]), 3 * i));
    shapes[k] = { points, faces: corners.map((_, i) => i) };
  });
  return shapes;
}
