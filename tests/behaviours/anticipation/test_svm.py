"""The machine that ships is plain arrays, quick, and the same as the one that was trained."""

from __future__ import annotations

import time

import numpy as np
import pytest

from poise.behaviours.anticipation import svm, threat, training
from poise.behaviours.anticipation.choices import choice
from poise.behaviours.anticipation.moves import MOVES
from poise.behaviours.anticipation.threat import Threat
from poise.errors import BadInput


def lessons(n: int = 60) -> training.Lessons:
    """Made-up lessons in which the height alone says what is best."""
    rng = np.random.default_rng(3)
    features = np.array([threat.sight_of(t).features for t in training.threats_of(3, n)])
    cost = np.abs(features[:, 2:3] - np.linspace(0.2, 1.6, len(training.LABELS))) * 10 + rng.uniform(
        0, 0.1, (n, 8)
    )
    return training.Lessons(
        features, cost, np.zeros((n, 8)), np.zeros((n, 8)), np.zeros((n, 8)), np.full(n, 15.0)
    )


def test_the_machine_that_ships_chooses_quickly_and_symmetrically():
    chosen = svm.default()
    sights = [threat.sight_of(t) for t in training.threats_of(5, 50)]
    chosen(sights[0])
    clock = time.perf_counter()
    moves = [chosen(s) for s in sights]
    assert (time.perf_counter() - clock) / len(sights) < 5e-3 and all(m in MOVES for m in moves)
    assert len({(m.zone, m.strength) for m in moves}) >= 3


def test_numpy_decides_as_scikit_learn_does():
    svm = pytest.importorskip("sklearn.svm")
    made = lessons().with_mirrors()
    own = training.fit(made, 3.0, 0.2)
    x = (made.features - own.mean) / own.scale
    best, regret = training.targets(x, made.cost)
    theirs = svm.SVC(C=3.0, gamma=0.2, decision_function_shape="ovo")
    theirs.fit(x, best, sample_weight=regret / regret.mean())
    np.testing.assert_allclose(
        [own.decision(f) for f in made.features], theirs.decision_function(x), atol=1e-9
    )
    named = [training.LABELS.index(str(own.labels[own.choose(f)])) for f in made.features]
    assert np.mean(np.array(named) == theirs.predict(x)) > 0.97  # ties in the votes are broken otherwise


def test_training_beats_chance_on_threats_kept_apart():
    pytest.importorskip("sklearn.svm")
    learned = training.train(lessons(80))
    assert learned.damage["best possible"] <= learned.damage["chosen"] < 0.5 * learned.damage["random"]
    assert learned.confusion.sum() == 20 and "best (down)" in learned.text()


def test_round_trips(tmp_path):
    svm.default().save(tmp_path / "m.npz")
    again, x = svm.load(tmp_path / "m.npz"), threat.sight_of(Threat(77, 1.1)).features
    np.testing.assert_array_equal(again.decision(x), svm.default().decision(x))
    lessons().save(tmp_path / "l.npz")
    np.testing.assert_array_equal(training.load_lessons(tmp_path / "l.npz").cost, lessons().cost)


def test_table_has_a_row_for_every_cell(tmp_path):
    rows = svm.table(svm.default(), tmp_path / "t.csv")
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert len(lines) == rows + 1 and lines[0].startswith("bearing_deg,height_m")


def test_bad_files_and_names_are_refused(tmp_path):
    (tmp_path / "m.npz").write_text("no")
    with pytest.raises(BadInput, match="holds no trained choice"):
        svm.load(tmp_path / "m.npz")
    with pytest.raises(BadInput, match="holds no training data"):
        training.load_lessons(tmp_path / "m.npz")
    with pytest.raises(BadInput, match="choice 'lerned' not found"):
        choice("lerned")
