"""What once broke it, each as a command or a call: refused with 2 and a reason, or ended as a result."""

from __future__ import annotations

import io
import json
import math
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import typer

import motion_files
import poise
from campaigns.options import declared
from poise import files, packed
from poise.capture.readers import bvh
from poise.cli.app import interruptible
from poise.cli.interrupts import heeded
from poise.errors import BadInput, unknown
from poise.formats.writers import npz

HEAD = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
JOINT = "JOINT j%d\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
END = "End Site\n{\nOFFSET 0 10 0\n}\n"
DIGITS = "9" * 400
COSTLY = ("directed-steps", "fight-step", "ofc-long-step", "ofc-stairs", "ofc-walk", "turn-step")


def walk_file(path: Path, scale: float = 1.0, **changes) -> Path:
    made = motion_files.walk(motion_files.human(), 30.0, 0.7)
    file = motion_files.file_of(made, unit=0.01, up="Y", order="ZXY", hz=30.0)
    values = file.values.copy()
    values[:, :3] *= scale
    file = replace(file, offsets=file.offsets * scale, ends=file.ends * scale, values=values)
    bvh.write(replace(file, **changes), path)
    return path


def frames(joints: int) -> str:
    return "MOTION\nFrames: 2\nFrame Time: 0.01\n" + (" ".join(["0"] * (6 + 3 * joints)) + "\n") * 2


def star(joints: int) -> str:
    return HEAD + "".join(JOINT % i + END + "}\n" for i in range(joints)) + "}\n" + frames(joints)


def chain(joints: int) -> str:
    return HEAD + "".join(JOINT % i for i in range(joints)) + END + "}\n" * (joints + 1) + frames(joints)


def mjcf_chain(bodies: int) -> str:
    one = "<body name='b%d' pos='0 0 .1'><joint type='hinge'/><geom size='.04'/>"
    inside = "".join(one % i for i in range(bodies)) + "</body>" * bodies
    return f"<mujoco><worldbody><body><freejoint/><geom size='.05'/>{inside}</body></worldbody></mujoco>"


def urdf(links: list[str], joints: list[tuple[str, str]]) -> str:
    mass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    each = "".join(f"<link name='{name}'>{mass}</link>" for name in links)
    tie = "<joint name='j%d' type='revolute'><parent link='%s'/><child link='%s'/></joint>"
    return f"<robot>{each}{''.join(tie % (i, a, b) for i, (a, b) in enumerate(joints))}</robot>"


