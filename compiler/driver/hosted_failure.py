"""A process of Python that fails does not leave others waiting for it.

Processes that share loops meet in each of them. Where an exception ends one, the others would wait
there for ever: it ends them all, as `python -m mpi4py` does. That is for programs; whoever types
commands goes on after an exception.
"""

from __future__ import annotations

import atexit
import sys
import time
from functools import cache
from typing import Any

SAID = 0.3
"""Seconds in which what this process has said, and others say that fail with it, gets through."""


@cache
def end_all_on_failure() -> None:
    """From now on, where an exception that nobody has caught ends this process of several."""
    atexit.register(_end)


def _end() -> None:
    error: BaseException | None = getattr(sys, "last_value", None)
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if error is None or hasattr(sys, "ps1") or mpi is None:
        return
    if not mpi.Is_initialized() or mpi.Is_finalized() or mpi.COMM_WORLD.Get_size() == 1:
        return
    rank = mpi.COMM_WORLD.Get_rank()
    text = f"polyopt: process {rank} ends with {type(error).__name__}, and with it all of them"
    print(text, file=sys.stderr, flush=True)
    time.sleep(SAID)
    mpi.COMM_WORLD.Abort(1)
