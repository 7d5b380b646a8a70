"""Loops that LLVM would unroll as a whole, and that gain nothing by it.

    for i < 16 { for j < 96 { z[i][j] = exp(-z[i][j]) } }       96 calls of a vector of 16, in a row
    for u < 3 { for v < 3 { for k < n { sum += a * w } } }      9 loops over k, each unrolled itself

Where a function of the C library is called, its time hides what a loop takes to go on. Where a loop
inside stays one, as its length is not known, what could become numbers is computed outside of it;
only of sums in registers, which loops carry through it, since what is kept in memory goes to
registers where it is straight code.
"""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from polyopt.ir.effects import constant_integer
from polyopt.support.core_model import CORE
from polyopt.support.vector_library import FUNCTIONS


def stays_rolled(loop: scf.ForOp) -> bool:
    """Whether nothing is gained where the loop is unrolled as a whole."""
    return _carries_through_a_loop(loop) or _calls_in(loop) > CORE.code.calls_in_a_row


def _carries_through_a_loop(loop: scf.ForOp) -> bool:
    return _carries_vectors(loop) and any(
        isinstance(op, scf.ForOp) and _carries_vectors(op) and _count(op) is None
        for op in loop.body.walk()
    )


def _carries_vectors(loop: scf.ForOp) -> bool:
    return any(isinstance(one.type, VectorType) for one in loop.iter_args)


def _calls_in(loop: scf.ForOp) -> int:
    """How many calls of the library are in a row where the loop, and those in it, are unrolled."""
    return sum(
        _times(op, loop)
        for op in loop.body.walk()
        if op.name.startswith("math.") and op.name.removeprefix("math.") in FUNCTIONS
    )


def _times(op: Operation, loop: scf.ForOp) -> int:
    """How often it is there where the loops around it are unrolled that can be, up to this one."""
    times = 1
    while op is not loop:
        parent = op.parent_op()
        assert parent is not None
        op = parent
        count = _count(op) if isinstance(op, scf.ForOp) else None
        times *= 1 if count is None else count
    return times


def _count(loop: scf.ForOp) -> int | None:
    """The number of iterations, where it is known."""
    lower, upper, step = (constant_integer(one) for one in (loop.lb, loop.ub, loop.step))
    if lower is None or upper is None or not step:
        return None
    return max(0, -((lower - upper) // step))
