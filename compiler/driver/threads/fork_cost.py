"""What it costs on this machine to fork and join threads, and so from how many cycles on they pay.

A child of this process asks the library that runs threads: two threads that do nothing, again and
again after a pause in which they have gone to sleep, against one thread that does the same. What
the second thread costs is lost if a loop is shared out, and half of the loop is won. The quickest
fork is taken, others waited for a core; a usual one takes twice as long, so that threads pay from
four times that on. The answer is one of a few steps, so that a machine that is busy gives the same
as one that is not, and is kept in the folder of the cache, a file for each library and machine: it
is measured once, and again when somebody removes the file.

It is asked for code for this machine only (`-march=native`); what is to run anywhere has the
common number, and so has everything where there is no cache.
"""

from __future__ import annotations

import os
import subprocess
import sys

from polyopt.driver.cache.folder import chosen_store
from polyopt.driver.threads.threads_runtime import ThreadsRuntime
from polyopt.pipeline_options import PARALLEL_THRESHOLD
from polyopt.support.files import write_whole
from polyopt.support.noted import read_noted

STEPS = tuple(PARALLEL_THRESHOLD * times // 2 for times in (1, 2, 4, 8, 16))
"""Cycles from which on threads may pay: of forks that take 2.5 microseconds, to those of 40 on a
virtual machine whose sleeping threads are woken by its host."""

_CYCLES_IN_NANOSECOND = 3.0
_TIMES = 4
_SECONDS = 10.0

_PROBE = """
import ctypes, sys, time
library = ctypes.CDLL(sys.argv[1])
nothing = ctypes.cast(ctypes.CDLL(None).getppid, ctypes.c_void_p)
fork = library.GOMP_parallel
fork.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
fork.restype = None
def took(threads):
    fork(nothing, None, threads, 0)
    times = []
    for _ in range(25):
        time.sleep(0.003)
        start = time.perf_counter_ns()
        fork(nothing, None, threads, 0)
        times.append(time.perf_counter_ns() - start)
    return min(times)
print(took(2) - took(1))
"""
"""Prints nanoseconds. LLVM's library has GNU's entry points too."""


def measured_threshold(runtime: ThreadsRuntime) -> int:
    """The cycles from which on threads pay here; the common number where nobody can say."""
    store = chosen_store()
    if store is None or not runtime.path:
        return PARALLEL_THRESHOLD
    path = os.path.join(store.folder, f"fork-{runtime.family}-{os.uname().nodename}")
    try:
        if not os.path.exists(path):
            write_whole(path, str(threshold_of(_measure(runtime.path))))
        kept = read_noted(path).decode(errors="replace").strip()
    except OSError:
        return PARALLEL_THRESHOLD
    return int(kept) if kept in map(str, STEPS) else PARALLEL_THRESHOLD


def threshold_of(nanoseconds: float | None) -> int:
    """The step that is nearest, by its ratio, to what a fork and a join of so many ns ask for."""
    if nanoseconds is None:
        return PARALLEL_THRESHOLD
    wanted = max(1.0, _TIMES * nanoseconds * _CYCLES_IN_NANOSECOND)
    return min(STEPS, key=lambda step: max(step / wanted, wanted / step))


def _measure(library: str) -> float | None:
    """Nanoseconds; None where that does not succeed."""
    if not sys.executable:
        return None
    environment = {name: value for name, value in os.environ.items() if not _is_of_threads(name)}
    environment["OMP_WAIT_POLICY"] = "passive"
    try:
        ran = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PROBE, library],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        )
        return float(ran.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def _is_of_threads(name: str) -> bool:
    return name.startswith(("OMP_", "GOMP_", "KMP_"))
