"""affine-split-guards: innermost loops without tests.

A condition in a loop holds for a range of its iterations, since it is affine: the loop is cut
where the range begins and where it ends, and a condition that the iterator does not enter is
tested before the loop.

    for i { if (1 <= i) S; if (i <= n - 2) T }    =>    for i = 0 to 1 { T }
                                                        for i = 1 to n - 1 { S T }
                                                        for i = n - 1 to n { S }

Such tests come from statements that were fused with a shift; they keep a loop from being
vectorised. Around a recurrence a loop is cut, too, whose first iterations are others than the rest,
as tables are written whose first row is filled in the same loops:

    for i { if (1 <= i) for j { R } else for j { S } }    =>    for i = 0 to 1 { for j { S } }
                                                                for i = 1 to n { for j { R } }

No lanes run a loop with tests in it, so that what is known outside of such a loop is asked there:

    for i { S; if (k <= 1) for j { R } }    =>    if (k <= 1) for i { S; for j { R } }
                                                  else for i { S }

and so it is of innermost loops that are rows of several nests, of which one ends sooner.
"""

from __future__ import annotations

from functools import partial

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.conditions import conditions_of
from polyopt.passes.loops.unroll.cuts import find_cuts
from polyopt.passes.loops.unroll.separation import separate
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class AffineSplitGuardsPass(ModulePass):
    """Cut every innermost loop where a test in it changes; where `recurrences`, not these, but
    loops around one that runs in its order, which are nothing but a test of their own iterator, or
    have tests of what is known outside, and parallel innermost ones that have such.

    Requires: nothing. Ensures: the same iterations run in the same order. At most `max_guards`
    tests of a loop are taken out of it, one after the other, since each may triple the code; a
    test that is not a conjunction of linear conditions stays.

        affine.for %i = 0 to %n {                 affine.for %i = 1 to %n { S(i) }
          affine.if (i - 1 >= 0) { S(i) }    =>
        }
    """

    name = "affine-split-guards"

    max_guards: int = CORE.code.guards
    recurrences: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        is_chosen = _is_around_recurrence if self.recurrences else _is_innermost
        guards = 1 if self.recurrences else self.max_guards
        for loop in operations_in(op, affine.ForOp):
            if is_chosen(loop):
                _split(loop, guards)
            elif self.recurrences:
                _decide_outside(loop, self.max_guards)


def _is_innermost(loop: affine.ForOp) -> bool:
    return not any(isinstance(inner, affine.ForOp) for inner in loop.body.walk())


def _is_around_recurrence(loop: affine.ForOp) -> bool:
    """Is all that the loop does one test of where it begins or ends, around a recurrence?"""
    test, *others = loop.body.block.ops
    if len(others) != 1 or not isinstance(test, affine.IfOp) or not test.then_region.blocks:
        return False
    conditions = conditions_of(test)
    if (
        conditions is None
        or len(conditions) != 1
        or not conditions[0].coefficient(loop.body.block.args[0])
    ):
        return False
    inner = [op for op in test.then_region.block.ops if isinstance(op, affine.ForOp)]
    return len(inner) == 1 and _is_innermost(inner[0]) and facts_of(inner[0]).carried in _IN_ORDER


_IN_ORDER = ("serial", "pipeline")


def _split(loop: affine.ForOp, guards: int) -> None:
    if not guards:
        return
    for place, op in enumerate(loop.body.block.ops):
        if not isinstance(op, affine.IfOp) or op.results:
            continue
        conditions = conditions_of(op)
        if conditions is None:
            continue
        cuts = find_cuts(AffineLoop(loop), conditions)
        if cuts is None:
            continue
        then, orelse = (
            partial(_decide, place=place, holds=holds, guards=guards) for holds in (True, False)
        )
        if separate(loop, cuts, then, orelse):
            return


def _decide_outside(loop: affine.ForOp, guards: int) -> None:
    """Test in front of the loop what its iterator does not enter: around recurrences, and where
    nothing but the tests keeps it from being vectors."""
    is_row = _is_innermost(loop) and facts_of(loop).is_parallel
    for place, op in enumerate(loop.body.block.ops):
        if not guards or not isinstance(op, affine.IfOp) or op.results:
            continue
        if not is_row and not _has_recurrence(op):
            continue
        conditions = conditions_of(op)
        cuts = None if conditions is None else find_cuts(AffineLoop(loop), conditions)
        if cuts is None or cuts.firsts or cuts.ends:
            continue
        then, orelse = (
            partial(_take_out, place=place, holds=holds, guards=guards) for holds in (True, False)
        )
        if separate(loop, cuts, then, orelse):
            return


def _has_recurrence(test: affine.IfOp) -> bool:
    """Is an innermost loop directly behind it, in its own order?"""
    inner = [op for region in test.regions for one in region.blocks for op in one.ops]
    return any(
        isinstance(op, affine.ForOp) and _is_innermost(op) and facts_of(op).carried in _IN_ORDER
        for op in inner
    )


def _take_out(loop: affine.ForOp, place: int, holds: bool, guards: int) -> None:
    if _is_left(loop, place, holds=holds):
        _decide_outside(loop, guards - 1)


def _decide(loop: affine.ForOp, place: int, holds: bool, guards: int) -> None:
    """Put one branch of the test at `place` in its stead, then split at the next test."""
    if _is_left(loop, place, holds=holds):
        _split(loop, guards - 1)


def _is_left(loop: affine.ForOp, place: int, *, holds: bool) -> bool:
    """Put one branch of the test at `place` in its stead. False where the loop has nothing left to
    do, and is gone."""
    test = list(loop.body.block.ops)[place]
    assert isinstance(test, affine.IfOp)
    _inline(test.then_region if holds else test.else_region, test)
    Rewriter.erase_op(test)
    is_left = not all(isinstance(op, affine.YieldOp) for op in loop.body.block.ops)
    if not is_left:
        Rewriter.erase_op(loop)
    return is_left


def _inline(region: Region, test: affine.IfOp) -> None:
    if not region.blocks:
        return
    terminator = region.block.last_op
    if isinstance(terminator, affine.YieldOp):
        Rewriter.erase_op(terminator)
    Rewriter.inline_block(region.block, InsertPoint.before(test))
