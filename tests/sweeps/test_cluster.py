"""Takes on the workers of a scheduler: the numbers of this machine, whoever dies on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poise.errors import BadInput, PoiseError
from poise.sweeps.cluster import Cluster, checked, pool
from poise.sweeps.ledger import versions
from poise.sweeps.local import Pool
from poise.sweeps.pushmap import pushmap
from poise.sweeps.sweep import sweep

GRID = {"friction": [0.5, 0.8], "seconds": [0.1, 0.2, 0.3]}


def test_one_signature_for_both_places():
    assert isinstance(pool(len, 1, None), Pool)
    assert isinstance(pool(len, 1, "tcp://127.0.0.1:1"), Cluster)


def test_a_worker_with_other_code_does_nothing():
    assert checked(len, versions(), [[1, 2], []]) == [2, 0]
    with pytest.raises(PoiseError, match=r"numpy 1\.0 instead of"):
        checked(len, {**versions(), "numpy": "1.0"}, [[]])


@pytest.fixture(scope="module")
def loopback(tmp_path_factory):
    """A scheduler and two workers, as processes; (address, workers), of which a test may kill the first."""
    tmp_path = tmp_path_factory.mktemp("loopback")
    pytest.importorskip("distributed", reason="dask is not installed: pip install 'poise[cluster]'")
    file = tmp_path / "scheduler.json"
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    worker = ["dask_worker", "--no-nanny", "--nthreads", "1"]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{part}", *more, "--no-dashboard", "--scheduler-file", str(file)],
            cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for part, *more in (scheduler, worker, worker)
    ]  # fmt: skip
    yield _address(file), started[1:]
    for process in started:
        process.kill()
        process.wait()


def _address(file: Path) -> str:
    begun = time.monotonic()
    while time.monotonic() - begun < 60:
        try:
            return json.loads(file.read_text())["address"]
        except (OSError, ValueError):
            time.sleep(0.05)
    raise TimeoutError("the scheduler did not start")


class Trouble:
    """Kills a worker in the middle of a sweep, later interrupts the sweep itself."""

    def __init__(self, worker: subprocess.Popen):
        self.worker = worker

    def __call__(self, done: int, total: int) -> None:
        if done == 3:
            self.worker.send_signal(signal.SIGKILL)
        if done == 7:
            raise KeyboardInterrupt


def test_a_killed_worker_and_a_resumed_sweep_give_the_local_result(loopback, tmp_path):
    address, (victim, other) = loopback
    here, there = tmp_path / "here", tmp_path / "there"
    with pytest.raises(KeyboardInterrupt):
        sweep("stand", GRID, 2, there, report=Trouble(victim), cluster=address)
    known = (there / "trials.jsonl").read_text().splitlines()
    assert victim.wait(10) == -signal.SIGKILL and other.poll() is None
    assert len(known) == 7
    sweep("stand", GRID, 2, there, cluster=address)
    sweep("stand", GRID, 2, here, jobs=1)
    assert (there / "trials.jsonl").read_text().splitlines()[:7] == known
    assert (there / "sweep.csv").read_bytes() == (here / "sweep.csv").read_bytes()


def test_a_push_map_of_a_cluster_is_the_local_one(loopback, tmp_path):
    there = pushmap("stand", directions=2, replicas=2, max_ms=0.05, folder=tmp_path, cluster=loopback[0])
    assert there == pushmap("stand", directions=2, replicas=2, max_ms=0.05, jobs=1)
    assert there.limits_ms == {"0": 0.05, "180": 0.05}


def test_nobody_at_the_address_is_bad_input(monkeypatch):
    pytest.importorskip("distributed", reason="dask is not installed: pip install 'poise[cluster]'")
    monkeypatch.setattr("poise.sweeps.cluster.ANSWER_S", 0.2)
    with pytest.raises(BadInput, match="no scheduler answers"):
        Cluster(len, "tcp://127.0.0.1:9").__enter__()
