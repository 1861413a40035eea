"""Run tasks on many machines: a pool whose workers are those of a dask scheduler."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic

from poise.errors import BadInput, PoiseError
from poise.sweeps.ledger import versions
from poise.sweeps.local import Pool, Result, Task
from poise.threads import cores, one_thread

LOCAL = "local"  # the address that starts a scheduler and workers here
ANSWER_S = 10.0  # that a scheduler may take to answer
COUNT_S = 1.0  # between two counts of the workers
MOST = 16  # tasks that are sent as one, where there are many: a scheduler manages a few hundred messages a second
AHEAD = 4  # tasks sent for each thread of a worker: it is never idle, and a million tasks are never all on the way


class Cluster(Generic[Task, Result]):
    """The same signature as ``Pool``; what a worker that was lost had begun is done again by the others.

    Args:
        address: Of a scheduler, ``tcp://host:8786``, or ``local``.
        jobs: Workers that ``local`` starts; all cores by default.
    """

    def __init__(self, function: Callable[[Task], Result], address: str, jobs: int | None = None) -> None:
        self.function, self.address = function, address
        self.jobs = jobs or cores()  # threads of all workers, once they are counted
        self._own: Any = None
        self._counted = -math.inf  # when workers were counted last [s]

    def __enter__(self) -> Cluster[Task, Result]:
        distributed = _distributed()
        one_thread()  # of the workers that are started here
        place: Any = self.address
        if self.address == LOCAL:
            place = self._own = distributed.LocalCluster(
                n_workers=self.jobs, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
            )
        try:
            self._client = distributed.Client(place, timeout=ANSWER_S, set_as_default=False)
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise BadInput(f"no scheduler answers at {self.address!r}: {error}") from error
        try:
            self._check()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        self._client.close()
        if self._own is not None:
            self._own.close()

    def _check(self) -> None:
        """Refuse workers whose code is not ours: their numbers would not be."""
        for worker, found in self._client.run(versions).items():
            if wrong := _differences(found):
                raise BadInput(f"worker {worker} differs from this machine: {wrong}")

    def each(self, tasks: Sequence[Task]) -> Iterator[tuple[int, Result]]:
        """Results in the order in which they are ready."""
        distributed, todo = _distributed(), self._bundles(tasks)
        waiting: dict[str, list[int]] = {}
        done = distributed.as_completed(
            self._send(islice(todo, self._room()), waiting), loop=self._client.loop
        )
        try:
            for future in done:
                yield from zip(waiting.pop(future.key), future.result(), strict=True)
                for more in self._send(islice(todo, max(0, self._room() - len(waiting))), waiting):
                    done.add(more)
        except distributed.KilledWorker as error:
            raise PoiseError(
                "several workers were killed by one task (out of memory?); run again to resume"
            ) from error
        except (distributed.CancelledError, OSError) as error:
            raise PoiseError(f"lost the scheduler at {self.address}; run again to resume") from error

    def _room(self) -> int:
        """Tasks that may be on the way: workers come and go, so they are counted now and then."""
        if time.monotonic() > self._counted + COUNT_S:
            self.jobs = sum(self._client.ncores().values())
            self._counted = time.monotonic()
        return AHEAD * max(1, self.jobs)

    def _bundles(self, tasks: Sequence[Task]) -> Iterator[tuple[list[int], list[Task]]]:
        """Tasks that go together, and their places: single ones where every worker has few."""
        size = min(MOST, max(1, len(tasks) // (AHEAD * self._room())))
        for start in range(0, len(tasks), size):
            part = list(tasks[start : start + size])
            yield list(range(start, start + len(part))), part

    def _send(
        self, bundles: Iterator[tuple[list[int], list[Task]]], waiting: dict[str, list[int]]
    ) -> Iterator[Any]:
        for places, part in bundles:
            future = self._client.submit(checked, self.function, versions(), part, pure=False)
            waiting[future.key] = places
            yield future


def pool(function: Callable[[Task], Result], jobs: int | None, cluster: str | None) -> Pool | Cluster:
    """Workers for a function: processes of this machine, or those of a cluster."""
    return Pool(function, jobs) if cluster is None else Cluster(function, cluster, jobs)


def checked(function: Callable[[Task], Result], asked: dict[str, str], tasks: list[Task]) -> list[Result]:
    """Runs on a worker, which may have joined late: the versions are checked again."""
    if wrong := _differences(asked):
        raise PoiseError(f"a worker has not the versions that were asked for: {wrong}")
    return [function(task) for task in tasks]


def _differences(found: dict[str, str]) -> str:
    own = versions()
    return ", ".join(f"{k} {found.get(k)} instead of {v}" for k, v in own.items() if found.get(k) != v)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise BadInput("--cluster needs dask: pip install 'poise[cluster]'") from error
    return distributed
