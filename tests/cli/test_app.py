"""The command line: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import sys

import pytest

import poise
from poise.cli import app as cli
from poise.gate import parse_value


@pytest.fixture
def poise_(monkeypatch, capsys):
    """Run a command as the console script would; returns (exit code, stdout, stderr)."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["poise", *words])
        code = 0
        try:
            cli.main()
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


def strict_json(text: str) -> dict:
    """The last line of stdout, refusing NaN and Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text.splitlines()[-1], parse_constant=refuse)


def test_run_prints_the_contract(fake, poise_, tmp_path):
    code, out, err = poise_(
        "run", "stand-in", "--seconds", "2", "--seed", "3", "--json", "-o", str(tmp_path / "t.npz")
    )
    assert code == 0
    found = strict_json(out)
    assert found["scene"] == "stand-in"
    assert (found["seconds"], found["seed"], found["fell"]) == (2.0, 3, False)
    assert found["metrics"]["tracking_rmse_rad"] is None
    assert "note: a note" in err
    assert (tmp_path / "t.npz").exists()


def test_a_fall_is_a_result(fake, poise_):
    fake.limit = lambda angle: -1.0
    code, out, _ = poise_("run", "stand-in", "--json")
    assert code == 0
    assert strict_json(out)["fell"] is True
    assert "fell at 0.50 s" in poise_("run", "stand-in")[1]


def test_options_and_pushes_reach_the_scene(fake, poise_):
    options = ("angular=off", "control.mode=fast", "weights.arms=0.02", "n=3")
    words = [word for option in options for word in ("--set", option)]
    poise_(
        "run",
        "stand-in",
        *words,
        "--push",
        "torso:1,0,0@1+0.1",
        "--push",
        "head:0,1,0@2+0.1",
        "--character",
        "chicken",
    )
    asked = fake.scenes[-1]
    assert asked.options == {"angular": False, "control.mode": "fast", "weights.arms": 0.02, "n": 3}
    assert asked.push == ["torso:1,0,0@1+0.1", "head:0,1,0@2+0.1"]
    assert asked.character.name == "chicken"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "nowhere"], "scenes: stand-in"),
        (["run", "stand-in", "--seconds", "-1"], "-1"),
        (["run", "stand-in", "--seconds", "soon"], "seconds"),
        (["run", "stand-in", "--set", "angular"], "KEY=VALUE"),
        (["run", "stand-in", "--set", "push=none"], "push"),
        (["run", "stand-in", "-o", "take.doc"], ".npz"),
        (["run", "stand-in", "-o", "no/such/folder/t.npz"], "does not exist"),
        (["run", "stand-in", "--plot", "no/such/folder/t.png"], "does not exist"),
        (["run", "stand-in", "--plot", "t.csv"], ".svg"),
        (["run"], "scene"),
        (["list", "things"], "scenes"),
        (["replay", "absent.npz"], "absent.npz"),
        (["pushmap", "nowhere"], "stand-in"),
        (["pushmap", "stand-in", "--replicas", "0"], "replicas"),
        (["reproduce", "--paper", "nobody"], "balance"),
        (["reproduce", "--only", "balance.nothing"], "balance."),
        (["dance"], "dance"),
    ],
)
def test_bad_input_ends_with_2_and_a_reason(fake, poise_, words, says):
    code, out, err = poise_(*words)
    assert code == 2
    assert out == ""
    assert says in err
    assert "Traceback" not in err


def test_nothing_is_simulated_before_outputs_are_checked(fake, poise_, tmp_path):
    poise_("run", "stand-in", "-o", str(tmp_path / "good.npz"), "-o", str(tmp_path / "bad.xyz"))
    assert fake.scenes == []
    assert list(tmp_path.iterdir()) == []


def test_our_own_failure_is_one_line_and_1(fake, poise_, monkeypatch):
    monkeypatch.delenv("POISE_DEBUG", raising=False)
    monkeypatch.setitem(vars(sys.modules["poise"]), "simulate", lambda *a, **k: 1 / 0)
    code, _, err = poise_("run", "stand-in")
    assert code == 1
    assert err.strip().splitlines()[-1].startswith("poise: ZeroDivisionError")
    assert "POISE_DEBUG=1" in err
    monkeypatch.setenv("POISE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        poise_("run", "stand-in")


def test_replay_compares_bit_for_bit(fake, poise_, tmp_path):
    path = str(tmp_path / "t.npz")
    poise_("run", "stand-in", "-o", path, "--seed", "5", "--set", "angular=off")
    code, out, _ = poise_("replay", path, "--verify", "--json")
    assert code == 0
    assert strict_json(out)["equal"] is True
    assert fake.scenes[-1].options == {"angular": False}
    honest = fake.scene
    sys.modules["poise"].__dict__["scene"] = lambda *a, **k: honest(*a, **{**k, "seed": 6})
    code, out, _ = poise_("replay", path, "--verify")
    assert code == 1
    assert "different" in out
    assert strict_json(poise_("replay", path, "--json")[1])["seed"] == 5


def test_foreign_file_is_refused(fake, poise_, tmp_path):
    (tmp_path / "t.npz").write_bytes(b"not a take")
    code, _, err = poise_("replay", str(tmp_path / "t.npz"))
    assert code == 2
    assert "t.npz" in err


def test_pushmap_prints_the_contract(fake, poise_, tmp_path):
    code, out, _ = poise_(
        "pushmap", "stand-in", "--directions", "2", "--json", "--jobs", "1", "-o", str(tmp_path / "map")
    )
    assert code == 0
    found = strict_json(out)
    assert set(found) >= {"scene", "character", "replicas", "grid_ms", "limits_ms", "limits_n", "strategies"}
    assert found["limits_ms"] == {"0": 0.3, "180": 0.3}
    assert "0.30 m/s" in poise_("pushmap", "stand-in", "--directions", "2", "--jobs", "1")[1]


def test_it_says_which_version_it_is(poise_):
    code, out, _ = poise_("--version")
    assert (code, out.strip()) == (0, f"poise {poise.__version__}")


@pytest.mark.parametrize("command", ["list", "run", "replay", "pushmap", "reproduce", "bench", "doctor"])
def test_every_command_has_help(poise_, command):
    code, out, _ = poise_(command, "--help")
    assert code == 0
    assert "--json" in out


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", True),
        ("OFF", False),
        ("true", True),
        ("3", 3),
        ("-2.5", -2.5),
        ("1e-3", 1e-3),
        ("fast", "fast"),
    ],
)
def test_values_of_options(text, value):
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere"], "balance-push"),
        (["stand", "--character", "nobody"], "insectoid"),
        (["stand", "--push", "torso:1,2@1"], "torso:250,0,0@1.0+0.1"),
        (["stand", "--push", "toe:1,0,0@1+0.1"], "foot_l"),
        (["stand", "--push", "torso:1,0,0@1+0"], "duration"),
        (["stand", "--set", "nope=1"], "control.mode"),
        (["stand", "--set", "control.mode=slow"], "robust"),
        (["stand", "--set", "angular=5"], "on or off"),
        (["stand", "--seconds", "0"], "above zero"),
        (["stand", "--seconds", "nan"], "above zero"),
    ],
)
def test_real_scenes_refuse_what_does_not_exist(poise_, words, says):
    code, out, err = poise_("run", *words)
    assert (code, out) == (2, "")
    assert says in err


def test_a_real_take_repeats_bit_for_bit(poise_, tmp_path):
    path = str(tmp_path / "t.npz")
    push = "torso:0,-150.5,0@0.2+0.1"
    words = [
        "--seconds",
        "0.8",
        "--push",
        push,
        "--set",
        "pose_noise=0.001",
        "--seed",
        "4",
        "-o",
        path,
        "--json",
    ]
    code, out, _ = poise_("run", "balance-push", *words)
    assert code == 0
    assert strict_json(out)["metrics"]["h_peak_kgm2s"] > 1
    code, out, _ = poise_("replay", path, "--verify", "--json")
    assert strict_json(out)["equal"] is True
    assert code == 0


def test_list_names_everything(poise_):
    found = strict_json(poise_("list", "--json")[1])
    assert {"stand", "balance-push", "platform"} <= set(found["scenes"])
    assert set(found["characters"]) >= {"adult", "insectoid", "chicken"}
    assert "Balance" in found["behaviours"]
    assert all(text for kind in found.values() for text in kind.values())
    assert set(strict_json(poise_("list", "scenes", "--json")[1])) == {"scenes"}
