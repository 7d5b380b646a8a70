"""Writes the rows of vector loops: whole vectors, and masked ones at the ends.

    for v in low .. high of its row         for v from the least low on step lanes: masked
      S(i, v)                        =>     for v in what all rows have, step lanes: whole
                                            for v up to the greatest high, step lanes: masked

The first loop is there only where the rows begin at different places, and a mask is that of its
row. In one step all loads come first, each element's vector once for all rows, then the
arithmetic, then all stores, each place once: what one row has stored another takes from the
register. Accumulations run in one vector for each row and are combined with memory at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

from xdsl.dialects import affine, arith, memref, scf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import pvec
from polyopt.dialects.loop_facts import NO_FACTS
from polyopt.ir.alias import may_overlap
from polyopt.ir.elementwise import neutral_of
from polyopt.ir.fast_math import permits
from polyopt.ir.linear import Linear, linear_of
from polyopt.ir.subscripts import is_known, steps_of, stride_of, subscripts_of
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder, ceiling, floor
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.vectors.scan_writer import ScanWriter, values_of_scans
from polyopt.passes.loops.vectors.vector_loop import (
    INDEX_OPERATIONS,
    Accumulation,
    VectorLoop,
    shift_of,
    window_of,
)
from polyopt.support.record import entity

_Key = tuple[SSAValue, *tuple[Linear, ...]]
"""An array and the place in it."""

_Apart = tuple[SSAValue | None, tuple[int, ...], SSAValue, *tuple[Linear, ...]]
"""A mask, steps, an array and the place of the first lane in it; no steps: side by side."""

_SUMS: dict[type[Operation], type[Operation]] = {
    arith.SubfOp: arith.AddfOp,
    arith.SubiOp: arith.AddiOp,
}

Place = dict[SSAValue, Linear]
"""What stands for the old iterators."""


@entity
class _State:
    """For each row what is fixed, and for each row and interleaved vector the accumulations and
    what scans have left."""

    fixed: list[dict[SSAValue, SSAValue]]
    partial: list[list[SSAValue]]


@entity
class VectorLoopWriter:
    """Writes one vector loop for `rows`, each a place of the outer iterators; in all of them the
    range is empty, or in none. `interleave` whole vectors of a row run in one step."""

    builder: AffineBuilder
    source: VectorLoop
    lanes: int
    rows: Sequence[Place]
    interleave: int = 1

    def write(self) -> None:
        b, loop = self.builder, self.source.loop
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        lows = self._of_rows(lowers, b.maximum)
        highs = self._of_rows(uppers, b.minimum)
        extent = highs[0] - lows[0]
        if extent.terms:
            branch = b.branch([extent - 1])
            with branch.then():
                self._write_nonempty(lows, highs)
            with branch.orelse():
                pass
            branch.close()
        elif extent.constant > 0:
            self._write_nonempty(lows, highs)

    def write_whole(self, low: Linear, high: Linear) -> None:
        """Of one row, from `low` to `high`, which are whole vectors apart; no accumulations."""
        self._loop(low, high, _State(self._load_fixed(), [[]]), 1, None)

    def _of_rows(
        self, bounds: Sequence[Linear], combine: Callable[[Sequence[Linear]], Linear]
    ) -> list[Linear]:
        """A bound of each row; equal ones are computed once."""
        known: dict[tuple[Linear, ...], Linear] = {}
        found: list[Linear] = []
        for row in self.rows:
            forms = tuple(form.substitute(row) for form in bounds)
            if forms not in known:
                known[forms] = combine(forms)
            found.append(known[forms])
        return found

    def _write_nonempty(self, lows: Sequence[Linear], highs: Sequence[Linear]) -> None:
        b = self.builder
        state = _State(
            self._load_fixed(),
            [
                [self._neutral(one) for one in self.source.accumulations]
                for _ in range(len(self.rows) * self.interleave)
            ],
        )
        start, stop = b.maximum(lows), b.minimum(highs)
        first = b.minimum(lows)
        for scan in self.scans:
            state.partial[0].append(scan.enter(self._left_at(scan, first)))
        shift = self._streamed_alignment(start) or self._alignment()
        if shift is not None:
            first = b.named(floor(first + shift, self.lanes), "first") * self.lanes - shift
            start = b.named(ceiling(start + shift, self.lanes), "start") * self.lanes - shift
        if first != start:
            self._loop(first, start, state, 1, lambda row: (lows[row], start, highs[row]))
        for count in dict.fromkeys((self.interleave, 1)):
            width = count * self.lanes
            whole = b.named(floor(stop - start, width), "whole") * width
            is_exact = first == start and len(set(highs)) == 1
            end = start + whole if is_exact else b.maximum([start, start + whole])
            end = b.named(end, "end")
            self._loop(start, end, state, count, None)
            start = end
        last = b.maximum(highs)
        if (last - start).terms or last != start:
            self._loop(start, last, state, 1, lambda row: (None, highs[row]))
        lefts = state.partial[0][len(self.source.accumulations) :]
        for scan, left in zip(self.scans, lefts, strict=True):
            scan.leave(left, _placed(scan.scan.store, self.rows[0]))
        self._finish(state.partial)

    @cached_property
    def scans(self) -> list[ScanWriter]:
        """Each vector of theirs waits for the one before: there is one row, and no interleaving."""
        return [ScanWriter(self.builder, one, self.lanes) for one in self.source.scans]

    def _left_at(self, scan: ScanWriter, low: Linear) -> list[Linear]:
        """Where the first iteration finds what was left."""
        place = {**self.rows[0], self.source.loop.iv: low - (0 if scan.scan.is_cell else 1)}
        return _placed(scan.scan.store, place)

    def _loop(
        self,
        low: Linear,
        high: Linear,
        state: _State,
        count: int,
        limits: Callable[[int], tuple[Linear | None, ...]] | None,
    ) -> None:
        """`count` vectors of each row at each step; with `limits`, where a row begins and the
        ends of which the least counts, only the lanes between."""
        b = self.builder
        active = count * len(self.rows)
        carried = [value for values in state.partial[:active] for value in values]
        width = count * self.lanes
        facts = NO_FACTS if limits is None and count == self.interleave else ROLLED
        with b.loop([low], [high], step=width, carried=carried, name="v", facts=facts) as loop:
            old = _chunks(loop.carried, active)
            masks = self._masks(loop.index, limits)
            step = _Step(self, state.fixed, masks)
            new: list[list[SSAValue]] = []
            for position, values in enumerate(old):
                shift, row = divmod(position, len(self.rows))
                new.append(step.run(row, loop.index + shift * self.lanes, values))
            step.store_all()
            loop.yielded = tuple(value for values in new for value in values)
        state.partial[:active] = _chunks(loop.results, active)

    def _masks(
        self, at: Linear, limits: Callable[[int], tuple[Linear | None, ...]] | None
    ) -> list[SSAValue] | None:
        """The lanes of each row; rows with the same limits share them."""
        if limits is None:
            return None
        b = self.builder
        known: dict[tuple[Linear | None, ...], SSAValue] = {}
        masks: list[SSAValue] = []
        for row in range(len(self.rows)):
            limit = limits(row)
            if limit not in known:
                begin, *ends = limit
                first = Linear() if begin is None else begin - at
                end = b.minimum([form - at for form in ends if form is not None])
                known[limit] = b.lanes_between(first, end, self.lanes)
            masks.append(known[limit])
        return masks

    def _alignment(self) -> Linear | None:
        """What is added to v in the last subscript, where vectors that start at multiples of
        the lanes lie on lines in every row of the arrays: no access is split, but at the ends."""
        unit = [op for op in (*self.source.stores, *self.source.loads) if self._is_unit(op)]
        if (
            not unit
            or not self.source.stores
            or not all(_has_even_rows(op, self.lanes) for op in unit)
        ):
            return None
        return _placed(unit[0], {**self.rows[0], self.source.loop.iv: Linear()})[-1]

    def _streamed_alignment(self, start: Linear) -> Linear | None:
        """The same for what is to go past the caches, found out when the loop runs."""
        store = self.source.streamed
        if store is None or len(self.rows) > 1:
            return None
        place = {**self.rows[0], self.source.loop.iv: start}
        behind = self.builder.misalignment(store.memref, _placed(store, place), self.lanes)
        return Linear.of(behind) - start

    def goes_past_caches(self, array: SSAValue) -> bool:
        """Is a whole vector stored into `array` aligned, and of no use to the caches?"""
        store = self.source.streamed
        return store is not None and len(self.rows) == 1 and store.memref is array

    def _is_unit(self, op: affine.LoadOp | affine.StoreOp) -> bool:
        return stride_of(op, self.source.loop) == 1

    def _load_fixed(self) -> list[dict[SSAValue, SSAValue]]:
        """For each row, what is the same for all iterations, in all lanes."""
        known: dict[tuple[object, ...], SSAValue] = {}
        fixed: list[dict[SSAValue, SSAValue]] = []
        for place in self.rows:
            here: dict[SSAValue, SSAValue] = {}
            for load in self.source.loads:
                if stride_of(load, self.source.loop) != 0:
                    continue
                at = _placed(load, place)
                key = (load.memref, *at)
                if key not in known:
                    scalar = self.builder.load(load.memref, at)
                    known[key] = self.builder.broadcast(scalar, self.lanes)
                here[load.result] = known[key]
            fixed.append(here)
        return fixed

    def _neutral(self, one: Accumulation) -> SSAValue:
        element = one.store.value.type
        value = neutral_of(
            one.reduction, element, is_finite=permits(one.combine, FastMathFlag.NO_INFS)
        )
        scalar = arith.ConstantOp.create(properties={"value": value}, result_types=[element])
        return self.builder.broadcast(self.builder.insert(scalar).results[0], self.lanes)

    def _finish(self, partial: list[list[SSAValue]]) -> None:
        """The lanes of each row into one value, and that into memory."""
        b = self.builder
        for row, place in enumerate(self.rows):
            for number, one in enumerate(self.source.accumulations):
                values = [
                    partial[position][number]
                    for position in range(row, len(partial), len(self.rows))
                ]
                total = values[0]
                for value in values[1:]:
                    total = self.combined(one, total, value)
                scalar = b.insert(_reduction(one, total)).dest
                at = _placed(one.store, place)
                old = b.load(one.store.memref, at)
                result = self.combined(one, old, scalar, is_last=True)
                b.store(result, one.store.memref, at)

    def combined(
        self, one: Accumulation, left: SSAValue, right: SSAValue, *, is_last: bool = False
    ) -> SSAValue:
        """What is subtracted is added up, and subtracted at the end."""
        kind: type[Operation] = type(one.combine)
        if not is_last:
            kind = _SUMS.get(kind, kind)
        copy = kind.create(
            operands=[left, right],
            result_types=[left.type],
            properties=one.combine.properties.copy(),
            attributes=one.combine.attributes.copy(),
        )
        return self.builder.insert(copy).results[0]


@entity
class _Step:
    """The rows at one place of the vector loop; loads and stores of all rows together."""

    writer: VectorLoopWriter
    fixed: list[dict[SSAValue, SSAValue]]
    masks: list[SSAValue] | None
    _loaded: dict[tuple[SSAValue | None, _Key], SSAValue] = field(
        default_factory=dict[tuple[SSAValue | None, _Key], SSAValue]
    )
    _apart: dict[_Apart, SSAValue] = field(default_factory=dict["_Apart", SSAValue])
    _waiting: dict[_Apart, SSAValue] = field(default_factory=dict["_Apart", SSAValue])
    _spreads: dict[tuple[object, ...], SSAValue] = field(
        default_factory=dict[tuple[object, ...], SSAValue]
    )
    _stored: dict[_Key, tuple[SSAValue, SSAValue | None]] = field(
        default_factory=dict[_Key, tuple[SSAValue, SSAValue | None]]
    )

    def run(self, row: int, at: Linear, old: list[SSAValue]) -> list[SSAValue]:
        """One row's operations in order; the accumulations' next values."""
        source, b = self.writer.source, self.writer.builder
        place = {**self.writer.rows[row], source.loop.iv: at}
        mask = None if self.masks is None else self.masks[row]

        masks: dict[Block | None, SSAValue | None] = {source.loop.block: mask}

        def leaf(value: SSAValue) -> SSAValue | None:
            if not isinstance(value, OpResult) or value.op.parent not in masks:
                return None
            here = masks[value.op.parent]
            if value in scanned:
                return scanned[value]()
            if isinstance(value.op, affine.LoadOp):
                return self.fixed[row].get(value) or self._load(value.op, place, here)
            if isinstance(value.op, memref.LoadOp):
                return self._look_up(value.op, place, here, evaluator)
            if isinstance(value.op, arith.IndexCastOp):
                assert isa(value.type, IntegerType)
                return self._numbers(value.op.input, place, value.type)
            return None

        evaluator = Evaluator(b, self.writer.lanes, source.loop.op, leaf)
        lefts = old[len(source.accumulations) :]
        scanned, following = values_of_scans(self.writer.scans, evaluator.value, lefts, mask)
        own = {one.load for one in source.accumulations}
        combined = {one.combine for one in source.accumulations}
        # Of scans only what is stored is computed, where it is.
        combined |= {value.owner for one in source.scans for value in one.reach}

        def compute(operations: Iterable[Operation]) -> None:
            for op in operations:
                if isinstance(op, scf.IfOp):
                    condition = evaluator.value(op.cond)
                    for block, lanes in self._arms(op, condition, masks[op.parent]):
                        masks[block] = lanes
                        compute(block.ops)
                elif op in source.stores:
                    assert isinstance(op, affine.StoreOp)
                    result, here = evaluator.value(op.value), masks[op.parent]
                    self._store(op, result, place, here)
                elif op.results and op not in own and op not in combined and not _is_index(op):
                    evaluator.value(op.results[0])

        compute(source.operations)
        new: list[SSAValue] = []
        for one, before in zip(source.accumulations, old, strict=False):
            after = self.writer.combined(one, before, evaluator.value(one.term))
            if mask is not None:
                after = b.insert(pvec.SelectOp(mask, after, before)).result
            new.append(after)
        return new + [next_one() for next_one in following]

    def _arms(
        self, op: scf.IfOp, condition: SSAValue, mask: SSAValue | None
    ) -> Iterator[tuple[Block, SSAValue]]:
        """The arms of a conditional, each with its lanes of those in the mask."""
        b = self.writer.builder
        for region, holds in ((op.true_region, True), (op.false_region, False)):
            if not region.blocks or isinstance(region.block.first_op, scf.YieldOp):
                continue
            lanes = condition
            if not holds:
                true = arith.ConstantOp(IntegerAttr(-1, i1))
                all_lanes = b.broadcast(b.insert(true).result, self.writer.lanes)
                lanes = b.insert(arith.XOrIOp(condition, all_lanes)).result
            if mask is not None:
                lanes = b.insert(arith.AndIOp(mask, lanes)).result
            yield region.block, lanes

    def _load(self, load: affine.LoadOp, place: Place, mask: SSAValue | None) -> SSAValue:
        """The vector from memory or from an earlier row, where its lanes are those wanted."""
        if stride_of(load, self.writer.source.loop) != 1:
            return self._load_apart(load, place, mask)
        at = _placed(load, place)
        key = (load.memref, *at)
        self._settle(key)
        stored = self._stored.get(key)
        if stored is not None and stored[1] is mask:
            return stored[0]
        self._flush(key)
        loaded = self._loaded.get((mask, key))
        if loaded is None:
            type_ = VectorType(load.result.type, [self.writer.lanes])
            loaded = self.writer.builder.vector_load(load.memref, at, type_, mask)
            self._loaded[mask, key] = loaded
        return loaded

    def _load_apart(self, load: affine.LoadOp, place: Place, mask: SSAValue | None) -> SSAValue:
        """Elements that are not side by side, or run backward: from the vectors in which they
        lie, which other loads share."""
        loop = self.writer.source
        stride, steps = stride_of(load, loop.loop), steps_of(load, loop.loop)
        b, lanes, at = self.writer.builder, self.writer.lanes, _placed(load, place)
        self._settle_all(load.memref)
        key = (mask, tuple(steps), load.memref, *at)
        if (waiting := self._waiting.get((None, *key[1:]))) is not None:
            return waiting
        if key in self._apart:
            return self._apart[key]
        type_ = VectorType(load.result.type, [lanes])
        if mask is not None and stride == -1:
            lowest = [*at[:-1], at[-1] - (lanes - 1)]
            last_first = b.vector_load(load.memref, lowest, type_, self._reversed(mask))
            result = self._reversed(last_first)
        elif stride is None or not loop.is_near(load):
            result = b.strided_load(load.memref, at, steps, type_, mask)
        else:
            # Whether the other loads of the window are done for these lanes is not known here.
            window = window_of(load, loop) if mask is None else [0]
            lowest = at[-1] + min(stride, 0) * (lanes - 1) + window[0]
            span = abs(stride) * (lanes - 1) + window[-1] - window[0] + 1
            starts = [*range(0, span - lanes, lanes), span - lanes]
            order = range(lanes) if stride > 0 else range(lanes - 1, -1, -1)
            wanted = {
                offset: [offset - window[0] + abs(stride) * lane for lane in order]
                for offset in window
            }
            chunks = [
                self._chunk(load.memref, [*at[:-1], lowest + start], type_)
                if mask is None
                else b.vector_load(
                    load.memref,
                    [*at[:-1], lowest + start],
                    type_,
                    self._spread(mask, start, wanted[0]),
                )
                for start in starts
            ]
            sources = [range(start, start + lanes) for start in starts]
            found = b.woven(chunks, sources, list(wanted.values()))
            for offset, value in zip(wanted, found, strict=True):
                self._apart[mask, tuple(steps), load.memref, *at[:-1], at[-1] + offset] = value
            return self._apart[key]
        self._apart[key] = result
        return result

    def _spread(self, mask: SSAValue, start: int, wanted: Sequence[int]) -> SSAValue:
        """The mask of a chunk from `start` on, of the elements `wanted` by the lanes of `mask`."""
        key = (mask, start, *wanted)
        if key not in self._spreads:
            b, lanes = self.writer.builder, self.writer.lanes
            lane_of = {place: lane for lane, place in enumerate(wanted)}
            none = b.zero(mask.type)
            chosen = [lane_of.get(start + k, lanes) for k in range(lanes)]
            self._spreads[key] = b.picked([mask, none], [0, lanes], chosen)
        return self._spreads[key]

    def _look_up(
        self, load: memref.LoadOp, place: Place, mask: SSAValue | None, evaluator: Evaluator
    ) -> SSAValue:
        """Elements at places that the loop computes."""
        indices = [self._place_number(index, place, evaluator) for index in load.indices]
        self._settle_all(load.memref)
        if pvec.is_table(load.memref.type):
            (number,) = indices
            return self.writer.builder.look_up(load.memref, number)
        type_ = VectorType(load.res.type, [self.writer.lanes])
        return self.writer.builder.gather(load.memref, indices, type_, mask)

    def _place_number(self, index: SSAValue, place: Place, evaluator: Evaluator) -> SSAValue:
        """An index in each lane, as an integer."""
        owner, b, lanes = index.owner, self.writer.builder, self.writer.lanes
        if is_known(linear_of(index), self.writer.source.loop):
            return self._numbers(index, place, i64)
        if isinstance(owner, arith.IndexCastOp):
            return evaluator.value(owner.input)

        def wide(operand: SSAValue) -> SSAValue:
            number = self._place_number(operand, place, evaluator)
            if number.type == VectorType(i64, [lanes]):
                return number
            return b.insert(pvec.ConvertOp("extsi", number, i64)).result

        assert isinstance(owner, (*INDEX_OPERATIONS, arith.FloorDivSIOp))
        left = wide(owner.lhs)
        if isinstance(owner, arith.FloorDivSIOp):
            bits = arith.ConstantOp(IntegerAttr(shift_of(owner) or 0, i64))
            by = b.broadcast(b.insert(bits).result, lanes)
            return b.insert(arith.ShRSIOp(left, by)).result
        return b.insert(type(owner)(left, wide(owner.rhs))).result

    def _numbers(self, index: SSAValue, place: Place, type_: IntegerType) -> SSAValue:
        """What moves with the iterator, as integers."""
        form = linear_of(index)
        step = form.coefficient(self.writer.source.loop.iv)
        return self.writer.builder.numbers(form.substitute(place), step, self.writer.lanes, type_)

    def _chunk(
        self, array: SSAValue, at: Sequence[Linear], type_: VectorType[Attribute]
    ) -> SSAValue:
        key = (None, (), array, *at)
        if key not in self._apart:
            self._apart[key] = self.writer.builder.vector_load(array, at, type_)
        return self._apart[key]

    def _store(
        self, store: affine.StoreOp, value: SSAValue, place: Place, mask: SSAValue | None
    ) -> None:
        at = _placed(store, place)
        stride = stride_of(store, self.writer.source.loop)
        if stride == -1:
            self._store_backward(store.memref, at, value, mask)
            return
        if store in self.writer.source.grouped:
            self._store_in_group(store, value, place)
            return
        if stride != 1:
            self._settle_all(store.memref)
            steps = steps_of(store, self.writer.source.loop)
            self.writer.builder.strided_store(value, store.memref, at, steps, mask)
            self._forget(store.memref)
            return
        key = (store.memref, *at)
        self._settle(key)
        stored = self._stored.get(key)
        self._stored[key] = (value, mask) if stored is None else self._over(stored, value, mask)

    def _store_in_group(self, store: affine.StoreOp, value: SSAValue, place: Place) -> None:
        """When all of a group are there: their lanes in turns, side by side in memory."""
        loop = self.writer.source
        (group,) = (one for one in loop.groups if store in one)
        places = [_placed(one, place) for one in group]
        steps, array = tuple(steps_of(store, loop.loop)), store.memref
        keys: list[_Apart] = [(None, steps, array, *at) for at in places]
        self._waiting[keys[group.index(store)]] = value
        if not all(key in self._waiting for key in keys):
            return
        values = [self._waiting.pop(key) for key in keys]
        *outer, first = places[0]
        offsets = [(at[-1] - first).constant for at in places]
        self._settle_all(array)
        self._fill(values, offsets, steps[-1], array, [*outer, first])
        self._forget(array, outer)
        self._apart.update(zip(keys, values, strict=True))

    def _fill(
        self,
        values: Sequence[SSAValue],
        offsets: Sequence[int],
        stride: int,
        array: SSAValue,
        at: Sequence[Linear],
    ) -> None:
        """Store the lanes of each value every `stride` elements, from its offset on."""
        b, lanes = self.writer.builder, self.writer.lanes
        sources = [range(offset, offset + stride * lanes, stride) for offset in offsets]
        stored = {element for source in sources for element in source}
        starts = range(0, max(stored) + 1, lanes)
        results = [
            [element if element in stored else None for element in range(start, start + lanes)]
            for start in starts
        ]
        for start, one, vector_ in zip(starts, results, b.woven(values, sources, results)):
            mask = b.mask([element is not None for element in one]) if None in one else None
            b.vector_store(vector_, array, [*at[:-1], at[-1] + start], mask)

    def _over(
        self, stored: tuple[SSAValue, SSAValue | None], value: SSAValue, mask: SSAValue | None
    ) -> tuple[SSAValue, SSAValue | None]:
        """One vector for two that are stored to the same place, the second over the first."""
        old, before = stored
        if mask is None or before is mask:
            return value, mask
        b = self.writer.builder
        both = b.insert(pvec.SelectOp(mask, value, old)).result
        return both, None if before is None else b.insert(arith.OrIOp(before, mask)).result

    def _store_backward(
        self, array: SSAValue, at: Sequence[Linear], value: SSAValue, mask: SSAValue | None
    ) -> None:
        self._settle_all(array)
        lowest = at[-1] - (self.writer.lanes - 1)
        reversed_mask = None if mask is None else self._reversed(mask)
        self.writer.builder.vector_store(
            self._reversed(value), array, [*at[:-1], lowest], reversed_mask
        )
        self._forget(array)

    def _reversed(self, value: SSAValue) -> SSAValue:
        """The lanes of a vector or a mask the other way round."""
        return self.writer.builder.picked([value], [0], range(self.writer.lanes - 1, -1, -1))

    def _settle_all(self, array: SSAValue) -> None:
        """Store now what may lie in `array`: which lanes would meet is not known here."""
        for key in list(self._stored):
            if may_overlap(key[0], array):
                self._flush(key)

    def _forget(self, array: SSAValue, outer: Sequence[Linear] = ()) -> None:
        """What may have changed in `array`: only at these subscripts but the last, if given."""

        def is_kept(known: SSAValue, at: Sequence[Linear]) -> bool:
            if not may_overlap(known, array):
                return True
            apart = [b - a for a, b in zip(outer, at)] if known is array else []
            return any(not form.terms and form.constant for form in apart)

        self._loaded = {
            (mask, key): value
            for (mask, key), value in self._loaded.items()
            if is_kept(key[0], _place_of(key))
        }
        self._apart = {
            key: value for key, value in self._apart.items() if is_kept(key[2], _place_of(key[2:]))
        }

    def _settle(self, key: _Key) -> None:
        """Store now what may or may not lie where `key` does."""
        for other in list(self._stored):
            if other != key and _may_meet(other, key):
                self._flush(other)

    def _flush(self, key: _Key) -> None:
        """Store now what another row, with other lanes, needs from memory."""
        stored = self._stored.pop(key, None)
        if stored is None:
            return
        array, *at = key
        value, mask = stored
        if mask is None and self.writer.goes_past_caches(array):
            self.writer.builder.stream(value, array, at)
        else:
            self.writer.builder.vector_store(value, array, at, mask)
        self._apart = {
            known: value for known, value in self._apart.items() if not may_overlap(known[2], array)
        }
        self._loaded = {
            known: value for known, value in self._loaded.items() if not _may_meet(known[1], key)
        }

    def store_all(self) -> None:
        for key in list(self._stored):
            self._flush(key)


def _is_index(op: Operation) -> bool:
    return isinstance(op.results[0].type, IndexType)


def _may_meet(a: _Key, b: _Key) -> bool:
    """May a lane of one vector be the same element as this lane of the other? Not where a
    subscript differs by a constant."""
    if a[0] is not b[0]:
        return may_overlap(a[0], b[0])
    differences = [one - other for one, other in zip(_place_of(a), _place_of(b), strict=True)]
    return not any(not form.terms and form.constant for form in differences)


def _place_of(key: _Key) -> tuple[Linear, ...]:
    _, *place = key
    return tuple(place)


def _has_even_rows(op: affine.LoadOp | affine.StoreOp, lanes: int) -> bool:
    """Is the extent of the last dimension a multiple of the lanes?"""
    assert isa(op.memref.type, MemRefType)
    shape = op.memref.type.get_shape()
    return len(shape) == 1 or (shape[-1] != DYNAMIC_INDEX and shape[-1] % lanes == 0)


def _placed(op: affine.LoadOp | affine.StoreOp, place: Place) -> list[Linear]:
    subscripts = subscripts_of(op)
    assert subscripts is not None
    return [form.substitute(place) for form in subscripts]


def _chunks(values: Sequence[SSAValue], count: int) -> list[list[SSAValue]]:
    """`count` lists of equal length."""
    size = len(values) // count
    return [list(values[n * size : (n + 1) * size]) for n in range(count)]


def _reduction(one: Accumulation, lanes: SSAValue) -> vector.ReductionOp:
    flags = one.combine.properties.get("fastmath") or arith.FastMathFlagsAttr("none")
    return vector.ReductionOp.create(
        operands=[lanes],
        properties={
            "kind": vector.CombiningKindAttr(vector.CombiningKindFlag(one.reduction)),
            "fastmath": flags,
        },
        result_types=[one.store.value.type],
    )
