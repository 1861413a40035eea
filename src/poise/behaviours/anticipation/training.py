"""Training data from physics: every kind of example against many threats, and the machine that learns to choose.

The costs are measured, not modelled: each throw is simulated from the end of the reaction delay until the ball has
passed. Needs scikit-learn (``pip install 'poise[anticipation]'``); what it learns is kept as plain arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from os import PathLike

import numpy as np

from poise.behaviours.anticipation.damage import EFFORT, FALL, HIT
from poise.behaviours.anticipation.moves import KINDS, for_sight
from poise.behaviours.anticipation.svm import Machine
from poise.behaviours.anticipation.threat import Threat, sight_of
from poise.behaviours.anticipation.trial import Range, random_threat
from poise.character.character import Character
from poise.errors import BadInput
from poise.files import load_arrays, save_arrays

DELAY = 0.2  # [s] of reaction in training; the time left is among the features, so that others are covered
BLUR = 0.6  # [standard deviations of the features] over which the costs of lessons are averaged: one throw is chance
MIRROR = np.array([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0])  # of the features, left and right exchanged
LABELS = tuple(f"{zone} {strength}" for zone, strength in KINDS)


@dataclass(frozen=True, eq=False)
class Lessons:
    """What each kind of example did against each threat.

    Attributes:
        features: (n, 7), see ``FEATURES``. damage, effort: (n, kinds) [J]. fell, hit: (n, kinds), 1 for yes.
        ball: (n,) energy of the ball [J].
    """

    features: np.ndarray
    damage: np.ndarray
    effort: np.ndarray
    fell: np.ndarray
    hit: np.ndarray
    ball: np.ndarray

    @property
    def cost(self) -> np.ndarray:
        """(n, kinds): damage, effort, hits and falls in one number [J]."""
        return self.damage + EFFORT * self.effort + HIT * self.hit + FALL * self.fell

    def with_mirrors(self) -> Lessons:
        """The same threats from the other side as well: the body is symmetric."""
        twice = self.some(np.tile(np.arange(len(self.ball)), 2))
        return replace(twice, features=np.concatenate([self.features, self.features * MIRROR]))

    def some(self, index: np.ndarray) -> Lessons:
        return Lessons(*(getattr(self, f.name)[index] for f in fields(self)))

    def save(self, path: str | PathLike[str]) -> None:
        save_arrays(path, **vars(self))


def load_lessons(path: str | PathLike[str]) -> Lessons:
    """Read what ``Lessons.save`` wrote."""
    names = [f.name for f in fields(Lessons)]
    held = load_arrays(path, "holds no training data", *names)
    return Lessons(*(held[name] for name in names))


def simulate_lessons(
    character: Character, threats: list[Threat], report: Callable[[int], None] = lambda n: None
) -> Lessons:
    """Throw every threat at the body once for each kind of example."""
    place, rows = Range(character), []
    for n, threat in enumerate(threats):
        seen = [
            place.throw(
                threat, lambda sight, z=zone, s=strength: for_sight(z, s, sight), DELAY, head_start=True
            )
            for zone, strength in KINDS
        ]
        rows.append((sight_of(threat, DELAY).features, [o.damage for o in seen], [o.effort for o in seen],
                     [o.fell for o in seen], [o.result == "hit" for o in seen], threat.energy))  # fmt: skip
        report(n + 1)
    return Lessons(*(np.array(column, float) for column in zip(*rows, strict=True)))


def threats_of(seed: int, count: int) -> list[Threat]:
    """Random threats, the same for the same seed."""
    rng = np.random.default_rng(seed)
    return [random_threat(rng) for _ in range(count)]


@dataclass(frozen=True, eq=False)
class Trained:
    """A machine and how it did: cross-validated on the training threats, then on threats kept apart.

    ``confusion`` (classes, classes) counts best kind → chosen kind on the latter; damages are means [J].
    """

    machine: Machine
    settings: dict
    score: float
    confusion: np.ndarray
    labels: tuple[str, ...]
    damage: dict[str, float]

    def text(self) -> str:
        """The confusion table and the damage saved, to be read."""
        rows = [" " * 16 + "".join(f"{name[:4]}.{name.split()[1][0]:<3}" for name in self.labels)]
        rows += [
            f"{name:16}" + "".join(f"{n:<8d}" for n in row) for name, row in zip(self.labels, self.confusion)
        ]
        costs = ", ".join(f"{name} {value:.2f} J" for name, value in self.damage.items())
        return "best (down) → chosen\n" + "\n".join(rows) + f"\nmean cost on validation threats: {costs}"


def train(lessons: Lessons, seed: int = 0, apart: float = 0.25) -> Trained:
    """Learn the cheapest kind of example for a threat.

    Threats are split once into training and validation; kernel width and softness are chosen by five-fold
    cross-validation on the training part, by the mean cost of what is chosen; mirror images stay with their threat.
    A sample counts by how much a wrong choice would cost. The machine that is given back has then learned from both
    parts; what is said about it was measured before that.
    """
    order = np.random.default_rng(seed).permutation(len(lessons.ball))
    cut = round(apart * len(order))
    held, used = lessons.some(order[:cut]), lessons.some(order[cut:])
    grid = [(c, g) for c in (1.0, 3.0, 10.0, 30.0) for g in (0.05, 0.1, 0.2, 0.4)]
    folds = np.array_split(np.arange(len(used.ball)), 5)
    scores = {}
    for setting in grid:
        costs = []
        for fold in folds:
            rest = np.setdiff1d(np.arange(len(used.ball)), fold)
            machine = fit(used.some(rest).with_mirrors(), *setting)
            costs.append(_mean_cost(machine, used.some(fold)))
        scores[setting] = float(np.mean(costs))
    best = min(scores, key=lambda s: scores[s])
    judged = _judged(fit(used.with_mirrors(), *best), held, {"C": best[0], "gamma": best[1]}, scores[best])
    return replace(judged, machine=fit(lessons.with_mirrors(), *best))


def check() -> None:
    """Raise BadInput unless there is something to train with."""
    if find_spec("sklearn") is None:
        raise BadInput("training needs scikit-learn: pip install 'poise[anticipation]'")


def fit(lessons: Lessons, softness: float, gamma: float) -> Machine:
    """A machine for given settings."""
    from sklearn.svm import SVC

    mean, scale = lessons.features.mean(axis=0), lessons.features.std(axis=0) + 1e-9
    best, regret = targets((lessons.features - mean) / scale, lessons.cost)
    svm = SVC(C=softness, kernel="rbf", decision_function_shape="ovo").set_params(gamma=gamma)
    if len(np.unique(best)) < 2:
        raise BadInput("one kind of example is the best against every threat; there is nothing to learn")
    svm.fit((lessons.features - mean) / scale, best, sample_weight=regret / regret.mean())
    return Machine(
        np.array([LABELS[k] for k in svm.classes_]), mean, scale, svm.support_vectors_, svm.n_support_,
        np.asarray(svm.dual_coef_), _pairwise(svm), gamma,
    )  # fmt: skip


def targets(x: np.ndarray, cost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The kind (n,) that is cheapest for threats like each one, and how much that matters (n,) [J]; x is scaled."""
    near = np.exp(-((x[:, None] - x[None]) ** 2).sum(axis=-1) / (2 * BLUR**2))
    cost = near @ cost / near.sum(axis=1, keepdims=True)
    return cost.argmin(axis=1), np.minimum(np.median(cost, axis=1) - cost.min(axis=1), 10.0) + 0.1


