"""Column panels that a loop around a contraction need not pack again.

    for r: { …; C[r, i, j] += A[r, i, k] * B[k, j]; … }

The panels of B are the same for each r where nothing in the loop writes B, and neither what is
packed nor the domain of the contraction depend on anything that the loop makes. Then they belong to
the loop. Several blocks take turns in one buffer; where all of a panel is one block, only the first
iteration packs it.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, accesses_in, is_defined_inside
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.contract.structured import Structured


def keeping_loop(nest: Structured) -> AffineLoop | None:
    """The loop that the nest stands in, if its column panels are the same in all iterations; each
    of these runs the nest, or none does."""
    assert nest.panels is not None
    tests, around = _up_to_loop(nest.op)
    if around is None:
        return None
    loop = AffineLoop(around)
    if loop.lowers is None or len(loop.lowers) != 1:
        return None
    taken = [leaf for value in nest.panels.columns for leaf in _leaves(value, nest)]
    bounds = [value for form in nest.domain.forms for value in form.values]
    leaves = [*bounds, *taken, *(value for test in tests for value in test.operands)]
    if any(_is_made_by(around, value, nest.op) for value in leaves):
        return None
    arrays = [one.array for one in nest.taken if one.array in taken]
    for access in accesses_in(around):
        if access is None:
            return None
        if access.is_write and any(may_overlap(access.array, array) for array in arrays):
            return None
    return loop


def loop_around(op: Operation) -> AffineLoop | None:
    """The innermost loop around, where there are but tests between."""
    _, around = _up_to_loop(op)
    return None if around is None else AffineLoop(around)


def _up_to_loop(op: Operation) -> tuple[list[affine.IfOp], affine.ForOp | None]:
    """The loop around, and the tests on the way."""
    tests: list[affine.IfOp] = []
    around = op.parent_op()
    while isinstance(around, affine.IfOp):
        tests.append(around)
        around = around.parent_op()
    return tests, around if isinstance(around, affine.ForOp) else None


def _is_made_by(loop: affine.ForOp, value: SSAValue, op: Operation) -> bool:
    """Outside of the nest."""
    return is_defined_inside(value, loop) and not is_defined_inside(value, op)


def _leaves(value: SSAValue, nest: Structured) -> Iterator[SSAValue]:
    """What a value of the body is computed from, outside of it: arrays and subscripts too."""
    for one in nest.taken:
        if one.argument is value:
            yield one.array
            yield from (used for form in one.subscripts for used in form.values)
            return
    if not isinstance(value, OpResult) or not nest.op.is_ancestor(value.op):
        yield value
        return
    for operand in value.op.operands:
        yield from _leaves(operand, nest)
