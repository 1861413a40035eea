"""Formulas of docstrings (``.. math::`` and ``:math:``) as the site's own, while the API pages are made."""

from __future__ import annotations

import re

import griffe

BLOCK = re.compile(r"^(?P<lead> *)\.\. math::(?P<tex>.*(?:\n(?! *\n)(?P=lead) +\S.*)*)", flags=re.M)
INLINE = re.compile(r":math:`([^`]+)`")


def formulas(text: str) -> str:
    """Text with its formulas between dollars."""
    return INLINE.sub(r"$\1$", BLOCK.sub(_block, text))


def _block(match: re.Match) -> str:
    lead, tex = match["lead"], " ".join(match["tex"].split())
    return f"\n{lead}$$\n{lead}{tex}\n{lead}$$\n"


class Formulas(griffe.Extension):
    """Rewrites every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **_) -> None:
        if obj.docstring is not None:
            obj.docstring.value = formulas(obj.docstring.value)
