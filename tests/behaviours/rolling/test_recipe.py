"""Recipes: what a cycle's file says of how it was made is what makes it again."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from poise.behaviours.rolling import design, recipe
from poise.behaviours.rolling.cycle import Cycle, named, shipped
from poise.behaviours.rolling.design import Judge
from poise.behaviours.rolling.recipe import Recipe, Search, again, design_roll, slopes_of
from poise.behaviours.rolling.trial import Trial
from poise.errors import BadInput


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rollouts of half a second: enough to see that searches repeat."""
    pytest.importorskip("cma")

    class Short(design.Design):
        def __init__(self, *args, **more):
            super().__init__(*args, seconds=0.4, **more)

    monkeypatch.setattr(recipe, "Design", Short)


def test_a_file_makes_its_cycle_again(quick: None, tmp_path: Path) -> None:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    design_roll("backward", "adult", None, Search((-8.0, 0.0), 8, 3)).save(first)
    made = design_roll("backward", "adult", str(first), Search((0.0,), 8, 4, rollouts=2))
    made.save(second)
    assert Cycle.load(second) == made == again(str(second))
    assert [s["seed"] for s in made.made["searches"]] == [3, 4]


def test_a_recipe_begins_with_a_cycle_that_has_none(quick: None, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    replace(named("backward"), made={}).save(file)
    made = design_roll("backward", "adult", str(file), Search((0.0,), 4, 0))
    assert made.made["from"] == str(file)
    with pytest.raises(BadInput, match="no recipe"):
        again(str(file))


def test_a_search_is_read_as_it_was_written() -> None:
    search = Search((-12.0, 0.0), 1400, 3, rollouts=2)
    assert Search.read(search.written()) == search


@pytest.mark.parametrize("name", sorted(shipped()))
def test_shipped_cycles_say_on_whom_they_were_made(name: str) -> None:
    assert "adult" in named(name).made["character"]
    assert Recipe.of(named(name), name).begin == name  # what has no recipe is where one begins


def test_ladder_is_climbed_when_half_roll_on(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cma")
    ran: list[float] = []

    def run(stage, roll, seconds, seed):
        ran.append(round(math.degrees(stage.slope)))
        return Trial(seconds, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5, seconds)  # one revolution a second

    monkeypatch.setattr("poise.behaviours.rolling.trial.Stage.run", run)
    made = design_roll("backward", "adult", None, Search((-10.0, -5.0, 0.0), 45, 0))
    assert list(dict.fromkeys(ran)) == [-10, -5, 0] and made.slope == 0.0


def test_what_is_not_wanted_costs_by_the_time_rolled() -> None:
    stalled, on = (Trial(0.5, 1.0, 0.5, 0.2, 0.0, 0.1, 0.1, 0.5, t) for t in (0.6, 6.0))
    judge = Judge()
    least = -judge.revolution * 0.5
    assert judge.cost(on, 0.0, None, 6.0) - least == pytest.approx(
        10 * (judge.cost(stalled, 0.0, None, 6.0) - least)
    )


@pytest.mark.parametrize("text", ["", "1,x", "60", "-12,-50"])
def test_bad_slopes_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="slope"):
        Search(slopes_of(text))


def test_bad_requests_are_refused() -> None:
    with pytest.raises(BadInput, match="forward roll"):
        design_roll("backward", "adult", "forward", Search())
    with pytest.raises(BadInput, match="evaluation"):
        Search.read({"evaluation": 3})
    with pytest.raises(BadInput, match="sideway"):
        Recipe("sidewards")
