"""The table of claims."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from poise import reproduce
from poise.errors import BadInput
from poise.reproduce import figure
from poise.reproduce.claim import CLAIMS, Claim, Finding, claims_of
from poise.reproduce.figure import FIGURES

ROWS = [
    {"id": "a.x", "paper": "a", "claim": "up | down", "measured": "1 m", "held": True, "why": "so"},
    {"id": "a.y", "paper": "a", "claim": "left", "measured": "2 m", "held": False, "why": "no"},
    {"id": "a.z", "paper": "a", "claim": "right", "measured": "nothing", "held": None, "why": "missing"},
]


def test_every_claim_of_balance_is_listed_once():
    claims = reproduce.choose("balance").claims
    assert len(claims) >= 40
    assert len({c.claim for c in claims}) == len(claims)
    assert all(c.id.startswith("balance.") and c.cost > 0 for c in claims)


def test_choice_by_id_keeps_the_order_of_the_papers():
    names = [c.id for c in reproduce.choose(None, ["balance.topples", "balance.newton"]).claims]
    assert names == [c for c in CLAIMS if c in {"balance.topples", "balance.newton"}]
    with pytest.raises(BadInput, match="did you mean"):
        reproduce.choose(None, ["balance.topple"])
    with pytest.raises(BadInput, match="balance"):
        reproduce.choose("nobody")


def test_a_claim_that_cannot_run_is_a_row(monkeypatch):
    def fails() -> Finding:
        raise BadInput("option 'x' not found")

    monkeypatch.setitem(CLAIMS, "a.fails", Claim("a.fails", "a", "text", fails, 1.0))
    row = reproduce.measure_one("a.fails")
    assert row["held"] is None
    assert "option 'x'" in row["why"]
    assert set(row) == {"id", "paper", "claim", "measured", "held", "why"}


def test_rows_come_in_the_order_asked(monkeypatch):
    for name, cost in (("a.one", 1.0), ("a.two", 9.0)):
        monkeypatch.setitem(CLAIMS, name, Claim(name, "a", name, lambda: Finding("1", True, "so"), cost))
    seen: list[str] = []
    rows = reproduce.measure(
        [CLAIMS["a.one"], CLAIMS["a.two"]], jobs=1, report=lambda done, name: seen.append(name)
    )
    assert [r["id"] for r in rows] == ["a.one", "a.two"]
    assert seen == ["a.two", "a.one"]  # the long one first


def test_ids_are_unique():
    def newton() -> Finding:
        """again"""
        return Finding("", None)

    with pytest.raises(ValueError, match="twice"):
        claims_of("balance")()(newton)


def test_a_claim_is_its_docstring_and_its_name():
    def two_words() -> Finding:
        """What the paper
        says (3)"""
        return Finding("1 m", True)

    try:
        claims_of("a")(cost=3.0, why="limit 2 m")(two_words)
        row = reproduce.measure_one("a.two-words")
    finally:
        CLAIMS.pop("a.two-words", None)
    assert row == {"id": "a.two-words", "paper": "a", "claim": "What the paper says (3)", "measured": "1 m",
                   "held": True, "why": "limit 2 m"}  # fmt: skip


def test_table_in_three_forms(tmp_path):
    text = reproduce.table(ROWS)
    assert "1 held, 1 not held, 1 not measured" in text
    assert "\033[32mheld" in reproduce.table(ROWS, colour=True)
    reproduce.check_folder(tmp_path / "new")
    reproduce.write(ROWS, tmp_path / "new", "poise reproduce --quick")
    lines = (tmp_path / "new" / "a.md").read_text().splitlines()
    assert len(lines) == 9 and "1 of 3 held" in lines[2] and "--quick" in lines[2]
    assert "up \\| down" in lines[6]
    assert json.loads((tmp_path / "new" / "reproduce.json").read_text()) == {"rows": ROWS}


def test_rows_that_were_not_measured_stay(tmp_path):
    names = ["balance.newton", "balance.topples", "stepping.walk"]
    rows = [ROWS[0] | {"id": name, "paper": name.partition(".")[0]} for name in names]
    reproduce.write([*rows, ROWS[0] | {"id": "balance.gone", "paper": "balance"}], tmp_path)
    reproduce.write([rows[1] | {"measured": "3 m"}], tmp_path, took=" in 2 min")
    found = {
        row["id"]: row["measured"] for row in json.loads((tmp_path / "reproduce.json").read_text())["rows"]
    }
    assert found == {"balance.newton": "1 m", "balance.topples": "3 m", "stepping.walk": "1 m"}
    text = (tmp_path / "balance.md").read_text()
    assert "balance.newton" in text and "in 2 min" in text


def test_unwritable_folder_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot write"):
        reproduce.check_folder(tmp_path / "file")


def test_matrices_claim_holds():
    row = reproduce.measure_one("balance.matrices")
    assert row["held"] is True


def test_a_digest_knows_words_and_criteria():
    claim = CLAIMS["balance.topples"]
    assert claim.digest() == claim.digest()
    assert claim._replace(why="easier").digest() != claim.digest()
    assert reproduce.digest([claim]) != reproduce.digest([CLAIMS["balance.newton"]])


@pytest.mark.parametrize("paper", sorted({claim.paper for claim in CLAIMS.values()}))
def test_the_pages_are_those_of_these_claims(paper: str):
    page = (Path(__file__).parents[2] / "docs" / "reproduce" / f"{paper}.md").read_text()
    assert f"claims `{reproduce.digest(reproduce.choose(paper).claims)}`" in page


def test_no_row_is_from_before_a_change_of_its_claim():
    rows = json.loads((Path(__file__).parents[2] / "docs" / "reproduce" / "reproduce.json").read_text())[
        "rows"
    ]
    assert {row["id"] for row in rows} == set(CLAIMS)
    stale = [r["id"] for r in rows if "digest" in r and r["digest"] != CLAIMS[r["id"]].digest()[:16]]
    assert not stale, f"measure again: {', '.join(stale)}"


def test_figures_are_drawn_and_shown_on_their_page(tmp_path):
    def draw(path: Path) -> str:
        """Two lines"""
        path.write_bytes(b"png")
        return "They cross once"

    def lacks(path: Path) -> str:
        raise BadInput("needs motion capture")

    for number, how in (("9.1", draw), ("9.2", lacks)):
        figure.figures_of("stepping")(number)(how)
    try:
        chosen = reproduce.choose(None, ["stepping.fig-9-1", "stepping.fig-9-2"])
        assert chosen.claims == []
        texts = figure.drawn(chosen.figures, tmp_path)
        reproduce.write([], tmp_path, texts=texts)
    finally:
        for number in ("9-1", "9-2"):
            del FIGURES[f"stepping.fig-{number}"]
    text = (tmp_path / "stepping.md").read_text()
    assert "![Two lines](stepping-fig-9-1.png)" in text and "They cross once" in text
    assert "fig-9-2" not in text
    assert json.loads((tmp_path / "reproduce.json").read_text())["figures"] == texts


def test_every_figure_on_a_page_is_there():
    folder = Path(__file__).parents[2] / "docs" / "reproduce"
    shown = {
        name for page in folder.glob("*.md") for name in re.findall(r"\]\((\S+\.png)\)", page.read_text())
    }
    assert {d.file for d in FIGURES.values()} == shown
    assert all((folder / name).exists() for name in shown)
