"""One engine that shares reads and forwards writes, in a run of straight-line code.

    a read of what is known      is the value that was read or written
    a write                      waits for the end of the block, or for the first operation that may
                                 touch one of its elements
    a write over one that waits  takes its place, its lanes over the others
    a read of one that waits     under another mask, is what memory holds, and those lanes over it

What has regions, or effects that are not known, ends a run: all is written in front of it, and
nothing is known behind it. So loads come first, then what computes, then stores, each place once,
and rows or vectors of one step pass on what they have in registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator, MemoryReadEffect

from polyopt.dialects import pvec
from polyopt.dialects.array_effects import ArrayEffects
from polyopt.dialects.pvec_group_transfers import WriteInTurnsOp
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.affine_nest import access_of
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.transfers.meeting import Spot
from polyopt.support.record import entity

_Mask = SSAValue | None


def share_in_block(block: Block) -> None:
    """Each element sees the same writes in the same order, wherever a run ends."""
    sharing = _Sharing()
    op = block.first_op
    while op is not None:
        following = op.next_op
        match op:
            case ReadOp() if (spot := Spot.of(op)) is not None:
                sharing.read(op, spot)
            case WriteOp() if (spot := Spot.of(op)) is not None:
                sharing.write(op, spot)
            case WriteInTurnsOp() if spots := Spot.of_turns(op):
                sharing.write_in_turns(op, spots)
            case _ if not is_pure(op) or op.has_trait(IsTerminator):
                sharing.other(op)
            case _:
                pass
        op = following
    sharing.end(block)


@entity
class _Sharing:
    """`known` is what places hold, by the mask of the lanes that it is known of; `waiting` are
    writes that are in no block."""

    known: dict[tuple[Spot, _Mask], SSAValue] = field(
        default_factory=dict[tuple[Spot, _Mask], SSAValue]
    )
    waiting: dict[Spot, WriteOp] = field(default_factory=dict[Spot, WriteOp])

    def read(self, op: ReadOp, spot: Spot) -> None:
        self._settle(spot, op)
        value = self._value_at(spot, op.mask)
        if value is None:
            self.known[spot, op.mask] = op.result
            if (waits := self.waiting.get(spot)) is not None:
                _select_behind(op, waits)
            return
        if (waits := self.waiting.get(spot)) is not None and value is not waits.value:
            value = _selected(value, waits, op)
        op.result.replace_all_uses_with(value)
        op.detach()
        op.erase()

    def _value_at(self, spot: Spot, mask: _Mask) -> SSAValue | None:
        """What the lanes of the mask hold there, if that is in a register; others hold anything.
        Where other lanes wait to be written: what memory holds until then."""
        waits = self.waiting.get(spot)
        if waits is not None and (waits.mask is None or waits.mask is mask):
            return waits.value
        whole = self.known.get((spot, None))
        return self.known.get((spot, mask)) if whole is None else whole

    def write(self, op: WriteOp, spot: Spot) -> None:
        self._settle(spot, op)
        if not any(spot.steps):
            # Only the last lane's value is kept: no other lane may take its own from here.
            self._put(spot, op)
            self._forget(spot)
            return
        before = self.waiting.get(spot)
        if before is not None and op.mask is not None and before.mask is not op.mask:
            op = _over(before, op)
        else:
            op.detach()
        self.waiting[spot] = op
        if before is not None:
            before.erase()

    def write_in_turns(self, op: WriteInTurnsOp, spots: Sequence[Spot]) -> None:
        """It stays where it is; its vectors are known behind it."""
        for spot in spots:
            self._settle(spot, op)
            self._put(spot, op)
        for spot in spots:
            self._forget(spot)
        for spot, value in zip(spots, op.values, strict=True):
            self.known[spot, None] = value

    def other(self, op: Operation) -> None:
        """What is no transfer of lanes, and not pure."""
        touched = list(_arrays_of(op))
        for array, is_written in touched:
            if array is None:
                self._put_all(op)
                self.known.clear()
                return
            for spot in [one for one in self.waiting if may_overlap(one.array, array)]:
                self._put(spot, op)
            if is_written:
                self.known = {
                    key: value
                    for key, value in self.known.items()
                    if not may_overlap(key[0].array, array)
                }

    def end(self, block: Block) -> None:
        for spot in list(self.waiting):
            block.add_op(self.waiting.pop(spot))

    def _settle(self, spot: Spot, cursor: Operation) -> None:
        """Write now, in front of `cursor`, what may or may not lie where `spot` does."""
        for other in list(self.waiting):
            if other != spot and other.may_meet(spot):
                self._put(other, cursor)

    def _put(self, spot: Spot, cursor: Operation) -> None:
        """Write now, in front of `cursor`, what waits there."""
        op = self.waiting.pop(spot, None)
        if op is None:
            return
        block = cursor.parent
        assert block is not None
        block.insert_op_before(op, cursor)
        self._forget(spot)

    def _forget(self, spot: Spot) -> None:
        self.known = {key: value for key, value in self.known.items() if not key[0].may_meet(spot)}

    def _put_all(self, cursor: Operation) -> None:
        for spot in list(self.waiting):
            self._put(spot, cursor)


def _select_behind(op: ReadOp, waits: WriteOp) -> None:
    """All uses of what is read take what waits to be written over it."""
    assert waits.mask is not None
    both = pvec.SelectOp(waits.mask, waits.value, op.result)
    both.location = op.location
    op.result.replace_uses_with_if(both.result, lambda use: use.operation is not both)
    block = op.parent
    assert block is not None
    block.insert_op_after(both, op)


def _selected(held: SSAValue, waits: WriteOp, cursor: Operation) -> SSAValue:
    """What memory holds, and over it what waits to be written."""
    assert waits.mask is not None
    both = pvec.SelectOp(waits.mask, waits.value, held)
    both.location = cursor.location
    block = cursor.parent
    assert block is not None
    block.insert_op_before(both, cursor)
    return both.result


def _over(before: WriteOp, op: WriteOp) -> WriteOp:
    """One write for two, the second over the first; the new values are computed in its place."""
    assert op.mask is not None
    block = op.parent
    assert block is not None
    both = pvec.SelectOp(op.mask, op.value, before.value)
    made: list[Operation] = [both]
    mask = before.mask
    if mask is not None:
        either = arith.OrIOp(mask, op.mask)
        made.append(either)
        mask = either.result
    for one in made:
        one.location = op.location
    block.insert_ops_before(made, op)
    merged = WriteOp(
        both.result,
        op.memref,
        (op.map, op.indices),
        op.distances,
        mask,
        nontemporal=before.nontemporal is not None,
    )
    merged.location = op.location
    op.detach()
    op.erase()
    return merged


def _arrays_of(op: Operation) -> Iterator[tuple[SSAValue | None, bool]]:
    """The arrays that an operation touches, and whether it writes to them; None: any."""
    if op.has_trait(IsTerminator):
        yield None, True
    elif (access := access_of(op)) is not None:
        yield access.array, access.is_write
    elif (effects := op.get_trait(ArrayEffects)) is not None and not op.regions:
        yield from ((array, True) for array in effects.writes(op))
        yield from ((array, False) for array in effects.reads(op))
    elif op.get_trait(MemoryReadEffect) is not None and op.name.startswith("pvec."):
        yield from ((one, False) for one in op.operands if isinstance(one.type, MemRefType))
    else:
        yield None, True
