"""How many bits of its integers LLVM keeps in vectors: those that what is stored depends on.

    out[i] = in[i] >> 3 & 1;        32 bits in C, and eight in LLVM's vectors if these are bytes

It follows what is cut off on its way to where that was made, through what of whose results the
lowest bits depend on as many of the operands (`computeMinimumValueSizes`), and through shifts to
the right of what is no longer than it was before it was extended. What is compared, divided, or
the greatest of something is as wide as in C.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import i8
from xdsl.ir import Operation, SSAValue

from polyopt.passes.judge.operation_costs import bits_of

_MODULAR = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp),
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp),
)
_EXTENSIONS = (arith.ExtUIOp, arith.ExtSIOp)


def kept_bits(operations: Sequence[Operation]) -> dict[SSAValue, int]:
    """Of values that are kept in less than their type; `operations` in the order of the text."""
    kept: dict[SSAValue, int] = {}
    inside = set(operations)
    for op in reversed(operations):
        for value in op.results:
            uses = [_taken(use.operation, value, kept) for use in value.uses]
            is_inside = all(use.operation in inside for use in value.uses)
            bits = max(bits_of(i8), *uses) if uses and is_inside else bits_of(value.type)
            if bits < bits_of(value.type):
                kept[value] = bits
    return kept


def _taken(op: Operation, value: SSAValue, kept: dict[SSAValue, int]) -> int:
    """How many bits of an operand an operation needs."""
    whole = bits_of(value.type)
    if isinstance(op, arith.TruncIOp):
        return kept.get(op.result, bits_of(op.result.type))
    if isinstance(op, (affine.StoreOp, memref.StoreOp)) or not op.results:
        return whole
    own = kept.get(op.results[0], bits_of(op.results[0].type))
    if isinstance(op, _MODULAR) or (isinstance(op, arith.SelectOp) and value is not op.cond):
        return min(whole, own)
    if isinstance(op, arith.ShRUIOp | arith.ShRSIOp):
        if value is op.rhs:
            return min(whole, own)
        source = value.owner
        if isinstance(source, _EXTENSIONS):
            return min(whole, max(own, bits_of(source.input.type)))
    return whole
