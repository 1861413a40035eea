"""Characters that keep their balance: `scene = poise.scene("balance-push"); take = poise.simulate(scene)`.

Only names live here; each is imported when first used, so `import poise` costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module, metadata
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poise import behaviours
    from poise.character import CHARACTERS, Character
    from poise.control import Control, Controller
    from poise.errors import BadInput, PoiseError
    from poise.motion import Clip
    from poise.record import Recording
    from poise.scenes import SCENES, scene
    from poise.simulate import Scene, Session, batch, simulate
    from poise.worlds import Push, World

__all__ = [
    "CHARACTERS", "SCENES", "BadInput", "Character", "Clip", "Control", "Controller", "PoiseError", "Push", "Recording",
    "Scene", "Session", "World", "batch", "behaviours", "scene", "simulate",
]  # fmt: skip

_MODULES = {  # where each name is
    "character": ("CHARACTERS", "Character"), "control": ("Control", "Controller"), "motion": ("Clip",),
    "errors": ("BadInput", "PoiseError"), "record": ("Recording",), "scenes": ("SCENES", "scene"),
    "simulate": ("Scene", "Session", "batch", "simulate"), "worlds": ("Push", "World"),
}  # fmt: skip
_WHERE = {name: f"poise.{module}" for module, names in _MODULES.items() for name in names}

__version__ = metadata.version("poise")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'poise' has no attribute {name!r}; names: {', '.join(__all__)}")
    value = getattr(import_module(_WHERE[name]), name) if name in _WHERE else import_module(f"poise.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


class _Names(ModuleType):
    """Keeps `poise.simulate` the function when Python hangs the submodule of that name on the package."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and name in _WHERE:
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Names
