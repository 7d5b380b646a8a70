"""How many threads a call may use, where its loops run in threads (`-fparallel`, `-fopenmp`).

with polyopt.threads(2):      all calls in the block, of this thread of Python
    kernels.relax(n, a, b)
kernels.relax(n, a, b, threads=2)
"""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from contextlib import contextmanager

_ENTRIES = ("GOMP_", "__kmpc_")


def runs_threads(undefined: frozenset[str]) -> bool:
    """Whether code that needs these names from elsewhere runs threads."""
    return any(name.startswith(_ENTRIES) for name in undefined)


@contextmanager
def threads(number: int) -> Generator[None]:
    """In the block, loops that run in threads run in so many. Each thread of Python has a number of
    its own; where nothing runs threads yet, the block changes nothing."""
    if isinstance(number, bool) or not isinstance(number, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"threads: expected an integer, got {type(number).__name__}")
    if number < 1:
        raise ValueError(f"threads: {number} is too few: there is one at least")
    process = ctypes.CDLL(None)
    if not hasattr(process, "omp_set_num_threads"):
        yield
        return
    before: int = process.omp_get_max_threads()
    process.omp_set_num_threads(number)
    try:
        yield
    finally:
        process.omp_set_num_threads(before)
