"""A process of Python that ends does not leave others waiting for it.

Processes that share loops meet in each of them. Where one has ended, the others would wait there
for ever; so it ends them all, unless they have ended too:

    an exception that nobody has caught     ends them, as `python -m mpi4py` does
    sys.exit, or the end of the script      the process meets the others once more, on each
                                            communicator that it has shared loops on, and says that
                                            it is at its end: they are there too, or all end
    the same, before it has shared any      it says so to all; who meets on a communicator that it
                                            belongs to ends them

The last row needs messages because nobody can know on which communicator it would have been missed.
That is for programs; whoever types commands goes on after an exception.
"""

from __future__ import annotations

import atexit
import ctypes
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

SAID = 0.3
"""Seconds in which what this process has said, and others say that end with it, gets through."""

_last_meetings = list[tuple[Any, Callable[[], object]]]()
"""The communicators that loops have been shared on, in the order of their first use, which is one
order in all processes: whoever enters a loop waits for the others."""

_gone = set[int]()
"""Processes, by their ranks in the world, that have ended without having shared a loop."""


@cache
def end_together() -> None:
    """From now on, where this is one process of several."""
    atexit.register(_end)


def remember_meeting(communicator: Any, meet_at_end: Callable[[], object]) -> None:
    """Processes share loops on the communicator: this one calls `meet_at_end` when it ends."""
    mpi = _library()
    if mpi is None or not isinstance(communicator, mpi.Comm):
        return
    for other, _ in _last_meetings:
        if other == communicator:
            return
    _last_meetings.append((communicator, meet_at_end))


def gather_numbers(communicator: Any, mine: ctypes.Array[Any]) -> list[list[int]]:
    """The numbers of each process. A process that has ended, and cannot come, ends all."""
    width = len(mine)
    every = (ctypes.c_int64 * (width * communicator.Get_size()))()
    request = communicator.Iallgather(mine, every)
    while not request.Test():
        missing = _missing(communicator)
        if missing is not None:
            _end_all(f"process {missing} has ended, and others share loops with it")
    return [every[start : start + width] for start in range(0, len(every), width)]


def _library() -> Any:
    """mpi4py's MPI, where it runs."""
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if mpi is None or not mpi.Is_initialized() or mpi.Is_finalized():
        return None
    return mpi


def _end() -> None:
    mpi = _library()
    if mpi is None or hasattr(sys, "ps1") or mpi.COMM_WORLD.Get_size() == 1:
        return
    error: BaseException | None = getattr(sys, "last_value", None)
    if error is not None:
        rank = mpi.COMM_WORLD.Get_rank()
        _end_all(f"process {rank} ends with {type(error).__name__}, and with it all of them")
    sys.stdout.flush()
    meetings = [meet for one, meet in _last_meetings if one != mpi.COMM_NULL]
    for meet in meetings:
        meet()
    if not _last_meetings:
        _say_gone(mpi)


def _end_all(text: str) -> None:
    mpi = _library()
    sys.stdout.flush()
    print(f"polyopt: {text}", file=sys.stderr, flush=True)
    time.sleep(SAID)
    mpi.COMM_WORLD.Abort(1)


def _tag(mpi: Any) -> int:
    """The greatest that there is: no program's own."""
    return mpi.COMM_WORLD.Get_attr(mpi.TAG_UB)


def _say_gone(mpi: Any) -> None:
    """An empty message to every other process; nobody has to receive it."""
    world = mpi.COMM_WORLD
    others = (rank for rank in range(world.Get_size()) if rank != world.Get_rank())
    mpi.Request.Waitall([world.Isend(b"", rank, _tag(mpi)) for rank in others])


def _missing(communicator: Any) -> int | None:
    """The rank in the world of a process of the communicator that has ended."""
    mpi = _library()
    if mpi is None or not isinstance(communicator, mpi.Comm):
        return None
    world, status, tag = mpi.COMM_WORLD, mpi.Status(), _tag(mpi)
    while world.Iprobe(mpi.ANY_SOURCE, tag, status):
        world.Recv(bytearray(), status.Get_source(), tag)
        _gone.add(status.Get_source())
    if not _gone:
        return None
    ranks = list(range(communicator.Get_size()))
    members = mpi.Group.Translate_ranks(communicator.Get_group(), ranks, world.Get_group())
    return min(_gone.intersection(members), default=None)
