"""Writes the rows of vector loops: whole vectors, and masked ones at the ends.

    for v in low .. high of its row         for v from the least low on step lanes: masked
      S(i, v)                        =>     for v in what all rows have, step lanes: whole
                                            for v up to the greatest high, step lanes: masked

The first loop is there only where the rows begin at different places, and a mask is that of its
row. What rows and interleaved vectors of one step share is for `share-transfers` to find.
Accumulations run in one vector for each row and are combined with memory at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
)
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.loop_facts import NO_FACTS
from polyopt.ir.linear import Linear
from polyopt.ir.subscripts import stride_of
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder, ceiling, floor
from polyopt.passes.loops.vectors.accumulations import combined, neutral, reduction
from polyopt.passes.loops.vectors.scan_writer import ScanWriter
from polyopt.passes.loops.vectors.vector_loop import (
    VectorLoop,
)
from polyopt.passes.loops.vectors.vector_step import Place, VectorStep, placed
from polyopt.support.record import entity


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
                [neutral(self.builder, one, self.lanes) for one in self.source.accumulations]
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
            scan.leave(left, placed(scan.scan.store, self.rows[0]))
        self._finish(state.partial)

    @cached_property
    def scans(self) -> list[ScanWriter]:
        """Each vector of theirs waits for the one before: there is one row, and no interleaving."""
        return [ScanWriter(self.builder, one, self.lanes) for one in self.source.scans]

    def _left_at(self, scan: ScanWriter, low: Linear) -> list[Linear]:
        """Where the first iteration finds what was left."""
        place = {**self.rows[0], self.source.loop.iv: low - (0 if scan.scan.is_cell else 1)}
        return placed(scan.scan.store, place)

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
            step = VectorStep(
                b,
                self.source,
                self.lanes,
                self.rows,
                self.scans,
                self._past_caches,
                state.fixed,
                masks,
            )
            new: list[list[SSAValue]] = []
            for position, values in enumerate(old):
                shift, row = divmod(position, len(self.rows))
                new.append(step.run(row, loop.index + shift * self.lanes, values))
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
        return placed(unit[0], {**self.rows[0], self.source.loop.iv: Linear()})[-1]

    def _streamed_alignment(self, start: Linear) -> Linear | None:
        """The same for what is to go past the caches, found out when the loop runs."""
        store = self.source.streamed
        if store is None or len(self.rows) > 1:
            return None
        place = {**self.rows[0], self.source.loop.iv: start}
        behind = self.builder.misalignment(store.memref, placed(store, place), self.lanes)
        return Linear.of(behind) - start

    @cached_property
    def _past_caches(self) -> SSAValue | None:
        store = self.source.streamed
        return None if store is None or len(self.rows) > 1 else store.memref

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
                at = placed(load, place)
                key = (load.memref, *at)
                if key not in known:
                    scalar = self.builder.load(load.memref, at)
                    known[key] = self.builder.broadcast(scalar, self.lanes)
                here[load.result] = known[key]
            fixed.append(here)
        return fixed

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
                    total = combined(b, one, total, value)
                scalar = b.insert(reduction(one, total)).dest
                at = placed(one.store, place)
                old = b.load(one.store.memref, at)
                result = combined(b, one, old, scalar, is_last=True)
                b.store(result, one.store.memref, at)


def _has_even_rows(op: affine.LoadOp | affine.StoreOp, lanes: int) -> bool:
    """Is the extent of the last dimension a multiple of the lanes?"""
    assert isa(op.memref.type, MemRefType)
    shape = op.memref.type.get_shape()
    return len(shape) == 1 or (shape[-1] != DYNAMIC_INDEX and shape[-1] % lanes == 0)


def _chunks(values: Sequence[SSAValue], count: int) -> list[list[SSAValue]]:
    """`count` lists of equal length."""
    size = len(values) // count
    return [list(values[n * size : (n + 1) * size]) for n in range(count)]
