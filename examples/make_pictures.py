"""Run the examples and draw the picture of each: five moments in a row, small enough to keep in the repository.

`python examples/make_pictures.py [word ...]` draws those whose path has one of the words, or all.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

HERE = Path(__file__).resolve().parent
PICTURES = HERE / "pictures"
FRAMES, WIDTH, HEIGHT = 5, 220, 290  # [pixels]
COLOURS = 128  # of the palette: a third of the size, no difference to the eye


def scripts() -> list[Path]:
    """All examples, in the order of the ladder."""
    return sorted(HERE.glob("[0-9]*/[0-9]*.py"))


def picture(script: Path) -> Path:
    """Where the picture of an example lies."""
    return PICTURES / f"{script.parent.name[:2]}_{script.stem}.png"


def load(script: Path) -> ModuleType:
    """An example as a module; nothing runs until its ``main`` is called."""
    spec = importlib.util.spec_from_file_location(f"example_{script.parent.name}_{script.stem}", script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def strip(take, path: Path, times=None) -> None:
    """Moments of a take side by side: those given, or five spread over it."""
    from PIL import Image

    from poise.draw.render import frames
    from poise.formats.moments import moments

    shots = list(frames(take, moments(take, FRAMES) if times is None else times, WIDTH, HEIGHT))
    Image.fromarray(np.concatenate(shots, axis=1)).quantize(COLOURS).save(path, optimize=True)


def shrink(path: Path) -> None:
    """A figure at half its size."""
    from PIL import Image

    figure = Image.open(path).convert("RGB")
    figure.thumbnail((FRAMES * WIDTH, 1000))
    figure.quantize(COLOURS).save(path, optimize=True)


def main(words: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    for script in scripts():
        if words and not any(word in str(script) for word in words):
            continue
        example, path = load(script), picture(script)
        print(f"== {script.parent.name}/{script.name}")
        take = example.main()
        if hasattr(example, "draw"):
            example.draw(take, str(path))
            shrink(path)
        else:
            strip(take, path, getattr(example, "MOMENTS", None))


if __name__ == "__main__":
    main(sys.argv[1:])
