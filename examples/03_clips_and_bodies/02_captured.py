"""Captured: a motion file in, a reacting clip on the same skeleton out. Needs a BVH file of a standing movement, by
default CMU's 13_30 from the folder that POISE_MOCAP names."""

import os
import sys
from pathlib import Path

import poise

CLIP = Path(os.environ.get("POISE_MOCAP", "mocap")) / "bvh" / "13_30.bvh"


def main(seconds: float | None = 4.0, clip: Path = CLIP) -> poise.Recording:
    me = poise.Character.from_bvh(str(clip))
    print("\n".join(str(me.report).splitlines()[:8]))  # the first guesses, with their evidence
    scene = poise.scene(
        "react", motion=clip, seconds=seconds, push="torso:0,-220,0@1.2+0.1", **{"motion.part": "standing"}
    )
    take = poise.simulate(scene)
    print(f"{'fell' if take.fell else 'keeps its feet'}")
    return take


if __name__ == "__main__":
    main(clip=Path(sys.argv[1]) if len(sys.argv) > 1 else CLIP).save("captured.bvh")
