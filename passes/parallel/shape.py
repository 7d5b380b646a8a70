"""Which loops may run in threads, and how, read off the loops as they are.

doall       no iteration depends on another one
row         a nest with loops in it that nothing depends along, whatever the loops around carry:
            each thread runs all of the nest, but only its share of these
reduction   iterations depend on each other by updates of arrays that may be done in any order
pipeline    what goes from one iteration to a later one goes forward in the loop inside too, but for
            updates of arrays that may be done in any order
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from xdsl.dialects import affine
from xdsl.ir import Block

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.affine_nest import (
    Access,
    AffineLoop,
    accesses_in,
    bound_over,
    enclosing_loops,
    perfect_nest,
)
from polyopt.ir.affine.linear import Linear
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.parallel.evenness import depends_on
from polyopt.passes.parallel.private_arrays import Privates, privates_of
from polyopt.passes.parallel.slices import keep_apart
from polyopt.support.record import record

Kind = Literal["doall", "row", "reduction", "pipeline"]


@record
class LoopRow:
    """`loops`, side by side in a nest, are to be shared out alike; over all iterations of the loops
    around it, each has a range between the greatest of its `lowers` and the least of its `uppers`.
    """

    loops: tuple[AffineLoop, ...]
    lowers: tuple[tuple[Linear, ...], ...]
    uppers: tuple[tuple[Linear, ...], ...]

    is_even: bool = True
    """Whether any part of it is as much to do as any other of its length, as far as is known."""

    @property
    def has_one_range(self) -> bool:
        return len({*self.lowers}) == 1 == len({*self.uppers})


def find_row(outermost: affine.ForOp) -> LoopRow | None:
    """The outermost loops within the nest, all of one depth, along which nothing depends: what an
    iteration i of one of them leaves is of use to iterations i only, of it and of the others."""
    for loops in _levels_below(outermost):
        if not all(_may_be_shared(loop) for loop in loops):
            continue
        is_contraction = is_of_contraction(outermost)
        if _is_all_within(outermost, loops) or _is_contraction_along(outermost, loops):
            is_even = is_contraction or not any(moves(loop, outermost) for loop in loops)
            return _row_of(outermost, loops, is_even)
        if is_contraction:
            return None
    return None


def moves(loop: AffineLoop, outermost: affine.ForOp) -> bool:
    """Whether loops around it have a say in its range, or it has one in those of loops in it."""
    around = {one.iv for one in enclosing_loops(loop.op, outermost)}
    has_iterators = any(operand in around for operand in loop.op.operands)
    return has_iterators or depends_on(loop.op)


def _row_of(outermost: affine.ForOp, loops: Sequence[AffineLoop], is_even: bool) -> LoopRow | None:
    lowers, uppers = list[tuple[Linear, ...]](), list[tuple[Linear, ...]]()
    for loop in loops:
        around = enclosing_loops(loop.op, outermost)
        bounds = _extremes(loop.lowers, around, -1), _extremes(loop.uppers, around, 1)
        if bounds[0] is None or bounds[1] is None:
            return None
        lowers.append(bounds[0])
        uppers.append(bounds[1])
    return LoopRow(tuple(loops), tuple(lowers), tuple(uppers), is_even)


def _levels_below(outermost: affine.ForOp) -> Iterator[list[AffineLoop]]:
    """The loops right inside of it, those right inside of these, and so on, as long as what is
    around them is nothing but loops."""
    level = [AffineLoop(outermost)]
    while level and not any(loop.op.inits for loop in level):
        level = [AffineLoop(one) for loop in level for one in _loops_right_in(loop.block)]
        if level:
            yield level


def _loops_right_in(block: Block) -> Iterator[affine.ForOp]:
    for op in block.ops:
        if isinstance(op, affine.ForOp):
            yield op
        elif isinstance(op, affine.IfOp):
            for region in op.regions:
                for inner in region.blocks:
                    yield from _loops_right_in(inner)


def _may_be_shared(loop: AffineLoop) -> bool:
    return loop.is_marked_parallel and not loop.op.inits and loop.step == 1


def _is_all_within(outermost: affine.ForOp, loops: Sequence[AffineLoop]) -> bool:
    """Whether all that is written is in the loops, and whatever touches it is in the iteration of
    the same number: subscripts that all accesses to an array have say so."""
    inside = list[tuple[Access, AffineLoop]]()
    outside = list[Access]()
    for access in accesses_in(outermost):
        if access is None:
            return False
        around = next((loop for loop in loops if loop.op.is_ancestor(access.op)), None)
        if around is not None:
            inside.append((access, around))
        elif access.is_write:
            return False
        else:
            outside.append(access)
    written = [(access, loop) for access, loop in inside if access.is_write]
    if any(may_overlap(one.array, other.array) for one, _ in written for other in outside):
        return False
    return all(
        keep_apart(outermost, one, loop, other, along)
        for one, loop in written
        for other, along in inside
    )


def _is_contraction_along(outermost: affine.ForOp, loops: Sequence[AffineLoop]) -> bool:
    """The same of a single loop of a contraction, by exact dependences."""
    if len(loops) != 1 or not is_of_contraction(outermost):
        return False
    dependences = dependences_below(outermost)
    levels = [(one, one.level(loops[0])) for one in dependences.dependences]
    return dependences.is_complete and not any(
        level is None or one.has_distance(f"d{level} < 0 or d{level} > 0") for one, level in levels
    )


def is_of_contraction(outermost: affine.ForOp) -> bool:
    return all("contract" in loop.facts.marks for loop in perfect_nest(outermost).loops)


def _extremes(
    forms: tuple[Linear, ...] | None, around: Sequence[AffineLoop], sign: int
) -> tuple[Linear, ...] | None:
    """The least (sign -1) or greatest value of each form over the loops around, without these."""
    extremes = list[Linear]()
    for form in forms or ():
        uses = [loop for loop in around if form.coefficient(loop.iv)]
        bound = bound_over(form, around, sign) if all(map(_has_one_range, uses)) else None
        if bound is None:
            return None
        extremes.append(bound)
    return tuple(extremes) or None


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
