"""The commands that make databases and tables."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from poise.cli.app import app
from poise.errors import BadInput


def call(*words: str):
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize(
    ("words", "say"),
    [(["steps", "build"], "either a folder"), (["steps", "build", "/nowhere"], "not a folder"),
     (["anticipation", "test", "--seed", "1000"], "training")],
)  # fmt: skip
def test_bad_input_is_refused(words, say):
    found = call(*words)
    assert isinstance(found.exception, BadInput) and say in str(found.exception)


def test_an_empty_folder_is_refused(tmp_path):
    found = call("steps", "build", str(tmp_path))
    assert isinstance(found.exception, BadInput) and "holds no clips" in str(found.exception)


def test_the_choice_is_written_as_a_table(tmp_path):
    found = call("anticipation", "table", "-o", str(tmp_path / "t.csv"))
    assert found.exit_code == 0 and len((tmp_path / "t.csv").read_text().splitlines()) > 1000
