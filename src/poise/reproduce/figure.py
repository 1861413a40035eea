"""A figure of a paper drawn again, from our takes and, where the paper has some, from captured people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from poise.console import say
from poise.errors import BadInput

Draw = Callable[[Path], str]


class Drawing(NamedTuple):
    """One figure: whose it is, what it shows, and a function that draws it into a file and says what came out."""

    id: str
    paper: str
    caption: str
    draw: Draw

    @property
    def file(self) -> str:
        """Its name in a folder."""
        return f"{self.id.replace('.', '-')}.png"


FIGURES: dict[str, Drawing] = {}


def figures_of(paper: str) -> Callable[[str], Callable[[Draw], Draw]]:
    """The decorator of a paper's figures: its number makes the id, the docstring is the caption."""

    def figure(number: str) -> Callable[[Draw], Draw]:
        def register(draw: Draw) -> Draw:
            name = f"{paper}.fig-{number.replace('.', '-')}"
            FIGURES[name] = Drawing(name, paper, " ".join((draw.__doc__ or "").split()), draw)
            return draw

        return register

    return figure


def drawn(drawings: list[Drawing], folder: Path) -> dict[str, str]:
    """Draw figures into a folder; what each shows in numbers, by id. One that lacks its data is left as it was."""
    found = {}
    for drawing in drawings:
        try:
            found[drawing.id] = drawing.draw(folder / drawing.file)
        except BadInput as error:
            say(f"{drawing.id} is not drawn: {error}")
    return found


def gallery(paper: str, folder: Path, texts: dict[str, str]) -> str:
    """The figures of a paper that are in a folder, as Markdown; empty where there are none."""
    shown = [d for d in FIGURES.values() if d.paper == paper and (folder / d.file).exists()]
    if not shown:
        return ""
    parts = ["## Figures, drawn again", ""]
    for d in shown:
        parts += [
            f"![{d.caption}]({d.file})",
            "",
            f"`{d.id}`: {d.caption}. {texts.get(d.id, '')}".rstrip(),
            "",
        ]
    return "\n" + "\n".join(parts)
