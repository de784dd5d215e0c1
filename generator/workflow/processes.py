"""Work on many things in their order, in several processes of which this one is the first."""

import contextlib
import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, TypeVar

from generator.errors import AssayError

SMALL = 32 << 20
"""Bytes below which another process takes longer to start than it saves."""

_LIGHT = 16 << 10
"""Bytes of a message that a pipe takes at once, whether or not somebody reads."""

_AHEAD = 2
"""How many things another process is given, so that it need not wait between two."""

_HELD = 4
"""How many things, done or not, are held for each process while an earlier one is not done."""

_Thing = TypeVar("_Thing")
_Done = TypeVar("_Done")


def worth(size: int) -> int:
    """How many processes so many bytes are worth on this machine."""
    return 1 if size < SMALL else os.cpu_count() or 1


def in_processes(
    things: Iterable[_Thing], work: Callable[[_Thing], _Done | None], jobs: int
) -> Generator[tuple[_Thing, _Done | None], None, None]:
    """Each thing in its order, with what was made of it.

    With one job nothing is made, and nothing of a thing whose process was lost; the caller does
    these. Several are only faster than one where a thing, and what is made of it, is light to send.
    To be closed where it may be left early: else the other processes wait on.
    """
    if jobs <= 1:
        yield from ((thing, None) for thing in things)
        return
    held: deque[_Held[_Thing, _Done | None]] = deque()
    fault: Exception | None = None
    with _workers(work, jobs - 1) as workers:
        try:
            for thing in things:
                one: _Held[_Thing, _Done | None] = _Held(thing)
                if not _given(one, workers):
                    one.made, one.done = work(thing), True
                held.append(one)
                while held and (held[0].done or len(held) >= _HELD * jobs):
                    yield _told(held)
        except Exception as raised:  # noqa: BLE001  raised when all before it is told
            fault = raised
        while held:
            yield _told(held)
    if fault is not None:
        raise fault


@dataclass(slots=True)
class _Held(Generic[_Thing, _Done]):
    """A thing, and what was made of it once it is done."""

    thing: _Thing
    made: _Done | None = None
    done: bool = False
    worker: "_Worker | None" = None


def _given(one: "_Held[Any, Any]", workers: Sequence["_Worker"]) -> bool:
    """Whether another process has room for it, and has it now."""
    for worker in workers:
        worker.hear()
    return any(worker.take(one) for worker in workers)


def _told(held: "deque[_Held[_Thing, _Done]]") -> tuple[_Thing, _Done | None]:
    """The first that is held, once it is done."""
    one = held.popleft()
    while not one.done and one.worker is not None:
        one.worker.hear(wait=True)
    return one.thing, one.made


class _Worker:
    """Another process, and what it was given to do.

    It is spoken to through a pipe by this thread alone: a pool's threads would wait for the
    interpreter, which the first process never leaves while it works on a thing of its own.
    """

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._pipe, theirs = Pipe()
        self._given: deque[_Held[Any, Any]] = deque()
        self._room = _AHEAD
        self._process = Process(target=_serve, args=(work, theirs, self._pipe), daemon=True)
        self._process.start()
        theirs.close()

    def take(self, one: "_Held[Any, Any]") -> bool:
        """Give it a thing, unless it has enough to do or is lost."""
        if len(self._given) >= self._room:
            return False
        message = ForkingPickler.dumps(one.thing)
        # A heavy one is only read by a process that waits for it; else both could wait for ever.
        self._room = _AHEAD if len(message) <= _LIGHT else 1
        if len(self._given) >= self._room:
            return False
        try:
            self._pipe.send_bytes(message)
        except OSError:
            self._lose()
            return False
        one.worker = self
        self._given.append(one)
        return True

    def hear(self, *, wait: bool = False) -> None:
        """Take what it has done; where asked to, `wait` for one thing to be done."""
        try:
            while self._given and (wait or self._pipe.poll()):
                one = self._given[0]
                one.made, one.done = self._pipe.recv(), True
                self._given.popleft()
                wait = False
        except (OSError, EOFError):
            self._lose()

    def _lose(self) -> None:
        """Nothing more comes from it, and nothing more is given to it."""
        self._room = 0
        for one in self._given:
            one.done = True
        self._given.clear()

    def end(self) -> None:
        """It ends by itself when nobody speaks to it."""
        self._pipe.close()
        self._process.join()


@contextlib.contextmanager
def _workers(work: Callable[[Any], Any], count: int) -> Iterator[Sequence[_Worker]]:
    """So many other processes, ended at the end."""
    gc.freeze()  # else each would copy all that this process holds, to look for garbage
    workers: list[_Worker] = []
    try:
        workers.extend(_Worker(work) for _ in range(count))
        yield workers
    finally:
        for worker in reversed(workers):  # each may hold what it was forked with: earlier pipes
            worker.end()
        gc.unfreeze()


def _serve(work: Callable[[Any], Any], pipe: Connection, theirs: Connection) -> None:
    """Work on what comes through the pipe until its other end is closed, by whatever cause."""
    theirs.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others
    with contextlib.suppress(EOFError, OSError, AssayError):
        while True:
            pipe.send(work(pipe.recv()))
