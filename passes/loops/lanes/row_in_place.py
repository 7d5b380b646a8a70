"""A row that each iteration of a nest writes over the one before, as tables of dynamic programming
are kept if only their last row is wanted.

    for i { r[0] = f(i)                               for i { left = r[0] = f(i)
            for j { x = r[j]                  =>              for j { x = r[j]
                    r[j] = g(x, r[j - 1]) } }                         left = r[j] = g(x, left) } }

What an iteration of the inner loop takes from the one before it is kept in a variable. The only
element that it loads then is the one that it stores: lanes, each behind the one before, pass it on
to each other (`LaneLoop.reuses`). What is in front of the row they write and read in turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.loop_facts import NO_FACTS, set_facts
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import may_meet, subscripts_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.find_extremes import only_loop_inside
from polyopt.passes.loops.lanes.meetings import shift_between
from polyopt.support.record import record


@record
class RowInPlace:
    """`store` writes the row, and `left` are the loads of what it stored in the iteration before;
    of the element `in_front` of the row, the outer loop may load and store in front of the inner
    one."""

    loop: AffineLoop
    inner: AffineLoop
    store: affine.StoreOp
    left: tuple[affine.LoadOp, ...]
    in_front: tuple[Linear, ...]


def with_left_apart(op: affine.ForOp) -> tuple[list[Operation], affine.ForOp] | None:
    """Detached operations that stand for the loop, and the one of them that is the nest; None where
    it has no such row. Of several rows (a gap's that is opened, and one's that goes on) each has
    its variable."""
    variables: list[Operation] = []
    nest = op
    while (found := _find_row(nest)) is not None:
        variable, changed = _write(found)
        variables.append(variable)
        if nest is not op:
            nest.erase()
        nest = changed
    return None if nest is op else ([*variables, nest], nest)


def _find_row(op: affine.ForOp) -> RowInPlace | None:
    inner = only_loop_inside(op)
    if inner is None or op.inits or inner.inits:
        return None
    loop, row = AffineLoop(op), AffineLoop(inner)
    if loop.lowers is None or loop.uppers is None or row.lowers is None or len(row.lowers) != 1:
        return None
    if loop.step != 1 or row.step != 1 or row.lowers[0].coefficient(loop.iv):
        return None
    for store in row.block.ops:
        if isinstance(store, affine.StoreOp):
            found = _find(loop, row, store, row.lowers[0])
            if found is not None:
                return found
    return None


def _find(
    loop: AffineLoop, inner: AffineLoop, store: affine.StoreOp, low: Linear
) -> RowInPlace | None:
    forms = subscripts_of(store)
    if forms is None or any(form.coefficient(loop.iv) for form in forms):
        return None
    steps = [form.coefficient(inner.iv) for form in forms]
    if sorted(steps) != [0] * (len(steps) - 1) + [1]:
        return None
    left: list[affine.LoadOp] = []
    for op in _near(inner.block, store):
        if op is store:
            continue
        if not isinstance(op, affine.LoadOp) or op.memref is not store.memref:
            return None
        shift = shift_between(op, store, inner.iv)
        if shift == 1:
            left.append(op)
        elif shift != 0 or not op.is_before_in_block(store):
            return None
    in_front = tuple(form.substitute({inner.iv: low - 1}) for form in forms)
    for op in _near(loop.block, store):
        is_beside = op.memref is store.memref and subscripts_of(op) == in_front
        if not (is_beside and op.is_before_in_block(inner.op)):
            return None
    return RowInPlace(loop, inner, store, tuple(left), in_front) if left else None


def _near(block: Block, store: affine.StoreOp) -> Sequence[ElementAccess]:
    """What may touch the same memory."""
    return [
        op
        for op in block.ops
        if isinstance(op, (affine.LoadOp, affine.StoreOp)) and may_meet(op, store)
    ]


def _write(found: RowInPlace) -> tuple[Operation, affine.ForOp]:
    """The variable, and the nest."""
    loop, store = found.loop, found.store
    b = AffineBuilder(Block(), loop.op)
    variable = b.insert(memref.AllocaOp.get(store.value.type, shape=[]))
    left = variable.memref
    nest = b.insert(loop.op.clone())
    copies = dict(zip(loop.block.ops, nest.body.block.ops, strict=True))
    row = copies[found.inner.op]
    assert isinstance(row, affine.ForOp)
    outside, b.block = b.block, Block()
    b.store(b.load(store.memref, found.in_front), left, [])
    _move(b.block, row)
    _keep_left(b, found, row, left)
    b.block = outside
    for one in (nest, row):
        set_facts(one, NO_FACTS)
    for one in (variable, nest):
        one.detach()
    return variable, nest


def _keep_left(b: AffineBuilder, found: RowInPlace, row: affine.ForOp, left: SSAValue) -> None:
    """In the copied inner loop, the loads of what was stored before are loads of the variable."""
    pairs = dict(zip(found.inner.block.ops, row.body.block.ops, strict=True))
    store = pairs[found.store]
    assert isinstance(store, affine.StoreOp)
    b.block = Block()
    value = b.load(left, [])
    first = row.body.block.first_op
    assert first is not None
    _move(b.block, first)
    for load in found.left:
        copy = pairs[load]
        copy.results[0].replace_all_uses_with(value)
        copy.detach()
        copy.erase()
    b.block = Block()
    b.store(store.value, left, [])
    assert store.next_op is not None
    _move(b.block, store.next_op)


def _move(block: Block, anchor: Operation) -> None:
    """All operations of `block` in front of `anchor`."""
    operations = list(block.ops)
    for one in operations:
        one.detach()
    assert anchor.parent is not None
    anchor.parent.insert_ops_before(operations, anchor)