MANY = [f"l{i}" for i in range(1500)]
FILES = {
    "star.bvh": (star(1500), "joints"),
    "chain.bvh": (chain(5000), "joints"),
    "chain.xml": (mjcf_chain(400), "bodies"),
    "twins.urdf": (urdf(["a", "b", "b"], [("a", "b")]), "not a tree"),
    "ring.urdf": (urdf(["t", "a", "b"], [("a", "b"), ("b", "a")]), "hangs from itself"),
    "many.urdf": (urdf(MANY, list(pairwise(MANY))), "1500 links"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_beyond_their_budget_are_refused_at_once(name, poise_, tmp_path):
    text, why = FILES[name]
    (tmp_path / name).write_text(text)
    words = ("inspect", name) if name.endswith(".bvh") else ("run", "stand", "--character", name)
    code, _, err, cpu = poise_(*words)
    assert code == 2 and why in err and name in err and cpu < 5.0


def test_a_motion_of_hours_is_refused(poise_, tmp_path):
    walk_file(tmp_path / "slow.bvh", frame_time=500.0)
    for command in ("inspect", "react"):
        code, _, err, cpu = poise_(command, "slow.bvh")
        assert code == 2 and "seconds" in err and cpu < 5.0


def test_a_body_too_small_for_the_engine_is_bad_input(poise_, tmp_path):
    walk_file(tmp_path / "tiny.bvh", scale=1e-7)
    assert poise_("inspect", "tiny.bvh")[0] == 2
    assert poise_("react", "tiny.bvh", "--seconds", "0.1")[0] == 2


def test_a_body_that_hardly_moves_is_read(poise_, tmp_path):
    """As in a talking clip: nothing of its limbs can be learnt from their motion."""
    path = walk_file(tmp_path / "talk.bvh")
    head, _, rows = path.read_text().partition("Frame Time:")
    first, *frames = rows.splitlines()
    path.write_text(f"{head}Frame Time:{first}\n" + f"{frames[0]}\n" * len(frames))
    assert poise_("inspect", path)[0] == 0
    code, _, err, _ = poise_("react", path, "--seconds", "0.1", "-o", "out.bvh")
    assert code in (0, 2) and "Error" not in err


def test_two_ends_on_one_chain_are_read_or_refused(poise_, tmp_path):
    path = walk_file(tmp_path / "ends.bvh")
    text = path.read_text()
    assert "End Site" in text
    path.write_text(text.replace("End Site", END + "End Site"))
    assert poise_("inspect", path)[0] in (0, 2)
    assert poise_("react", path, "--seconds", "0.02")[0] in (0, 2)


@pytest.mark.parametrize("words", [
    ("stand", "--set", f"dt={DIGITS}"), ("walk", "--set", f"speed={DIGITS}"), ("stand", "--set", f"friction={DIGITS}"),
    ("ofc-stairs", "--set", "stairs=nan"), ("ofc-stairs", "--set", "stairs=inf"), ("stand", "--set", "terrain=nan"),
    ("stand", "--set", "terrain=inf"), ("walk", "--set", "terrain=-1"), ("walk", "--set", "stride.time=1e308"),
    ("walk", "--set", "time=-1e9"), ("ofc-squat", "--set", "period=1e5"), ("cup", "--character", "heavy-leg"),
    ("stand", "--seconds", "0.001"), ("walk", "--seconds", "0.001"), ("roll-forward", "--seconds", "0.001"),
    ("roll-forward", "--set", "cycle=latin.yaml"), ("stand", "-o", "x" * 300 + ".npz"), ("stand", "-o", "a\0b.npz"),
    ("stand", "--character", "a\0.xml"), ("roll-forward", "--set", "cycle=a\0.yaml"), ("react", "--motion", "a\0.bvh"),
    ("stand", "-o", "a.npz", "-o", "./a.npz"), ("stand", "--push", "torso:1e400,0,0@1+1"),
    ("react", "--motion", "walk.bvh", "--set", "motion.cutoff=1e-9"), ("roll-decline", "--set", "cycle="),
    ("roll-forward", "--set", "cycle= "),
], ids=lambda words: " ".join(words)[:40])  # fmt: skip
def test_values_that_make_no_sense_are_refused(words, poise_, tmp_path):
    (tmp_path / "latin.yaml").write_bytes(b"style: caf\xe9\n")
    walk_file(tmp_path / "walk.bvh")
    code, out, err, cpu = poise_("run", *words)
    assert code == 2 and out == "" and len(err) < 2500 and cpu < 5.0


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in COSTLY else ()) for n in sorted(poise.SCENES)]
)
def test_no_number_of_any_option_is_too_long_or_too_large(name):
    """400 digits, 1e308 and nan for every number that a scene takes, its stride, terrain and plant included."""
    numbers = {key: about for key, about in declared(name).items() if not np.isnan(about.low)}
    assert numbers
    for key in numbers:
        for value in (10**400, 1e308, math.nan):
            with pytest.raises(BadInput, match=re.escape(key)):
                poise.scene(name, **cast(Any, {key: value}))


@pytest.mark.parametrize(
    "value", ["metres_per_unit=1e300", f"rate={DIGITS}", "rate=nan", "floor=-inf", "up=Q"]
)
def test_overrides_of_the_importer_pass_the_gate(value, poise_, tmp_path):
    walk_file(tmp_path / "walk.bvh")
    assert poise_("inspect", "walk.bvh", "--set", value)[0] == 2


