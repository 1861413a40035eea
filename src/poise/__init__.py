"""Characters that keep their balance: `scene = poise.scene("balance-push"); take = poise.simulate(scene)`.

Only names live here; each is imported when first used, so `import poise` costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module, metadata
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poise import behaviours as behaviours
    from poise.character import CHARACTERS as CHARACTERS
    from poise.character import Character as Character
    from poise.control import Control as Control
    from poise.control import Controller as Controller
    from poise.errors import BadInput as BadInput
    from poise.errors import PoiseError as PoiseError
    from poise.motion import Clip as Clip
    from poise.record import Recording as Recording
    from poise.scenes import SCENES as SCENES
    from poise.scenes import scene as scene
    from poise.simulate import Scene as Scene
    from poise.simulate import Session as Session
    from poise.simulate import simulate as simulate
    from poise.worlds import Push as Push
    from poise.worlds import World as World

# name -> (module, attribute); None means the module itself
_WHERE: dict[str, tuple[str, str | None]] = {
    "BadInput": ("poise.errors", "BadInput"),
    "CHARACTERS": ("poise.character", "CHARACTERS"),
    "Character": ("poise.character", "Character"),
    "Clip": ("poise.motion", "Clip"),
    "Control": ("poise.control", "Control"),
    "Controller": ("poise.control", "Controller"),
    "PoiseError": ("poise.errors", "PoiseError"),
    "Push": ("poise.worlds", "Push"),
    "Recording": ("poise.record", "Recording"),
    "SCENES": ("poise.scenes", "SCENES"),
    "Scene": ("poise.simulate", "Scene"),
    "Session": ("poise.simulate", "Session"),
    "World": ("poise.worlds", "World"),
    "behaviours": ("poise.behaviours", None),
    "scene": ("poise.scenes", "scene"),
    "simulate": ("poise.simulate", "simulate"),
}

__all__ = [
    "CHARACTERS",
    "SCENES",
    "BadInput",
    "Character",
    "Clip",
    "Control",
    "Controller",
    "PoiseError",
    "Push",
    "Recording",
    "Scene",
    "Session",
    "World",
    "behaviours",
    "scene",
    "simulate",
]

__version__ = metadata.version("poise")


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'poise' has no attribute {name!r}; names: {', '.join(sorted(_WHERE))}")
    module, attribute = _WHERE[name]
    found = import_module(module)
    value = found if attribute is None else getattr(found, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])


class _Names(ModuleType):
    """Keeps `poise.simulate` the function when Python hangs the submodule of that name on the package."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and _WHERE.get(name, ("", None))[1] is not None:
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Names
