"""Writes a vector loop as one loop over masked vectors.

    for v in low .. high: S(v)     =>     for v = low to high step lanes: S(v) under l < high - v

What is the same in all iterations is read in front. Accumulations run in one vector and are
combined with memory at the end. Which vectors need no mask, and how many of them run in one step,
is for `affine-peel-masks` to say; what they share, for `share-transfers`.
"""

from __future__ import annotations

from functools import cached_property

from xdsl.ir import Operation, SSAValue

from polyopt.dialects.loop_facts import NO_FACTS, LoopFacts
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.vectors.accumulations import combined, neutral, reduction
from polyopt.passes.loops.vectors.best_writer import BestWriter
from polyopt.passes.loops.vectors.lane_places import IteratorValues
from polyopt.passes.loops.vectors.looked_up_rows import same_values
from polyopt.passes.loops.vectors.scan_writer import ScanWriter
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.passes.loops.vectors.vector_step import VectorStep, placed
from polyopt.support.record import entity


@entity
class VectorLoopWriter:
    """`interleave` whole vectors are to run in one step."""

    builder: AffineBuilder
    source: VectorLoop
    lanes: int
    interleave: int = 1

    def write(self) -> None:
        b, loop = self.builder, self.source.loop
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        low, high = b.maximum(lowers), b.minimum(uppers)
        extent = high - low
        if extent.terms:
            branch = b.branch([extent - 1])
            with branch.then():
                self.write_nonempty(low, high)
            with branch.orelse():
                pass
            branch.close()
        elif extent.constant > 0:
            self.write_nonempty(low, high)

    def write_whole(self, low: Linear, high: Linear) -> None:
        """From `low` to `high`, which are whole vectors apart; no recurrences."""
        self._write(low, high, NO_FACTS)

    def write_nonempty(self, low: Linear, high: Linear) -> None:
        """From `low` to `high`, which is behind it."""
        self._write(low, high, LoopFacts(interleave=self.interleave))

    def _write(self, low: Linear, high: Linear, facts: LoopFacts) -> None:
        b, source = self.builder, self.source
        carried = [neutral(b, one, self.lanes) for one in source.accumulations]
        carried += [scan.enter(self._left_at(scan, low)) for scan in self.scans]
        bests = BestWriter(b, source.bests, self.lanes)
        carried += bests.enter()
        results = self._loop(low, high, carried, facts)
        lefts = results[len(source.accumulations) : len(results) - len(source.kept)]
        for scan, left in zip(self.scans, lefts, strict=True):
            scan.leave(left, placed(scan.scan.store, {}))
        self._finish(results)
        bests.leave(results[len(results) - len(source.kept) :])

    @cached_property
    def scans(self) -> list[ScanWriter]:
        return [ScanWriter(self.builder, one, self.lanes) for one in self.source.scans]

    def _left_at(self, scan: ScanWriter, low: Linear) -> list[Linear]:
        """Where the first iteration finds what was left."""
        place: IteratorValues = {self.source.loop.iv: low - (0 if scan.scan.is_cell else 1)}
        return placed(scan.scan.store, place)

    def _loop(
        self, low: Linear, high: Linear, carried: list[SSAValue], facts: LoopFacts
    ) -> tuple[SSAValue, ...]:
        """One vector at each step, under a mask where the loop is marked for that."""
        b, lanes = self.builder, self.lanes
        fixed, rows = self._load_fixed(), self._places_of_rows()
        with b.loop([low], [high], step=lanes, carried=carried, name="v", facts=facts) as loop:
            has_mask = facts.interleave > 0
            mask = b.lanes_between(Linear(), high - loop.index, lanes) if has_mask else None
            step = VectorStep(b, self.source, lanes, self.scans, fixed, rows, mask)
            loop.yielded = tuple(step.run(loop.index, loop.carried))
        return loop.results

    def _load_fixed(self) -> dict[SSAValue, SSAValue]:
        """What is the same for all iterations, and loaded by each, in all lanes."""
        known: dict[tuple[object, ...], SSAValue] = {}
        fixed: dict[SSAValue, SSAValue] = {}
        loop = self.source.loop
        for load in self.source.loads:
            if stride_of(load, loop) != 0 or load.parent is not loop.block:
                continue
            at = placed(load, {})
            key = (load.memref, *at)
            if key not in known:
                scalar = self.builder.load(load.memref, at)
                known[key] = self.builder.broadcast(scalar, self.lanes)
            fixed[load.result] = known[key]
        return fixed

    def _places_of_rows(self) -> IteratorValues:
        """What the loop computes for them, which is the same in all iterations, once in front."""
        loop = self.source.loop
        fixed = same_values(self.source.rows.values(), loop)
        needed: dict[SSAValue, None] = {}
        pending = list(fixed)
        while pending:
            value = pending.pop()
            if value not in needed and is_defined_inside(value, loop.op):
                needed[value] = None
                pending += value.owner.operands if isinstance(value.owner, Operation) else ()
        copies: dict[SSAValue, SSAValue] = {}
        for op in loop.block.ops if needed else ():
            if len(op.results) == 1 and op.results[0] in needed:
                self.builder.insert(op.clone(copies))
        return {value: Linear.of(copies[value]) for value in fixed}

    def _finish(self, partial: tuple[SSAValue, ...]) -> None:
        """The lanes into one value, and that into memory."""
        b = self.builder
        for one, lanes in zip(self.source.accumulations, partial, strict=False):
            scalar = b.insert(reduction(one, lanes)).dest
            at = placed(one.store, {})
            old = b.load(one.store.memref, at)
            result = combined(b, one, old, scalar, is_last=True)
            b.store(result, one.store.memref, at).location = one.store.location
