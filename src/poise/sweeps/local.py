"""Run tasks in processes on this machine."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Generic, TypeVar

from poise.errors import PoiseError
from poise.threads import cores, one_thread

Task = TypeVar("Task")
Result = TypeVar("Result")
DEATHS = 3  # of workers in a row, no task done between them: then it is the task that kills


class Pool(Generic[Task, Result]):
    """Worker processes that apply one function; `each` yields (index, result) as tasks finish.

    The function and the tasks must pickle: send names and numbers, let the worker build what it needs. What a worker
    that was killed had begun is done again. With one job everything runs in this process, which is also the way to
    debug a task.
    """

    def __init__(self, function: Callable[[Task], Result], jobs: int | None = None) -> None:
        self.function = function
        self.jobs = jobs or cores()
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Pool[Task, Result]:
        if self.jobs > 1:
            one_thread()  # the processes are the parallelism
            self._executor = self._started()
        return self

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # fork would copy threads that hold locks
        return ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_ignore_interrupt)

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._executor is None:
            return
        workers = list((self._executor._processes or {}).values())
        self._executor.shutdown(wait=kind is None, cancel_futures=True)
        if kind is not None:  # interrupted: do not wait for tasks nobody will read
            for worker in workers:
                worker.terminate()

    def each(self, tasks: Sequence[Task]) -> Iterator[tuple[int, Result]]:
        """Results in the order in which they are ready."""
        if self._executor is None:
            yield from ((i, self.function(task)) for i, task in enumerate(tasks))
            return
        missing, deaths = dict(enumerate(tasks)), 0
        while missing:
            try:
                for index, result in self._round(missing):
                    del missing[index]
                    deaths = 0
                    yield index, result
            except BrokenProcessPool as error:
                deaths += 1
                self._executor.shutdown(wait=False)
                if deaths >= DEATHS:
                    raise PoiseError(
                        "a worker process was killed (out of memory?); run again to resume"
                    ) from error
                self._executor = self._started()

    def _round(self, tasks: dict[int, Task]) -> Iterator[tuple[int, Result]]:
        """The tasks, until all are done or a worker is killed."""
        assert self._executor is not None
        waiting: dict[Future[Result], int] = {
            self._executor.submit(self.function, task): index for index, task in tasks.items()
        }
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()


def _ignore_interrupt() -> None:
    """Ctrl-C goes to the parent, which stops the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
