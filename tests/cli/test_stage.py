"""``poise stage``: starts, says where it is, ends cleanly, and refuses what cannot be staged."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from poise.cli import stage
from poise.cli.app import app
from poise.errors import BadInput


def test_it_says_where_it_is_and_ctrl_c_ends_it():
    command = [sys.executable, "-m", "poise", "stage", "stand", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stderr is not None
        word, url = running.stdout.readline().split()
        assert word == "stage:" and url.startswith("http://127.0.0.1:")
        with urlopen(url, timeout=20) as reply:
            assert reply.status == 200
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 0
        said = running.stderr.read()
        assert "the stage is closed" in said and "Traceback" not in said


@pytest.mark.parametrize(
    ("words", "what"), [(["turn-step"], "without physics"), (["fly"], "scene 'fly' not found")]
)
def test_what_cannot_be_staged_is_refused(words: list[str], what: str):
    with pytest.raises(BadInput, match=what):
        CliRunner().invoke(app, ["stage", *words, "--no-browser"], catch_exceptions=False)


def test_a_port_that_is_taken_is_passed_over():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert not stage._free("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(BadInput, match="not known"):
        stage._free("no such host", 8080)
