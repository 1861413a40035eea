"""make faults: commands killed at random moments; what was reported written is whole, and nothing is left behind.

Each round starts a command that replaces a file, kills it (SIGKILL, at times SIGINT) after a random time, and looks:
the file must be the old one or a whole new one, and every file that was reported written must be there. A pushmap must
go on where it stopped. The next command must leave no half-written files in the folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
LONGEST_S = 3.0  # before a command is killed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng, wrong = random.Random(asked.seed), []
    counts = {"kills": 0, "interrupts": 0, "ended": 0, "leavings": 0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = prepare(folder)
        end = time.monotonic() + asked.seconds
        while time.monotonic() < end:
            wrong += attempt(folder, rng.choice(commands), rng, counts)
        wrong += afterwards(folder)
    print(" ".join(f"{key}={value}" for key, value in counts.items()), f"findings={len(wrong)}")
    for line in wrong:
        print("  FOUND", line)
    return int(bool(wrong))


def prepare(folder: Path) -> list[list[str]]:
    """Files to replace, and the commands that replace them."""
    from campaigns.samples import motion

    (folder / "clip.bvh").write_bytes(motion())
    write = ["-o", "take.npz", "-o", "take.bvh", "-o", "take.gif"]
    commands = [
        ["run", "stand", "--seconds", "0.3", "-o", "take.npz", "-o", "take.gif", "-o", "take.csv"],
        ["react", "clip.bvh", "--seconds", "0.3", *write],
        [
            "pushmap",
            "stand",
            "--directions",
            "2",
            "--replicas",
            "1",
            "--max-ms",
            "0.1",
            "--jobs",
            "1",
            "-o",
            "map",
        ],
    ]
    for words in commands[:2]:
        subprocess.run(poise(words), cwd=folder, check=True, capture_output=True)
    return commands


def poise(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "poise", *words]


def attempt(folder: Path, words: list[str], rng: random.Random, counts: dict[str, int]) -> list[str]:
    """One command and its end."""
    before = {p.name: p.read_bytes() for p in whole(folder)}
    process = subprocess.Popen(
        poise(words), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(rng.uniform(0.1, LONGEST_S))
    how = signal.SIGINT if rng.random() < 0.2 else signal.SIGKILL
    if process.poll() is None:
        counts["interrupts" if how == signal.SIGINT else "kills"] += 1
        os.kill(process.pid, how)
    else:
        counts["ended"] += 1
    _, said = process.communicate()
    counts["leavings"] += len(list(folder.glob(".poise-*")))
    wrong = [f"{p.name} is damaged after {words}" for p in whole(folder) if not good(p, before)]
    for line in said.splitlines():
        if line.startswith("wrote ") and not (folder / line.removeprefix("wrote ")).is_file():
            wrong.append(f"{line}, but it is not there")
    if "Traceback" in said and process.returncode not in (-signal.SIGINT, 130):
        wrong.append(f"{words}: {said[-300:]}")
    return wrong


def whole(folder: Path) -> list[Path]:
    return [p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")]


def good(path: Path, before: dict[str, bytes]) -> bool:
    """The old file, or a whole new one."""
    data = path.read_bytes()
    if before.get(path.name) == data:
        return True
    if path.suffix == ".npz":
        import poise as library

        return len(library.Recording.load(path)) > 0
    if path.suffix == ".gif":
        return data[:3] == b"GIF" and data[-1:] == b"\x3b"
    return data.endswith(b"\n")


def afterwards(folder: Path) -> list[str]:
    """Every command once more, undisturbed: it works, resumes, and clears up."""
    wrong = []
    for words in prepare(folder):
        done = subprocess.run(poise([*words, "--json"]), cwd=folder, capture_output=True, text=True)
        if done.returncode or not isinstance(json.loads(done.stdout.splitlines()[-1]), dict):
            wrong.append(f"{words} afterwards: {done.stderr[-300:]}")
    left = [str(p.relative_to(folder)) for p in folder.rglob(".poise-*")]
    return wrong + [f"left behind: {name}" for name in left]


if __name__ == "__main__":
    sys.exit(main())
