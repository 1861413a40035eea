"""Many takes at once: this process makes some of them, helpers beside it the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import chain
from threading import Lock, Thread
from typing import Any

from poise.record.recording import Recording
from poise.simulate.helper import Gone, Helper
from poise.simulate.scene import Scene
from poise.threads import cores

WORTH = 60.0  # [s] of takes for each helper: with fewer, it is not there before they are done

Keep = Callable[[Recording], Any] | None


def batch(
    scenes: Iterable[Scene], jobs: int | None = None, keep: Keep = None, processes: bool | None = None
) -> list[Any]:
    """Run scenes, several at once, and return their recordings in order: the same, bit for bit, as one by one.

    This process makes takes itself, and from a minute of takes on helper processes make others; a scene that cannot
    travel (a behaviour of the script's own) is run here. Scenes are asked for one by one, so they may come from a
    generator.

    Args:
        jobs: Takes that are made at once; one for each core by default.
        keep: What is kept of a recording, e.g. its metrics; by default all of it. What is not kept needs no memory.
        processes: True for helpers however few the takes; False for threads, which share one interpreter and gain
            nothing while half of a take is Python.
    """
    many, work = jobs or cores(), Share(scenes)
    if processes is False:
        with ThreadPoolExecutor(many) as pool:
            list(pool.map(lambda _: work.here(partial(kept, keep)), range(many)))
        return work.results()
    helpers = many - 1 if processes else min(many - 1, int(work.seconds(WORTH * (many - 1)) / WORTH))
    with ExitStack() as stack:
        started = [stack.enter_context(Helper()) for _ in range(helpers)]
        threads = [Thread(target=work.there, args=(helper, keep), daemon=True) for helper in started]
        for thread in threads:
            thread.start()
        while not work.over:
            work.here(partial(kept, keep))
            for thread in threads:
                thread.join()
    return work.results()


def kept(keep: Keep, scene: Scene) -> Any:
    """What is kept of a scene's take."""
    from poise.simulate import simulate

    take = simulate(scene)
    return take if keep is None else keep(take)


class Share:
    """Scenes handed out one by one to whoever is free, and what came of them."""

    def __init__(self, scenes: Iterable[Scene]):
        self._next: Iterator[tuple[int, Scene]] = enumerate(scenes)
        self._lock, self._found = Lock(), dict[int, Any]()
        self._back = deque[tuple[int, Scene]]()  # that a helper could not do
        self._stopped: BaseException | None = None

    def seconds(self, enough: float) -> float:
        """Of the takes to come [s], as far as is asked."""
        seen, total = [], 0.0
        for item in self._next:
            seen.append(item)
            total += item[1].seconds
            if total >= enough:
                break
        self._next = chain(seen, self._next)
        return total

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        if self._stopped is not None:
            raise self._stopped
        item = self._take()
        if item is not None:
            self._back.append(item)
        return item is None

    def here(self, run: Callable[[Scene], Any]) -> None:
        """Run scenes in this thread until none is left."""
        while (item := self._take()) is not None:
            try:
                self._found[item[0]] = run(item[1])
            except BaseException as error:
                self._stopped = error
                raise

    def there(self, helper: Helper, keep: Keep) -> None:
        """Let a helper run scenes until none is left."""
        while (item := self._take(new=True)) is not None:
            try:
                self._found[item[0]] = helper.run(item[1], keep)
            except Gone:  # one of its kind, or no helper any more: somebody else
                self._back.append(item)
                if not helper.alive:
                    return
            except BaseException as error:
                self._stopped = error
                return

    def _take(self, new: bool = False) -> tuple[int, Scene] | None:
        with self._lock:
            if self._stopped is not None:
                return None
            if self._back and not new:
                return self._back.popleft()
            try:
                return next(self._next, None)
            except BaseException as error:  # of whoever makes the scenes
                self._stopped = error
                return None

    def results(self) -> list[Any]:
        """In the order of the scenes."""
        return [self._found[k] for k in range(len(self._found))]