@pytest.mark.parametrize(
    "value", [-(10**5000), 1.5, None, [], b"x", True, "a\0b.bvh"], ids=lambda v: type(v).__name__
)
def test_a_motion_that_is_no_file_is_refused(value):
    asked = {} if value is None else {"motion": value}
    with pytest.raises(BadInput):
        poise.scene("balance-push", character="nobody" if value is None else None, **asked)


def test_a_push_after_the_end_is_told(poise_):
    code, _, err, _ = poise_("run", "stand", "--seconds", "0.1", "--push", "torso:1,0,0@5+1")
    assert code == 0 and "begins after the end" in err


def test_a_link_stays_a_link(poise_, tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    assert poise_("run", "stand", "--seconds", "0.05", "-o", "link.csv")[0] == 0
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "real.csv").read_text() != "old"


def test_words_in_lists_are_spelled_well():
    for kind, many in (
        ("series", "series"),
        ("axis", "axes"),
        ("value of option axis", "values of option axis"),
    ):
        assert f"; {many}: a" in str(unknown(kind, "zzz", ["a"]))
    assert "did you mean" not in str(unknown("ending", ".npz", [".npz"]))


def forged(folder: Path, **changes) -> Path:
    """A good take with other fields in its head."""
    npz.save(poise.simulate(poise.scene("stand", seconds=0.05)), folder / "good.npz")
    arrays = packed.unpacked(folder / "good.npz")
    head = json.loads(str(arrays["take"]))
    head.update(changes)
    with open(folder / "forged.npz", "wb") as file:
        np.savez(file, **cast(Any, {**arrays, "take": np.array(json.dumps(head))}))
    return folder / "forged.npz"


@pytest.mark.parametrize("changes", [
    {"info": []}, {"info": "x"}, {"fell": True, "fall_time": None}, {"metrics": []}, {"info": {"options": []}},
    {"info": {"seconds": "long"}}, {"steps": 1.5}, {"notes": [1]}, {"version": "1"}, {"series": {"q": 3}},
    {"fall_time": float("nan")},
], ids=str)  # fmt: skip
def test_forged_takes_are_refused(changes, poise_, tmp_path):
    code, _, err, _ = poise_("replay", forged(tmp_path, **changes), "--verify")
    assert code == 2 and "forged.npz" in err


def test_a_bomb_is_not_inflated(tmp_path):
    """100 MB of zeros in 100 kB, and a header that promises 10¹² numbers: refused by what the directory says."""
    with (
        zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as file,
        file.open("time.npy", "w") as part,
    ):
        for _ in range(100):
            part.write(bytes(1 << 20))
    with pytest.raises(BadInput, match="unpacked"):
        poise.Recording.load(tmp_path / "bomb.npz")
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(tmp_path / "huge.npz", "w") as file:
        file.writestr("time.npy", header.getvalue())
    with pytest.raises(BadInput, match="is said to be in"):
        poise.Recording.load(tmp_path / "huge.npz")


def test_an_unknown_method_of_packing_is_refused(tmp_path):
    path = forged(tmp_path)
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(mark) + at] = 99
    path.write_bytes(bytes(data))
    with pytest.raises(BadInput):
        poise.Recording.load(path)


