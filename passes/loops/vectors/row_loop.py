"""Loops around vector loops whose iterations can be rows.

A row loop holds groups: runs of scalar code and vector loops. Rows i, i + 1, ... are jammed: each
group runs for all rows before the next group does, and a vector loop runs all rows at each step,
so that what the rows share is loaded once. That changes the order of two instances only if they
are in different rows of one block, and then

    from a later group in one row to an earlier group in a later row:  not legal
    within a vector loop, at different iterations of it:                not legal
    everything else keeps its order

Rows may also be iterations of a parallel loop further out, around a perfect nest of others.

(an unroll-and-jam: D. Callahan, J. Cocke, K. Kennedy, Estimating interlock and improving balance
for pipelined architectures, JPDC 5(4), 1988).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.ir.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine_nest import AffineLoop, only_child_loop
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.subscripts import stride_of
from polyopt.passes.loops.vectors.vector_loop import VectorLoop, find_vector_loop
from polyopt.support.record import record

Group = VectorLoop | tuple[Operation, ...]


@record
class RowLoop:
    """`loop` runs `groups` one after the other for each of its iterations, or each time the loops
    `between`, a perfect nest, run."""

    loop: AffineLoop
    groups: tuple[Group, ...]
    between: tuple[AffineLoop, ...] = ()


def find_row_loop(op: affine.ForOp) -> RowLoop | None:
    """The loop as one whose iterations can be rows of its vector loops, apart from the order of
    its instances."""
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.lowers is None or loop.uppers is None:
        return None
    groups: list[Group] = []
    run: list[Operation] = []
    for inner in loop.block.ops:
        if isinstance(inner, affine.YieldOp):
            continue
        if isinstance(inner, affine.ForOp):
            vector_loop = find_vector_loop(inner)
            if vector_loop is None:
                return None
            if run:
                groups.append(tuple(run))
                run = []
            groups.append(vector_loop)
        elif isinstance(inner, (affine.LoadOp, affine.StoreOp)) or has_lanes(inner):
            run.append(inner)
        else:
            return None
    if run:
        groups.append(tuple(run))
    if not any(isinstance(group, VectorLoop) for group in groups):
        return None
    parts = [group.operations if isinstance(group, VectorLoop) else group for group in groups]
    return RowLoop(loop, tuple(groups)) if values_stay_in_groups(parts) else None


def find_far_rows(near: RowLoop) -> list[RowLoop]:
    """Parallel loops further out whose iterations can be rows, where the nest is perfect: each row
    keeps its order, and rows know nothing of each other."""
    found: list[RowLoop] = []
    if len(near.groups) != 1 or not isinstance(group := near.groups[0], VectorLoop):
        return []
    between, inside = (near.loop,), [*(group.loop.lowers or ()), *(group.loop.uppers or ())]
    while isinstance(op := between[0].op.parent_op(), affine.ForOp):
        loop = AffineLoop(op)
        lowers, uppers = between[0].lowers, between[0].uppers
        if only_child_loop(op) is None or op.inits or lowers is None or uppers is None:
            break
        inside += [*lowers, *uppers]
        is_simple = loop.step == 1 and loop.lowers is not None and loop.uppers is not None
        is_free = loop.is_marked_parallel and not any(form.uses([loop.iv]) for form in inside)
        if is_simple and is_free:
            found.append(RowLoop(loop, near.groups, between=between))
        between = (loop, *between)
    return found


def values_stay_in_groups(groups: Sequence[Sequence[Operation]]) -> bool:
    """No scalar computed in one group is used in another but through memory."""
    for operations in groups:
        inside = set(operations)
        for op in operations:
            for result in op.results:
                if any(use.operation not in inside for use in result.uses):
                    return False
    return True


def may_jam(rows: RowLoop, count: int) -> bool:
    """Is it legal to run `count` rows together?"""
    if rows.loop.is_marked_parallel:
        return True
    dependences = dependences_below(rows.loop.op)
    if not dependences.is_complete:
        return False
    return all(_keeps(rows, dependence, count) for dependence in dependences.dependences)


def _keeps(rows: RowLoop, dependence: Dependence, count: int) -> bool:
    near = f"0 < d0 < {count}"
    if not dependence.has_distance(near):
        return True
    source, sink = (
        _group_number(rows, access.op) for access in (dependence.source, dependence.sink)
    )
    if source != sink:
        return source < sink
    group = rows.groups[source]
    if not isinstance(group, VectorLoop):
        return True
    if any(_stays(access.op, group.loop) for access in (dependence.source, dependence.sink)):
        return False
    return not dependence.has_distance(f"{near} and (d1 < 0 or d1 > 0)")


def _stays(op: Operation, loop: AffineLoop) -> bool:
    """Is it an access that is made once for all iterations?"""
    return isinstance(op, (affine.LoadOp, affine.StoreOp)) and stride_of(op, loop) == 0


def _group_number(rows: RowLoop, op: Operation) -> int:
    for number, group in enumerate(rows.groups):
        operations = group.operations if isinstance(group, VectorLoop) else group
        if op in operations:
            return number
    raise AssertionError(f"{op.name} is in no group of its loop")
