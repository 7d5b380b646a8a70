"""Iterations that depend on each other at distances that are known when the loop runs.

    for a in v .. n: w[a] += w[a - v]     lanes stay apart where v >= lanes, and where v <= 0

A vector runs each operation for all of its lanes before the next one. Of two accesses in the order
of the text, which touch an element in iterations i and i + delta, that changes the order only if
the second one ran in an earlier iteration, and in the same vector:

    in order    <=>    delta >= 0  or  delta <= -lanes

(the loop-carried dependences that vectors must not hold: R. Allen, K. Kennedy, Automatic
translation of FORTRAN programs to vector form, TOPLAS 9(4), 1987, asked when the loop runs).
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import is_known, steps_of, subscripts_of
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.vectors.vector_loop import Distance, VectorLoop
from polyopt.support.record import record

_SAME = Distance(Linear(), 1)


def distances_between(candidate: VectorLoop) -> tuple[Distance, ...] | None:
    """Of each two accesses that may touch an element in iterations of different number, how many
    iterations the second one is behind; None where no number says that, the same in all of them."""
    if candidate.groups or any(
        _is_looked_up(store.memref, candidate) for store in candidate.stores
    ):
        return None
    stores = set(candidate.stores)
    accesses = [
        _Subscripted.of(op, candidate.loop)
        for op in candidate.everything
        if isinstance(op, (affine.LoadOp, affine.StoreOp))
    ]
    found: dict[Distance, None] = {}
    for number, first in enumerate(accesses):
        for second in accesses[number + 1 :]:
            if not (first.op in stores or second.op in stores):
                continue
            if not may_overlap(first.op.memref, second.op.memref):
                continue
            if first.op.memref is not second.op.memref:
                return None
            distance = _distance(first, second, candidate.loop)
            if distance is None:
                return None
            found[distance] = None
    return tuple(one for one in found if one != _SAME)


@record
class _Subscripted:
    """`steps` are from one iteration to the next, in each dimension; nothing is known of it where
    there are no subscripts."""

    op: affine.LoadOp | affine.StoreOp
    subscripts: tuple[Linear, ...] | None
    steps: list[int]

    @staticmethod
    def of(op: affine.LoadOp | affine.StoreOp, loop: AffineLoop) -> _Subscripted:
        subscripts = subscripts_of(op)
        return _Subscripted(op, subscripts, steps_of(op, loop) if subscripts is not None else [])


def _is_looked_up(array: SSAValue, candidate: VectorLoop) -> bool:
    return any(may_overlap(array, op.memref) for op in candidate.lookups)


def _distance(first: _Subscripted, second: _Subscripted, loop: AffineLoop) -> Distance | None:
    """first(i) == second(j): in each dimension, step * (j - i) is how far apart they begin."""
    if never_meet(first.op, second.op, loop):
        return _SAME
    steps = first.steps
    if steps != second.steps or not any(steps):
        return None
    assert first.subscripts is not None
    assert second.subscripts is not None
    apart = [own - other for own, other in zip(first.subscripts, second.subscripts, strict=True)]
    if any(
        not form.terms and _never(form.constant, step)
        for form, step in zip(apart, steps, strict=True)
    ):
        return _SAME
    form, step = next((form, step) for form, step in zip(apart, steps, strict=True) if step)
    return Distance(form * (1 if step > 0 else -1), abs(step)) if is_known(form, loop) else None


def never_meet(first: ElementAccess, second: ElementAccess, loop: AffineLoop) -> bool:
    """Is there a dimension in which one of two accesses to an array stays where the other, which
    moves, does not come: x[i] and x[j] for j < i?"""
    pairs = zip(subscripts_of(first) or (), subscripts_of(second) or (), strict=False)
    return any(
        _stays_away(moving, fixed, loop)
        for one, other in pairs
        for moving, fixed in ((one, other), (other, one))
        if moving.coefficient(loop.iv) and not fixed.coefficient(loop.iv)
        if is_known(moving, loop) and is_known(fixed, loop)
    )


def _stays_away(moving: Linear, fixed: Linear, loop: AffineLoop) -> bool:
    """They would meet where `moving - fixed` is 0, which grows or falls with the iterations."""
    sign = 1 if moving.coefficient(loop.iv) > 0 else -1
    apart = (moving - fixed) * sign
    at_begin = [apart.substitute({loop.iv: lower}) for lower in loop.lowers or ()]
    at_end = [apart.substitute({loop.iv: upper}) for upper in loop.uppers or ()]
    return any(not form.terms and form.constant > 0 for form in at_begin) or any(
        not form.terms and form.constant <= 0 for form in at_end
    )


def _never(distance: int, step: int) -> bool:
    return bool(distance % step if step else distance)