def test_what_a_killed_process_left_is_removed_and_others_are_left_alone(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    gone = tmp_path / f".poise-{files.HOST}-{dead.pid}-film-x.mp4"
    kept = [
        tmp_path / f".poise-{files.HOST}-{os.getpid()}-film-x.mp4",
        tmp_path / f".poise-00000000-{dead.pid}-x.mp4",
    ]
    for path in (gone, *kept, tmp_path / ".film-x.mp4"):
        path.write_text("part")
    with files.atomic(tmp_path / "new.txt") as part:
        part.write_text("whole")
    assert not gone.exists() and all(path.exists() for path in kept) and (tmp_path / ".film-x.mp4").exists()


@pytest.mark.slow
def test_an_interrupted_command_says_what_was_kept(tmp_path):
    words = [sys.executable, "-m", "poise", "run", "stand", "--seconds", "3000", "-o", "take.npz"]
    process = subprocess.Popen(
        words, cwd=tmp_path, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # shells ignore it for what runs behind them
    )  # fmt: skip
    time.sleep(6.0)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted; nothing was written" in said
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_that_knows_ascii_alone(tmp_path):
    """A map of pushes names degrees by their sign."""
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    words = ["pushmap", "stand", "--directions", "1", "--max-ms", "0.05", "--replicas", "1", "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "poise", *words], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0 and "  0?  " in done.stdout and done.stdout.isascii(), done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another kind")
def test_a_disk_that_is_full_loses_nothing(tmp_path):
    """The old file stays, the reason is said, and nothing half written is left."""
    (tmp_path / "take.npz").write_text("old")
    full = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999)); sys.argv[0] = 'poise'"
    )
    words = [sys.executable, "-c", f"{full}\nfrom poise.cli.app import main\nmain()", "run", "stand"]
    done = subprocess.run(
        [*words, "--seconds", "0.1", "-o", "take.npz"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (
        done.returncode == 2 and "cannot write 'take.npz'" in done.stderr and "Traceback" not in done.stderr
    )
    assert [p.name for p in tmp_path.iterdir()] == ["take.npz"] and (
        tmp_path / "take.npz"
    ).read_text() == "old"


def test_nothing_hangs_on_the_clock_of_the_wall():
    """It may jump; only the age of files that other processes made is told by it."""
    source = Path(poise.__file__).parent
    found = [p for p in source.rglob("*.py") if re.search(r"\btime\.time\(|datetime\.now\(", p.read_text())]
    assert [str(p.relative_to(source)) for p in found] == ["compiled/cache.py"]


def test_the_cup_is_held_by_a_body_of_other_names():
    assert (
        poise.simulate(poise.scene("cup", character="tumbler", seconds=0.02)).metrics["cup_tilt_deg"]
        is not None
    )


def test_every_scene_can_be_pickled():
    for name in poise.SCENES:
        again = pickle.loads(pickle.dumps(poise.scene(name)))
        assert again.name == name


@pytest.mark.parametrize("name", ["walk", "head-drag", "roll-forward"])
def test_a_scene_that_was_pickled_gives_the_same_take(name):
    scene = poise.scene(name, seconds=0.3)
    again = pickle.loads(pickle.dumps(scene))
    np.testing.assert_array_equal(poise.simulate(scene)["q"], poise.simulate(again)["q"])


def test_one_scene_in_two_threads_gives_the_same_take():
    scene = poise.scene("walk", seconds=0.5)
    takes: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: takes.append(poise.simulate(scene)["q"])) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = poise.simulate(scene)["q"]
    assert len(takes) == 2
    for take in takes:
        np.testing.assert_array_equal(take, alone)


class Finalized:
    """Interrupted as it goes."""

    def __del__(self):
        signal.raise_signal(signal.SIGINT)


def in_a_finalizer():
    gone = Finalized()
    del gone
    for _ in range(1000):
        time.sleep(0.001)


def in_a_binding():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise TypeError("incompatible function arguments") from None


@pytest.mark.parametrize("where", [in_a_finalizer, in_a_binding])
def test_an_interrupt_is_heeded_wherever_it_lands(where, monkeypatch, capsys):
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.default_int_handler)  # whatever runs the tests
    with heeded(), pytest.raises(typer.Exit) as ended:
        interruptible(where)()
    said = capsys.readouterr().err
    assert ended.value.exit_code == 130 and "interrupted" in said and "Traceback" not in said


def test_an_interrupt_as_a_member_of_an_archive_is_opened_is_an_interrupt(tmp_path: Path, monkeypatch):
    """Between the opening of a member and its ``with``, where the archive itself would complain."""
    opened, members = zipfile.ZipFile.open, []

    def interrupted(*given, **named):
        members.append(opened(*given, **named))
        raise KeyboardInterrupt

    monkeypatch.setattr(zipfile.ZipFile, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        packed.pack(tmp_path / "take.npz", {"q": np.zeros(3)})
