"""Work on many things in their order, in several processes of which this one is the first."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any, TypeVar

SMALL = 32 << 20
"""Bytes below which another process takes longer to start than it saves."""

_AHEAD = 2
"""How many things wait for each other process, so that none is idle between two."""

_HELD = 4
"""How many things, done or not, are held for each process while an earlier one is not done."""

_Thing = TypeVar("_Thing")
_Done = TypeVar("_Done")

_worker: Callable[[Any], Any]


def worth(size: int) -> int:
    """How many processes so many bytes are worth on this machine."""
    return 1 if size < SMALL else os.cpu_count() or 1


def in_processes(
    things: Iterable[_Thing], maker: Callable[[], Callable[[_Thing], _Done | None]], jobs: int
) -> Iterator[tuple[_Thing, _Done | None]]:
    """Each thing in its order, with what was made of it.

    `maker`, called once in each process, gives what is to be done with a thing. With one job
    nothing is done, and nothing is made of a thing whose process was lost; the caller does these.
    """
    if jobs <= 1:
        yield from ((thing, None) for thing in things)
        return
    own = maker()
    held: deque[tuple[_Thing, Future[_Done | None]]] = deque()
    fault: Exception | None = None
    pool = ProcessPoolExecutor(jobs - 1, initializer=_begin, initargs=(maker,))
    try:
        rest = iter(things)
        while True:
            try:
                thing = next(rest)
            except StopIteration:
                break
            except Exception as raised:  # noqa: BLE001  raised when all before it is told
                fault = raised
                break
            away = sum(not future.done() for _, future in held)
            begun = _sent(pool, thing) if away < _AHEAD * (jobs - 1) else None
            held.append((thing, begun or _made(own, thing)))
            while held and (held[0][1].done() or len(held) >= _HELD * jobs):
                yield _outcome(*held.popleft())
        while held:
            yield _outcome(*held.popleft())
    finally:
        pool.shutdown(cancel_futures=True)
    if fault is not None:
        raise fault


def _sent(pool: ProcessPoolExecutor, thing: _Thing) -> "Future[Any] | None":
    try:
        return pool.submit(_work, thing)
    except BrokenProcessPool:
        return None


def _made(own: Callable[[_Thing], _Done | None], thing: _Thing) -> "Future[_Done | None]":
    done: Future[_Done | None] = Future()
    done.set_result(own(thing))
    return done


def _outcome(thing: _Thing, future: "Future[_Done | None]") -> tuple[_Thing, _Done | None]:
    try:
        return thing, future.result()
    except BrokenProcessPool:
        return thing, None


def _begin(maker: Callable[[], Callable[[Any], Any]]) -> None:
    global _worker  # noqa: PLW0603  one for each process, which has nowhere else to keep it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others
    Thread(target=_outlive_no_parent, args=(os.getppid(),), daemon=True).start()
    _worker = maker()


def _outlive_no_parent(parent: int) -> None:
    """End where the first process was killed; it had no time to say so."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _work(thing: Any) -> Any:  # noqa: ANN401  whatever it is
    return _worker(thing)
