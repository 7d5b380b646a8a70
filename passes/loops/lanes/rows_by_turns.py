"""Two rows of a table that take turns, as rows written over and over.

A loop whose rows change places was unrolled: A writes X of what is in Y, then B writes Y of what is
in X. Of the iterations that do both one loop is made,

    for i { X[0] = f; for j A: X[j] = g(Y[j], Y[j - 1], X[j - 1])
            Y[0] = h; for j B: Y[j] = k(X[j], X[j - 1], Y[j - 1]) }
  =>
    for i { X[0] = f; corner = Y[0], left = X[0]; Y[0] = h, last = Y[0]
            for j { up = Y[j]; x = X[j] = g(up, corner, left)
                    y = Y[j] = k(x, left, last); corner = up, left = x, last = y } }

in which only the element that is stored is loaded. The others, and those that do A only, run as
they did, behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.find_turns import (
    TurnRow,
    Turns,
    find_turns,
    is_stored_by_turns,
    stores_to_kept,
)
from polyopt.passes.loops.selections import with_selections


def by_turns(op: affine.ForOp) -> tuple[list[Operation], affine.ForOp] | None:
    """Detached operations that stand for the loop, and the one of them that is one loop; None where
    rows do not take turns in it. Conditionals become selections where both rows run."""
    chosen = with_selections(op, is_stored_by_turns)
    found = find_turns(AffineLoop(op if chosen is None else chosen))
    written = None if found is None else _write(found, op)
    if chosen is not None:
        chosen.detach()
        chosen.erase()
    return written


def _write(turns: Turns, original: affine.ForOp) -> tuple[list[Operation], affine.ForOp]:
    loop = turns.loop
    b = AffineBuilder(Block(), loop.op)
    writer = _Writer(b, turns)
    low, high = b.range_of(loop.op)
    end = b.named(b.minimum([high, *(b.named(form, "turns") for form in turns.ends)]), "end")
    with b.loop([low], [end], name=loop.iv.name_hint) as both:
        writer.write(both.iv)
    branch = b.branch([end - low - 1])
    with branch.then():
        for variable, value in turns.kept.items():
            b.store(value, variable, [])
    with branch.orelse():
        pass
    branch.close()
    if turns.ends:
        with b.loop([b.maximum([low, end])], [high], name=loop.iv.name_hint) as rest:
            values: dict[SSAValue, SSAValue] = {original.body.block.args[0]: rest.iv}
            for op in original.body.block.ops:
                if not isinstance(op, affine.YieldOp):
                    b.insert(op.clone(values))
    body = both.iv.owner
    assert isinstance(body, Block)
    nest = body.parent_op()
    assert isinstance(nest, affine.ForOp)
    operations = list(b.block.ops)
    for one in operations:
        one.detach()
    return operations, nest


class _Writer:
    """Writes what an iteration does as straight code and one loop."""

    def __init__(self, builder: AffineBuilder, turns: Turns):
        self.builder, self.turns = builder, turns
        self.values: dict[SSAValue, SSAValue] = {}
        first, second = turns.first, turns.second
        self.above, self.own_first = first.shifts(second) or [], first.shifts(first) or []
        self.between, self.own_second = second.shifts(first) or [], second.shifts(second) or []
        uses_left = [one for one in (*self.own_first, *self.between) if one[1] == 1]
        self.corner = self._variable(second, [one for one in self.above if one[1] == 1])
        self.left = self._variable(first, uses_left)
        self.last = self._variable(second, self.own_second)

    def _variable(self, row: TurnRow, uses: Sequence[tuple[affine.LoadOp, int]]) -> SSAValue | None:
        """For what the row stored in the iteration before, if somebody reads it."""
        if not uses:
            return None
        return self.builder.insert(memref.AllocaOp.get(row.store.value.type, shape=[])).memref

    def write(self, iv: SSAValue) -> None:
        b, turns = self.builder, self.turns
        first, second = turns.first, turns.second
        self.values[turns.loop.iv] = iv
        dropped = stores_to_kept(turns)
        for op in turns.operations:
            if op is first.loop.op:
                self._begin(self.corner, second)
                self._begin(self.left, first)
            elif op is second.loop.op:
                self._begin(self.last, second)
            elif op not in dropped:
                b.insert(op.clone(self.values))
        lowers, uppers = first.loop.lowers, first.loop.uppers
        assert lowers is not None
        assert uppers is not None
        with b.loop(lowers, uppers, name=first.loop.iv.name_hint) as row:
            self._write_row(row.iv)

    def _begin(self, variable: SSAValue | None, row: TurnRow) -> None:
        if variable is not None:
            here = self.builder.load(row.store.memref, row.in_front)
            self.builder.store(here, variable, [])

    def _write_row(self, iv: SSAValue) -> None:
        b, values = self.builder, self.values
        first, second = self.turns.first, self.turns.second
        values[first.loop.iv] = values[second.loop.iv] = iv
        up = b.load(second.store.memref, self._place(second, iv))
        corner, left, last = (
            None if one is None else b.load(one, []) for one in (self.corner, self.left, self.last)
        )
        self._stand_for(self.above, (up, corner))
        self._stand_for(self.own_first, (None, left))
        x = self._copy(first, iv)
        self._stand_for(self.between, (x, left))
        self._stand_for(self.own_second, (None, last))
        y = self._copy(second, iv)
        for variable, value in ((self.corner, up), (self.left, x), (self.last, y)):
            if variable is not None:
                b.store(value, variable, [])

    def _stand_for(
        self,
        loads: Sequence[tuple[affine.LoadOp, int]],
        by_shift: tuple[SSAValue | None, SSAValue | None],
    ) -> None:
        for load, shift in loads:
            value = by_shift[shift]
            assert value is not None
            self.values[load.result] = value

    def _copy(self, row: TurnRow, iv: SSAValue) -> SSAValue:
        """The row's code for one element, with what it stores."""
        for op in row.loop.block.ops:
            if op is row.store or isinstance(op, affine.YieldOp):
                continue
            if not (op.results and op.results[0] in self.values):
                self.builder.insert(op.clone(self.values))
        value = self.values.get(row.store.value, row.store.value)
        self.builder.store(value, row.store.memref, self._place(row, iv))
        return value

    def _place(self, row: TurnRow, iv: SSAValue) -> list[Linear]:
        forms = subscripts_of(row.store)
        assert forms is not None
        return [form.substitute({row.loop.iv: Linear.of(iv)}) for form in forms]
