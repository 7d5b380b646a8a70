"""Finds two rows of a table that take turns in a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import affine, scf
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, enclosing_loops
from polyopt.ir.affine.linear import Form, Linear, Quotient
from polyopt.ir.affine.subscripts import may_meet, subscripts_of
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.interleave.masked_loop import conditions_of
from polyopt.support.record import record


@record
class TurnRow:
    """An inner loop that writes one element of a row in each iteration."""

    loop: AffineLoop
    store: affine.StoreOp
    in_front: tuple[Linear, ...]

    def shifts(self, other: TurnRow) -> list[tuple[affine.LoadOp, int]] | None:
        """Its loads of the other's row, with how far behind what that stores they are; None where
        it touches that row in another way."""
        found: list[tuple[affine.LoadOp, int]] = []
        for op in self.loop.block.ops:
            if not isinstance(op, (affine.LoadOp, affine.StoreOp)) or op is other.store:
                continue
            if not may_meet(op, other.store):
                continue
            if not isinstance(op, affine.LoadOp):
                return None
            shift = behind(op, self, other)
            if shift not in (0, 1):
                return None
            found.append((op, shift))
        return found


@record
class Turns:
    """The operations of an iteration in which all is done, in their order: straight code and the
    two rows; `kept` are variables that are only stored to, with what they are left with."""

    loop: AffineLoop
    ends: tuple[Form, ...]
    operations: tuple[Operation, ...]
    first: TurnRow
    second: TurnRow
    kept: dict[SSAValue, SSAValue]


def find_turns(loop: AffineLoop) -> Turns | None:
    """What the loop does where all conditions in it hold, if that is such rows."""
    if loop.op.inits or loop.step != 1:
        return None
    operations = list(_flat(loop.block))
    ends = _ends(loop)
    rows = [op for op in operations if isinstance(op, affine.ForOp)]
    if ends is None or len(rows) != 2:
        return None
    first, second = (row_of(loop, op) for op in rows)
    if first is None or second is None or may_meet(first.store, second.store):
        return None
    same = (first.loop.lowers, first.loop.uppers) == (second.loop.lowers, second.loop.uppers)
    if not same or behind(second.store, first, second) != 0:
        return None
    kept = _kept(loop, operations)
    found = Turns(loop, ends, tuple(operations), first, second, kept)
    return found if _may_run_before(found) and _are_rows(found) else None


def _flat(block: Block) -> Iterator[Operation]:
    """What is done where all conditions hold."""
    for op in block.ops:
        if isinstance(op, affine.IfOp):
            yield from _flat(op.then_region.block)
        elif not isinstance(op, affine.YieldOp):
            yield op


def _ends(loop: AffineLoop) -> tuple[Form, ...] | None:
    """Before which the conditions in the loop hold; None where they are not of that kind."""
    ends: list[Form] = []
    for op in loop.op.walk():
        if not isinstance(op, affine.IfOp):
            continue
        conditions = conditions_of(op)
        has_else = bool(op.else_region.blocks) and len(op.else_region.block.ops) > 1
        if conditions is None or has_else or op.results:
            return None
        for form in conditions:
            factor = form.coefficient(loop.iv)
            if factor >= 0 or any(v is not loop.iv and _is_inside(v, loop) for v in form.values):
                return None
            rest = form.substitute({loop.iv: Linear()})
            ends.append(Quotient(rest - factor, -factor, is_ceiling=False))
    return tuple(ends)


def _is_inside(value: SSAValue, loop: AffineLoop) -> bool:
    owner = value.owner
    return loop.op.is_ancestor(owner)


def row_of(loop: AffineLoop, op: affine.ForOp) -> TurnRow | None:
    """The inner loop as a row that stays in its place, whatever the outer one's iterator is."""
    inner = AffineLoop(op)
    stores = [one for one in inner.block.ops if isinstance(one, affine.StoreOp)]
    if op.inits or inner.step != 1 or inner.lowers is None or inner.uppers is None:
        return None
    if len(stores) != 1 or len(inner.lowers) != 1:
        return None
    bounds = (*inner.lowers, *inner.uppers)
    if any(_is_inside(value, loop) or value is loop.iv for f in bounds for value in f.values):
        return None
    forms = subscripts_of(stores[0])
    if forms is None or any(form.coefficient(loop.iv) for form in forms):
        return None
    steps = [form.coefficient(inner.iv) for form in forms]
    if sorted(steps) != [0] * (len(steps) - 1) + [1]:
        return None
    in_front = tuple(form.substitute({inner.iv: inner.lowers[0] - 1}) for form in forms)
    return TurnRow(inner, stores[0], in_front)


