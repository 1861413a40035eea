"""Every claim of the papers, measured: claimed | measured | held or not."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from poise.console import dumps
from poise.errors import BadInput, PoiseError, unknown
from poise.files import put
from poise.reproduce.claim import CLAIMS, Claim, Finding
from poise.reproduce.figure import FIGURES, Drawing, gallery
from poise.sweeps.local import Pool

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")  # importing a file registers its claims

Row = dict[str, Any]  # {"id", "paper", "claim", "measured", "held", "why"}
WORD = {True: "held", False: "not held", None: "not measured"}
COLOUR = {True: "\033[32m", False: "\033[31m", None: "\033[33m"}


class Chosen(NamedTuple):
    """What is asked for, in the order of the papers."""

    claims: list[Claim]
    figures: list[Drawing]


def choose(paper: str | None = None, only: list[str] | None = None) -> Chosen:
    """The claims and figures of a paper, or of all, and of those only the ones that are named."""
    papers = {claim.paper for claim in CLAIMS.values()}
    if paper is not None and paper not in papers:
        raise unknown("paper", paper, papers)
    for name in only or []:
        if name not in CLAIMS and name not in FIGURES:
            raise unknown("claim or figure", name, [*CLAIMS, *FIGURES])
    claims = [c for c in CLAIMS.values() if paper in (None, c.paper) and (not only or c.id in only)]
    figures = [d for d in FIGURES.values() if paper in (None, d.paper) and (not only or d.id in only)]
    if not claims and not figures:
        raise BadInput(f"nothing of paper {paper!r} is among {', '.join(only or [])}")
    return Chosen(claims, figures)


def measure(
    claims: list[Claim], jobs: int | None = None, report: Callable[[int, str], None] = lambda done, name: None
) -> list[Row]:
    """Measure claims in parallel; rows come back in the order given."""
    order = sorted(claims, key=lambda c: -c.cost)
    rows: dict[str, Row] = {}
    with Pool(measure_one, min(jobs or len(order), len(order)) if jobs else None) as pool:
        for _, row in pool.each([c.id for c in order]):
            rows[row["id"]] = row
            report(len(rows), row["id"])
    return [rows[c.id] for c in claims]


def measure_one(name: str) -> Row:
    """Measure one claim; runs in a worker. A claim that cannot be run is a row that says so."""
    claim = CLAIMS[name]
    try:
        finding = claim.find()
    except Exception as error:  # one claim that fails must not take the others with it
        if os.environ.get("POISE_DEBUG"):
            raise
        kind = "" if isinstance(error, PoiseError) else f"{type(error).__name__}: "
        finding = Finding("nothing", None, f"could not be run: {kind}{error}")
    held = None if finding.held is None else bool(finding.held)
    row = {"id": name, "paper": claim.paper, "claim": claim.claim, "measured": finding.measured, "held": held}
    return row | {"why": finding.why or claim.why}


def table(rows: list[Row], colour: bool = False) -> str:
    """The rows for a terminal."""
    lines = []
    for row in rows:
        word = f"{COLOUR[row['held']]}{WORD[row['held']]}\033[0m" if colour else WORD[row["held"]]
        lines += [f"{row['id']}: {word}", f"  claimed   {row['claim']}", f"  measured  {row['measured']}"]
        lines += [f"  why       {row['why']}", ""]
    counts = [f"{sum(r['held'] is verdict for r in rows)} {word}" for verdict, word in WORD.items()]
    return "\n".join([*lines, f"{len(rows)} claims: {', '.join(counts)}"])


def markdown(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    cells = [[r["id"], r["claim"], r["measured"], WORD[r["held"]], r["why"]] for r in rows]
    lines = ["| id | claimed | measured | verdict | why |", "|---|---|---|---|---|"]
    return (
        "\n".join([*lines, *("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in cells)])
        + "\n"
    )


def check_folder(folder: Path) -> None:
    """Make the folder for the results, or say why that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "reproduce.json").touch()
    except OSError as error:
        raise BadInput(f"cannot write in folder '{folder}': {error.strerror}") from error


def digest(claims: list[Claim]) -> str:
    """Hash of claims: ids, words, how they are measured and what is asked."""
    return hashlib.sha256("".join(claim.digest() for claim in claims).encode()).hexdigest()[:16]


def page(paper: str, rows: list[Row], command: str, took: str = "") -> str:
    """A page of one paper: what made it, how long that took, of which version of the claims, and the table."""
    held = sum(row["held"] is True for row in rows)
    claims = [CLAIMS[row["id"]] for row in rows if row["id"] in CLAIMS]
    text = [f"# Claims of [{paper.capitalize()}]", ""]
    text += [f"{held} of {len(rows)} held. Made by `{command}`{took}; claims `{digest(claims)}`.", ""]
    return "\n".join(text) + "\n" + markdown(rows)


def write(
    rows: list[Row],
    folder: Path,
    command: str = "poise reproduce",
    took: str = "",
    texts: dict[str, str] | None = None,
) -> None:
    """Write a page for each paper of the rows, and reproduce.json; what was not measured or drawn now stays.

    Args:
        texts: What figures that were drawn now show, by id.
    """
    file, order = folder / "reproduce.json", {name: i for i, name in enumerate(CLAIMS)}
    old = json.loads(file.read_text() or "{}") if file.exists() else {}
    both = {row["id"]: row for row in old.get("rows", []) if row["id"] in order} | {
        row["id"]: row | _of_claim(row) for row in rows
    }
    every = sorted(both.values(), key=lambda row: order.get(row["id"], len(order)))
    said = {
        name: text for name, text in {**old.get("figures", {}), **(texts or {})}.items() if name in FIGURES
    }
    for paper in dict.fromkeys(
        [row["paper"] for row in rows] + [FIGURES[name].paper for name in texts or {}]
    ):
        own = [r for r in every if r["paper"] == paper]
        path = folder / f"{paper}.md"
        fresh = sum(row["paper"] == paper for row in rows)
        anew = f"{took}, {fresh} of {len(own)} rows anew" if fresh < len(own) else took
        text = page(paper, own, command, anew) if fresh or not path.exists() else _claims_of(path)
        put(path, text + gallery(paper, folder, said))
    put(file, dumps({"rows": every} | ({"figures": said} if said else {}), indent=2) + "\n")


def _of_claim(row: Row) -> Row:
    """The digest of the claim that a row was measured for: a row from before a change of its claim is seen by it."""
    return {"digest": CLAIMS[row["id"]].digest()[:16]} if row["id"] in CLAIMS else {}


def _claims_of(path: Path) -> str:
    """A page as it is, without its figures."""
    return path.read_text().split("\n## Figures", 1)[0].rstrip("\n") + "\n"
