"""The process of a tool: it does one thing and ends.

Looking for garbage on the way and freeing, one by one, half a million objects at the end is a
tenth of such a process's time, for nothing: the system takes back the memory as a whole. Modules
are found, and classes of libraries made, by shorter ways (`support/quick_modules.py`,
`driver/units/loading.py`), which nobody else is there to notice. Ctrl-C ends it at once, as the
system ends a process: an exception would come up anywhere, in modules that are half loaded and in
callbacks, and leave traces there. Who calls a tool's `main` with arguments, from a longer life,
keeps the collector and gets exceptions and the status back.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

from polyopt.support.own_process import claim
from polyopt.support.quick_modules import find_quickly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def begin() -> None:
    """To be called before the compiler is loaded: loading makes half of the objects. An interrupt
    that is ignored (a job in the background) stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _hold_closed_streams()
    gc.disable()
    claim()
    find_quickly()


def _hold_closed_streams() -> None:
    """Where a caller has closed a standard stream (`>&-`), no file that is opened later takes its
    number; it is there to be read only, so that who writes to it is told."""
    while (number := os.open(os.devnull, os.O_RDONLY)) < 3:
        pass
    os.close(number)
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout = open(1, "w", closefd=False)
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = open(os.devnull, "w")


def end(status: int) -> NoReturn:
    """End the process now; what was printed is written. What cannot be written has been told of,
    where it was not the last words."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        status = status or 1
    os._exit(status)
