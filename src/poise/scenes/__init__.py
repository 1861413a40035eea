"""Scenes by name: each is one short function, marked ``@scene``, that composes character, world and behaviour."""

from importlib import import_module
from pkgutil import iter_modules

from poise.scenes.build import scene as scene
from poise.scenes.registry import SCENES as SCENES

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")  # importing a file registers its scenes
