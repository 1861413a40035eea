"""make faults: commands killed at random moments; what was reported written is whole, and nothing is left behind.

Each round starts a command that replaces files, kills it (SIGKILL, at times SIGINT) after a random part of the time
that it takes, and looks: every file is the old one or a whole new one, what was reported written is there, and the
trials of a pushmap or a sweep that were kept stay kept. At last every command runs undisturbed: it goes on from what
is there, and leaves no half-written files. Commands are forks of one process that has everything imported and
compiled, so that most kills fall into the work; --cold starts each in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
ONE = ["--replicas", "1", "--jobs", "1"]
COMMANDS = {
    "run": ["run", "stand", "--seconds", "0.1", "-o", "take.npz", "-o", "take.csv", "-o", "take.html"],
    "react": [
        "react",
        "clip.bvh",
        "--seconds",
        "0.1",
        "-o",
        "react.npz",
        "-o",
        "react.bvh",
        "-o",
        "react.glb",
    ],
    "pushmap": ["pushmap", "stand", "--directions", "2", "--max-ms", "0.05", *ONE, "-o", "map"],
    "sweep": ["sweep", "stand", "--grid", "friction=0.5:0.9:5", "--seconds", "0.1", *ONE, "-o", "grid"],
    "film": ["run", "stand", "--seconds", "0.1", "-o", "take.gif"],
    "parts": ["run", "stand", "--seconds", "0.5", "-o", "long.parts"],
}
SHARES = (0.29, 0.3, 0.12, 0.2, 0.01, 0.08)  # of the rounds
SAID = "said.txt"
INTERRUPTED = 130  # exit code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kills", type=int, default=0, help="of SIGKILL; then the time does not count")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cold", action="store_true")
    asked = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs behind it
    rng, wrong = random.Random(asked.seed), []
    counts = dict.fromkeys([*COMMANDS, "kills", "interrupts", "ended", "leavings"], 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        took = prepare(folder, asked.cold)
        print("a command takes [s]:", {name: round(time_, 2) for name, time_ in took.items()}, flush=True)
        end = time.monotonic() + asked.seconds
        while counts["kills"] < asked.kills if asked.kills else time.monotonic() < end:
            name = rng.choices(list(COMMANDS), SHARES)[0]
            wrong += attempt(folder, name, rng, counts, took, asked.cold)
            if sum(counts[key] for key in COMMANDS) % 50 == 0:
                print(counts, f"findings={len(wrong)}", flush=True)
        wrong += afterwards(folder)
    print(" ".join(f"{key}={value}" for key, value in counts.items()), f"findings={len(wrong)}")
    for line in wrong:
        print("  FOUND", line)
    return int(bool(wrong))


def prepare(folder: Path, cold: bool) -> dict[str, float]:
    """Files to replace, and how long each command takes [s]."""
    from campaigns.samples import motion

    (folder / "clip.bvh").write_bytes(motion())
    if not cold:
        from poise.simulate import stream

        sys.modules[stream.__module__].PART_S = 0.1  # type: ignore[attr-defined]
        for name in set(COMMANDS) - {"film"}:  # a fork cannot go on with another process's graphics
            assert inside(COMMANDS[name]) == 0, name
        for made in ("long.parts", "map", "grid"):
            shutil.rmtree(made)
    took = {}
    for name, words in COMMANDS.items():
        begun = time.monotonic()
        assert os.waitpid(start(words, cold), 0)[1] == 0, (folder / SAID).read_text()
        took[name] = time.monotonic() - begun
    return took


def start(words: list[str], cold: bool) -> int:
    """The process of a command; what it says goes to a file."""
    child = 0 if cold else os.fork()
    if cold:
        with open(SAID, "w") as said:
            return subprocess.Popen([sys.executable, "-m", "poise", *words], stdout=said, stderr=said).pid
    if child:
        return child
    try:  # whatever happens, this process ends here: what it would unwind is the campaign's
        said = os.open(SAID, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os._exit(inside(words))
    except KeyboardInterrupt:  # before the command could see to it
        os._exit(INTERRUPTED)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def inside(words: list[str]) -> int:
    """A command in this process; returns its exit code."""
    from poise.cli.app import main

    sys.argv = ["poise", *words]
    try:
        main()
    except SystemExit as how:
        return int(how.code or 0)
    return 0


def attempt(
    folder: Path, name: str, rng: random.Random, counts: dict[str, int], took: dict[str, float], cold: bool
) -> list[str]:
    """One command and its end."""
    before, ledgers = {p: p.read_bytes() for p in whole(folder)}, kept(folder)
    if name == "parts":
        shutil.rmtree(folder / "long.parts", ignore_errors=True)
    how = signal.SIGINT if rng.random() < 0.1 else signal.SIGKILL
    process = start(COMMANDS[name], cold)
    end, status = time.monotonic() + rng.uniform(0.0, took[name]), None
    while status is None and time.monotonic() < end:
        time.sleep(0.005)
        found, how_it_ended = os.waitpid(process, os.WNOHANG)
        status = how_it_ended if found else None
    if status is None:
        os.kill(process, how)
        status = os.waitpid(process, 0)[1]
    ended = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
    took[name] *= 0.8 if ended else 1.02  # the machine may be busier now, or less
    counts["ended" if ended else "interrupts" if how == signal.SIGINT else "kills"] += 1
    counts[name] += 1
    counts["leavings"] += len(list(folder.rglob(".poise-*")))
    said = (folder / SAID).read_text() if (folder / SAID).exists() else ""
    wrong = [f"{p.name} is damaged after {name}" for p in whole(folder) if not good(p, before)]
    for line in said.splitlines():
        if line.startswith("wrote ") and not (folder / line.removeprefix("wrote ")).exists():
            wrong.append(f"{line}, but it is not there")
    if "Traceback" in said or (os.WIFEXITED(status) and os.WEXITSTATUS(status) not in (0, INTERRUPTED)):
        wrong.append(f"{name}: {said[-300:]}")
    now = kept(folder)
    if any(not lines <= now.get(path, set()) for path, lines in ledgers.items()):
        wrong.append(f"{name}: a trial that was kept is lost")
    if ended:
        shutil.rmtree(folder / {"pushmap": "map", "sweep": "grid"}.get(name, "none"), ignore_errors=True)
    return wrong


def whole(folder: Path) -> list[Path]:
    """Files that a command has written, its ledgers apart: those grow."""
    found = [p for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")]
    return [p for p in found if p.suffix != ".jsonl" and p.name != SAID]


def kept(folder: Path) -> dict[Path, set[str]]:
    """Whole lines of the ledgers."""
    return {
        p: {line for line in p.read_text().splitlines() if line.endswith("}")}
        for p in folder.rglob("*.jsonl")
    }


def good(path: Path, before: dict[Path, bytes]) -> bool:
    """The old file, or a whole new one."""
    data = path.read_bytes()
    if before.get(path) == data:
        return True
    if path.suffix == ".npz":
        import poise as library

        return len(library.Recording.load(path)) > 0
    if path.suffix == ".glb":
        return len(data) == int.from_bytes(data[8:12], "little")
    ends = {".gif": b"\x3b", ".png": b"\xaeB\x60\x82", ".parquet": b"PAR1"}
    return data.endswith(ends.get(path.suffix, b"\n"))


def afterwards(folder: Path) -> list[str]:
    """Every command once more, undisturbed: it works, resumes, and clears up."""
    wrong = []
    shutil.rmtree(folder / "long.parts", ignore_errors=True)
    for name, words in COMMANDS.items():
        known = sum(map(len, kept(folder).values()))
        done = subprocess.run(
            [sys.executable, "-m", "poise", *words, "--json"], capture_output=True, text=True
        )
        if done.returncode or not isinstance(json.loads(done.stdout.splitlines()[-1]), dict):
            wrong.append(f"{name} afterwards: {done.stderr[-300:]}")
        if sum(map(len, kept(folder).values())) < known:
            wrong.append(f"{name} afterwards: it has fewer trials than before")
    return wrong + [f"left behind: {p.relative_to(folder)}" for p in folder.rglob(".poise-*")]


if __name__ == "__main__":
    sys.exit(main())
