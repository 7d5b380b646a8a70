"""Finds loops around small problems that may run in lanes, and proves it.

The loops of one problem run from numbers to numbers, so that all of its instances can be looked at
(`one_problem.py`). Arrays are

    own       each iteration has elements of its own: a dimension where the iterations' elements
              lie further apart than those of one reach
    private   all iterations have the same elements, and each writes them before it reads them
    shared    nobody writes them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from xdsl.dialects import affine, arith
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import AffineLoop, is_defined_inside
from polyopt.ir.affine.conditions import conditions_of
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.batches.one_problem import OneProblem, loads_before
from polyopt.passes.loops.batches.steps import Seen
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class Batch:
    """The iterations of `loop` may be lanes, where the `sizes` are these. `steps`: of own
    arrays, how far apart two lanes touch them, in each dimension. What is `private` is told in the
    order in which it is touched first."""

    loop: AffineLoop
    problem: OneProblem
    sizes: dict[SSAValue, int]
    steps: dict[SSAValue, tuple[int, ...]]
    private: tuple[SSAValue, ...]

    def lies_side_by_side(self, array: SSAValue) -> bool:
        """Are the lanes' elements neighbours in memory?"""
        steps = self.steps[array]
        return bool(steps) and steps[-1] == 1 and not any(steps[:-1])


def find_batch(op: affine.ForOp) -> Batch | None:
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.lowers is None or loop.uppers is None:
        return None
    inside = _inside(op)
    if not _has_loops_inside(op) or not all(_may_be_in_lanes(one, loop) for one in inside):
        return None
    if not may_be_recurrence(inside, op):
        return None
    problem = _problem(loop, inside)
    if problem is None or not problem.is_recurrence():
        return None
    steps: dict[SSAValue, tuple[int, ...]] = {}
    private: list[SSAValue] = []
    for array, seen in problem.seen.items():
        factors = tuple(form.coefficient(loop.iv) for form in seen.base)
        if any(is_defined_inside(one, op) and one is not loop.iv for one in _values(seen)):
            return None
        if any(factors):
            if seen.written and not _is_own(seen, factors):
                return None
            steps[array] = factors
        elif seen.written:
            if seen.needed or not _is_row(array, seen):
                return None
            private.append(array)
    apart = all(
        not may_overlap(one, other)
        for one, other in combinations(problem.seen, 2)
        if problem.seen[one].written or problem.seen[other].written
    )
    if not apart or not steps:
        return None
    return Batch(loop, problem, dict(problem.sizes), steps, tuple(private))


def may_be_recurrence(inside: Sequence[Operation], root: Operation) -> bool:
    """False only if `OneProblem.is_recurrence` is, whatever is run: no store feeds another element
    and, through whichever arrays, itself. What it asks of elements is asked of arrays here."""
    stores = [op for op in inside if isinstance(op, affine.StoreOp)]
    feeding = {store: loads_before(store.value, root) for store in stores}
    after = {
        one: [
            other for other in stores if any(one.memref is load.memref for load in feeding[other])
        ]
        for one in stores
    }
    return any(
        one in _reached(store, after)
        for store in stores
        for one in stores
        if any(
            load.memref is one.memref and not _is_same_element(load, store)
            for load in feeding[store]
        )
    )


def _reached(
    start: affine.StoreOp, after: Mapping[affine.StoreOp, list[affine.StoreOp]]
) -> set[affine.StoreOp]:
    found: set[affine.StoreOp] = set()
    left = [start]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left.extend(after[one])
    return found


def _is_same_element(load: affine.LoadOp, store: affine.StoreOp) -> bool:
    """Does a store, whenever it runs, store where that load has last loaded?"""
    if load.memref is not store.memref or load.parent is not store.parent:
        return False
    forms = subscripts_of(load)
    return forms is not None and forms == subscripts_of(store)


def _problem(loop: AffineLoop, inside: Sequence[Operation]) -> OneProblem | None:
    """An iteration; where sizes from outside end its loops, with the greatest that arrays allow."""
    sizes = _sizes(loop, inside)
    guesses = _extents(inside) if sizes else [0]
    for guess in guesses:
        problem = OneProblem(loop, CORE.batches.most_instances, dict.fromkeys(sizes, guess))
        if problem.run() and (not sizes or _is_in_bounds(problem)):
            return problem
    return None


def _sizes(loop: AffineLoop, inside: Sequence[Operation]) -> list[SSAValue]:
    """What comes from outside and bounds the loops inside."""
    found: dict[SSAValue, None] = {}
    for op in inside:
        if isinstance(op, affine.ForOp):
            one = AffineLoop(op)
            for form in (*(one.lowers or ()), *(one.uppers or ())):
                outer = [value for value in form.values if not is_defined_inside(value, loop.op)]
                found |= dict.fromkeys(outer)
    return list(found)


def _extents(inside: Sequence[Operation]) -> list[int]:
    """Of all arrays, in known dimensions, the greatest first."""
    touches = (op for op in inside if isinstance(op, (affine.LoadOp, affine.StoreOp)))
    shapes = [memref_type(op.memref).get_shape() for op in touches]
    return sorted({extent for shape in shapes for extent in shape if extent > 0}, reverse=True)


def _is_in_bounds(problem: OneProblem) -> bool:
    return all(
        extent < 0
        or bool(base.terms)
        or (base.constant + low >= 0 and base.constant + high < extent)
        for array, seen in problem.seen.items()
        for extent, base, (low, high) in zip(
            memref_type(array).get_shape(), seen.base, seen.reach, strict=True
        )
    )


def _values(seen: Seen) -> list[SSAValue]:
    return [value for form in seen.base for value in form.values]


def _is_own(seen: Seen, factors: tuple[int, ...]) -> bool:
    """Has each iteration elements that no other one has?"""
    return any(
        factor and high - low < abs(factor)
        for factor, (low, high) in zip(factors, seen.reach, strict=True)
    )


def _is_row(array: SSAValue, seen: Seen) -> bool:
    """Is it a variable, or a row of neighbours, so that one loop writes it back?"""
    if len(memref_type(array).get_shape()) > 1:
        return False
    return len(seen.written) == max(seen.written) - min(seen.written) + 1


def _has_loops_inside(op: affine.ForOp) -> bool:
    return any(isinstance(one, affine.ForOp) for one in op.body.block.ops)


def _inside(op: affine.ForOp) -> list[Operation]:
    return [one for one in op.walk() if one is not op]


def _may_be_in_lanes(op: Operation, loop: AffineLoop) -> bool:
    if isinstance(op, affine.ForOp):
        inner = AffineLoop(op)
        return not op.inits and inner.lowers is not None and inner.uppers is not None
    if isinstance(op, affine.IfOp):
        return not op.results and conditions_of(op) is not None
    if isinstance(op, (affine.YieldOp, affine.LoadOp, affine.StoreOp)):
        return True
    if isinstance(op, arith.ConstantOp):
        return has_lanes(op) or not op.result.uses.get_length()
    return not op.regions and has_lanes(op)
