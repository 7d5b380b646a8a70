"""Columns of a block of rows that no others depend on: a nest of its own, shared out by columns.

    for i = t to t + 64 {                         for i { for k { for j = i to t + 64 { … } } }
      for k < i {                           =>
        for j = i to n { A[i, j] -= … } } }       for i { for k { for j = t + 64 to n { … } } }

Rows of U beside the diagonal block of a factorisation: each row needs the rows before it, no column
needs another one. From which column on that is so is asked of the exact dependences, as in
`tail.py`: what others depend on, in other columns or outside of the loop over them, are columns up
to some b, affine in what is known before the nest. What comes behind b may be done behind all else,
since nothing else needs it, and by anybody.
"""

from __future__ import annotations

import islpy as isl
from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_dependence import Dependence, NestDependences, dependences_below
from polyopt.ir.affine.affine_nest import (
    AffineLoop,
    bounds_over,
    enclosing_loops,
    is_defined_inside,
)
from polyopt.ir.affine.dependence_sources import Sources, last_source
from polyopt.ir.affine.linear import Linear, map_of
from polyopt.passes.parallel.region import with_bounds
from polyopt.passes.parallel.shape import LoopRow, moves
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.support.core_model import CORE
from polyopt.support.record import record

OPERATIONS = 1_000_000
"""isl operations that the dependences may take, and finding the bound."""


@record(eq=False)
class Behind:
    """What stands behind the rest, and the loop over its columns."""

    nest: affine.ForOp
    row: LoopRow


def split_columns(rows: affine.ForOp) -> Behind | None:
    """Take columns that nothing depends on out of the nest, to right behind it; None where there
    are none, and nothing is changed."""
    loops = [op for op in rows.body.walk() if isinstance(op, affine.ForOp) and _may_be(op, rows)]
    if not loops:
        return None
    dependences = dependences_below(rows, OPERATIONS)
    if not dependences.is_complete:
        return None
    for loop in loops:
        start = _start(rows, AffineLoop(loop), dependences)
        start = None if start is None else _squared(start, AffineLoop(rows))
        if start is not None and _is_all_of_rows(rows, AffineLoop(loop), start):
            return _split(rows, AffineLoop(loop), start)
    return None


def _may_be(loop: affine.ForOp, rows: affine.ForOp) -> bool:
    """Whether it is a loop over columns, of which a copy can do without the rest of the nest."""
    around = _around(loop, rows)
    return (
        facts_of(loop).is_parallel
        and not loop.inits
        and loop.step.value.data == 1
        and all(map(_is_plain, around))
        and all(
            _is_known(value, loop, rows) for op in (*around, *loop.walk()) for value in op.operands
        )
    )


def _is_plain(op: Operation) -> bool:
    """Whether it holds nothing but what it runs, and hands nothing on."""
    if isinstance(op, affine.IfOp):
        return not op.results and not op.else_region.blocks
    return isinstance(op, affine.ForOp) and not op.inits


def _around(loop: affine.ForOp, rows: affine.ForOp) -> list[Operation]:
    """What it stands in, from the inside out, `rows` last."""
    found = list[Operation]()
    op = loop.parent_op()
    while op is not None and op is not rows:
        found.append(op)
        op = op.parent_op()
    return [*found, rows]


def _is_known(value: SSAValue, loop: affine.ForOp, rows: affine.ForOp) -> bool:
    """Whether it is made in the loop or in front of the nest, or is an iterator around."""
    if is_defined_inside(value, loop) or not is_defined_inside(value, rows):
        return True
    return any(value is one.iv for one in enclosing_loops(loop, rows))


def _start(rows: affine.ForOp, loop: AffineLoop, found: NestDependences) -> Linear | None:
    """From which column on nothing depends on any of them, but what is of the same column."""
    if loop.uppers is None:
        return None
    try:
        with budget("the last column that others depend on", OPERATIONS):
            level = len(enclosing_loops(loop.op, rows))
            sources = [
                Sources.of(relation, level, one.parameters)
                for one in found.dependences
                if loop.op.is_ancestor(one.source.op)
                and (relation := _to_others(one, loop, level)) is not None
            ]
            last = last_source(sources, loop.uppers)
    except BudgetExceeded:
        return None
    return None if last is None else last + 1


def _squared(start: Linear, rows: AffineLoop) -> Linear:
    """Where the block ends in both directions, if it has a few columns less than rows: vectors of
    columns begin where tiles do."""
    for end in rows.uppers or ():
        left = end - start
        if not left.terms and 0 <= left.constant <= CORE.threads.few_at_ends:
            return end
    return start


def _to_others(dependence: Dependence, loop: AffineLoop, level: int) -> isl.Map | None:
    """What does not stay in a column."""
    relation = dependence.relation
    if not loop.op.is_ancestor(dependence.sink.op):
        return relation
    ends = (isl.dim_type.in_, level, isl.dim_type.out, level)
    others = relation.order_lt(*ends).union(relation.order_gt(*ends))
    return None if others.is_empty() else others


def _is_all_of_rows(rows: affine.ForOp, loop: AffineLoop, start: Linear) -> bool:
    """Whether the columns from `start` on are the same in all rows."""
    around = enclosing_loops(loop.op, rows)
    if any(form.uses(one.iv for one in around) for form in (start, *(loop.uppers or ()))):
        return False
    return all(
        any(
            not (start - bound).terms and (start - bound).constant >= 0
            for bound in bounds_over(lower, around, 1) or ()
        )
        for lower in loop.lowers or ()
    )


def _split(rows: affine.ForOp, loop: AffineLoop, start: Linear) -> Behind:
    parent, lowers, uppers = rows.parent, loop.lowers, loop.uppers
    assert parent is not None
    assert lowers is not None
    assert uppers is not None
    nest = rows.clone()
    place = next(number for number, op in enumerate(rows.walk()) if op is loop.op)
    copy = next(op for number, op in enumerate(nest.walk()) if number == place)
    assert isinstance(copy, affine.ForOp)
    _drop_all_but(copy, nest)
    columns = _replace(copy, with_bounds(copy.clone(), map_of([start]), map_of(uppers)))
    _replace(loop.op, with_bounds(loop.op.clone(), map_of(lowers), map_of([*uppers, start])))
    parent.insert_op_after(nest, rows)
    row = LoopRow((columns,), ((start,),), (uppers,), not moves(columns, nest))
    return Behind(nest, row)


def _drop_all_but(loop: affine.ForOp, nest: affine.ForOp) -> None:
    """Nothing that stays uses what is dropped."""
    kept: Operation = loop
    for op in _around(loop, nest):
        block = kept.parent
        assert block is not None
        for other in reversed(list(block.ops)):
            if other is not kept and not isinstance(other, affine.YieldOp):
                other.detach()
                other.erase()
        kept = op


def _replace(old: affine.ForOp, new: affine.ForOp) -> AffineLoop:
    parent = old.parent
    assert parent is not None
    parent.insert_op_before(new, old)
    old.detach()
    old.erase()
    return AffineLoop(new)
