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
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.affine_nest import (
    Access,
    AffineLoop,
    accesses_in,
    bound_over,
    enclosing_loops,
    is_defined_inside,
    perfect_nest,
)
from polyopt.ir.affine.linear import Linear
from polyopt.ir.effects import is_pure, is_speculatable
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.parallel.evenness import depends_on
from polyopt.passes.parallel.private_arrays import Privates, privates_of
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES

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
        _keep_apart(outermost, one, loop, other, along)
        for one, loop in written
        for other, along in inside
    )


def _keep_apart(
    root: Operation, one: Access, loop: AffineLoop, other: Access, along: AffineLoop
) -> bool:
    """Whether two accesses, in two loops, touch nothing in common but in iterations of the same
    number. What is defined in `root` may be another value at each access."""
    if one.array is not other.array:
        return not may_overlap(one.array, other.array)
    return _same_slice(root, (one.subscripts, loop), (other.subscripts, along))


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


def run_together(one: affine.ForOp, other: affine.ForOp) -> bool:
    """Whether iteration i of `other` depends on no iteration of `one` but i: of loops over the same
    range, one behind the other, both doall. An element that both touch, one of them writing, is
    found by the same subscripts in both, and these tell the iteration."""
    if not _same_range(one, other):
        return False
    a, b = AffineLoop(one), AffineLoop(other)
    for left in accesses_in(one):
        for right in accesses_in(other):
            if left is None or right is None:
                return False
            if (left.is_write or right.is_write) and not _keep_apart(one, left, a, right, b):
                return False
    return True


def _same_range(one: affine.ForOp, other: affine.ForOp) -> bool:
    return (
        one.lowerBoundMap == other.lowerBoundMap
        and one.upperBoundMap == other.upperBoundMap
        and one.step == other.step
        and tuple(one.operands) == tuple(other.operands)
    )


_Touched = tuple[tuple[Linear | None, ...] | None, AffineLoop]
"""The subscripts of an access, and the loop that it is in."""


def _same_slice(root: Operation, left: _Touched, right: _Touched) -> bool:
    """Whether elements that are the same belong to iterations of the same number. Subscripts that
    are alike in both settle, one after the other, what is the same at both accesses:

        A[i, j - i]  and  A[i', j' - i']   ->   i = i', so j = j'
    """
    (forms, one), (others, other) = left, right
    if forms is None or others is None:
        return False
    here: dict[SSAValue, Linear] = {other.iv: Linear.of(one.iv)}
    alike = [
        form
        for form, there in zip(forms, others, strict=True)
        if form is not None and there is not None and form == there.substitute(here)
    ]
    settled = set[SSAValue]()
    for _ in alike:
        for form in alike:
            unknown = [v for v in form.values if v not in settled and is_defined_inside(v, root)]
            if len(unknown) == 1:
                settled.add(unknown[0])
    return one.iv in settled


def neighbours(first: affine.ForOp) -> list[affine.ForOp]:
    """The loop, and those behind it that may share out their ranges as it does."""
    row = [first]
    if not facts_of(first).is_parallel or first.inits:
        return row
    op: Operation | None = first.next_op
    while op is not None:
        if isinstance(op, affine.ForOp):
            if not facts_of(op).is_parallel or op.inits:
                break
            if not all(run_together(before, op) for before in row):
                break
            row.append(op)
        elif not is_speculatable(op):
            break
        op = op.next_op
    return row


def keeps_slices(loops: Sequence[affine.ForOp]) -> bool:
    """Whether a thread that has its share of each of them, again and again, finds what they write
    where it has left it, but for the ends of its share."""
    found = slices(loops)
    return found is not None and all(found.values())


def slices(loops: Sequence[affine.ForOp]) -> dict[SSAValue, set[int]] | None:
    """Of each array that the loops write, the dimensions that go with their iterators, in all
    accesses but those to a row that all iterations read; None where subscripts are not known."""
    accesses = [(one, AffineLoop(loop)) for loop in loops for one in accesses_in(loop)]
    written = {one.array for one, _ in accesses if one is not None and one.is_write}
    dimensions = dict[SSAValue, set[int]]()
    for access, loop in accesses:
        if access is None or access.subscripts is None:
            return None
        if access.array not in written or (not access.is_write and _is_of_a_row(access, loop)):
            continue
        along = {
            number
            for number, form in enumerate(access.subscripts)
            if form is not None and form.coefficient(loop.iv)
        }
        dimensions[access.array] = dimensions.get(access.array, along) & along
    return dimensions


def met_elsewhere(
    nests: Sequence[affine.ForOp],
) -> dict[affine.ForOp, frozenset[SSAValue]]:
    """Of nests behind each other, all in threads: the arrays that another one of them shares out
    otherwise, where one of the two writes."""
    ways = {one: _expected_way(one) for one in nests} if len(nests) > 1 else {}
    met = dict[affine.ForOp, frozenset[SSAValue]]()
    touched = {nest: {a.array for a in accesses_in(nest) if a is not None} for nest in ways}
    for nest, way in ways.items():
        arrays = set[SSAValue]()
        for other, other_way in ways.items():
            both = touched[nest] & touched[other] if other is not nest else set[SSAValue]()
            if both and way and other_way:
                found = slices([*way, *other_way]) or {}
                arrays |= {array for array in both if found.get(array) == set()}
        met[nest] = frozenset(arrays)
    return met


def left_elsewhere(loops: Sequence[affine.ForOp]) -> frozenset[SSAValue]:
    """Of neighbours in a loop that are shared out each time anew: the arrays that a thread does not
    find where it has left them, since the loop around does something else to them, or they do."""
    around = loops[0].parent_op()
    here = [one for loop in loops for one in accesses_in(loop) if one is not None]
    there = list[Access]()
    for op in around.regions[0].block.ops if around is not None else ():
        if op not in loops:
            there += [one for one in accesses_in(op) if one is not None]
    written = {one.array for one in (*here, *there) if one.is_write}
    arrays = {one.array for one in here} & {one.array for one in there} & written
    own = slices(loops)
    if own is None:
        return frozenset(one.array for one in here)
    return frozenset({*arrays, *(array for array, along in own.items() if not along)})


def _expected_way(nest: affine.ForOp) -> list[affine.ForOp]:
    """The loops of it that are likely to be shared out; none where that is not known."""
    if nest.inits or "contract" in facts_of(nest).marks:
        return []
    if facts_of(nest).carried in ("parallel", "reduction"):
        return [nest]
    row = find_row(nest)
    return [] if row is None else [one.op for one in row.loops]


def _is_of_a_row(access: Access, loop: AffineLoop) -> bool:
    """Whether all iterations of the loop read the same elements, by one loop in it at most."""
    forms = access.subscripts or ()
    inside = {v for form in forms if form for v in form.values if is_defined_inside(v, loop.op)}
    return None not in forms and loop.iv not in inside and len(inside) <= 1


def grain_of(loops: Sequence[affine.ForOp]) -> int:
    """How many iterations stay together, so that two threads do not write one line."""
    sizes = [size for one in loops if (size := bytes_along_rows(one)) is not None]
    return CORE.threads.lines_together * LINE_BYTES // min(sizes) if sizes else 1


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
