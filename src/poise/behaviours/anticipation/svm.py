"""A support vector machine as plain arrays: numpy is all it needs to choose."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from os import PathLike
from pathlib import Path

import numpy as np

from poise.behaviours.anticipation.moves import Move, for_sight
from poise.behaviours.anticipation.threat import FEATURES, Sight
from poise.files import load_arrays, put, save_arrays

DEFAULT = Path(__file__).parent / "machine.npz"


@dataclass(frozen=True, eq=False)
class Machine:
    r"""One-against-one support vector machine with a Gaussian kernel.

    .. math:: f_{ij}(x) = \sum_{s \in i} \alpha^j_s k(x, x_s) + \sum_{s \in j} \alpha^i_s k(x, x_s) + b_{ij}, \quad
              k(x, y) = e^{-\gamma |x - y|^2}

    Each pair of classes votes; the most votes win, and of equals the one with the clearer votes.

    Attributes:
        labels: Kinds of examples, "zone strength". mean, scale: (7,) of the features.
        vectors: (m, 7) support vectors, scaled, class by class; counts: how many of each class.
        coefficients: (classes - 1, m). intercepts: of each pair. gamma: Of the kernel.
    """

    labels: np.ndarray
    mean: np.ndarray
    scale: np.ndarray
    vectors: np.ndarray
    counts: np.ndarray
    coefficients: np.ndarray
    intercepts: np.ndarray
    gamma: float

    @cached_property
    def _parts(self) -> list[slice]:
        """The support vectors of each class."""
        ends = np.cumsum(np.asarray(self.counts, int))
        return [slice(int(b - c), int(b)) for b, c in zip(ends, self.counts, strict=True)]

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """First and second class of each pair."""
        return np.triu_indices(len(self.labels), 1)

    def decision(self, features: np.ndarray) -> np.ndarray:
        """f_ij (pairs,) for one threat; positive is a vote for i."""
        x = (features - self.mean) / self.scale
        kernel = np.exp(-self.gamma * ((self.vectors - x) ** 2).sum(axis=1))
        weighed = self.coefficients * kernel
        sums = np.stack([weighed[:, part].sum(axis=1) for part in self._parts], axis=1)
        i, j = self._pairs
        return sums[j - 1, i] + sums[i, j] + self.intercepts

    def choose(self, features: np.ndarray) -> int:
        """Index of the class."""
        if len(self.labels) == 1:
            return 0
        f = self.decision(features)
        i, j = self._pairs
        score = np.zeros(len(self.labels))
        np.add.at(score, np.where(f > 0, i, j), 1.0)
        np.add.at(score, i, 1e-3 * np.tanh(f))
        np.add.at(score, j, -1e-3 * np.tanh(f))
        return int(score.argmax())

    def __call__(self, sight: Sight) -> Move:
        """The example for what is seen."""
        zone, strength = str(self.labels[self.choose(sight.features)]).split()
        return for_sight(zone, strength, sight)

    def save(self, path: str | PathLike[str]) -> None:
        """Write as plain arrays."""
        save_arrays(path, **{f.name: getattr(self, f.name) for f in fields(self)})


def load(path: str | PathLike[str] = DEFAULT) -> Machine:
    """Read a machine."""
    held = load_arrays(path, "holds no trained choice", *(f.name for f in fields(Machine)))
    gamma = float(held.pop("gamma"))
    return Machine(**held, gamma=gamma)


@lru_cache(maxsize=1)
def default() -> Machine:
    """The machine that ships, trained on simulated throws at the adult."""
    return load()


def table(machine: Machine, path: str | PathLike[str]) -> int:
    """The choices as a table that a game can look up (.csv): one row for each cell of a grid; returns the rows."""
    grid = {
        "bearing_deg": range(-180, 180, 45), "height_m": np.arange(0.2, 1.75, 0.15), "offset_m": (-0.1, 0.0, 0.1),
        "time_s": (0.2, 0.35, 0.5, 0.8), "speed_ms": (4.0, 6.5, 9.0),
    }  # fmt: skip
    lines = [",".join([*grid, "zone", "strength", "example"])]
    for cell in np.stack(np.meshgrid(*grid.values(), indexing="ij"), axis=-1).reshape(-1, len(grid)):
        bearing, height, offset, time, speed = map(float, cell)
        sight = Sight(
            bearing, height, offset, time, speed, max(0.0, 4.905 * time + (1.5 - height) / max(time, 0.1))
        )
        move = machine(sight)
        lines.append(",".join([*(f"{v:g}" for v in cell), move.zone, move.strength, move.name]))
    put(path, "\n".join(lines) + "\n")
    return len(lines) - 1


def describe(machine: Machine) -> str:
    """What it is, in a line."""
    m, n = len(machine.vectors), len(machine.labels)
    return f"{n} kinds, {m} support vectors of {len(FEATURES)} features, γ = {machine.gamma:g}, {math.comb(n, 2)} pairs"
