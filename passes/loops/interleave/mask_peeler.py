"""Writes a loop over masked vectors as loops with masks at the ends only.

    for v = low to high step L            for v from the least low on, step L: masked
      S(v) under m                 =>     for v in what all rows have, step n * L: whole, n at once
                                          for v in what is left of that, step L: whole
                                          for v up to the greatest high, step L: masked

The first loop is there only where rows begin at different places, or where vectors are to lie on
lines of the cache (`line_model.py`), or must, to go past it; where lines begin is found out when
the loop runs, unless the compiler has placed what is stored. Each of `n` vectors accumulates on its
own. Of rows that are soon read again the last loop has no masks if they are short, and those begin
on no line: a whole vector goes up to the end, where iterations may run twice (`whole_ends.py`),
else ever fewer lanes (`halved_rest.py`). So do all rows of elements that there are no masks for;
and where stores under masks are slow, all that may, and rows begin on no line for their own sake.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.ir import SSAValue

from polyopt.dialects.loop_facts import LoopFacts
from polyopt.dialects.pvec_transfers import WriteOp
from polyopt.ir.affine.linear import Linear, ceiling, floor
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.copies import Copier, CopyScope
from polyopt.passes.loops.interleave.halved_rest import (
    HalvedRest,
    has_fewer_lanes,
    is_awaited,
    least_in_vectors,
    may_be_halved,
    runs_again,
)
from polyopt.passes.loops.interleave.line_model import is_placed, pays_to_align
from polyopt.passes.loops.interleave.masked_loop import Limits, MaskedLoop, is_nonempty, row_masks
from polyopt.passes.loops.interleave.row_chains import RowChains
from polyopt.passes.loops.interleave.row_lines import RowLines
from polyopt.passes.loops.interleave.whole_ends import (
    LastLanes,
    ends_whole,
    runs_twice,
    stores_slowly,
)
from polyopt.support.core_model import CORE
from polyopt.support.record import entity
from polyopt.support.target import Target

_Chains = list[list[SSAValue]]


@entity
class MaskPeeler:
    builder: AffineBuilder
    source: MaskedLoop
    target: Target
    called: frozenset[str]

    def write(self) -> list[SSAValue]:
        """What stands for the loop's results."""
        b, source = self.builder, self.source
        start = b.maximum([one.low for one in source.masks])
        stop = b.minimum([one.high for one in source.masks])
        chains = self._row_chains.begun()
        streamed = self._lines.of_streamed(start)
        if ends_whole(source, self.target, is_streamed=streamed is not None):
            return self._write_to_the_end(start, stop, chains, streamed)
        if streamed is None and may_be_halved(source) and is_awaited(source, self.called):
            self._write_by_length(start, stop, chains)
        else:
            self._write_vectors(start, stop, chains, streamed)
        return self._row_chains.together(chains)

    def _write_to_the_end(
        self, start: Linear, stop: Linear, chains: _Chains, streamed: Linear | None
    ) -> list[SSAValue]:
        """Whole vectors only, where the row fills one."""
        b, extent = self.builder, stop - start - self.lanes
        is_known = not extent.terms
        if is_known and extent.constant >= 0:
            return self._write_long(start, stop, chains, streamed)
        branch = b.branch([extent], [value.type for value in chains[0]])
        with branch.then() as side:
            side.yielded = tuple(self._write_long(start, stop, list(chains), streamed))
        with branch.orelse() as side:
            own = list(chains)
            if has_fewer_lanes(self.source):
                self._write_rest(start, stop)
            else:
                self._loop(start, stop, own, 1, lambda one: (None, stop))
            side.yielded = tuple(own[0])
        return list(branch.close())

    def _write_long(
        self, start: Linear, stop: Linear, chains: _Chains, streamed: Linear | None
    ) -> list[SSAValue]:
        """A row of so many iterations as there are lanes, or more."""
        b, source, lanes = self.builder, self.source, self.lanes
        is_free = runs_twice(source)
        if streamed is not None:
            self._step(start, (), {}, is_aligned=False)
            start = b.named(ceiling(start + streamed, lanes), "start") * lanes - streamed
        end = self._write_whole(start, stop, chains)
        left = stop - end
        if not left.terms and not left.constant:
            return self._row_chains.together(chains)
        branch = b.branch([left - 1], [value.type for value in chains[0]])
        with branch.then() as side:
            if is_free:
                side.yielded = tuple(self._last(end, stop, chains[0]))
            else:
                self._write_rest(end, stop)
        with branch.orelse() as side:
            side.yielded = tuple(chains[0])
        chains[0] = list(branch.close())
        return self._row_chains.together(chains)

    def _last(self, end: Linear, stop: Linear, old: Sequence[SSAValue]) -> list[SSAValue]:
        """A whole vector up to `stop`, of which what is carried takes the lanes from `end` on."""
        b, lanes = self.builder, self.lanes
        at = stop - lanes
        if not old:
            return self._step(at, old, {}, is_aligned=False)
        mask = b.lanes_between(end - at, Linear.of(lanes), lanes)
        left = {one.value: mask for one in self.source.masks}
        return self._step(at, old, left, is_aligned=False, reads_all=True)

    def _write_rest(self, start: Linear, stop: Linear) -> None:
        """In fewer lanes."""
        rest = HalvedRest(self.builder, self.source)
        if may_be_halved(self.source):
            rest.write(start, self.builder.maximum([start, stop]))
        else:
            rest.one_by_one(start, stop)

    def _write_by_length(self, start: Linear, stop: Linear, chains: _Chains) -> None:
        """Short rows without masks, and very short ones without vectors where these wait; long ones
        as all others are."""
        b, source = self.builder, self.source
        rest, least = HalvedRest(b, source), least_in_vectors(source)
        if not least:
            self._write_in_vectors(start, stop, chains, rest)
            return
        branch = b.branch([stop - start - least])
        with branch.then():
            self._write_in_vectors(start, stop, chains, rest)
        with branch.orelse():
            rest.one_by_one(start, stop)
        branch.close()

    def _write_in_vectors(
        self, start: Linear, stop: Linear, chains: _Chains, rest: HalvedRest
    ) -> None:
        b, source = self.builder, self.source
        long, extent = CORE.carried.short_rows * self.lanes, source.greatest_extent
        if extent is not None and extent < long:
            self._write_halved(start, stop, chains, rest)
            return
        branch = b.branch([stop - start - long])
        with branch.then():
            self._write_vectors(start, stop, list(chains), None)
        with branch.orelse():
            self._write_halved(start, stop, chains, rest)
        branch.close()

    def _write_halved(self, start: Linear, stop: Linear, chains: _Chains, rest: HalvedRest) -> None:
        b = self.builder
        if runs_twice(self.source):
            self._write_to_the_end(start, stop, chains, None)
            return
        if not is_nonempty(self.source):
            stop = b.maximum([start, stop])
        end = start + b.named(floor(stop - start, self.lanes), "whole") * self.lanes
        end = b.named(end, "end")
        self._loop(start, end, chains, 1, None, is_short=not runs_again(self.source.loop.op))
        rest.write(end, stop)

    def _write_vectors(
        self, start: Linear, stop: Linear, chains: _Chains, streamed: Linear | None
    ) -> None:
        """All of the row; `chains` are what has been accumulated then."""
        b, source = self.builder, self.source
        first, side_by_side = source.low, self._lines.side_by_side
        is_slow = stores_slowly(source, self.target)
        shift = streamed or (None if is_slow else self._lines.of_all_rows())
        is_known = shift is not None and is_placed(side_by_side[0].memref)
        is_found = not is_known and streamed is None and pays_to_align(source, side_by_side)
        if is_found:
            shift = self._lines.found(side_by_side[0], start)
        is_alone = len({one.high for one in source.masks}) == 1
        is_sorted = is_nonempty(source)
        if shift is not None and is_found and is_alone and first == start:
            stop = stop if is_sorted else b.maximum([start, stop])
            line = b.named(ceiling(start + shift, self.lanes), "line") * self.lanes - shift
            start, is_sorted = b.minimum([line, stop]), True
            self._loop(first, line, chains, 1, lambda one: (None, start))
        else:
            if shift is not None:
                first = b.named(floor(first + shift, self.lanes), "first") * self.lanes - shift
                start = b.named(ceiling(start + shift, self.lanes), "start") * self.lanes - shift
            if first != start:
                self._loop(first, start, chains, 1, lambda one: (one.low, start, one.high))
                is_sorted = False
        if is_alone and not is_sorted:
            stop = b.maximum([start, stop])
        start = self._write_whole(start, stop, chains, is_sorted=is_alone)
        last = stop if is_alone else source.high
        if (last - start).terms or last != start:
            self._loop(start, last, chains, 1, lambda one: (None, last if is_alone else one.high))

    def _write_whole(
        self, start: Linear, stop: Linear, chains: _Chains, *, is_sorted: bool = True
    ) -> Linear:
        """What there is of whole vectors, of several in a step first; where they end."""
        b = self.builder
        for count in dict.fromkeys((len(chains), 1)):
            width = count * self.lanes
            whole = b.named(floor(stop - start, width), "whole") * width
            end = start + whole if is_sorted else b.maximum([start, start + whole])
            end = b.named(end, "end")
            self._loop(start, end, chains, count, None)
            start = end
        return start

    @property
    def lanes(self) -> int:
        return self.source.lanes

    @cached_property
    def _row_chains(self) -> RowChains:
        return RowChains(self.builder, self.source)

    @cached_property
    def _lines(self) -> RowLines:
        return RowLines(self.builder, self.source)

    def _loop(
        self,
        low: Linear,
        high: Linear,
        chains: _Chains,
        count: int,
        limits: Limits | None,
        *,
        is_short: bool = False,
    ) -> None:
        """`count` vectors of each row at each step; with `limits`, only the lanes between. Of what
        `is_short` there are few."""
        b = self.builder
        carried = [value for values in chains[:count] for value in values]
        width = count * self.lanes
        extent = self.source.greatest_extent
        at_most = 0 if extent is None else max(1, extent // width)
        is_main = limits is None and count == len(chains) and not is_short
        rows = self._row_chains
        marks = ("unroll_by_4",) if self.source.is_thin or rows.is_plain else ()
        is_rolled = not is_main or rows.is_divided
        facts = ROLLED if is_rolled else LoopFacts(at_most=at_most, marks=marks)
        with b.loop([low], [high], step=width, carried=carried, name="v", facts=facts) as loop:
            masks = (
                {} if limits is None else row_masks(self.builder, self.source, loop.index, limits)
            )
            size, new = len(self.source.yielded), list[SSAValue]()
            for shift in range(count):
                old = loop.carried[shift * size : (shift + 1) * size]
                new += self._step(loop.index + shift * self.lanes, old, masks)
            loop.yielded = tuple(new)
        chains[:count] = [list(loop.results[n * size : (n + 1) * size]) for n in range(count)]

    def _step(
        self,
        at: Linear,
        old: Sequence[SSAValue],
        masks: dict[SSAValue, SSAValue],
        *,
        is_aligned: bool | None = None,
        reads_all: bool = False,
    ) -> list[SSAValue]:
        """One vector of each row; without masks, of all lanes. What the next one takes. Under masks
        it may read, and write, all lanes. Only whole vectors begin where non-temporal stores must,
        and not all of these."""
        is_aligned = not masks if is_aligned is None else is_aligned
        iterator, *arguments = self.source.loop.block.args
        whole = frozenset(() if masks else (one.value for one in self.source.masks))
        values = masks | dict(zip(arguments, old, strict=True))
        scope = CopyScope(values, {iterator: at}, whole)
        copier = Copier(self.builder.insert, self.source.loop.op)
        if reads_all:
            copier = LastLanes(copier.insert, copier.like, frozenset(masks))
        for op in self.source.operations:
            copier.copy(op, scope)
            made = self.builder.block.last_op
            if not is_aligned and isinstance(made, WriteOp):
                made.nontemporal = None
        return [copier.value(value, scope) for value in self.source.yielded]
