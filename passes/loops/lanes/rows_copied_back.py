"""A row that is copied over the one before when it is done, as two rows that take turns.

    for i { x[0] = f                                      for i { x[0] = f
            for j in 1..m: x[j] = g(y[j], y[j - 1], …)            for j in 1..m: x[j] = g(…)
            for j in 0..m: y[j] = x[j] }              =>          y[0] = x[0]
                                                                  for j in 1..m: y[j] = x[j] }

The copy is then a row like the other (`find_turns.py`), which takes what that has just stored.
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Block

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.find_turns import TurnRow, behind, row_of
from polyopt.support.record import record


@record
class CopiedRow:
    """`row` is copied by `copy`, whose iteration `j + later` copies what iteration j has stored;
    the element in front of the row, too, where `with_front`."""

    row: TurnRow
    copy: AffineLoop
    load: affine.LoadOp
    store: affine.StoreOp
    later: int
    with_front: bool


def with_copy_as_row(op: affine.ForOp) -> affine.ForOp | None:
    """A copy of the loop, in front of it, in which the two inner loops run over the same; None, and
    nothing changes, where the second does not copy what the first has stored."""
    inner = [one for one in op.body.block.ops if isinstance(one, affine.ForOp)]
    if len(inner) != 2 or op.inits or _found_in(op) is None:
        return None
    made = op.clone()
    assert op.parent is not None
    op.parent.insert_op_before(made, op)
    found = _found_in(made)
    if found is None:
        made.detach()
        made.erase()
        return None
    _write(found)
    return made


def _found_in(op: affine.ForOp) -> CopiedRow | None:
    first, second = (one for one in op.body.block.ops if isinstance(one, affine.ForOp))
    return _find(AffineLoop(op), first, AffineLoop(second))


def _find(loop: AffineLoop, first: affine.ForOp, copy: AffineLoop) -> CopiedRow | None:
    row = row_of(loop, first)
    operations = [one for one in copy.block.ops if not isinstance(one, affine.YieldOp)]
    if row is None or len(operations) != 2 or copy.op.inits or copy.step != 1:
        return None
    load, store = operations
    if not isinstance(load, affine.LoadOp) or not isinstance(store, affine.StoreOp):
        return None
    if store.value is not load.result or subscripts_of(load) != subscripts_of(store):
        return None
    as_row = TurnRow(copy, store, ())
    later = behind(load, as_row, row)
    bounds = row.loop.lowers, row.loop.uppers, copy.lowers, copy.uppers
    plain = [bound[0] for bound in bounds if bound is not None and len(bound) == 1]
    if later is None or len(plain) != len(bounds):
        return None
    low, high, from_, to = plain
    in_front = low - (from_ - later)
    if to - later != high or in_front.terms or in_front.constant not in (0, 1):
        return None
    return CopiedRow(row, copy, load, store, later, in_front.constant == 1)


def _write(found: CopiedRow) -> None:
    """The copy as a loop over the same iterations as the row's, in its place."""
    copy, row = found.copy, found.row.loop
    assert row.lowers is not None
    assert row.uppers is not None
    b = AffineBuilder(Block(), copy.op)
    if found.with_front:
        _copy(b, found, row.lowers[0] - 1 + found.later)
    with b.loop(row.lowers, row.uppers, name=row.iv.name_hint) as again:
        _copy(b, found, again.index + found.later)
    operations = list(b.block.ops)
    for one in operations:
        one.detach()
    assert copy.op.parent is not None
    copy.op.parent.insert_ops_before(operations, copy.op)
    copy.op.detach()
    copy.op.erase()


def _copy(b: AffineBuilder, found: CopiedRow, place: Linear) -> None:
    forms = subscripts_of(found.load)
    assert forms is not None
    here = [form.substitute({found.copy.iv: place}) for form in forms]
    b.store(b.load(found.load.memref, here), found.store.memref, here)
