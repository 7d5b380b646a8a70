"""Numbers of Python as numbers of isl."""

from __future__ import annotations

import islpy as isl

_C_LONG = range(-(1 << 63), 1 << 63)


def val(number: int) -> isl.Val:
    """The number, of any size: the bounds of unsigned 64-bit values fit no C long, which is all
    that isl's constructor takes."""
    if number in _C_LONG:
        return isl.Val.int_from_si(isl.DEFAULT_CONTEXT, number)
    return isl.Val.read_from_str(isl.DEFAULT_CONTEXT, str(number))
