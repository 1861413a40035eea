"""The pages: no dead links, every page in the site, names of files that exist, and a build without warnings."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*(ROOT / n for n in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"))]
PAGES += sorted((ROOT / "docs").glob("*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`((?:[\w.]+/)+[\w.]*\.py)`")  # a path of a Python file in the text
OLD = {"CHANGELOG.md"}  # names paths that are gone
GENERATED = {"index.md", "examples.md", "contributing.md", "changelog.md"}  # by docs/hooks.py


def relative(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """What a heading may be linked by."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page):
    dead = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_files_that_are_named_exist(page):
    if page.name in OLD:
        return
    roots = [ROOT / part for part in ("", "src", "src/poise", "src/poise/behaviours", "tests", "examples")]
    named = {path for path in CODE.findall(page.read_text(encoding="utf-8")) if "NAME" not in path}
    assert [path for path in sorted(named) if not any((root / path).exists() for root in roots)] == []


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_imports_of_snippets_work(page):
    missing = []
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.S):
        for module, names in re.findall(r"^from (poise[\w.]*) import ([\w, ]+)$", block, flags=re.M):
            for name in (part.split(" as ")[0] for part in names.split(", ")):
                found = importlib.import_module(module)
                if not hasattr(found, name) and importlib.util.find_spec(f"{module}.{name}") is None:
                    missing.append(f"{module}.{name}")
    assert missing == []


def test_every_page_is_in_the_site():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w-]+\.md)$", nav, flags=re.M))
    assert listed == {page.name for page in (ROOT / "docs").glob("*.md")} | GENERATED


@pytest.mark.slow
def test_site_builds_without_warnings(tmp_path):
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("mkdocstrings") is None:
        pytest.skip("the extra 'docs' is not installed: pip install -e '.[docs]', or make docs")
    command = [
        sys.executable,
        *["-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"],
        str(tmp_path / "site"),
    ]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    control = (tmp_path / "site/api/poise.control.html").read_text(encoding="utf-8")
    assert "<math" in control and 'class="arithmatex"' not in control
    assert "poise.control.solve.Command" in control
