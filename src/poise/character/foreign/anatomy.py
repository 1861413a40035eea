"""A body as moving parts with outlines, and what is a leg in it, from geometry alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from poise.character import outline

HIGH = 0.25  # of the centre of mass's height: limbs that part above this are legs of their own, below it toes
FEWEST = 2  # degrees of freedom of a leg; a wheel has one
MIDDLE = 0.2  # of the widest foot's distance from the middle: legs nearer to it are none
LOW = 0.3  # of the same height: ends of limbs lower than this are taken for feet


@dataclass(frozen=True)
class FoundLeg:
    """One leg: its uppermost part, the parts that can be put down, and its own degrees of freedom."""

    base: int
    feet: tuple[int, ...]
    dofs: tuple[int, ...]


class ModelAnatomy:
    """Parts are bodies that move against their parent; what is welded to a part belongs to it.

    Attributes:
        parts: Ids of the parts, root first.
        parent: Part to the part it hangs on; -1 for the root.
        shape: Part to its outline in its own frame: points (n, 3) and radii (n,) [m].
        lever: Foot to how far from its joint a force can act that its torque limit allows [m]; none where unknown.
    """

    def __init__(self, model: mujoco.MjModel):
        self.model = model
        self.parts = [b for b in range(1, model.nbody) if model.body_weldid[b] == b]
        self.parent = {b: int(model.body_weldid[model.body_parentid[b]]) or -1 for b in self.parts}
        self.lever: dict[int, float] = {}
        data = self.posed(model.qpos0)
        self.shape = {part: outline.of_part(model, data, part) for part in self.parts}

    def posed(self, q: np.ndarray) -> mujoco.MjData:
        """Kinematics and centres of mass at a configuration."""
        data = mujoco.MjData(self.model)
        data.qpos[:] = q
        mujoco.mj_kinematics(self.model, data)
        mujoco.mj_comPos(self.model, data)
        return data

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Part to the parts that hang on it."""
        return {p: [c for c in self.parts if self.parent[c] == p] for p in self.parts}

    def above(self, part: int) -> list[int]:
        """The part and those it hangs on, root last."""
        chain = [part]
        while self.parent[chain[-1]] > 0:
            chain.append(self.parent[chain[-1]])
        return chain

    def below(self, part: int) -> list[int]:
        """The part and all that hangs on it."""
        return [part] + [p for child in self.children[part] for p in self.below(child)]

    def dofs(self, part: int) -> list[int]:
        """Degrees of freedom of one part."""
        start = int(self.model.body_dofadr[part])
        return list(range(start, start + int(self.model.body_dofnum[part])))

    def points(self, data: mujoco.MjData, part: int) -> np.ndarray:
        """Outline in the world with each point at the underside of its ball (n, 3) [m]."""
        points, radius = self.shape[part]
        world = data.xpos[part] + points @ data.xmat[part].reshape(3, 3).T
        world[:, 2] -= radius
        return world

    def lowest(self, data: mujoco.MjData) -> dict[int, float]:
        """Part to the height of its lowest point [m]; parts without shape are left out."""
        return {p: float(self.points(data, p)[:, 2].min()) for p in self.parts if len(self.shape[p][0])}

    def anchor(self, data: mujoco.MjData, part: int) -> np.ndarray:
        """Where a part's first joint is in the world [m]."""
        return data.xanchor[self.model.body_jntadr[part]]

    def legs(self, data: mujoco.MjData, low: float = LOW) -> list[FoundLeg]:
        """Legs of a pose: limbs whose ends are near the lowest point of the body; none where the trunk lies lower."""
        lowest = self.lowest(data)
        if not lowest:
            return []
        floor = min(lowest.values())
        height = float(data.subtree_com[1][2]) - floor
        if height <= 0.0:
            return []
        feet = [p for p in self.ends() if lowest[p] - floor < low * height]
        return self._paired(data, self.limbs(data, feet, floor + HIGH * height))

    def ends(self) -> list[int]:
        """Parts with a shape on which nothing with a shape hangs; the root is none."""
        shaped = {p for p in self.parts if len(self.shape[p][0])}
        return [p for p in self.parts[1:] if p in shaped and not shaped & set(self.below(p)[1:])]

    def limbs(self, data: mujoco.MjData, tips: list[int], high: float) -> list[FoundLeg]:
        """Limbs to which some ends belong; ends that part from each other below a height are of one limb."""
        bases: dict[int, list[int]] = {}
        for tip in tips:
            bases.setdefault(self._base(data, tip, tips, high), []).append(tip)
        limbs = [self._leg(base, ends) for base, ends in bases.items()]
        return [limb for limb in limbs if len(limb.dofs) >= FEWEST]

    def _paired(self, data: mujoco.MjData, legs: list[FoundLeg]) -> list[FoundLeg]:
        """Without what hangs in the middle of the body, such as a tail, where at least two legs are at its sides."""
        if len(legs) < 3:
            return legs
        places = np.array([np.mean([data.xipos[f] for f in leg.feet], axis=0) for leg in legs])
        spread = np.abs(places[:, :2] - np.mean(places[:, :2], axis=0))
        for axis in (1, 0):
            aside = spread[:, axis] > MIDDLE * spread[:, axis].max()
            if not aside.all() and aside.sum() >= 2 and aside.sum() % 2 == 0:
                return [leg for leg, keep in zip(legs, aside) if keep]
        return legs

    def _base(self, data: mujoco.MjData, foot: int, feet: list[int], high: float) -> int:
        """Climb while no other leg parts from the same part high up."""
        base = foot
        while self.parent[base] > 1:
            above = self.parent[base]
            others = [c for c in self.children[above] if c != base and set(self.below(c)) & set(feet)]
            if any(self.anchor(data, c)[2] > high for c in others):
                break
            base = above
        return base

    def _leg(self, base: int, tips: list[int]) -> FoundLeg:
        chains = [p for tip in tips for p in self.above(tip)]
        mine = [p for p in self.below(base) if p in chains]
        return FoundLeg(base, tuple(tips), tuple(d for p in mine for d in self.dofs(p)))
