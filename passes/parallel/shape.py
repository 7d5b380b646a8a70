"""Which loops may run in threads, and how, read off the loops as they are.

doall       no iteration depends on another one
row         a nest whose loops may be taken in any order, with one in it that nothing depends
            along: each thread runs all of the nest, but only its share of that loop
reduction   iterations depend on each other by updates of arrays that may be done in any order
pipeline    what goes from one iteration to a later one goes forward in the loop inside too, but for
            updates of arrays that may be done in any order
"""

from __future__ import annotations

from typing import Literal

from xdsl.dialects import affine
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine_nest import AffineLoop, access_of, accesses_in, bound_over, perfect_nest
from polyopt.ir.alias import may_overlap
from polyopt.ir.effects import is_pure
from polyopt.ir.linear import Linear
from polyopt.passes.parallel.private_arrays import Privates, privates_of
from polyopt.support.record import record

Kind = Literal["doall", "row", "reduction", "pipeline"]


@record
class Row:
    """`loop` is to be shared out; its range over all iterations of the loops around it in the nest
    is in `lowers` (the least of which counts) and `uppers` (the greatest)."""

    loop: AffineLoop
    lowers: tuple[Linear, ...]
    uppers: tuple[Linear, ...]


def find_row(outermost: affine.ForOp) -> Row | None:
    """The outermost loop within a perfect nest around a contraction along which nothing depends."""
    nest = perfect_nest(outermost)
    if any("contract" not in loop.facts.marks for loop in nest.loops):
        return None
    chosen = next((n for n, loop in enumerate(nest.loops) if loop.is_marked_parallel), None)
    if not chosen:
        return None
    loop = nest.loops[chosen]
    around = nest.loops[:chosen]
    bounds = (_extremes(loop.lowers, around, -1), _extremes(loop.uppers, around, 1))
    if bounds[0] is None or bounds[1] is None or loop.step != 1:
        return None
    dependences = dependences_below(outermost)
    if not dependences.is_complete:
        return None
    for dependence in dependences.dependences:
        level = dependence.level(loop)
        if level is None or dependence.has_distance(f"d{level} < 0 or d{level} > 0"):
            return None
    return Row(loop, bounds[0], bounds[1])


def _extremes(
    forms: tuple[Linear, ...] | None, around: tuple[AffineLoop, ...], sign: int
) -> tuple[Linear, ...] | None:
    """The least (sign -1) or greatest values of the forms over the loops around, without these;
    one value each."""
    if forms is None or len(forms) != 1:
        return None
    if any(forms[0].coefficient(loop.iv) and not _has_one_range(loop) for loop in around):
        return None
    bound = bound_over(forms[0], around, sign)
    return None if bound is None else (bound,)


def _has_one_range(loop: AffineLoop) -> bool:
    return loop.lowers is not None and len(loop.lowers) == 1 == len(loop.uppers or ())


@record(eq=False)
class Pipeline:
    """A thread goes along `steps`, the loop inside, while another one is a step ahead on the row
    before; `sums`: what is updated in another order, of which each thread needs a copy."""

    steps: affine.ForOp
    sums: Privates | None = None


def find_pipeline(loop: affine.ForOp) -> Pipeline | None:
    """That the loop is one its facts say; which arrays go another way than forward along the inner
    loop is asked of the dependences of the loops as they are."""
    facts = facts_of(loop)
    if facts.carried != "pipeline":
        return None
    inner = [op for op in loop.body.block.ops if not isinstance(op, affine.YieldOp)]
    loops = [op for op in inner if isinstance(op, affine.ForOp) and not op.inits]
    if len(loops) != 1 or not all(is_pure(op) for op in inner if op is not loops[0]):
        return None
    (steps,) = loops
    if not facts.reduces:
        return Pipeline(steps)
    dependences = dependences_below(loop)
    if not dependences.is_complete:
        return None
    carried = dependences.carried_by(AffineLoop(loop))
    sums = privates_of(loop, [one for one in carried if not _is_forward(one, steps)])
    return None if sums is None else Pipeline(steps, sums)


def _is_forward(dependence: Dependence, steps: affine.ForOp) -> bool:
    """Whether what goes from one row to a later one goes forward, or nowhere, along the steps."""
    inner = dependence.level(AffineLoop(steps))
    return inner == 1 and not dependence.has_distance("d0 > 0 and d1 < 0")


def run_together(one: affine.ForOp, other: affine.ForOp) -> bool:
    """Whether iteration i of `other` depends on no iteration of `one` but i: of loops over the same
    range, one behind the other, both doall. An element that both touch, one of them writing, is
    found by the same subscript i + c in both."""
    if not _same_range(one, other):
        return False
    a, b = AffineLoop(one), AffineLoop(other)
    for left in accesses_in(one):
        for right in accesses_in(other):
            if left is None or right is None:
                return False
            if not (left.is_write or right.is_write):
                continue
            if not may_overlap(left.array, right.array):
                continue
            if left.array is not right.array:
                return False
            if not _same_slice(left.subscripts, a, right.subscripts, b):
                return False
    return True


def _same_range(one: affine.ForOp, other: affine.ForOp) -> bool:
    return (
        one.lowerBoundMap == other.lowerBoundMap
        and one.upperBoundMap == other.upperBoundMap
        and one.step == other.step
        and tuple(one.operands) == tuple(other.operands)
    )


def _same_slice(
    left: tuple[Linear | None, ...] | None,
    one: AffineLoop,
    right: tuple[Linear | None, ...] | None,
    other: AffineLoop,
) -> bool:
    """Whether elements that are the same belong to the same iteration."""
    if left is None or right is None:
        return False
    return any(
        a is not None
        and b is not None
        and a.values == (one.iv,)
        and b.values == (other.iv,)
        and a.coefficient(one.iv) == b.coefficient(other.iv)
        and a.constant == b.constant
        for a, b in zip(left, right, strict=True)
    )


def bytes_along_rows(loop: affine.ForOp) -> int | None:
    """Of the smallest element of which neighbouring iterations write neighbours; None where they
    write nothing side by side."""
    iterator = AffineLoop(loop).iv
    sizes = list[int]()
    for access in accesses_in(loop):
        if access is None or not access.is_write or not access.subscripts:
            continue
        last = access.subscripts[-1]
        if last is not None and last.coefficient(iterator) == 1:
            element = element_type(access.array)
            sizes.append(element.size if isinstance(element, FixedBitwidthType) else 8)
    return min(sizes, default=None)


def depends_on(loop: affine.ForOp) -> bool:
    """Whether an iteration of the loop takes as long as its iterator says: some bound or condition
    inside depends on it."""
    values: set[SSAValue] = {loop.body.block.args[0]}
    for op in loop.body.walk():
        uses = any(operand in values for operand in op.operands)
        if not uses or access_of(op) is not None:
            continue
        if isinstance(op, affine.ForOp):
            return True
        if isinstance(op, affine.IfOp):
            return True
        if isinstance(op, affine.ApplyOp):
            values |= set(op.results)
    return False
