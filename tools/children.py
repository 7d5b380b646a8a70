"""A piece of work in a process of its own: what crashes, hangs or eats memory ends there.

    outcome = in_child(work, Limits(seconds=30, bytes=4 << 30))

`work` gets a function `say` for the phase that it is in. What it returns comes back as JSON. Time
is processor time, so that a busy machine is no hang; a multiple of it by the clock ends what waits,
but not for a processor. Without limits it takes what it takes, and ends by Ctrl-C or `stop`.
"""

from __future__ import annotations

import json
import math
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from glob import glob
from types import FrameType
from typing import Any, NoReturn, TypeVar

from polyopt.support.record import entity, record

Say = Callable[[str], None]
Result = TypeVar("Result")
PATIENCE = 6
"""How many seconds by the clock go with one of processor time."""
LOOKS = 2.0
"""Seconds between two looks at the clock: who misses more than one of them was stopped himself."""


@record
class Limits:
    seconds: float = 30.0
    bytes: int = 4 << 30


@record
class Outcome:
    """`ending` is "returned", "raised", "killed", "slow" or "large"; `phase` is where. `detail` is
    the traceback or the signal's name, `value` what was returned."""

    ending: str
    phase: str
    value: Any = None
    detail: str = ""
    seconds: float = 0.0


@entity
class Child:
    """A fork of this process at work. `read` what it says when its pipe has something to read, and
    ask for the `outcome` when it `is_done` or late."""

    process: int
    pipe: int
    limits: Limits | None
    begun: float
    data: bytes = b""
    is_done: bool = False

    @classmethod
    def start(cls, work: Callable[[Say], Any], limits: Limits | None) -> Child:
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with _no_interrupt():
            process = os.fork()
            if process == 0:
                os.close(reading)
                _work_and_leave(work, limits, writing)
        os.close(writing)
        return cls(process, reading, limits, time.monotonic())

    def fileno(self) -> int:
        return self.pipe

    @property
    def left(self) -> float:
        """Seconds by the clock until it is late. That others had the processors does not count."""
        if self.limits is None:
            return math.inf
        left = self.begun + PATIENCE * self.limits.seconds - time.monotonic()
        return left if left > 0 else left + _starved(self.process)

    def read(self) -> None:
        more = os.read(self.pipe, 1 << 16)
        self.data += more
        self.is_done = not more

    def stop(self) -> None:
        """End it, and what it has started: it gets the exception of an interrupt."""
        os.kill(self.process, signal.SIGINT)
        os.close(self.pipe)
        os.waitpid(self.process, 0)

    def outcome(self) -> Outcome:
        """How it ended; it is ended where it has not."""
        os.close(self.pipe)
        if not self.is_done:
            os.kill(self.process, signal.SIGKILL)
        _, status, usage = os.wait4(self.process, 0)
        seconds = usage.ru_utime + usage.ru_stime
        messages = [json.loads(line) for line in self.data.split(b"\n")[:-1]]
        phases = [body for kind, body in messages if kind == "phase"]
        phase = phases[-1] if phases else ""
        final = next((m for m in messages if m[0] in ("returned", "raised", "large")), None)
        if self.limits is not None and usage.ru_maxrss * 1024 > self.limits.bytes:
            detail = f"{usage.ru_maxrss >> 10} MiB"
            return Outcome("large", phase, detail=detail, seconds=seconds)
        if final is not None:
            kind, body = final
            if kind == "returned":
                return Outcome(kind, phase, body, seconds=seconds)
            return Outcome(kind, phase, detail=body, seconds=seconds)
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if not self.is_done or number == signal.SIGXCPU:
            return Outcome("slow", phase, detail=f"{seconds:.0f} s", seconds=seconds)
        name = signal.Signals(number).name if number else f"status {os.WEXITSTATUS(status)}"
        return Outcome("killed", phase, detail=name, seconds=seconds)


def _starved(process: int) -> float:
    """For how many seconds the process was ready to run and did not, where the system tells: its
    most neglected thread, for the others may wait for that."""
    waited = [0.0]
    for path in glob(f"/proc/{process}/task/*/schedstat"):
        with suppress(OSError), open(path, encoding="ascii") as stream:
            waited.append(int(stream.read().split()[1]) / 1e9)
    return max(waited)


def in_child(work: Callable[[Say], Any], limits: Limits = Limits()) -> Outcome:
    """Do the work in a fork of this process and wait for it."""
    child = Child.start(work, limits)
    wait_for([child])
    return child.outcome()


def without_trace(work: Callable[[], Result]) -> Result:
    """What the work gives, done in a fork: nothing that it has found out is known here afterwards.
    Where it fails it is done again, here, and fails as it does."""
    outcome = in_child(lambda _: work())
    return outcome.value if outcome.ending == "returned" else work()


def wait_for(children: Sequence[Child], seconds: float | None = None) -> list[Child]:
    """Those that are done or late, at least one, unless there is none in so many seconds. The time
    for which this process was stopped, as by Ctrl-Z or a machine that sleeps, is not theirs: they
    were so too."""
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        over = [one for one in children if one.is_done or one.left <= 0]
        left = None if end is None else end - time.monotonic()
        if over or (left is not None and left <= 0):
            return over
        limited = [one for one in children if one.limits is not None]
        looks = [LOOKS, *(one.left for one in limited)] if limited else []
        looks += [] if left is None else [left]
        timeout = max(0.0, min(looks)) if looks else None
        looked = time.monotonic()
        for one in select.select(children, [], [], timeout)[0]:
            one.read()
        missed = time.monotonic() - looked - LOOKS
        for one in limited if missed > LOOKS else ():
            one.begun += missed


@contextmanager
def _no_interrupt() -> Generator[None]:
    """Interrupts wait. A fork must not come back with one to where its parent was."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_and_leave(work: Callable[[Say], Any], limits: Limits | None, writing: int) -> None:
    """In the child: never returns."""

    def put(kind: str, body: Any) -> None:
        os.write(writing, json.dumps([kind, body]).encode() + b"\n")

    try:
        try:
            if limits is None:
                signal.signal(signal.SIGINT, _interrupt_once)
            else:
                _limit(limits)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            put("returned", work(lambda phase: put("phase", phase)))
        except MemoryError:
            put("large", "MemoryError")
        except BaseException:
            put("raised", traceback.format_exc())
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            sys.stdout.flush()
            sys.stderr.flush()
    finally:
        os._exit(0)


def _interrupt_once(number: int, frame: FrameType | None) -> NoReturn:
    """As Python does, but what it ends is not interrupted again."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _limit(limits: Limits) -> None:
    """What is loaded already does not count."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = int(limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    with open("/proc/self/statm", encoding="ascii") as stream:
        now = int(stream.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + limits.bytes, resource.RLIM_INFINITY))
