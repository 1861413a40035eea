"""One tree of a compiled model as a text of its own: a floating body and nothing else, with all it needs inside.

Masses, frames, joints, limits, springs, friction and contact settings are copied as compiled, so defaults, includes
and asset folders of the file have done their work. Meshes go in as numbers: the convex hull of those that collide,
which is what MuJoCo collides, and a simplified surface of those that are drawn. Actuators are not copied.
"""

from __future__ import annotations

import mujoco
import numpy as np

from poise.character.constants import BALL, FREE
from poise.character.foreign import mesh
from poise.character.foreign.source import Notes, Source
from poise.character.outline import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, SPHERE, solid

KEPT_GEOMS = {SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH}
HIDDEN = 3  # groups from here on are not drawn
DRAWN_BUDGET = 30_000  # vertices of all drawn meshes together
FLAGS = ("SPRING", "DAMPER", "EULERDAMP", "FRICTIONLOSS", "LIMIT", "EQUALITY", "FILTERPARENT")


def bake(
    source: Source, joint_names: dict[int, str], body_names: dict[int, str], root_joints: list[int]
) -> mujoco.MjSpec:
    """Spec of the body alone: names by id in the file's model; a free joint stands for the root's own joints."""
    return _Baker(source, joint_names, body_names, root_joints).spec


