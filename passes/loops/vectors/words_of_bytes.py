"""Words that are put together of bytes side by side, in either order: `x[2 i] << 8 | x[2 i + 1]`.

LLVM loads such a word whole, and turns its bytes around by one instruction, also in vectors; as
strided bytes they are taken apart first. (Zen 3, 100,000 words of four bytes, turned around: 34 us
by LLVM, 42 in our vectors, and 14 and 41 as they lie.)
"""

from __future__ import annotations

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.effects import constant_integer
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.vectors.vector_loop import VectorLoop


def only_makes_words(loop: VectorLoop) -> bool:
    """Is all that the loop stores such words, one behind the other?"""
    return bool(loop.stores) and all(_is_word(op.value, loop) for op in loop.stores)


def _is_word(value: SSAValue, loop: VectorLoop) -> bool:
    found = _bytes_of(value)
    size = element_bytes(value.type) or 1
    if found is None or size < 2 or set(found) != set(range(size)):
        return False
    loads = [found[position] for position in range(size)]
    places = [subscripts_of(one) for one in loads]
    first = places[0]
    if first is None or any(one.memref is not loads[0].memref for one in loads):
        return False
    if any(stride_of(one, loop.loop) != size for one in loads):
        return False
    apart = [[a - b for a, b in zip(place or (), first, strict=False)] for place in places]
    if any(form.terms for one in apart for form in one):
        return False
    offsets = [[form.constant for form in one] for one in apart]
    rows = [0] * (len(first) - 1)
    return any(
        offsets == [[*rows, step * position] for position in range(size)] for step in (1, -1)
    )


def _bytes_of(value: SSAValue) -> dict[int, affine.LoadOp] | None:
    """The loads of the bytes that an integer is made of, by their positions; the others are 0."""
    op = value.owner
    match op:
        case arith.OrIOp():
            left, right = _bytes_of(op.lhs), _bytes_of(op.rhs)
            if left is None or right is None or left.keys() & right.keys():
                return None
            return {**left, **right}
        case arith.ShLIOp():
            by, inner = constant_integer(op.rhs), _bytes_of(op.lhs)
            if by is None or by % 8 or inner is None:
                return None
            return {position + by // 8: load for position, load in inner.items()}
        case arith.ExtUIOp() if isinstance(op.input.owner, affine.LoadOp):
            load = op.input.owner
            return {0: load} if load.result.type == IntegerType(8) else None
        case arith.ExtUIOp():
            return _bytes_of(op.input)
        case _:
            return None
