"""A loop that is serial only at its start, and what comes behind that.

    for i = t to n {                             for i = t to t + 64 { … }        in order
      row i, by the rows t to min(i, t + 64)  }  for i = t + 64 to n { … }        doall

In blocked factorisations the rows below the diagonal block depend on that block only. Which
iterations something depends on is asked of the exact dependences: those that the loop carries start
at iterations up to some b, affine in what is known before the loop; behind b it carries nothing.

What only iterations up to b do (`if (i <= t + 63)`) is taken out of the others: who measures what
rows take would count it, and cut them unevenly.
"""

from __future__ import annotations

import islpy as isl
from xdsl.dialects import affine
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstraintKind, AffineMap

from polyopt.dialects.loop_facts import LoopFacts, facts_of, set_facts
from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.dependence_sources import Sources, last_source
from polyopt.ir.affine.linear import Linear, linear_forms, map_of
from polyopt.passes.parallel.region import with_bounds
from polyopt.poly.isl.budget import BudgetExceeded, budget

OPERATIONS = 1_000_000
"""isl operations that the dependences may take, and finding the bound."""


def split_tail(loop: affine.ForOp) -> tuple[affine.ForOp, affine.ForOp] | None:
    """The first iterations of `loop`, and the doall loop that the others make, in its place; None
    where there are none to tell apart, and nothing is changed."""
    whole = AffineLoop(loop)
    lowers, uppers = whole.lowers, whole.uppers
    parent, following = loop.parent, loop.next_op
    if lowers is None or uppers is None or whole.step != 1 or parent is None or following is None:
        return None
    last = _last_source(whole, uppers)
    if last is None:
        return None
    start = last + 1
    facts = facts_of(loop)
    later = [lower for lower in lowers if (start - lower).terms or (start - lower).constant < 0]
    tail = with_bounds(loop.clone(), map_of([*later, start]), map_of(uppers))
    set_facts(tail, LoopFacts("parallel", (), facts.iterator, facts.marks))
    _drop_what_ends(tail, start)
    head = with_bounds(loop, map_of(lowers), map_of([*uppers, start]))
    for part in (head, tail):
        parent.insert_op_before(part, following)
    return head, tail


def _drop_what_ends(tail: affine.ForOp, start: Linear) -> None:
    """Without conditions that no iteration from `start` on meets."""
    iterator = AffineLoop(tail).iv
    tests = [op for op in tail.body.walk() if isinstance(op, affine.IfOp) and not op.results]
    ended = [
        test for test in tests if not test.else_region.blocks and _has_ended(test, iterator, start)
    ]
    outermost = [
        test
        for test in ended
        if not any(other is not test and other.is_ancestor(test) for other in ended)
    ]
    for test in outermost:
        test.detach()
        test.erase()


def _has_ended(test: affine.IfOp, iterator: SSAValue, start: Linear) -> bool:
    """Whether one of the test's forms is below zero at `start`, and falls from there."""
    condition = test.condition.data
    for one in condition.constraints:
        sides = AffineMap(condition.num_dims, condition.num_symbols, (one.lhs, one.rhs))
        forms = linear_forms(sides, test.args)
        if forms is None or one.kind is AffineConstraintKind.le:
            continue
        difference = forms[0] - forms[1]
        at_start = difference.substitute({iterator: start})
        falls = difference.coefficient(iterator) <= 0
        if falls and not at_start.terms and at_start.constant < 0:
            return True
    return False


def _last_source(loop: AffineLoop, uppers: tuple[Linear, ...]) -> Linear | None:
    """Behind which iteration nothing that an iteration touches concerns a later one; None where
    that is at the loop's end, or not to be said."""
    dependences = dependences_below(loop.op, OPERATIONS)
    if not dependences.is_complete:
        return None
    try:
        with budget("the last iteration that others depend on", OPERATIONS):
            return last_source([_carried(one) for one in dependences.dependences], uppers)
    except BudgetExceeded:
        return None


def _carried(dependence: Dependence) -> Sources:
    """What the outermost common loop carries."""
    relation = dependence.relation.order_lt(isl.dim_type.in_, 0, isl.dim_type.out, 0)
    return Sources.of(relation, 0, dependence.parameters)
