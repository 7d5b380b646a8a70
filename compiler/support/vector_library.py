"""Which functions of the C library have forms for all lanes of a vector: glibc's libmvec."""

from __future__ import annotations

import os
import re
from functools import cache

_SINCE: dict[tuple[int, int], frozenset[str]] = {
    (2, 22): frozenset({"cos", "exp", "log", "pow", "sin"}),
    (2, 35): frozenset(
        "acos acosh asin asinh atan atan2 atanh cbrt cosh erf erfc exp10 exp2 expm1 hypot log10 "
        "log1p log2 sinh tan tanh".split()
    ),
}
"""What came with which version of glibc."""

FUNCTIONS = frozenset[str]().union(*_SINCE.values())
"""All of them, whatever this system has."""


@cache
def library_functions() -> frozenset[str]:
    """The scalar functions, without the suffix "f", that this system has vector forms of."""
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError):
        return frozenset()
    found = re.fullmatch(r"glibc (\d+)\.(\d+).*", text)
    if found is None or os.uname().machine != "x86_64":
        return frozenset()
    version = int(found[1]), int(found[2])
    names = (names for since, names in _SINCE.items() if version >= since)
    return frozenset[str]().union(*names)
