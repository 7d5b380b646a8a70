"""Writes the rows of a loop, several at a time, around the vector loops in it.

for i = low to high          for i = low to high step 4
  scalar(i)                    if i + 4 <= high and every row has iterations of each v
  for v: S(i, v)       =>        scalar(i) scalar(i + 1) scalar(i + 2) scalar(i + 3)
                                 for v: S(i, v) S(i + 1, v) S(i + 2, v) S(i + 3, v)
                               else for those that are left, one row at a time
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine_nest import AffineLoop
from polyopt.ir.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.vectors.row_loop import RowLoop
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.passes.loops.vectors.vector_step import Place, placed
from polyopt.passes.loops.vectors.vector_writer import VectorLoopWriter
from polyopt.support.record import entity
from polyopt.support.target import Target


@entity
class RowLoopWriter:
    builder: AffineBuilder
    source: RowLoop
    count: int
    target: Target
    interleave: int = 1

    def write(self) -> None:
        b, loop = self.builder, self.source.loop
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        facts = loop.facts
        name = loop.iv.name_hint
        with b.loop(lowers, uppers, step=self.count, name=name, facts=facts) as rows:
            places: list[Place] = [{loop.iv: rows.index + r} for r in range(self.count)]
            whole = [upper - rows.index - self.count for upper in uppers]
            branch = b.branch([*whole, *self._nonempty(places)])
            with branch.then():
                self._write_between(self.source.between, places)
            with branch.orelse():
                last = [*uppers, rows.index + self.count]
                with b.loop([rows.index], last, name=name, facts=facts) as row:
                    self._write_between(self.source.between, [{loop.iv: row.index}])
            branch.close()

    def _nonempty(self, rows: Sequence[Place]) -> list[Linear]:
        """At least zero where all rows have iterations of the vector loops whose range depends
        on the row; the extents change steadily from the first row to the last."""
        conditions: dict[Linear, None] = {}
        for group in self.source.groups:
            if not isinstance(group, VectorLoop):
                continue
            for lower in group.loop.lowers or ():
                for upper in group.loop.uppers or ():
                    if upper.uses(rows[0]) or lower.uses(rows[0]):
                        extents = [(upper - lower).substitute(row) - 1 for row in rows]
                        conditions |= dict.fromkeys((extents[0], extents[-1]))
        return list(conditions)

    def _write_between(self, loops: Sequence[AffineLoop], rows: Sequence[Place]) -> None:
        if not loops:
            self._write_groups(rows)
            return
        loop, *inner = loops
        assert loop.lowers is not None
        assert loop.uppers is not None
        with self.builder.loop(
            [form.substitute(rows[0]) for form in loop.lowers],
            [form.substitute(rows[0]) for form in loop.uppers],
            step=loop.step,
            name=loop.iv.name_hint,
            facts=loop.facts,
        ) as opened:
            self._write_between(inner, [{**row, loop.iv: opened.index} for row in rows])

    def _write_groups(self, rows: Sequence[Place]) -> None:
        for group in self.source.groups:
            if isinstance(group, VectorLoop):
                self._write_vectors(group, rows)
                continue
            for place in rows:
                self._write_scalars(group, place)

    def _write_scalars(self, group: Sequence[Operation], place: Place) -> None:
        b, root = self.builder, self.source.loop.op

        def leaf(value: SSAValue) -> SSAValue | None:
            if isinstance(value, OpResult) and isinstance(value.op, affine.LoadOp):
                if value.op in group:
                    return b.load(value.op.memref, placed(value.op, place))
            return None

        evaluator = Evaluator(b, None, root, leaf)
        for op in group:
            if isinstance(op, affine.StoreOp):
                b.store(evaluator.value(op.value), op.memref, placed(op, place))
            elif op.results:
                evaluator.value(op.results[0])

    def _write_vectors(self, group: VectorLoop, rows: Sequence[Place]) -> None:
        lanes = self.target.lanes(group.element_bytes)
        VectorLoopWriter(self.builder, group, lanes, rows, self.interleave).write()
