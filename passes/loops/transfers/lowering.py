"""What becomes of each transfer.

    side by side              one load or store, masked or not, non-temporal or not
    the same in all lanes     a scalar that is spread, loaded where the mask has a lane
    within what lies around   the loads that hold the stretch from the first element to the last
                              one, and shuffles that make all vectors of the window together;
                              bytes from one load, where a register holds the stretch
    in turns, or in squares   shuffles, then stores; masked where elements are left out
    else                      gathered or scattered

Of a masked stretch, each load has the mask of the elements that are wanted: no other need exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xdsl.dialects import affine
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polyopt.dialects.pvec_group_transfers import ReadSquareOp, WriteInTurnsOp, WriteSquareOp
from polyopt.dialects.pvec_lanes import lanes_of, vector_type
from polyopt.dialects.pvec_transfers import ReadOp, SteppingOp, TransferOp, WriteOp
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.effects import is_pure
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lane_shuffles import looked_up, picked, shuffled, transposed, woven
from polyopt.passes.loops.replacement import move_all
from polyopt.passes.loops.stretches import lead
from polyopt.passes.loops.transfers.meeting import Spot
from polyopt.passes.loops.transfers.places import place_of
from polyopt.passes.loops.transfers.wide_shuffles import are_better_joined, joined, looks_up
from polyopt.passes.loops.vector_memory import (
    load_if_any,
    stream,
    strided_load,
    strided_store,
    vector_load,
    vector_store,
)
from polyopt.support.record import entity
from polyopt.support.target import Target

_Row = tuple[SSAValue, Attribute, int, tuple[Linear, ...]]
"""An array, the type of a vector, how far apart its elements are in the last dimension, and the
place of the first one."""


def lower_block(block: Block, target: Target) -> None:
    """Replace the transfers among the block's own operations."""
    first = next(op for op in block.ops if isinstance(op, TransferOp))
    loads = tuple(op for op in block.ops if isinstance(op, ReadOp) and op.within)
    begins = tuple((spot, op.within[0]) for op in loads if (spot := Spot.of(op)) is not None)
    lowering = _Lowering(AffineBuilder(Block(), first), begins, target)
    op: Operation | None = first
    while op is not None:
        following = op.next_op
        if isinstance(op, TransferOp):
            lowering.replace(op)
        elif lowering.known and not is_pure(op):
            lowering.known.clear()
        op = following


