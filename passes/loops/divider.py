"""How wide the vectors are of a loop that waits for the divider.

    for (j < n) s += m[j] / (r2[j] * sqrt(r2[j]));    half lines: 2.88 ms, whole lines: 3.15 ms

Where the divider is no wider than half a line (`Target.narrow_divider`; measured on Intel with
AVX-512: forces between 1500 bodies), a whole line takes it twice as long, and the rest of the loop
gains nothing from wider vectors while it waits: they only have to be put together from more parts.
Of floats, where estimates are permitted, LLVM starts from one, which needs no divider; where
reciprocals are, it divides once by each divisor, and in front of the loop by one that stays.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, math
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import BlockArgument, Operation, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.fast_math import is_estimated, permits
from polyopt.ir.vector_calls import is_in_library
from polyopt.support.core_model import CORE
from polyopt.support.target import Target

DIVISIONS = (arith.DivfOp, math.SqrtOp)


def waits_for_divider(operations: Iterable[Operation], target: Target) -> bool:
    """Whether one iteration of these operations, in vectors of half a line, keeps the divider busy
    for longer than all else of the core, and no library is called."""
    if not target.narrow_divider or target.vector_bits != 8 * target.line_bytes:
        return False
    return keeps_divider_busy(operations)


def keeps_divider_busy(operations: Iterable[Operation]) -> bool:
    """Whether the divider takes as long as all else of the core for one iteration, in vectors of
    half a line or longer ones, and no library is called."""
    core = CORE.nests
    divisions: set[Operation | SSAValue] = set()
    changing: set[SSAValue] = set()
    computed = accesses = 0
    for op in operations:
        if is_in_library(op):
            return False
        if _changes(op, changing):
            changing.update(op.results)
        if isinstance(op, DIVISIONS) and not is_estimated(op):
            divisor = _divisor(op)
            if isinstance(divisor, Operation) or divisor in changing:
                divisions.add(divisor)
        elif isinstance(op, pvec.QuotientOp):
            divisions.add(op)
        elif isinstance(op, (ElementAccess, ReadOp, WriteOp)):
            accesses += 1
        elif op.operands and has_lanes(op):
            computed += 1
    busy = max(computed / core.arithmetic, accesses / core.stores)
    divided = len(divisions) * core.divide * core.wide_division
    return bool(divisions) and divided >= busy


def _changes(op: Operation, changing: set[SSAValue]) -> bool:
    """Whether it gives another value in each iteration: by the iterators and what is carried, or by
    what changes before it."""
    return bool(op.regions) or any(
        value in changing or (isinstance(value, BlockArgument) and value.block is op.parent)
        for value in op.operands
    )


def _divisor(op: Operation) -> Operation | SSAValue:
    """Equal for divisions that LLVM makes products with one reciprocal."""
    is_shared = isinstance(op, arith.DivfOp) and permits(op, FastMathFlag.ALLOW_RECIP)
    return op.operands[1] if is_shared else op
