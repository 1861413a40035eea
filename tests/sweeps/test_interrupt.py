"""Ctrl-C in the middle of a sweep, as a user does it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

SWEEP = [
    sys.executable,
    "-m",
    "poise.cli.app",
    "pushmap",
    "stand",
    "--directions",
    "2",
    "--max-ms",
    "0.1",
    "--json",
    "--jobs",
    "2",
]


@pytest.mark.slow
def test_interrupted_and_resumed(tmp_path):
    command = [*SWEEP, "-o", str(tmp_path)]
    ledger = tmp_path / "trials.jsonl"
    # a fresh signal state: a test runner in the background may have left Ctrl-C ignored
    first = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    begun = time.monotonic()
    while not (ledger.exists() and ledger.read_text().count("\n") >= 3) and time.monotonic() - begun < 120:
        time.sleep(0.05)
    first.send_signal(signal.SIGINT)
    out, err = first.communicate(timeout=60)
    assert first.returncode == 130
    assert out == ""
    assert "the same command goes on" in err
    assert "Traceback" not in err
    known = ledger.read_text().splitlines()
    assert 3 <= len(known) < 16
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(again.stdout.splitlines()[-1])["limits_ms"] == {"0": 0.1, "180": 0.1}
    assert ledger.read_text().splitlines()[: len(known)] == known