@entity
class _Lowering:
    """`known` are vectors that were made for one read and hold another one's elements, or some of
    them; `spreads` are masks of loads for shuffles; `loads`, of reads of all that lies around, what
    they read and how far from its first element the lowest one is."""

    builder: AffineBuilder
    loads: tuple[tuple[Spot, int], ...]
    target: Target
    known: dict[_Row, SSAValue] = field(default_factory=dict[_Row, SSAValue])
    spreads: dict[tuple[object, ...], SSAValue] = field(
        default_factory=dict[tuple[object, ...], SSAValue]
    )

    def replace(self, op: TransferOp) -> None:
        b, block = self.builder, op.parent
        assert block is not None
        b.block, b.like = Block(), op
        for old, new in zip(op.results, self._lowered(op), strict=True):
            new.name_hint = new.name_hint or old.name_hint
            old.replace_all_uses_with(new)
        move_all(b.block, block, op)
        block.erase_op(op)

    def _lowered(self, op: TransferOp) -> Sequence[SSAValue]:
        """What stands for the results."""
        if isinstance(op, ReadOp):
            return [self._read(op)]
        if isinstance(op, ReadSquareOp):
            type_ = vector_type(op.vectors[0])
            rows = [vector_load(self.builder, op.memref, at, type_) for at in self._rows(op)]
            return transposed(self.builder, rows)
        self._forget(op)
        match op:
            case WriteOp():
                self._write(op)
            case WriteInTurnsOp():
                self._write_in_turns(op)
            case WriteSquareOp():
                for row, at in zip(
                    transposed(self.builder, op.values), self._rows(op), strict=True
                ):
                    vector_store(self.builder, row, op.memref, at)
            case _:
                raise AssertionError(f"no transfer: {op.name}")
        return ()

    def _forget(self, op: TransferOp) -> None:
        """What `op` may change: of its array only what has its subscripts but the last."""
        outer: Sequence[Linear] = ()
        if isinstance(op, SteppingOp) and not any(op.distances[:-1]):
            outer = (linear_forms(op.map.data, op.indices) or ())[:-1]

        def is_kept(array: SSAValue, at: Sequence[Linear]) -> bool:
            if not may_overlap(array, op.memref):
                return True
            difference = (
                [b - a for a, b in zip(outer, at, strict=False)] if array is op.memref else []
            )
            return any(not form.terms and form.constant for form in difference)

        self.known = {row: value for row, value in self.known.items() if is_kept(row[0], row[-1])}

    def _read(self, op: ReadOp) -> SSAValue:
        b, type_ = self.builder, vector_type(op.result)
        if op.is_unit and op.mask is None:
            load = affine.VectorLoadOp.create(
                operands=[op.memref, *op.indices],
                properties={"map": op.map},
                result_types=[type_],
            )
            return b.insert(load).results[0]
        at, steps = place_of(op, b), op.distances
        if op.is_unit:
            return vector_load(b, op.memref, at, type_, op.mask)
        if not any(steps):
            one = (
                b.load(op.memref, at) if op.mask is None else load_if_any(b, op.memref, at, op.mask)
            )
            return b.broadcast(one, lanes_of(op.result))
        if any(steps) and steps[-1] == -1 and not any(steps[:-1]):
            mask = None if op.mask is None else self._reversed(op.mask)
            return self._reversed(vector_load(b, op.memref, self._lowest(op, at), type_, mask))
        if op.within:
            return self._picked(op, at, steps[-1], type_)
        return strided_load(b, op.memref, at, steps, type_, op.mask)

    def _picked(
        self, op: ReadOp, at: Sequence[Linear], stride: int, type_: VectorType[Attribute]
    ) -> SSAValue:
        """From the vectors that hold the stretch in which the elements lie."""
        lanes, mask = lanes_of(op.result), op.mask
        row = (op.memref, type_, stride, tuple(at))
        if mask is None and row in self.known:
            return self.known[row]
        # Whether the elements of a window are there for these lanes is not known here.
        window = op.within if mask is None else (0,)
        lowest = at[-1] + min(stride, 0) * (lanes - 1) + window[0]
        span = abs(stride) * (lanes - 1) + window[-1] - window[0] + 1
        order = range(lanes) if stride > 0 else range(lanes - 1, -1, -1)
        wanted = [[offset - window[0] + abs(stride) * lane for lane in order] for offset in window]
        held = self._held_by_one(type_, span)
        size = lanes if held is None else held
        starts = [*range(0, span - size, size), span - size] if held is None else [0]
        loaded = VectorType(type_.element_type, [size])

        def chunk(start: int) -> SSAValue:
            place = [*at[:-1], lowest + start]
            if mask is None:
                return self._chunk(op.memref, place, loaded, span)
            here = self._spread(mask, range(start, start + size), wanted[0])
            return vector_load(self.builder, op.memref, place, loaded, here)

        chunks = [chunk(start) for start in starts]
        if held is None:
            sources = [range(start, start + lanes) for start in starts]
            found = woven(self.builder, chunks, sources, wanted, self.target)
        else:
            found = [looked_up(self.builder, chunks[0], one) for one in wanted]
        if mask is not None:
            return found[0]
        for offset, value in zip(window, found, strict=True):
            self.known[op.memref, type_, stride, (*at[:-1], at[-1] + offset)] = value
        return self.known[row]

    def _held_by_one(self, type_: VectorType[Attribute], span: int) -> int | None:
        """How many lanes a vector has that holds a stretch of so many bytes, if there is one, and
        one instruction that looks all of a result up in it (from two vectors: three operations)."""
        is_bytes = element_bytes(type_.element_type) == 1
        least = 1 << (span - 1).bit_length()
        can = is_bytes and self.target.shuffles_bytes and least <= self.target.lanes(1)
        return least if can and span > type_.get_shape()[0] else None

    def _chunk(
        self, array: SSAValue, at: Sequence[Linear], type_: VectorType[Attribute], span: int
    ) -> SSAValue:
        """A vector from here on, or as much of it as belongs to the stretch: which is not known to
        others, of whose stretches there may be more."""
        key = (array, type_, 1, tuple(at))
        if key in self.known:
            return self.known[key]
        (lanes,) = type_.get_shape()
        if span < lanes:
            mask = self.builder.mask([lane < span for lane in range(lanes)])
            return vector_load(self.builder, array, at, type_, mask)
        self.known[key] = vector_load(self.builder, array, at, type_)
        return self.known[key]

    def _spread(self, mask: SSAValue, chunk: range, wanted: Sequence[int]) -> SSAValue:
        """The mask of a chunk, of the elements `wanted` by the lanes of `mask`."""
        key = (mask, chunk, *wanted)
        if key not in self.spreads:
            lane_of = {place: lane for lane, place in enumerate(wanted)}
            chosen = [lane_of.get(place, len(wanted)) for place in chunk]
            none = self.builder.zero(mask.type)
            self.spreads[key] = shuffled(self.builder, (mask, none), chosen)
        return self.spreads[key]

    def _write(self, op: WriteOp) -> None:
        b, value, mask = self.builder, op.value, op.mask
        if op.is_unit and mask is None and op.nontemporal is None:
            store = affine.VectorStoreOp.create(
                operands=[value, op.memref, *op.indices], properties={"map": op.map}
            )
            b.insert(store)
            return
        at, steps = place_of(op, b), op.distances
        if op.is_unit and mask is None:
            stream(b, value, op.memref, at)
        elif op.is_unit:
            vector_store(b, value, op.memref, at, mask)
        elif any(steps) and steps[-1] == -1 and not any(steps[:-1]):
            mask = None if mask is None else self._reversed(mask)
            vector_store(b, self._reversed(value), op.memref, self._lowest(op, at), mask)
        else:
            strided_store(b, value, op.memref, at, steps, mask)

    def _write_in_turns(self, op: WriteInTurnsOp) -> None:
        b, lanes, stride = self.builder, lanes_of(op.values[0]), op.distances[-1]
        *outer, first = place_of(op, b)
        front = lead(first.constant, op.at, stride, self._loads_behind(op))
        first -= front
        sources = [range(front + k, front + k + stride * lanes, stride) for k in op.at]
        stored = {element for source in sources for element in source}
        starts = range(0, max(stored) + 1, lanes)
        results = [
            [element if element in stored else None for element in range(start, start + lanes)]
            for start in starts
        ]
        if looks_up(op, self.target) and are_better_joined(sources, results):
            whole = [element for part in results for element in part]
            found = joined(b, op.values, sources, whole)
        else:
            values = woven(b, op.values, sources, results, self.target)
            found = list(zip(starts, values, results, strict=True))
        for start, value, wanted in found:
            mask = b.mask([element is not None for element in wanted]) if None in wanted else None
            vector_store(b, value, op.memref, [*outer, first + start], mask)

    def _loads_behind(self, op: WriteInTurnsOp) -> list[int]:
        """How far behind the first element of `op` loads of the same stretches begin."""
        found: list[int] = []
        spots = Spot.of_turns(op)
        for spot, lowest in self.loads if spots else ():
            if spot.array is op.memref and spot.steps == op.distances:
                *outer, last = (
                    a - b for a, b in zip(spots[0].subscripts, spot.subscripts, strict=True)
                )
                if not last.terms and not any(form != Linear() for form in outer):
                    found.append(last.constant - lowest)
        return found

    def _rows(self, op: ReadSquareOp | WriteSquareOp) -> list[list[Linear]]:
        """Where each row of a square begins."""
        at, side = place_of(op, self.builder), op.side
        return [
            [form + step * lane for form, step in zip(at, op.distances, strict=True)]
            for lane in range(side)
        ]

    def _lowest(self, op: ReadOp | WriteOp, at: Sequence[Linear]) -> list[Linear]:
        """Where the last lane is, whose elements run backward."""
        value = op.result if isinstance(op, ReadOp) else op.value
        return [*at[:-1], at[-1] - (lanes_of(value) - 1)]

    def _reversed(self, value: SSAValue) -> SSAValue:
        """The lanes of a vector or a mask the other way round."""
        return picked(self.builder, [value], [0], range(lanes_of(value) - 1, -1, -1))
