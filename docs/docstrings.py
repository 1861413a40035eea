"""Formulas of docstrings (``.. math::`` and ``:math:``) as the site's own, while the API pages are made."""

from __future__ import annotations

import re

import griffe

BLOCK = re.compile(r"^(?P<lead> *)\.\. math::(?P<tex>.*(?:\n(?! *\n)(?P=lead) +\S.*)*)", flags=re.M)
INLINE = re.compile(r":math:`([^`]+)`")


def formulas(text: str) -> str:
    """Text with its formulas between dollars."""
    text = BLOCK.sub(lambda m: f"\n{m['lead']}$$\n{m['lead']}{' '.join(m['tex'].split())}\n{m['lead']}$$\n", text)
    return INLINE.sub(r"$\1$", text)


class Formulas(griffe.Extension):
    """Rewrites every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **_) -> None:
        if obj.docstring is not None:
            obj.docstring.value = formulas(obj.docstring.value)
