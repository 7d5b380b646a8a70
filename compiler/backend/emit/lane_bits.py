"""Masks of the first lanes of a vector, as the bits of a number.

AVX-512 keeps a mask in a register of 64 bits, one for each lane: those of the first n lanes are
what is left of all bits after n zeros are shifted in, and out. To compare the numbers of 64 lanes
with n takes four vectors, and four more instructions to put their masks together.
"""

from __future__ import annotations

from polyopt.backend.emit.function import FunctionEmitter

_ALL = 64
_MANY = 32
"""Lanes that more than one vector of numbers would be compared for."""


def has_lane_bits(f: FunctionEmitter, lanes: int) -> bool:
    return lanes in (_MANY, _ALL) and f.module.options.target().has_mask_registers


def lanes_below(f: FunctionEmitter, count: str, lanes: int) -> str:
    """The lanes less than `count`, which is a number of 64 bits from none to all of them."""
    others = f.temp(f"shl i64 -1, {count}")
    bits = f.temp(f"xor i64 {others}, -1")
    if lanes == _ALL:
        is_all = f.temp(f"icmp eq i64 {count}, {_ALL}")
        bits = f.temp(f"select i1 {is_all}, i64 -1, i64 {bits}")
    else:
        bits = f.temp(f"trunc i64 {bits} to i{lanes}")
    return f.temp(f"bitcast i{lanes} {bits} to <{lanes} x i1>")
