"""The classic dependence tests as the first answer for accesses of affine loops.

They prove many pairs independent by integer arithmetic (`polyopt.poly.classic`); isl is asked
about the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue

from polyopt.ir.affine.affine_nest import Access, AffineLoop, enclosing_loops, is_defined_inside
from polyopt.ir.affine.linear import Linear
from polyopt.poly.classic.pair_test import compare_references
from polyopt.poly.classic.references import Reference, Subscript
from polyopt.poly.linear.dependence_vectors import Interval


class References:
    """Accesses below one operation, asked in pairs while nothing there changes: each is read once,
    and pairs of accesses that look the same, as in statements that are alike, are compared once."""

    def __init__(self, root: Operation):
        self.root = root
        self._loops: dict[Operation | None, list[AffineLoop]] = {}
        self._symbols: dict[SSAValue, str] = {}
        self._numbers: dict[Reference, int] = {}
        self._known: dict[Operation, tuple[Reference, int] | None] = {}
        self._answers: dict[tuple[int, int, int], bool] = {}

    def loops_around(self, op: Operation) -> list[AffineLoop]:
        """From the outside in, below the root or the root itself."""
        if op is self.root:
            return enclosing_loops(op, op)
        around = op.parent_op()
        found = self._loops.get(around)
        if found is None:
            found = self._loops[around] = enclosing_loops(op, self.root)
        return found

    def may_meet(self, source: Access, sink: Access, common: int) -> bool:
        """May two accesses to one array touch the same element in any two iterations? The first
        `common` loops around them are the same."""
        first, second = self._of(source), self._of(sink)
        if first is None or second is None:
            return True
        key = first[1], second[1], common
        answer = self._answers.get(key)
        if answer is None:
            verdict = compare_references(first[0], second[0], common)
            answer = self._answers[key] = verdict.kind != "independent"
        return answer

    def _of(self, access: Access) -> tuple[Reference, int] | None:
        """With a number that equal ones have, too."""
        if access.op not in self._known:
            self._known[access.op] = self._read(access)
        return self._known[access.op]

    def _read(self, access: Access) -> tuple[Reference, int] | None:
        if access.subscripts is None:
            return None
        loops = self.loops_around(access.op)
        subscripts = tuple(
            _subscript(form, loops, self._symbols, lambda one: is_defined_inside(one, self.root))
            for form in access.subscripts
        )
        found = Reference("array", subscripts, tuple(_bounds(loop) for loop in loops))
        return found, self._numbers.setdefault(found, len(self._numbers))


def _subscript(
    form: Linear | None,
    loops: Sequence[AffineLoop],
    symbols: dict[SSAValue, str],
    changes: Callable[[SSAValue], bool],
) -> Subscript | None:
    if form is None:
        return None
    ivs = {loop.iv for loop in loops}
    others = [(value, factor) for value, factor in form.terms if value not in ivs]
    if any(changes(value) for value, _ in others):
        return None
    named = sorted(
        (symbols.setdefault(value, f"p{len(symbols)}"), factor) for value, factor in others
    )
    factors = tuple(form.coefficient(loop.iv) for loop in loops)
    return Subscript(form.constant, factors, tuple(named))


def _bounds(loop: AffineLoop) -> Interval:
    """The iterator's values as far as constants bound them."""
    lowers = [form.constant for form in loop.lowers or () if not form.terms]
    uppers = [form.constant - 1 for form in loop.uppers or () if not form.terms]
    return Interval(max(lowers, default=None), min(uppers, default=None))
