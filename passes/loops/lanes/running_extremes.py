"""A greatest (or least) element that a nest keeps beside the table that it fills, found behind it.

    for i { for j { H[i, j] = …                        for i { for j { H[i, j] = … } }
                    if (H[i, j] > best)         =>     for i { for j { m = max(m, H[i, j]) } }
                      best = H[i, j] } }               if (m > best) best = m

Each element of the table is stored once, so it is still there afterwards, and nobody else touches
`best`. It is stored to only where it was before: if something is greater.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.loop_facts import NO_FACTS, set_facts
from polyopt.ir.affine.affine_nest import ElementAccess, only_child_loop
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.meetings import meeting
from polyopt.support.record import record

_COMBINED: dict[str, type[arith.MaxSIOp | arith.MinSIOp | arith.MaxUIOp | arith.MinUIOp]] = {
    "sgt": arith.MaxSIOp,
    "slt": arith.MinSIOp,
    "ugt": arith.MaxUIOp,
    "ult": arith.MinUIOp,
}


@record
class RunningExtreme:
    """`update` stores what `table` has just stored to what `old` loads, if `compare` holds."""

    table: affine.StoreOp
    old: affine.LoadOp
    compare: arith.CmpiOp
    update: scf.IfOp

    @property
    def kind(self) -> str:
        number = self.compare.predicate.value.data
        return arith.CMPI_COMPARISON_OPERATIONS[number]


def without_extreme(op: affine.ForOp) -> list[Operation] | None:
    """Detached operations that stand for the nest of two loops: the first is the nest without the
    search, which the others do; None if there is no such search."""
    inner = only_child_loop(op)
    found = None if inner is None or op.inits else _find(op, inner)
    if inner is None or found is None:
        return None
    places = {one: k for k, one in enumerate(inner.body.block.ops)}
    gone = [places[one] for one in (found.update, found.compare, found.old)]
    nest = op.clone()
    body = _innermost(nest)
    operations = list(body.ops)
    for place in gone:
        operations[place].detach()
        operations[place].erase()
    for loop in (nest, only_child_loop(nest)):
        assert loop is not None
        set_facts(loop, NO_FACTS)
    return [nest, *_search(op, inner, found)]


def _innermost(nest: affine.ForOp) -> Block:
    inner = only_child_loop(nest)
    assert inner is not None
    return inner.body.block


def _find(op: affine.ForOp, inner: affine.ForOp) -> RunningExtreme | None:
    body = list(inner.body.block.ops)
    updates = [one for one in body if isinstance(one, scf.IfOp)]
    stores = [one for one in body if isinstance(one, affine.StoreOp)]
    if len(updates) != 1 or len(stores) != 1 or inner.inits:
        return None
    (update,), (table,) = updates, stores
    arm = list(update.true_region.block.ops)
    if (
        update.results
        or update.false_region.blocks
        or not isinstance(update.cond.owner, arith.CmpiOp)
    ):
        return None
    if len(arm) != 2 or not isinstance(store := arm[0], affine.StoreOp) or store.indices:
        return None
    compare = update.cond.owner
    value, old = compare.lhs, compare.rhs.owner
    if store.value is not value or not isinstance(old, affine.LoadOp):
        return None
    if old.memref is not store.memref or old.indices or not old.result.has_one_use():
        return None
    found = RunningExtreme(table, old, compare, update)
    is_known = found.kind in _COMBINED and compare.result.has_one_use()
    if not is_known or not _is_what_is_stored(value.owner, table):
        return None
    if isinstance(value.owner, affine.LoadOp) and value is not table.value:
        if not table.is_before_in_block(value.owner):
            return None
    return found if _is_independent(found, body, (op, inner)) else None


def _is_what_is_stored(owner: Operation | Block, table: affine.StoreOp) -> bool:
    if owner is table.value.owner:
        return isinstance(owner, Operation) and len(owner.results) == 1
    return (
        isinstance(owner, affine.LoadOp)
        and owner.memref is table.memref
        and subscripts_of(owner) == subscripts_of(table)
    )


def _is_independent(
    found: RunningExtreme, body: Sequence[Operation], loops: tuple[affine.ForOp, affine.ForOp]
) -> bool:
    """Does nobody else touch what is found, and is each element of the table stored once?"""
    others: list[ElementAccess] = []
    for one in body:
        if isinstance(one, (affine.LoadOp, affine.StoreOp)) and one is not found.old:
            others.append(one)
        elif not (one in (found.old, found.update, body[-1]) or has_lanes(one)):
            return False
    if any(may_overlap(one.memref, found.old.memref) for one in others):
        return False
    ivs = loops[0].body.block.args[0], loops[1].body.block.args[0]
    return meeting(found.table, found.table, ivs) == (0, 0)


def _search(op: affine.ForOp, inner: affine.ForOp, found: RunningExtreme) -> list[Operation]:
    type_ = found.old.result.type
    assert isa(type_, IntegerType)
    width = type_.width.data
    least = {"sgt": -(1 << (width - 1)), "slt": (1 << (width - 1)) - 1, "ugt": 0, "ult": -1}
    b = AffineBuilder(Block(), op)
    room = b.insert(memref.AllocaOp.get(type_, shape=[])).memref
    neutral = arith.ConstantOp(IntegerAttr(least[found.kind], type_))
    b.store(b.insert(neutral).result, room, [])
    nest = op.clone()
    body = _innermost(nest)
    for one in reversed(list(body.ops)):
        if not isinstance(one, affine.YieldOp):
            one.detach()
            one.erase()
    ivs: dict[SSAValue, SSAValue] = {
        op.body.block.args[0]: nest.body.block.args[0],
        inner.body.block.args[0]: body.args[0],
    }
    table = affine.LoadOp(
        found.table.memref, [ivs.get(k, k) for k in found.table.indices], found.table.map
    )
    old = affine.LoadOp(room, [], found.old.map)
    greatest = _COMBINED[found.kind](old.result, table.result)
    store = affine.StoreOp(greatest.result, room, [], found.old.map)
    assert body.last_op is not None
    body.insert_ops_before([table, old, greatest, store], body.last_op)
    for one in (table, old, greatest, store):
        one.location = found.table.location
    for loop in (nest, only_child_loop(nest)):
        assert loop is not None
        set_facts(loop, NO_FACTS)
    b.insert(nest)
    best, before = b.load(room, []), b.load(found.old.memref, [])
    compare = b.insert(arith.CmpiOp(best, before, found.kind))
    update = affine.StoreOp(best, found.old.memref, [], found.old.map)
    b.insert(scf.IfOp(compare.result, [], [update, scf.YieldOp()]))
    operations = list(b.block.ops)
    for one in operations:
        one.detach()
    return operations