def behind(op: affine.LoadOp | affine.StoreOp, here: TurnRow, row: TurnRow) -> int | None:
    """How many iterations the access, which is in `here`, is behind the store of `row`."""
    forms, there = subscripts_of(op), subscripts_of(row.store)
    if forms is None or there is None or op.memref is not row.store.memref:
        return None
    own = here.loop.iv if here.loop.op.is_ancestor(op) else row.loop.iv
    moved = [form.substitute({own: Linear.of(row.loop.iv)}) for form in forms]
    steps = [form.coefficient(row.loop.iv) for form in there]
    apart = [other - form for form, other in zip(moved, there, strict=True)]
    if any(form.terms for form in apart):
        return None
    if any(form.constant and not step for form, step in zip(apart, steps, strict=True)):
        return None
    return next(form.constant for form, step in zip(apart, steps, strict=True) if step)


def _kept(loop: AffineLoop, operations: Sequence[Operation]) -> dict[SSAValue, SSAValue]:
    """Variables that the loop only stores to, and what it stores there last."""
    loaded = [op.memref for op in loop.op.walk() if isinstance(op, affine.LoadOp)]
    return {
        op.memref: op.value
        for op in operations
        if isinstance(op, affine.StoreOp)
        and subscripts_of(op) == ()
        and not _is_inside(op.value, loop)
        and not any(may_overlap(op.memref, other) for other in loaded)
    }


def _are_rows(turns: Turns) -> bool:
    """Do both take from each other, and from themselves, what is at the same place or just behind
    it?"""
    first, second = turns.first, turns.second
    own = [first.shifts(first), second.shifts(second)]
    others = [first.shifts(second), second.shifts(first)]
    if not all(others) or None in own:
        return False
    return all(shift == 1 for found in own for _, shift in found or ())


def _may_run_before(turns: Turns) -> bool:
    """May all straight code run before both rows? It touches what is in front of them, and reads
    what they do not write."""
    rows = turns.first, turns.second
    if turns.operations[-1] not in (turns.second.loop.op, *stores_to_kept(turns)):
        return False
    for op in turns.operations:
        if op in stores_to_kept(turns) or any(op is row.loop.op for row in rows):
            continue
        if not isinstance(op, (affine.LoadOp, affine.StoreOp)):
            if op.regions or not is_pure(op):
                return False
            continue
        near = [row for row in rows if may_meet(op, row.store)]
        if not near and isinstance(op, affine.LoadOp):
            continue
        if len(near) != 1 or op.memref is not near[0].store.memref:
            return False
        if subscripts_of(op) != near[0].in_front:
            return False
    plain = [op for row in rows for op in row.loop.block.ops if not isinstance(op, affine.YieldOp)]
    return all(isinstance(op, (affine.LoadOp, affine.StoreOp)) or is_pure(op) for op in plain)


def stores_to_kept(turns: Turns) -> list[Operation]:
    """Those of which only the last one counts."""
    return [
        op for op in turns.operations if isinstance(op, affine.StoreOp) and op.memref in turns.kept
    ]


def is_stored_by_turns(load: affine.LoadOp) -> bool:
    """Does the other one of two inner loops store to the element, or to a later one of the row,
    in the same iteration?"""
    around = enclosing_loops(load)
    forms = subscripts_of(load)
    if len(around) < 2 or forms is None:
        return False
    here = around[-1]
    for other in around[-2].op.walk():
        if not isinstance(other, affine.ForOp) or other in (here.op, around[-2].op):
            continue
        there = AffineLoop(other)
        if (there.lowers, there.uppers) != (here.lowers, here.uppers) or here.lowers is None:
            continue
        for store in _stored_always(there.block):
            places = subscripts_of(store)
            if store.memref is not load.memref or places is None:
                continue
            moved = [form.substitute({there.iv: Linear.of(here.iv)}) for form in places]
            apart = [one - form for form, one in zip(forms, moved, strict=True)]
            if all(not form.terms and 0 <= form.constant <= 1 for form in apart):
                low = [form.substitute({here.iv: here.lowers[0]}) for form in forms]
                return all(not form.terms and form.constant >= 0 for form in low)
    return False


def _stored_always(block: Block) -> Iterator[affine.StoreOp]:
    """What each iteration stores to; of conditionals what both arms do."""
    for op in block.ops:
        if isinstance(op, affine.StoreOp):
            yield op
        elif isinstance(op, scf.IfOp) and op.false_region.blocks:
            arms = [list(_stored_always(region.block)) for region in op.regions]
            for one in arms[0]:
                same = [other for other in arms[1] if other.memref is one.memref]
                if any(subscripts_of(other) == subscripts_of(one) for other in same):
                    yield one
