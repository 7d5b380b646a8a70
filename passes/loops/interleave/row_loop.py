"""Loops around loops over masked vectors, read as rows that may run together.

A row loop holds groups: runs of straight code, and loops over masked vectors, alone or as all the
loops of a conditional which asks whether there is anything to do. Rows may also be iterations of a
parallel loop further out, around a perfect nest of others.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import affine, vector
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.affine_nest import AffineLoop, is_defined_inside, only_child_loop
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.effects import is_pure
from polyopt.passes.loops.interleave.masked_loop import (
    MaskedLoop,
    conditions_of,
    find_masked_loop,
    greatest_of,
    least_of,
)
from polyopt.passes.loops.interleave.partial_values import is_kept_where_unset
from polyopt.support.record import record

Run = tuple[Operation, ...]


@record
class VectorGroup:
    """`around`: the conditional, if there is one, whose loop this is; it has the code before and
    after the loop in it."""

    vectors: MaskedLoop
    around: affine.IfOp | None = None
    before: Run = ()
    after: Run = ()

    @property
    def lowers(self) -> list[Linear]:
        """Of the first iteration, each bound of its own."""
        return greatest_of(self.vectors.low)

    @property
    def uppers(self) -> list[Linear]:
        return least_of(self.vectors.high)

    @property
    def mask(self) -> SSAValue:
        (mask,) = self.vectors.masks
        return mask.value

    @property
    def transfers(self) -> list[ReadOp | WriteOp]:
        return [op for op in self.vectors.operations if isinstance(op, (ReadOp, WriteOp))]


Group = VectorGroup | Run


@record
class RowLoop:
    """`loop` runs `groups` one after the other for each of its iterations, or each time the loops
    `between`, a perfect nest, run."""

    loop: AffineLoop
    groups: tuple[Group, ...]
    between: tuple[AffineLoop, ...] = ()

    @property
    def vector_groups(self) -> list[VectorGroup]:
        return [group for group in self.groups if isinstance(group, VectorGroup)]


def find_row_loop(op: affine.ForOp) -> RowLoop | None:
    """The loop as one whose iterations can be rows, apart from the order of its instances."""
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.lowers is None or loop.uppers is None:
        return None
    groups = _groups(loop.block.ops)
    if groups is None:
        return None
    rows = RowLoop(loop, tuple(groups))
    return rows if rows.vector_groups and all(_is_known(one, loop) for one in _ends(rows)) else None


def _ends(rows: RowLoop) -> list[Linear]:
    """The bounds of its loops over vectors."""
    return [form for group in rows.vector_groups for form in (*group.lowers, *group.uppers)]


def _is_known(form: Linear, loop: AffineLoop) -> bool:
    """Does it show how it changes from row to row? Of a quotient that is computed in a row, nothing
    says for which of them it is the same."""
    others = [value for value in form.values if value is not loop.iv]
    return not any(is_defined_inside(value, loop.op) for value in others)


def _groups(operations: Iterable[Operation]) -> list[Group] | None:
    groups: list[Group] = []
    run: list[Operation] = []
    for op in operations:
        if isinstance(op, affine.YieldOp):
            continue
        if isinstance(op, (affine.ForOp, affine.IfOp)):
            group = _conditional(op) if isinstance(op, affine.IfOp) else _vector_group(op)
            if group is None:
                return None
            groups += [tuple(run), group] if run else [group]
            run = []
        elif _is_straight(op):
            run.append(op)
        else:
            return None
    return [*groups, tuple(run)] if run else groups


def _is_straight(op: Operation) -> bool:
    # xDSL does not say of the last two that they are pure.
    known = (affine.LoadOp, affine.StoreOp, affine.MinOp, vector.ReductionOp)
    return isinstance(op, known) or (not op.regions and is_pure(op))


def _conditional(op: affine.IfOp) -> VectorGroup | None:
    """Of a conditional which asks whether its one loop has iterations."""
    others = op.else_region.blocks
    if op.results or any(not isinstance(one.first_op, affine.YieldOp) for one in others):
        return None
    groups = _groups(op.then_region.block.ops) or []
    loops = [group for group in groups if isinstance(group, VectorGroup)]
    if len(loops) != 1 or loops[0].around is not None:
        return None
    (loop,) = loops
    if conditions_of(op) != [loop.vectors.high - loop.vectors.low - 1]:
        return None
    here = groups.index(loop)
    before, after = (
        [one for one in part if isinstance(one, tuple)]
        for part in (groups[:here], groups[here + 1 :])
    )
    return VectorGroup(loop.vectors, op, *(one[0] if one else () for one in (before, after)))


def _vector_group(op: affine.ForOp) -> VectorGroup | None:
    """A loop that does nothing in lanes that are not set: rows may end at different places."""
    source = find_masked_loop(op)
    if source is None or len(source.masks) != 1:
        return None
    (mask,) = (one.value for one in source.masks)
    for inner in source.operations:
        if isinstance(inner, (ReadOp, WriteOp)):
            forms = linear_forms(inner.map.data, inner.indices)
            moves = None if forms is None else [form.coefficient(source.loop.iv) for form in forms]
            if inner.mask is not mask or moves != list(inner.distances):
                return None
        elif not is_pure(inner):
            return None
    _, *arguments = source.loop.block.args
    carried = zip(arguments, source.yielded, strict=True)
    if not all(is_kept_where_unset(old, value, mask) for old, value in carried):
        return None
    return VectorGroup(source)


def find_far_rows(near: RowLoop) -> list[RowLoop]:
    """Parallel loops further out whose iterations can be rows, where the nest is perfect: each row
    keeps its order, and rows know nothing of each other."""
    found: list[RowLoop] = []
    if len(near.vector_groups) != 1:
        return []
    (group,) = near.vector_groups
    between, inside = (near.loop,), [*group.lowers, *group.uppers]
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
