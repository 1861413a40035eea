"""URDF to MuJoCo, with a root that floats: links, joints, inertias, shapes and meshes wherever the file put them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import mujoco
import numpy as np

from poise import gate
from poise.character.foreign import mesh
from poise.character.foreign.fields import GREY, colour, end, find_file, inertial, number, origin, vector
from poise.character.foreign.source import Notes, Source, engine_errors
from poise.errors import BadInput

KINDS = {
    "revolute": mujoco.mjtJoint.mjJNT_HINGE,
    "continuous": mujoco.mjtJoint.mjJNT_HINGE,
    "prismatic": mujoco.mjtJoint.mjJNT_SLIDE,
    "spherical": mujoco.mjtJoint.mjJNT_BALL,
}
MOST_BYTES = 32 << 20  # of a description
SHAPES = ("box", "sphere", "cylinder", "capsule")
SOLID, DRAWN = 3, 1  # groups of collision shapes (hidden where a link has others) and of drawn ones


def read(path: Path, root: str | None = None) -> Source:
    """Build and compile the model of a URDF file; ``root`` names the link that floats, the topmost where None."""
    text, closing = gate.read(path, MOST_BYTES).strip(), b"</robot>"
    if closing in text:  # what follows it is not part of the robot
        text = text[: text.rindex(closing) + len(closing)]
    try:
        tree = ElementTree.fromstring(text[max(text.find(b"<"), 0) :])
    except (ElementTree.ParseError, ValueError) as error:
        raise BadInput(f"{path}: not XML: {error}") from None
    if any("xacro" in element.tag for element in tree.iter()):
        raise BadInput(
            f"{path}: a xacro, from which a URDF is yet to be made: xacro {path.name} > robot.urdf"
        )
    if tree.tag != "robot":
        raise BadInput(f"{path}: a URDF begins with <robot>; this one with <{tree.tag}>")
    return _Reader(path, tree, root).source()


class _Reader:
    """One file on its way to a spec."""

    def __init__(self, path: Path, tree: Element, root: str | None):
        self.path, self.tree, self.notes = path, tree, Notes()
        every = tree.findall("link")
        self.links = {link.get("name", ""): link for link in every}
        gate.within(f"{path}", len(every), gate.MOST_BODIES, "links")
        self.joints = [joint for joint in tree.findall("joint") if joint.find("child") is not None]
        self._check(len(every))
        self.colours = {m.get("name"): c for m in tree.findall("material") if (c := colour(m))}
        self.root = self._top() if root is None else root
        if self.root not in self.links:
            raise BadInput(f"{path}: link {self.root!r} not found; links: {', '.join(self.links)}")
        self.efforts: dict[str, float] = {}
        self.missing: list[str] = []
        self.repaired: list[str] = []
        self.spec = mujoco.MjSpec()
        self.spec.modelname = tree.get("name", path.stem)
        self.spec.compiler.degree = False
        self.spec.compiler.balanceinertia = True

    def _check(self, links: int) -> None:
        """Links of one name, or one that hangs from two or from itself, make no tree."""
        children = [end(joint, "child") for joint in self.joints]
        if len(self.links) < links or len(set(children)) < len(children):
            raise BadInput(f"{self.path}: two links of one name, or a link with two parents: not a tree")
        above = {end(joint, "child"): end(joint, "parent") for joint in self.joints}
        for link in self.links:
            seen, at = set(), link
            while at in above and at not in seen:
                seen.add(at)
                at = above[at]
            if at in seen:
                raise BadInput(f"{self.path}: link {link!r} hangs from itself: not a tree")
            gate.within(f"{self.path}", len(seen), gate.MOST_DEPTH, "links in one chain")

    def source(self) -> Source:
        body = self.spec.worldbody.add_body(name=self.root if self.root != "world" else "world_link")
        body.add_freejoint(name="root")
        self.notes(
            "root", self.root, "the topmost link with mass; a free joint was added, which URDF has not"
        )
        self._fill(body, self.root)
        self._branch(body, self.root)
        self._mimics()
        if self.repaired:
            self.notes("inertias repaired", len(self.repaired), "; ".join(self.repaired[:3]))
        if self.missing:
            self.notes("shapes left out", len(self.missing), "; ".join(self.missing[:3]))
        model = self._compile()
        if _solid_ends(model) < 2:
            for geom in self.spec.geoms:
                geom.contype = geom.conaffinity = 1
            self.notes("collision shapes", "the drawn ones", "the ends of the limbs have no collision shapes")
            model = self._compile()
        return Source(self.path, model, 1, self.notes, self.tree.get("name", ""), self.efforts)

    def _compile(self) -> mujoco.MjModel:
        with engine_errors(self.path):
            return self.spec.compile()

    def _top(self) -> str:
        """The link that is nobody's child; a mere frame above the body is passed over."""
        children = {end(j, "child") for j in self.joints}
        tops = [name for name in self.links if name not in children]
        if len(tops) != 1:
            raise BadInput(
                f"{self.path}: one link must be nobody's child; found {len(tops)}: {', '.join(tops[:5])}"
            )
        top = tops[0]
        while self.links[top].find("inertial") is None:
            below = [j for j in self.joints if end(j, "parent") == top]
            if len(below) != 1 or below[0].get("type") not in ("fixed", "floating"):
                break
            top = end(below[0], "child")
        return top

    def _branch(self, body: mujoco.MjsBody, name: str) -> None:
        for joint in self.joints:
            child = end(joint, "child")
            if end(joint, "parent") != name or child not in self.links:
                continue
            place, turn = origin(joint)
            part = body.add_body(name=child, pos=place, quat=turn)
            moves = self._joint(part, joint)
            self._fill(part, child, moves)
            self._branch(part, child)

    def _joint(self, body: mujoco.MjsBody, joint: Element) -> bool:
        kind, name = joint.get("type", "fixed"), joint.get("name", "")
        limit = joint.find("limit")
        low, high = (0.0, 0.0) if limit is None else (number(limit, "lower"), number(limit, "upper"))
        ranged = kind in ("revolute", "prismatic")
        if kind == "fixed" or (ranged and limit is not None and low == high != 0.0):
            return False
        if kind not in KINDS:
            raise BadInput(f"{self.path}: joint {name!r} is {kind}; {', '.join(KINDS)} and fixed are read")
        made = body.add_joint(name=name, type=KINDS[kind])
        axis = joint.find("axis")
        made.axis = vector(axis, "xyz", (1, 0, 0)) if axis is not None else (1, 0, 0)
        made.limited = int(ranged and low < high)
        if made.limited:
            made.range = (low, high)
        dynamics = joint.find("dynamics")
        if dynamics is not None:
            made.damping[0] = max(number(dynamics, "damping"), 0.0)
            made.frictionloss = max(number(dynamics, "friction"), 0.0)
        if limit is not None and number(limit, "effort") > 0:
            self.efforts[name] = number(limit, "effort")
        return True

    def _fill(self, body: mujoco.MjsBody, name: str, moves: bool = True) -> None:
        """Inertia and shapes of one link."""
        link = self.links[name]
        inertial(body, link.find("inertial"), moves and not self._carried(name), self.repaired)
        drawn = [self._shape(body, v, solid=False) for v in link.findall("visual")]
        for collision in link.findall("collision"):
            geom = self._shape(body, collision, solid=True)
            if geom is not None and any(drawn):
                geom.group = SOLID

    def _carried(self, name: str) -> bool:
        """Whether something with mass is fixed to a link, so that it need not have any itself."""
        below = [j for j in self.joints if end(j, "parent") == name and j.get("type") == "fixed"]
        fixed = [end(j, "child") for j in below]
        return any(self._mass(child) > 0.0 or self._carried(child) for child in fixed if child in self.links)

    def _mass(self, name: str) -> float:
        element = self.links[name].find("inertial/mass")
        return 0.0 if element is None else number(element, "value")

    def _shape(self, body: mujoco.MjsBody, element: Element, solid: bool) -> mujoco.MjsGeom | None:
        place, turn = origin(element)
        shape = element.find("geometry")
        shape = None if shape is None or len(shape) == 0 else shape[0]
        if shape is None:
            return None
        how: dict = {"pos": place, "quat": turn, "mass": 0.0, "group": DRAWN, "rgba": self._rgba(element)}
        how["contype"] = how["conaffinity"] = int(solid)
        if shape.tag == "mesh":
            name = self._mesh(shape, solid)
            kind = mujoco.mjtGeom.mjGEOM_MESH
            return None if name is None else body.add_geom(type=kind, meshname=name, **how)
        size = [number(shape, "radius"), 0.5 * number(shape, "length"), 0.0]
        if shape.tag == "box":
            size = 0.5 * np.array(vector(shape, "size", (0.1, 0.1, 0.1)))
        if shape.tag not in SHAPES or size[0] <= 0.0:
            self.missing.append(f"shape <{shape.tag}>" + (" without a size" if shape.tag in SHAPES else ""))
            return None
        return body.add_geom(type=getattr(mujoco.mjtGeom, f"mjGEOM_{shape.tag.upper()}"), size=size, **how)

    def _mesh(self, shape: Element, solid: bool) -> str | None:
        """Name of the mesh asset; None where the file is not there or not readable."""
        file, scale = shape.get("filename", ""), np.array(vector(shape, "scale", (1, 1, 1)))
        name = f"{file} {tuple(scale.tolist())} {'solid' if solid else 'drawn'}"
        if any(m.name == name for m in self.spec.meshes):
            return name
        found = find_file(file, self.path)
        try:
            if found is None:
                raise BadInput(f"mesh {file} not found near {self.path.parent}")
            vertices, faces = mesh.read(found)
        except BadInput as error:
            self.missing.append(str(error))
            return None
        mesh.add(self.spec, name, (vertices * scale, faces), solid)
        return name

    def _rgba(self, element: Element) -> tuple[float, ...]:
        material = element.find("material")
        if material is None:
            return GREY
        return colour(material) or self.colours.get(material.get("name")) or GREY

    def _mimics(self) -> None:
        names = {joint.name for joint in self.spec.joints}
        for joint in self.joints:
            mimic, name = joint.find("mimic"), joint.get("name", "")
            if mimic is None or name not in names or mimic.get("joint") not in names:
                continue
            tie = self.spec.add_equality(type=mujoco.mjtEq.mjEQ_JOINT, name1=name, name2=mimic.get("joint"))
            tie.objtype = mujoco.mjtObj.mjOBJ_JOINT
            tie.data[:2] = number(mimic, "offset"), number(mimic, "multiplier", 1.0)


def _solid_ends(model: mujoco.MjModel) -> int:
    """How many parts on which nothing moves have a shape that collides."""
    parts = np.flatnonzero(model.body_weldid == np.arange(model.nbody))[1:]
    solid = model.body_weldid[model.geom_bodyid[model.geom_contype != 0]]
    return len(np.setdiff1d(solid, model.body_weldid[model.body_parentid[parts]]))
