"""Every example runs, says what it shows, and has its picture."""

from __future__ import annotations

import ast
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import mocap
from poise.record.recording import Recording

EXAMPLES = Path(__file__).parents[1] / "examples"
LONGEST = 100  # lines of a script
LARGEST, TOGETHER = 150_000, 2_000_000  # bytes of one picture, and of all
SHORT = 0.6  # [s]: enough for every part of an example to be called
NEEDED = {
    "01_how_hard": 2.5,
    "02_own_behaviour": 2.0,
    "03_session": 1.0,
    "00_stairs": None,
}  # [s]; None is the scene's own


def _pictures():
    spec = importlib.util.spec_from_file_location("make_pictures", EXAMPLES / "make_pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_pictures = _pictures()
SCRIPTS = make_pictures.scripts()


def name_of(script: Path) -> str:
    return f"{script.parent.name}/{script.stem}"


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
def test_example_runs(script, capsys):
    arguments = {}
    if script.stem == "02_captured":
        arguments["clip"] = mocap.need("bvh/13_30.bvh")[0]
    take = make_pictures.load(script).main(NEEDED.get(script.stem, SHORT), **arguments)
    assert isinstance(take, Recording) and len(take) > 10
    assert np.isfinite(take["q"]).all()
    assert capsys.readouterr().out.strip()
    assert take.fell == (script.stem == "01_how_hard")


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
def test_example_is_short_and_says_what_it_shows(script):
    text = script.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    title = ast.get_docstring(ast.parse(text))
    assert title is not None and ": " in title and text.rstrip().count('if __name__ == "__main__":') == 1


def test_pictures_are_there_and_small():
    sizes = [make_pictures.picture(script).stat().st_size for script in SCRIPTS]
    assert max(sizes) < LARGEST and sum(sizes) < TOGETHER
    assert {make_pictures.picture(s) for s in SCRIPTS} == set(make_pictures.PICTURES.glob("*.png"))


def test_the_table_lists_every_example():
    table = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for script in SCRIPTS:
        where = f"{script.parent.name}/{script.name}"
        assert f"| [{where}]({where}) |" in table
        assert f"pictures/{make_pictures.picture(script).name}" in table


# -- notebooks: their code, cell by cell, without Jupyter

NOTEBOOKS = sorted(EXAMPLES.glob("notebooks/*.ipynb"))
SMALL = {  # in the place of the values in the cell that is tagged `parameters`
    "00_first_shove": {"SECONDS": 1.5},
    "01_push_map": {"DIRECTIONS": 1, "REPLICAS": 1, "LARGEST": 0.1, "JOBS": 1},
    "02_own_loop": {"SECONDS": 0.8},
}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    book, names = json.loads(notebook.read_text(encoding="utf-8")), {}
    assert book["nbformat"] == 4 and book["cells"][0]["source"][0].startswith("# ")
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]  # they would go stale
            exec(compile("".join(cell["source"]), f"{notebook.name}, {cell['id']}", "exec"), names)
            if "parameters" in cell["metadata"].get("tags", ()):
                assert SMALL[notebook.stem].keys() <= names.keys()
                names.update(SMALL[notebook.stem])
    assert capsys.readouterr().out.strip() and notebook.stem in SMALL
    assert f"(notebooks/{notebook.name})" in (EXAMPLES / "README.md").read_text(encoding="utf-8")