class _Baker:
    def __init__(self, source: Source, joint_names: dict, body_names: dict, root_joints: list[int]):
        self.model, self.source = source.model, source
        self.joint_names, self.body_names = joint_names, body_names
        self.spec = spec = mujoco.MjSpec()
        spec.modelname = source.path.stem
        spec.compiler.degree, spec.compiler.autolimits = False, False
        self._option()
        self.solid = solid(self.model)
        self.solid[list(source.floor_geoms)] = True
        mine = np.isin(self.model.geom_bodyid, source.bodies)
        drawn = np.count_nonzero(mine & (self.model.geom_type == MESH) & ~self.solid)
        self.most = int(np.clip(DRAWN_BUDGET / max(drawn, 1), 60, mesh.DRAWN_VERTICES))
        made: dict[int, mujoco.MjsBody] = {0: spec.worldbody}
        for b in source.bodies:
            made[b] = self._body(made[int(self.model.body_parentid[b])], int(b))
            self._joints(made[b], int(b), root_joints)
            mine = range(self.model.body_geomadr[b], self.model.body_geomadr[b] + self.model.body_geomnum[b])
            hidden = all(self.model.geom_group[g] >= HIDDEN for g in mine)  # drawn by a skin, or not at all
            for g in mine:
                self._geom(made[b], g, hidden)
        self._excludes()
        self._tendons(source.notes)
        self._equalities(source.notes)

    def _option(self) -> None:
        theirs, ours = self.model.opt, self.spec.option
        for name in ("timestep", "density", "viscosity"):
            setattr(ours, name, getattr(theirs, name))
        ours.gravity, ours.wind = theirs.gravity, theirs.wind
        for flag in FLAGS:
            ours.disableflags |= theirs.disableflags & int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))

    def _body(self, parent: mujoco.MjsBody, b: int) -> mujoco.MjsBody:
        m = self.model
        body = parent.add_body(name=self.body_names[b], pos=m.body_pos[b], quat=m.body_quat[b])
        body.explicitinertial = True
        body.mass, body.ipos, body.iquat = m.body_mass[b], m.body_ipos[b], m.body_iquat[b]
        body.inertia = _sound(m.body_inertia[b])
        body.gravcomp = m.body_gravcomp[b]
        return body

    def _joints(self, body: mujoco.MjsBody, b: int, root_joints: list[int]) -> None:
        m = self.model
        if b == self.source.root:
            name = self.joint_names[root_joints[0]] if root_joints else "root"
            root = body.add_freejoint(name=name)
            root.align = 0
            if len(root_joints) == 1 and m.jnt_type[root_joints[0]] == FREE:
                dof = m.jnt_dofadr[root_joints[0]]
                root.armature, root.damping[0] = m.dof_armature[dof], m.dof_damping[dof]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if m.body_jntnum[b] == 0 or j in root_joints:
                continue
            joint = body.add_joint(name=self.joint_names[j], type=mujoco.mjtJoint(m.jnt_type[j]))
            dof, at = m.jnt_dofadr[j], m.jnt_qposadr[j]
            joint.pos, joint.axis = m.jnt_pos[j], m.jnt_axis[j]
            joint.limited, joint.range, joint.margin = int(m.jnt_limited[j]), m.jnt_range[j], m.jnt_margin[j]
            joint.solref_limit, joint.solimp_limit = m.jnt_solref[j], m.jnt_solimp[j]
            joint.solref_friction, joint.solimp_friction = m.dof_solref[dof], m.dof_solimp[dof]
            joint.stiffness = [m.jnt_stiffness[j], *m.jnt_stiffnesspoly[j]]
            joint.damping = [m.dof_damping[dof], *m.dof_dampingpoly[dof]]
            joint.armature, joint.frictionloss = m.dof_armature[dof], m.dof_frictionloss[dof]
            if m.jnt_type[j] != BALL:
                joint.ref, joint.springref = m.qpos0[at], m.qpos_spring[at]

    def _geom(self, body: mujoco.MjsBody, g: int, hidden: bool) -> None:
        m, kind = self.model, mujoco.mjtGeom(self.model.geom_type[g])
        if int(m.geom_type[g]) not in KEPT_GEOMS:
            self.source.notes("shape left out", body.name, f"geoms of type {kind.name}")
            return
        geom = body.add_geom(type=kind, pos=m.geom_pos[g], quat=m.geom_quat[g], mass=0.0)
        if m.geom_type[g] == MESH:
            geom.meshname = self._mesh(int(m.geom_dataid[g]), bool(self.solid[g]))
        else:
            geom.size = m.geom_size[g]
        geom.contype, geom.conaffinity = int(m.geom_contype[g]), int(m.geom_conaffinity[g])
        if g in self.source.floor_geoms and not (geom.contype or geom.conaffinity):
            geom.conaffinity = 1  # meets the ground, whose type is 1, and not its own kind
        geom.condim, geom.priority = int(m.geom_condim[g]), int(m.geom_priority[g])
        geom.group = 1 if hidden and self.solid[g] else int(m.geom_group[g])
        geom.friction, geom.solref, geom.solimp = m.geom_friction[g], m.geom_solref[g], m.geom_solimp[g]
        geom.solmix, geom.margin, geom.gap = m.geom_solmix[g], m.geom_margin[g], m.geom_gap[g]
        geom.rgba = m.mat_rgba[m.geom_matid[g]] if m.geom_matid[g] >= 0 else m.geom_rgba[g]

    def _mesh(self, i: int, solid: bool) -> str:
        """Name of a mesh, added at its first use. Vertices are in the mesh's own frame, to which geoms refer."""
        m, name = self.model, f"mesh{i}{'' if solid else '_drawn'}"
        if any(known.name == name for known in self.spec.meshes):
            return name
        vertices = m.mesh_vert[m.mesh_vertadr[i] : m.mesh_vertadr[i] + m.mesh_vertnum[i]].astype(float)
        faces = m.mesh_face[m.mesh_faceadr[i] : m.mesh_faceadr[i] + m.mesh_facenum[i]].astype(np.int64)
        mesh.add(self.spec, name, (vertices, faces), solid, self.most, digits=5)
        return name

    def _excludes(self) -> None:
        for signature in self.model.exclude_signature:
            pair = [int(signature) >> 16, int(signature) & 0xFFFF]
            if all(b in self.body_names for b in pair):
                self.spec.add_exclude(bodyname1=self.body_names[pair[0]], bodyname2=self.body_names[pair[1]])

    def _tendons(self, notes: Notes) -> None:
        """Fixed tendons that limit, pull or damp; those through sites are left out."""
        m, wraps, left = self.model, mujoco.mjtWrap.mjWRAP_JOINT, 0
        for t in range(m.ntendon):
            span = range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t])
            acts = (m.tendon_limited, m.tendon_stiffness, m.tendon_damping, m.tendon_frictionloss)
            if not any(kind[t] for kind in acts):
                continue
            if not all(m.wrap_type[w] == wraps and int(m.wrap_objid[w]) in self.joint_names for w in span):
                left += 1
                continue
            tendon = self.spec.add_tendon(name=f"tendon{t}")
            tendon.limited, tendon.range = int(m.tendon_limited[t]), m.tendon_range[t]
            tendon.stiffness = [m.tendon_stiffness[t], *m.tendon_stiffnesspoly[t]]
            tendon.damping = [m.tendon_damping[t], *m.tendon_dampingpoly[t]]
            tendon.springlength, tendon.frictionloss = m.tendon_lengthspring[t], m.tendon_frictionloss[t]
            for w in span:
                tendon.wrap_joint(self.joint_names[int(m.wrap_objid[w])], float(m.wrap_prm[w]))
        if left:
            notes("tendons left out", left, "they run through sites; their springs and limits do not act")

    def _equalities(self, notes: Notes) -> None:
        m, left = self.model, 0
        joint, connect = int(mujoco.mjtEq.mjEQ_JOINT), int(mujoco.mjtEq.mjEQ_CONNECT)
        for e in range(m.neq):
            kind, a, b = int(m.eq_type[e]), int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
            if not m.eq_active0[e]:
                continue
            bodies = m.eq_objtype[e] == mujoco.mjtObj.mjOBJ_BODY
            if kind == joint and a in self.joint_names and (b < 0 or b in self.joint_names):
                names = (self.joint_names[a], self.joint_names[b] if b >= 0 else "")
            elif kind == connect and bodies and a in self.body_names and b in self.body_names:
                names = (self.body_names[a], self.body_names[b])
            else:
                left += 1
                continue
            tie = self.spec.add_equality(type=mujoco.mjtEq(kind), name1=names[0], name2=names[1])
            tie.objtype = mujoco.mjtObj(m.eq_objtype[e])
            tie.data[: m.eq_data.shape[1]] = m.eq_data[e]
            tie.solref, tie.solimp = m.eq_solref[e], m.eq_solimp[e]
        if left:
            notes("equality constraints left out", left, "not between joints or parts of this body")


def _sound(principal: np.ndarray) -> np.ndarray:
    """Moments of inertia none of which is more than the other two together, also once they have been written down."""
    made = np.array(principal)
    largest = int(made.argmax())
    made[largest] = min(made[largest], (1 - 1e-5) * (made.sum() - made[largest]))
    return made
