"""Finds loops whose iterations can run in lanes (`lane_loop.py`), and proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, is_defined_inside
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.effects import is_pure
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.lanes.lane_loop import LaneLoop
from polyopt.passes.loops.lanes.lane_order import is_parallel, least_skew
from polyopt.passes.loops.lanes.lookups import is_lookup, is_place
from polyopt.passes.loops.lanes.serial_loop import (
    Group,
    InTurn,
    LaneByLane,
    PickedSum,
    SerialLoop,
    accesses_in,
    operations_of,
)
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.vector_loop import VectorLoop


def find_lane_loop(op: affine.ForOp, width: int) -> LaneLoop | None:
    """The loop as one of which `width` iterations can run in lanes, with the least skew."""
    loop = AffineLoop(op)
    if not _is_simple(loop):
        return None
    groups = _with_lanes_around_sums(tuple(_groups(loop)))
    serial = [group for group in groups if isinstance(group, SerialLoop)]
    if not serial or not _values_stay_in_groups([operations_of(group) for group in groups]):
        return None
    if not all(_may_be_lanes(op, loop, group) for group in serial for op in group.operations):
        return None
    if not all(_is_simple(group.loop) and _depends_on_lane_only(group, loop) for group in serial):
        return None
    private = _private_variables(groups)
    rows = [group for group in serial if isinstance(group, LaneByLane)]
    if len(rows) == len(serial) or any(op.memref in private for op, _ in accesses_in(rows)):
        return None
    skew = 0
    groups = tuple(_in_turn(group, loop, private, width) for group in groups)
    in_turn = [group for group in groups if isinstance(group, InTurn)]
    is_free = loop.is_marked_parallel or is_parallel(loop, groups, private, width)
    if not (all(map(_is_plain, in_turn)) and is_free):
        (row, *others) = serial
        if others or rows or not all(map(_is_plain, groups)):
            return None
        if not is_parallel(loop, groups, private, width, but=row):
            return None
        needed = least_skew(loop, row, private, width)
        if needed is None:
            return None
        skew = needed
    if private and any(_bounds_use(group, loop) for group in serial):
        return None
    found = LaneLoop(loop, groups, skew, private)
    return found if _stores_are_disjoint(found) else None


def _with_lanes_around_sums(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Where vectors along them are what each inner loop is for: sums as loops to have lanes around,
    if some are worth a thought."""
    if any(isinstance(one, SerialLoop) and not isinstance(one, LaneByLane) for one in groups):
        return groups
    return tuple(
        PickedSum(group.loop)
        if isinstance(group, LaneByLane) and _is_picked_sum(find_vector_loop(group.loop.op))
        else group
        for group in groups
    )


def _is_picked_sum(along: VectorLoop | None) -> bool:
    return along is not None and not along.stores and bool(along.picked)


def _run_together(group: Group, loop: AffineLoop) -> bool:
    """Has all of the group lanes?"""
    return all(_may_be_lanes(op, loop, group) for op in operations_of(group))


def _in_turn(group: Group, loop: AffineLoop, private: frozenset[SSAValue], width: int) -> Group:
    """Straight-line code by one lane after the other, where it cannot be in all at once."""
    if isinstance(group, SerialLoop):
        return group
    is_free = loop.is_marked_parallel or is_parallel(loop, [group], private, width)
    if is_free and _run_together(group, loop):
        return group
    return InTurn(group)


def _is_plain(group: Group) -> bool:
    """Are the accesses that are looked at all that it does?"""
    return all(
        isinstance(op, (affine.LoadOp, affine.StoreOp))
        or (isinstance(op, memref.LoadOp) and isinstance(group, SerialLoop))
        or (not op.regions and is_pure(op))
        for op in operations_of(group)
    )


def _is_simple(loop: AffineLoop) -> bool:
    return (
        not loop.op.inits and loop.step == 1 and loop.lowers is not None and loop.uppers is not None
    )


def _groups(loop: AffineLoop) -> Iterator[Group]:
    run: list[Operation] = []
    for op in loop.block.ops:
        if isinstance(op, affine.YieldOp):
            continue
        if isinstance(op, affine.ForOp):
            if run:
                yield tuple(run)
                run = []
            is_row = find_vector_loop(op) is not None
            yield (LaneByLane if is_row else SerialLoop)(AffineLoop(op))
        else:
            run.append(op)
    if run:
        yield tuple(run)


def _may_be_lanes(op: Operation, loop: AffineLoop, group: Group) -> bool:
    if isinstance(op, memref.LoadOp):
        return isinstance(group, SerialLoop) and is_lookup(op, group)
    if isinstance(group, SerialLoop) and is_place(op):
        return True
    if isinstance(op, arith.IndexCastOp):
        return counts(op, loop, group.loop if isinstance(group, SerialLoop) else None)
    if not isinstance(op, (affine.LoadOp, affine.StoreOp)):
        return has_lanes(op)
    subscripts = subscripts_of(op)
    if subscripts is None:
        return False
    iterators: set[SSAValue] = {loop.iv}
    if isinstance(group, SerialLoop):
        iterators.add(group.loop.iv)
    values = {value for form in subscripts for value in form.values} - iterators
    return not any(is_defined_inside(value, loop.op) for value in values)


def counts(op: arith.IndexCastOp, loop: AffineLoop, inner: AffineLoop | None) -> bool:
    """Is it an iterator as an integer?"""
    is_iterator = op.input is loop.iv or (inner is not None and op.input is inner.iv)
    return is_iterator and isinstance(op.result.type, IntegerType)


def _depends_on_lane_only(group: SerialLoop, loop: AffineLoop) -> bool:
    """Are the bounds known outside of the lane loop, but for its iterator?"""
    forms = (*(group.loop.lowers or ()), *(group.loop.uppers or ()))
    values = {value for form in forms for value in form.values} - {loop.iv}
    return not any(is_defined_inside(value, loop.op) for value in values)


def _bounds_use(group: SerialLoop, loop: AffineLoop) -> bool:
    forms = (*(group.loop.lowers or ()), *(group.loop.uppers or ()))
    return any(form.coefficient(loop.iv) for form in forms)


def _private_variables(groups: Sequence[Group]) -> frozenset[SSAValue]:
    """Of no dimensions, first stored to outside of the inner loops, and nobody else's memory."""
    first: dict[SSAValue, tuple[ElementAccess, Group]] = {}
    for op, group in accesses_in(groups):
        first.setdefault(op.memref, (op, group))
    return frozenset(
        memref
        for memref, (op, group) in first.items()
        if isinstance(op, affine.StoreOp)
        and not op.indices
        and isa(memref.type, MemRefType)
        and memref.type.get_num_dims() == 0
        and not isinstance(group, SerialLoop)
        and not any(other is not memref and may_overlap(memref, other) for other in first)
    )


def _stores_are_disjoint(found: LaneLoop) -> bool:
    """Does each lane store to a place of its own, where lanes run together?"""
    for group in found.groups:
        if isinstance(group, LaneByLane | InTurn):
            continue
        inner = group.loop if isinstance(group, SerialLoop) else None
        for op in operations_of(group):
            if not isinstance(op, affine.StoreOp) or op.memref in found.private:
                continue
            if not any(found.steps(op, inner)):
                return False
    return True


def _values_stay_in_groups(groups: Sequence[Sequence[Operation]]) -> bool:
    """No scalar computed in one group is used in another but through memory."""
    for operations in groups:
        inside = set(operations)
        for op in operations:
            for result in op.results:
                if any(use.operation not in inside for use in result.uses):
                    return False
    return True
