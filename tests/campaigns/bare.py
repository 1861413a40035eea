"""make bare: every command in an environment of its own with nothing but ``pip install .``.

Each ends well, or says in one line which extra it needs: ``pip install 'poise[usd]'``. With --python the commands of
another environment are tried instead.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
EXTRA = re.compile(r"pip install .?poise\[(\w+)\]")
TAKE, ONE = ["run", "stand", "--seconds", "0.1"], ["--replicas", "1", "--jobs", "1"]
SWEEP = ["sweep", "stand", "--grid", "friction=0.5,0.9", "--seconds", "0.1", *ONE]
ENDINGS = ("npz", "csv", "bvh", "glb", "html", "png", "gif")
NEEDS = {  # what has to be said, and by whom
    "video": [[*TAKE, "-o", "take.mp4"]],
    "usd": [[*TAKE, "-o", "take.usda"], [*TAKE, "-o", "take.usdc"]],
    "cluster": [[*SWEEP, "--cluster", "local"]],
    "anticipation": [["anticipation", "train", "--threats", "2"]],
    "design": [["design", "roll"]],
}
WORK = [
    ["list"], ["doctor"], [*TAKE, "--plot", "plot.png"], *([*TAKE, "-o", f"take.{ending}"] for ending in ENDINGS),
    [*TAKE, "-o", "take.parts"], ["replay", "take.npz", "--verify"], ["replay", "take.parts", "--verify"],
    ["looks", "take.npz"], ["inspect", "clip.bvh", "-o", "report.html"], ["inspect", "clip.bvh", "-o", "report.png"],
    ["react", "clip.bvh", "--seconds", "0.1", "-o", "out.bvh"], [*SWEEP, "-o", "grid"],
    ["pushmap", "stand", "--directions", "1", "--max-ms", "0.05", *ONE, "-o", "map"],
    ["export-controller", "stand", "-o", "controller.json"], ["anticipation", "table", "-o", "table.csv"],
    ["anticipation", "test", "--threats", "1"], ["reproduce", "--only", "balance.matrices", "--quick", "--jobs", "1"],
    ["bench", "--quick"], ["stage", "stand", "--measure", "--seconds", "2", "--no-browser"], ["warm"],
]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, help="of an environment that has Poise without extras")
    asked = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = asked.python or installed(folder / "venv")
        from campaigns.samples import motion

        (folder / "clip.bvh").write_bytes(motion())
        for extra, words in [*((None, w) for w in WORK), *((e, w) for e in NEEDS for w in NEEDS[e])]:
            begun = time.monotonic()
            complaint = judge(python, folder, extra, words)
            print(f"{'FOUND' if complaint else 'ok':5} {time.monotonic() - begun:4.0f} s  poise {' '.join(words)}"
                  f"{f'  needs [{extra}]' if extra else ''}  {complaint}", flush=True)  # fmt: skip
            wrong += [complaint] if complaint else []
    print(f"commands={len(WORK) + sum(map(len, NEEDS.values()))} findings={len(wrong)}")
    return int(bool(wrong))


def installed(place: Path) -> Path:
    """A new environment with Poise in it, and no extra."""
    venv.create(place, with_pip=True)
    words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(Path(__file__).parents[2])]
    subprocess.run([place / "bin" / "python", *words], check=True)
    return place / "bin" / "python"


def judge(python: Path, folder: Path, extra: str | None, words: list[str]) -> str:
    """What is wrong with how a command ended; nothing where it is well."""
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-m", "poise", *words], cwd=folder, env=env, capture_output=True, text=True
    )
    said = done.stderr.strip().splitlines()
    if extra is None:
        return "" if done.returncode == 0 else f"exit {done.returncode}: {done.stderr[-300:]}"
    named = [found[1] for found in map(EXTRA.search, said) if found]
    well = done.returncode == 2 and len(said) == 1 and named == [extra]
    return "" if well else f"exit {done.returncode}: {done.stderr[-300:]}"


if __name__ == "__main__":
    sys.exit(main())