def _pairwise(svm) -> np.ndarray:
    """Intercepts whose positive side is the first class of a pair, as ``Machine`` counts."""
    return np.asarray(svm.intercept_) if len(svm.classes_) > 2 else -np.asarray(svm.intercept_)


def _chosen(machine: Machine, lessons: Lessons) -> np.ndarray:
    """Index among ``LABELS`` of what a machine chooses for every threat."""
    return np.array([LABELS.index(str(machine.labels[machine.choose(x)])) for x in lessons.features])


def _mean_cost(machine: Machine, lessons: Lessons) -> float:
    return float(lessons.cost[np.arange(len(lessons.ball)), _chosen(machine, lessons)].mean())


def _judged(machine: Machine, held: Lessons, settings: dict, score: float) -> Trained:
    """The confusion table and mean damages on threats kept apart."""
    chosen, best = _chosen(machine, held), held.cost.argmin(axis=1)
    confusion = np.zeros((len(LABELS), len(LABELS)), int)
    np.add.at(confusion, (best, chosen), 1)
    rows = np.arange(len(chosen))
    damage = {
        "chosen": float(held.cost[rows, chosen].mean()), "best possible": float(held.cost.min(axis=1).mean()),
        "random": float(held.cost.mean()), "always the best kind": float(held.cost.mean(axis=0).min()),
    }  # fmt: skip
    return Trained(machine, settings, score, confusion, LABELS, damage)
