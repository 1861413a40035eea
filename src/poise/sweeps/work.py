"""Tasks with results that are kept: what every sweep is made of, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from poise.sweeps.cluster import pool
from poise.sweeps.ledger import Ledger, key

Result = dict[str, Any]


class Work:
    """A function, a ledger of what it gave so far, and workers for the rest.

    Tasks are frozen dataclasses of plain data: they pickle, and their key is that of their fields.
    """

    def __init__(
        self,
        function: Callable[[Any], Result],
        ledger: Ledger,
        jobs: int | None = None,
        cluster: str | None = None,
    ) -> None:
        self._ledger, self._pool = ledger, pool(function, jobs, cluster)

    def __enter__(self) -> Work:
        self._pool.__enter__()
        return self

    def __exit__(self, *how: Any) -> None:
        self._pool.__exit__(*how)

    @property
    def jobs(self) -> int:
        """Tasks that are done at once."""
        return self._pool.jobs

    def each(self, tasks: Sequence[Any]) -> Iterator[tuple[int, Result]]:
        """(index, result): first those that are known, then the others as they are ready."""
        names = [key(asdict(task)) for task in tasks]
        missing = []
        for index, name in enumerate(names):
            if name in self._ledger.known:
                yield index, self._ledger.known[name]
            else:
                missing.append(index)
        for at, result in self._pool.each([tasks[index] for index in missing]):
            index = missing[at]
            self._ledger.add(names[index], result)
            yield index, self._ledger.known[names[index]]
