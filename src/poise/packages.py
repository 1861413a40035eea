"""Packages that only some writers need: at hand, or BadInput that says how to get them."""

from __future__ import annotations

from importlib.util import find_spec

from poise.errors import BadInput


def usd() -> None:
    """OpenUSD for Python."""
    if find_spec("pxr") is None:
        raise BadInput(
            'writing USD needs the package usd-core, which is not installed: pip install "poise[usd]" '
            "(or write a .glb, which needs nothing more)"
        )
