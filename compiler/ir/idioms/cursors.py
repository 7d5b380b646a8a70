"""Cursors of parsers: branches that step over what may stand at the cursor, or not.

    if (*p == '-') { negative = 1; p++; }                if (s[i] == ',') i++;

As a selection the step is a link of a chain: the next element is loaded from a place that waits for
the comparison of the one before, though the text hardly ever leaves a processor in doubt about
where its commas are. As a branch it is predicted, and the loads run ahead.

Not the cursors of merges, `if (*p < *q) p++`: the comparison is with a constant, one element of the
text's grammar.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, cf, memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.ir.idioms.records import Variable, changes_of, loaded_variable, variable_of

_DEPTH_LIMIT = 8
_EQUALITIES = frozenset({"eq", "ne"})

_Cursor = SSAValue | Variable


def stepping_arm(branch: cf.ConditionalBranchOp) -> Block | None:
    """The arm that moves a cursor by a constant, where the branch compares the element at the
    cursor with a constant; it does nothing but give variables new values. Of `a || b` each of the
    branches steps by the one arm."""
    for arm, other in (
        (branch.then_block, branch.else_block),
        (branch.else_block, branch.then_block),
    ):
        cursors = list(_moved(arm, branch, other))
        if cursors and _tests_element_at(branch.cond, cursors):
            return arm
    return None


def _moved(arm: Block, branch: cf.ConditionalBranchOp, other: Block) -> Iterator[_Cursor]:
    """The cursors that the arm moves; none where it is no arm, or does more."""
    last = arm.last_op
    if not isinstance(last, cf.BranchOp) or last.successor is arm or arm.args:
        return
    test = _test_of_join(branch, other, arm, last.successor)
    if test is None or not all(map(_gives_a_value, tuple(arm.ops)[:-1])):
        return
    kept = test.else_arguments if test.then_block is arm else test.then_arguments
    for old, new in changes_of(arm, tuple(kept)):
        if _is_step(old, new):
            yield old


def _test_of_join(
    branch: cf.ConditionalBranchOp, other: Block, arm: Block, join: Block
) -> cf.ConditionalBranchOp | None:
    """The branch between the arm and the join: this one, or the next of a chain of alternatives."""
    if other is join:
        return branch
    following = other.last_op
    if not isinstance(following, cf.ConditionalBranchOp):
        return None
    ways = (following.then_block, following.else_block)
    return following if ways in ((arm, join), (join, arm)) else None


def _gives_a_value(op: Operation) -> bool:
    if isinstance(op, memref.StoreOp):
        return variable_of(op.memref) is not None
    return isinstance(op, memref.LoadOp) or is_pure(op)


def _is_step(old: _Cursor, new: SSAValue) -> bool:
    """`new` is the cursor and a constant."""
    op = new.owner
    if isinstance(op, cmem.OffsetOp):
        return _is_value_of(op.operands[0], old) and all(
            constant_integer(distance) is not None for distance in op.operands[1:]
        )
    if not isinstance(op, arith.AddiOp):
        return False
    return _is_value_of(op.lhs, old) and constant_integer(op.rhs) is not None


def _is_value_of(value: SSAValue, cursor: _Cursor) -> bool:
    return value is cursor or loaded_variable(value) == cursor


def _tests_element_at(condition: SSAValue, cursors: list[_Cursor], depth: int = 0) -> bool:
    """Equalities of an element with constants, and what logic makes of them."""
    op = condition.owner
    if depth > _DEPTH_LIMIT:
        return False
    if isinstance(op, (arith.OrIOp, arith.AndIOp)):
        return any(_tests_element_at(side, cursors, depth + 1) for side in op.operands)
    if not isinstance(op, arith.CmpiOp) or constant_integer(op.rhs) is None:
        return False
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    return predicate in _EQUALITIES and _is_element_at(op.lhs, cursors)


def _is_element_at(value: SSAValue, cursors: list[_Cursor]) -> bool:
    """Of a place that is computed from a cursor."""
    load = element_of(value)
    return load is not None and any(_is_computed_from(place, cursors) for place in load.operands)


def element_of(value: SSAValue) -> memref.LoadOp | None:
    """The load of an element, no variable, whose value it is, or a conversion of it."""
    op = value.owner
    for _ in range(_DEPTH_LIMIT):
        if isinstance(op, memref.LoadOp) or not isinstance(op, (arith.ExtSIOp, arith.ExtUIOp)):
            break
        op = op.operands[0].owner
    if not isinstance(op, memref.LoadOp) or loaded_variable(op.res) is not None:
        return None
    return op


def _is_computed_from(value: SSAValue, cursors: list[_Cursor], depth: int = 0) -> bool:
    if any(_is_value_of(value, cursor) for cursor in cursors):
        return True
    op = value.owner
    if isinstance(op, Block) or not is_pure(op) or depth > _DEPTH_LIMIT:
        return False
    return any(_is_computed_from(operand, cursors, depth + 1) for operand in op.operands)
