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

from collections.abc import Mapping

import islpy as isl
from xdsl.dialects import affine
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstraintKind, AffineMap

from polyopt.dialects.loop_facts import LoopFacts, facts_of, set_facts
from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, linear_forms, map_of
from polyopt.passes.parallel.region import with_bounds
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.support.record import record

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
            sources = [_sources(one) for one in dependences.dependences]
            carried = [one for one in sources if not one.iterators.is_empty()]
            forms = [form for one in carried for form in one.forms()]
            for form in dict.fromkeys(forms):
                is_at_end = any(not (upper - form).terms for upper in uppers)
                if not is_at_end and all(one.end_by(form) for one in carried):
                    return form
    except BudgetExceeded:
        pass
    return None


@record(eq=False)
class _Sources:
    """The iterators of a loop that later iterations depend on: a set of one dimension."""

    iterators: isl.Set
    parameters: Mapping[str, SSAValue]

    def forms(self) -> list[Linear]:
        """What the last of them may be, in some cases."""
        if not self.iterators.dim_has_upper_bound(isl.dim_type.set, 0):
            return []
        pieces = self.iterators.dim_max(0).get_pieces()
        forms = [_form(aff, self.parameters) for _, aff in pieces]
        return [form for form in forms if form is not None]

    def end_by(self, form: Linear) -> bool:
        """Whether none of them is behind `form`, in any case."""
        names = {value: name for name, value in self.parameters.items()}
        for value in form.values:
            names.setdefault(value, f"q{len(names)}")
        terms = [f"{factor} * {names[value]}" for value, factor in form.terms]
        limit = " + ".join([*terms, str(form.constant)])
        behind = isl.Set(f"[{', '.join(names.values())}] -> {{ [i] : i > {limit} }}")
        return self.iterators.intersect(behind).is_empty()


def _sources(dependence: Dependence) -> _Sources:
    """Of what the outermost common loop carries."""
    carried = dependence.relation.order_lt(isl.dim_type.in_, 0, isl.dim_type.out, 0)
    sources = carried.domain()
    sources = sources.project_out(isl.dim_type.set, 1, sources.dim(isl.dim_type.set) - 1)
    return _Sources(sources, dependence.parameters)


def _form(aff: isl.Aff, parameters: Mapping[str, SSAValue]) -> Linear | None:
    if aff.dim(isl.dim_type.div):
        return None
    result = Linear((), aff.get_constant_val().to_python())
    for position in range(aff.dim(isl.dim_type.param)):
        factor = aff.get_coefficient_val(isl.dim_type.param, position)
        name = aff.get_dim_name(isl.dim_type.param, position)
        if not factor.is_int() or name is None:
            return None
        result = result + Linear.of(parameters[name]) * factor.to_python()
    return result
