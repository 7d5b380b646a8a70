"""Loops beside each other: which share out their ranges alike, and what one finds of another's.

Neighbours run together where iteration i of one needs of the others nothing but what iteration i
left; of nests that each have a region of their own it is told which arrays lie in the caches of
other cores.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import Access, AffineLoop, accesses_in
from polyopt.ir.effects import is_speculatable
from polyopt.passes.parallel.shape import find_row
from polyopt.passes.parallel.slices import keep_apart, slices


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
            if (left.is_write or right.is_write) and not keep_apart(one, left, a, right, b):
                return False
    return True


def _same_range(one: affine.ForOp, other: affine.ForOp) -> bool:
    return (
        one.lowerBoundMap == other.lowerBoundMap
        and one.upperBoundMap == other.upperBoundMap
        and one.step == other.step
        and tuple(one.operands) == tuple(other.operands)
    )


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
