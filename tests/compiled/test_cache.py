"""What is compiled is kept, checked, made again when anything it depends on changes, and shared by processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src"
MODULES = {
    "low.py": "from poise.compiled import compiled\nSIZE = 2.0\n@compiled\ndef low(x):\n    return SIZE * x\n",
    "high.py": "from poise.compiled import compiled\nfrom low import low\n"
    "@compiled\ndef high(x):\n    return low(x) + 1.0\n",
}
CALL = "from high import high; print(high(3.0)); print(sum(high.stats.cache_hits.values()))"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def start(tree: Path, code: str = CALL, **environment: str) -> subprocess.Popen[str]:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tree / "kept"), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    env["PYTHONPATH"] = os.pathsep.join([str(tree), str(PACKAGE)])
    return subprocess.Popen(
        [sys.executable, "-c", code], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def run(tree: Path, code: str = CALL, **environment: str) -> list[str]:
    """Lines of stdout of a process of its own, those of stderr after them."""
    process = start(tree, code, **environment)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return [*out.split(), *errors.splitlines()]


def files(tree: Path) -> list[Path]:
    return sorted((tree / "kept").rglob("*.nbc"))


def test_a_second_process_compiles_nothing(tree: Path) -> None:
    assert run(tree) == ["7.0", "0"]
    assert {path.name.split("-")[0] for path in files(tree)} == {"high.high", "low.low"}
    assert run(tree) == ["7.0", "1"]


@pytest.mark.parametrize("edit", [("SIZE = 2.0", "SIZE = 4.0"), ("SIZE * x", "SIZE * x * 2.0")])
def test_an_edit_of_a_callee_or_of_its_constant_reaches_the_caller(tree: Path, edit: tuple[str, str]) -> None:
    run(tree)
    (tree / "low.py").write_text(MODULES["low.py"].replace(*edit))
    assert run(tree) == ["13.0", "0"]


def test_a_comment_compiles_nothing_again(tree: Path) -> None:
    run(tree)
    (tree / "low.py").write_text("# a remark\n" + MODULES["low.py"])
    assert run(tree) == ["7.0", "1"]


@pytest.mark.parametrize("harm", ["cut", "emptied", "one bit"])
def test_a_damaged_file_is_made_again(tree: Path, harm: str) -> None:
    run(tree)
    for path in files(tree):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes({"cut": data[: len(data) // 2], "emptied": b"", "one bit": bytes(data)}[harm])
    assert run(tree) == ["7.0", "0"]
    assert run(tree) == ["7.0", "1"]


def test_a_callee_can_be_called_from_python_later(tree: Path) -> None:
    run(tree)
    call = "from low import low; print(low(3.0))"
    assert run(tree, call) == ["6.0"] == run(tree, call)
    assert run(tree, "from high import high; from low import low; print(high(3), low(3), high(3.0), low(3.0))") == [
        "7.0", "6.0", "7.0", "6.0",
    ]  # fmt: skip


def test_a_callee_that_returns_an_array_can_be_called_after_its_caller(tree: Path) -> None:
    (tree / "low.py").write_text(
        MODULES["low.py"].replace("SIZE * x", "np.full(2, SIZE * x)") + "import numpy as np\n"
    )
    (tree / "high.py").write_text(MODULES["high.py"].replace("low(x)", "low(x)[0]"))
    assert run(tree) == ["7.0", "0"]
    call = "from high import high; from low import low; print(high(3.0), *low(3.0))"
    assert run(tree, call) == ["7.0", "6.0", "6.0"] == run(tree, call)


def test_processes_that_start_together_agree(tree: Path) -> None:
    both = [start(tree) for _ in range(3)]
    assert [process.communicate(timeout=120)[0].split()[0] for process in both] == ["7.0"] * 3
    assert run(tree) == ["7.0", "1"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of another kind")
def test_without_a_place_to_write_it_runs_and_says_so(tree: Path) -> None:
    blocked, temporary = tree / "blocked", tree / "temporary"
    blocked.write_text("a file where a folder is wanted")
    temporary.mkdir()
    code = f"from poise.compiled import folder; folder.PACKAGE = __import__('pathlib').Path({str(blocked)!r})\n{CALL}"
    where = {"NUMBA_CACHE_DIR": str(blocked), "XDG_CACHE_HOME": str(blocked), "TMPDIR": str(temporary)}
    first, second = run(tree, code, **where), run(tree, code, **where)
    assert first[:2] == ["7.0", "0"] and second[:2] == ["7.0", "1"]
    assert len(first) == 3 and str(temporary) in first[2] and "NUMBA_CACHE_DIR" in first[2]


def test_files_of_an_older_text_are_removed_after_a_week(tree: Path) -> None:
    run(tree)
    old = files(tree)
    for path in old:
        os.utime(path, (0, 0))
    (tree / "low.py").write_text(MODULES["low.py"].replace("2.0", "4.0"))
    run(tree)
    assert not any(path.exists() for path in old) and len(files(tree)) == len(old)


def test_a_function_can_be_sent_to_another_process(tree: Path) -> None:
    assert run(tree, "import pickle; from low import low; print(pickle.loads(pickle.dumps(low)) is low)") == [
        "True"
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another kind")
def test_a_full_disk_is_done_without(tree: Path) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))"
    assert run(tree, f"{full}\n{CALL}") == ["7.0", "0"]
    assert files(tree) == [] and run(tree) == ["7.0", "0"]
