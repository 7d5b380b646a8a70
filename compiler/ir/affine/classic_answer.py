"""The classic dependence tests as the first answer for accesses of affine loops.

They prove many pairs independent by integer arithmetic (`polyopt.poly.classic`); isl is asked
about the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import Access, AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.poly.classic.pair_test import compare_references
from polyopt.poly.classic.references import Reference, Subscript
from polyopt.poly.linear.dependence_vectors import Interval


def may_meet(
    source: Access,
    sink: Access,
    loops: tuple[Sequence[AffineLoop], Sequence[AffineLoop]],
    common: int,
    changes: Callable[[SSAValue], bool],
) -> bool:
    """May two accesses to one array touch the same element in any two iterations? `loops` are
    those around each, the first `common` the same; `changes` tells of a value that is no
    iterator of theirs whether it may be another one each time."""
    if source.subscripts is None or sink.subscripts is None:
        return True
    symbols: dict[SSAValue, str] = {}
    first, second = (
        Reference(
            "array",
            tuple(_subscript(form, around, symbols, changes) for form in access.subscripts or ()),
            tuple(_bounds(loop) for loop in around),
        )
        for access, around in zip((source, sink), loops, strict=True)
    )
    return compare_references(first, second, common).kind != "independent"


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
