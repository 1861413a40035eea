"""Draw the contact sheets of README and docs anew.

`python examples/sheets.py [--takes DIR] [--clip WALK.bvh] [word ...]` draws those whose name has one of the words, or
all; takes that lie in DIR are not simulated again. The captured walk that is shoved is any walk of a person.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import poise
from poise.formats.writers import gif

DOCS = Path(__file__).resolve().parents[1] / "docs"
SIZE = (250, 330)  # of one picture [pixels]
SHEETS: dict[str, dict[str, Any]] = {
    "shove": {"name": "balance-push", "push": "torso:-300,0,0@1.0+0.1", "weights.arms": 0.02, "seconds": 4.0},
    "react": {"name": "react", "push": "torso:0,280,0@1.8+0.1", "seconds": 5.0},
    "recovery": {
        "name": "reactive-step",
        "push": "torso:-420,420,0@1.0+0.1",
        "seconds": 4.5,
        "reaction": 0.0,
    },
    "walk": {"name": "walk", "speed": 1.1, "style": "human", "seconds": 5.0},
    "handstand": {"name": "handstand-steps"},
    "get-up": {"name": "walk", "life": True, "speed": 0.0, "push": "torso:0,2000,0@1+0.1", "seconds": 9.0},
    "stairs": {"name": "ofc-stairs", "rise": 0.18},
    "duck": {"name": "anticipate", "ball.from": 20, "ball.height": 1.6},
    "roll": {"name": "roll-forward", "seconds": 4.0},
    "roll-backward": {"name": "roll-backward", "seconds": 4.0},
}
CAMERAS = {"walk": "side", "roll": "side", "roll-backward": "side"}


def take_of(name: str, folder: Path | None, clip: Path | None) -> poise.Recording:
    """The take of a sheet, from the folder if it is there."""
    kept = folder / f"sheet-{name}.npz" if folder else None
    if kept and kept.exists():
        return poise.Recording.load(kept)
    asked: dict[str, Any] = SHEETS[name] | ({"motion": clip} if name == "react" else {})
    take = poise.simulate(poise.scene(asked.pop("name"), **asked))
    if kept:
        take.save(kept)
    return take


def main() -> None:
    from PIL import Image

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takes", type=Path)
    parser.add_argument("--clip", type=Path)
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args()
    for name in SHEETS:
        if (asked.words and not any(word in name for word in asked.words)) or (
            name == "react" and not asked.clip
        ):
            continue
        path = DOCS / f"{name}.png"
        print(f"== {path.name}", flush=True)
        take_of(name, asked.takes, asked.clip).save(
            path, size=SIZE, camera=CAMERAS.get(name, "three-quarter")
        )
        sheet = Image.open(path).convert("RGB")
        palette = gif._palette([np.asarray(sheet)])  # a third of the size, no difference to the eye
        sheet.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
