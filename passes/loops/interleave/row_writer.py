"""Writes the rows of a loop, several at a time, around the loops over vectors in it.

for i = low to high          for i = low to high step 4
  scalar(i)                    if i + 4 <= high and every row has iterations of each v
  for v: S(i, v)       =>        scalar(i) scalar(i + 1) scalar(i + 2) scalar(i + 3)
                                 for v: S(i, v) S(i + 1, v) S(i + 2, v) S(i + 3, v)
                               else for those that are left, one row at a time

Rows that begin or end at different places have masks of their own in one loop for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.loop_facts import LoopFacts, facts_of, set_facts
from polyopt.dialects.pvec_transfers import WriteOp
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, floor
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.copies import Copier, CopyScope
from polyopt.passes.loops.interleave.row_loop import RowLoop, Run, VectorGroup
from polyopt.support.record import entity, record


@record
class RowPlan:
    """`count` rows run together, and `interleave` whole vectors of each in one step."""

    count: int
    interleave: int


@entity
class RowLoopWriter:
    builder: AffineBuilder
    source: RowLoop
    plan: RowPlan

    def write(self) -> None:
        b, loop, count = self.builder, self.source.loop, self.plan.count
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        facts, name = loop.facts, loop.iv.name_hint
        if len(lowers) == len(uppers) == 1 and self._stays():
            self._write_whole_first(lowers[0], uppers[0])
            return
        with b.loop(lowers, uppers, step=count, name=name, facts=facts) as rows:
            places = [rows.index + row for row in range(count)]
            whole = [upper - rows.index - count for upper in uppers]
            branch = b.branch([*whole, *self._nonempty(places)])
            with branch.then():
                self._write_between(
                    self.source.between, [CopyScope(forms={loop.iv: place}) for place in places]
                )
            with branch.orelse():
                last = [*uppers, rows.index + count]
                with b.loop([rows.index], last, name=name, facts=facts) as row:
                    self._write_alone(row.iv)
            branch.close()

    def _stays(self) -> bool:
        """Do all rows update the same vectors, one or few of an array? In a loop of whole steps,
        and in one for the rows that are left, LLVM keeps them in registers."""
        iterator = self.source.loop.iv
        for group in self.source.vector_groups:
            extent = group.vectors.greatest_extent
            ends = (*group.lowers, *group.uppers)
            if extent is None or extent > group.vectors.lanes or group.around is not None:
                return False
            if any(form.uses([iterator]) for form in ends):
                return False
        writes = [
            op
            for group in self.source.vector_groups
            for op in group.transfers
            if isinstance(op, WriteOp)
        ]
        return bool(writes) and not any(iterator in op.indices for op in writes)

    def _write_whole_first(self, low: Linear, high: Linear) -> None:
        b, loop, count = self.builder, self.source.loop, self.plan.count
        facts, name = loop.facts, loop.iv.name_hint
        left = low + b.named(floor(high - low, count), "together") * count
        with b.loop([low], [high - (count - 1)], step=count, name=name, facts=facts) as rows:
            places = [rows.index + row for row in range(count)]
            self._write_between(
                self.source.between, [CopyScope(forms={loop.iv: place}) for place in places]
            )
        with b.loop([low, left], [high], name=name, facts=facts) as row:
            self._write_alone(row.iv)

    def _nonempty(self, rows: Sequence[Linear]) -> list[Linear]:
        """At least zero where all rows have iterations of the loops over vectors whose range
        depends on the row; the extents change steadily from the first row to the last."""
        iterator = self.source.loop.iv
        conditions: dict[Linear, None] = {}
        for group in self.source.vector_groups:
            extents = [upper - lower for lower in group.lowers for upper in group.uppers]
            if any(form.uses([iterator]) for form in (*group.lowers, *group.uppers)):
                for row in (rows[0], rows[-1]):
                    here = [extent.substitute({iterator: row}) - 1 for extent in extents]
                    conditions |= dict.fromkeys(here)
        return list(conditions)

    def _write_alone(self, row: SSAValue) -> None:
        """A row as it was."""
        values: dict[SSAValue, SSAValue] = {self.source.loop.iv: row}
        for op in self.source.loop.block.ops:
            if isinstance(op, affine.YieldOp):
                continue
            copy = self.builder.insert(op.clone(values))
            for inner in copy.walk():
                if isinstance(inner, affine.ForOp) and (facts := facts_of(inner)).interleave:
                    set_facts(inner, self._interleaved(facts))

    def _interleaved(self, facts: LoopFacts) -> LoopFacts:
        return replace(facts, interleave=self.plan.interleave)

    def _write_between(self, loops: Sequence[AffineLoop], rows: Sequence[CopyScope]) -> None:
        if not loops:
            self._write_groups(rows)
            return
        loop, *inner = loops
        assert loop.lowers is not None
        assert loop.uppers is not None
        with self.builder.loop(
            [rows[0].form(form) for form in loop.lowers],
            [rows[0].form(form) for form in loop.uppers],
            step=loop.step,
            name=loop.iv.name_hint,
            facts=loop.facts,
        ) as opened:
            for row in rows:
                row.forms[loop.iv] = opened.index
            self._write_between(inner, rows)

    def _write_groups(self, rows: Sequence[CopyScope]) -> None:
        for group in self.source.groups:
            if not isinstance(group, VectorGroup):
                self._write_run(group, rows)
            elif group.around is None:
                self._write_vectors(group, rows)
            else:
                source = group.vectors
                branch = self.builder.branch([rows[0].form(source.high - source.low - 1)])
                with branch.then():
                    inside = [row.inner() for row in rows]
                    self._write_run(group.before, inside)
                    self._write_vectors(group, inside)
                    self._write_run(group.after, inside)
                with branch.orelse():
                    pass
                branch.close()

    def _write_run(self, run: Run, rows: Sequence[CopyScope]) -> None:
        """For each row; what is the same for all of them once, where nothing is written."""
        copier = Copier(self.builder.insert, self.source.loop.op)
        first, *others = rows
        for op in run:
            copier.copy(op, first)
        is_shared = not any(isinstance(op, affine.StoreOp) for op in run)
        for row in others:
            for op in run:
                if is_shared and all(_is_same(value, row, first) for value in op.operands):
                    _share(op, row, first)
                else:
                    copier.copy(op, row)

    def _write_vectors(self, group: VectorGroup, rows: Sequence[CopyScope]) -> None:
        b, source = self.builder, group.vectors
        copier = Copier(b.insert, source.loop.op)
        lows, highs = ([row.form(end) for row in rows] for end in (source.low, source.high))
        low, high = b.minimum(lows), b.maximum(highs)
        inits = source.loop.op.inits
        carried = [copier.value(value, row) for row in rows for value in inits]
        facts = self._interleaved(source.loop.facts)
        with b.loop(
            [low], [high], step=source.lanes, carried=carried, name="v", facts=facts
        ) as opened:
            known: dict[tuple[Linear, Linear], SSAValue] = {}
            yielded: list[SSAValue] = []
            for number, (row, ends) in enumerate(
                zip(rows, zip(lows, highs, strict=True), strict=True)
            ):
                if ends not in known:
                    begin = Linear() if len(set(lows)) == 1 else ends[0] - opened.index
                    known[ends] = b.lanes_between(begin, ends[1] - opened.index, source.lanes)
                here = row.inner()
                iterator, *arguments = source.loop.block.args
                here.forms[iterator] = opened.index
                own = opened.carried[number * len(inits) :]
                here.values |= {group.mask: known[ends], **dict(zip(arguments, own, strict=False))}
                for op in source.operations:
                    copier.copy(op, here)
                yielded += [copier.value(value, here) for value in source.yielded]
            opened.yielded = tuple(yielded)
        for number, row in enumerate(rows):
            own = opened.results[number * len(inits) :]
            row.values |= dict(zip(source.loop.op.results, own, strict=False))


def _is_same(value: SSAValue, row: CopyScope, other: CopyScope) -> bool:
    """Is the value of one row that of the other?"""
    here, there = (one.form(Linear.of(value)) for one in (row, other))
    return here == there


def _share(op: Operation, row: CopyScope, other: CopyScope) -> None:
    for result in op.results:
        if result in other.forms:
            row.forms[result] = other.forms[result]
        else:
            row.values[result] = other.values[result]
