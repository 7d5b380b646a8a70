"""What an interrupt takes with it, where it ends the process at once: half-made files, and the
programs that are making them.

A tool's own process dies of Ctrl-C without a word (`tools/process.py`). In another program an
interrupt is an exception, and nothing here does anything: whoever makes a file has to mind it.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess

_GIVEN_UP_AFTER = 2.0
"""How long, in seconds, to wait for programs that an interrupt does not end."""

_unfinished: list[str] = []
_children: list[subprocess.Popen[bytes]] = []
_starting: list[bool] = []
"""For each child that is being started: has an interrupt come meanwhile?"""


@contextmanager
def removed_by_interrupt(path: str | os.PathLike[str]) -> Generator[None]:
    """Where an interrupt ends the process at once, it removes this file or folder first, and ends
    the programs that `run_until_interrupt` started before it does."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_DFL, _end):
        yield
        return
    _unfinished.append(os.fspath(path))
    try:
        with suppress(ValueError):  # of threads that may not do this: theirs is not removed
            signal.signal(signal.SIGINT, _end)
        yield
    finally:
        _unfinished.remove(os.fspath(path))
        with suppress(ValueError):
            if not _unfinished:
                signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_until_interrupt(command: Sequence[str], environment: dict[str, str]) -> int:
    """Run a program that reads no input, and return its status. Where `removed_by_interrupt` is in
    force, an interrupt ends it and all that it started before anything is removed: none of them
    finds its folder gone, complains, or makes it anew."""
    import subprocess

    if signal.getsignal(signal.SIGINT) is not _end:
        return subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, env=environment
        ).returncode
    _starting.append(False)
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, env=environment, process_group=0
        )
        _children.append(child)
    finally:
        interrupted = _starting.pop()
    if interrupted:
        _end(signal.SIGINT, None)
    try:
        return child.wait()
    finally:
        _children.remove(child)


def _end(number: int, _: FrameType | None) -> None:
    """The end of this process by an interrupt; once a child that is being started is known."""
    import shutil

    if _starting:
        _starting[-1] = True
        return
    for child in _children:
        _end_group(child.pid)
    for path in _unfinished:
        shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            os.unlink(path)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _end_group(leader: int) -> None:
    """Interrupt a child of ours and all of its group, and wait until none of them is left."""
    end = time.monotonic() + _GIVEN_UP_AFTER
    with suppress(OSError):  # there is nobody any more
        os.killpg(leader, signal.SIGINT)
        while time.monotonic() < end:
            with suppress(ChildProcessError):
                os.waitpid(leader, os.WNOHANG)
            os.killpg(leader, 0)
            time.sleep(0.001)
