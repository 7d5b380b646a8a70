"""A greatest (or least) value that a nest keeps, and what it keeps with it, found row by row.

    for i { for j { …                            for block { for i in block { m = least, p = 0
                    if (v > best) {                            for j { … if (v > m) m = v, p = j }
                      best = v, at = j } } }  =>               M[i - block] = m, P[i - block] = p }
                                                             for i in block {
                                                               if (M[i - block] > best)
                                                                 best = M[i - block], at = P[…] } }

In the rows nothing of it goes from one to the next. The first of the greatest values of a row is
that of the row, and the first row that has it is the first of all: what is found is the same, bit
for bit, and so is what is kept with it. A value that is not greater than the least one of its type
is never taken, as before.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.loop_facts import NO_FACTS, set_facts
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.elementwise import neutral_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.find_extremes import Extreme, find_extreme, only_loop_inside
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_GREATER = {"sgt": "maxsi", "ugt": "maxui", "ogt": "max"}
_LESS = {"slt": "minsi", "ult": "minui", "olt": "min"}


def in_rows(op: affine.ForOp) -> tuple[list[Operation], affine.ForOp] | None:
    """Detached operations that stand for the loop, and the one of them over the rows of a block,
    which keeps nothing from row to row; None where the loop keeps no such value."""
    inner = only_loop_inside(op)
    if inner is None or op.inits or inner.inits or op.step.value.data != 1:
        return None
    found = find_extreme(op, inner)
    loop = AffineLoop(op)
    if found is None or loop.lowers is None or loop.uppers is None:
        return None
    return _Writer(AffineBuilder(Block(), op), loop, found).write()


@record
class _Writer:
    builder: AffineBuilder
    loop: AffineLoop
    found: Extreme

    def write(self) -> tuple[list[Operation], affine.ForOp]:
        b, found, size = self.builder, self.found, CORE.lanes.rows
        kept = (found.best, *found.beside)
        own = [b.insert(memref.AllocaOp.get(one.type, shape=[])).memref for one in kept]
        rooms = [b.insert(memref.AllocaOp.get(one.type, shape=[size])).memref for one in kept]
        lowers, uppers = self.loop.lowers, self.loop.uppers
        assert lowers is not None
        assert uppers is not None
        with b.loop(lowers, uppers, step=size, name="block") as block:
            ends = [*uppers, block.index + size]
            with b.loop([block.index], ends, name=self.loop.iv.name_hint) as row:
                self._write_row(row.iv, own, rooms, row.index - block.index)
            with b.loop([block.index], ends, name=self.loop.iv.name_hint) as last:
                self._combine(rooms, last.index - block.index)
        rows = row.iv.owner
        assert isinstance(rows, Block)
        nest = rows.parent_op()
        assert isinstance(nest, affine.ForOp)
        operations = list(b.block.ops)
        for one in operations:
            one.detach()
        return operations, nest

    def _write_row(
        self, row: SSAValue, own: Sequence[SSAValue], rooms: Sequence[SSAValue], place: Linear
    ) -> None:
        b, found = self.builder, self.found
        first, *others = own
        neutral = neutral_of((_GREATER | _LESS)[found.compare], found.best.type, is_finite=False)
        b.store(
            b.insert(
                arith.ConstantOp.create(
                    properties={"value": neutral}, result_types=[found.best.type]
                )
            ).result,
            first,
            [],
        )
        for variable, kept in zip(others, found.beside, strict=True):
            b.store(b.zero(kept.type), variable, [])
        values: dict[SSAValue, SSAValue] = {self.loop.iv: row}
        variables = {
            one.variable: room for one, room in zip((found.best, *found.beside), own, strict=True)
        }
        for op in self.loop.block.ops:
            if op in found.copies or isinstance(op, affine.YieldOp):
                continue
            copy = b.insert(op.clone(values))
            if isinstance(copy, affine.ForOp):
                set_facts(copy, NO_FACTS)
                _replace_variables(copy.body.block, variables)
        for variable, room in zip(own, rooms, strict=True):
            b.store(b.load(variable, []), room, [place])

    def _combine(self, rooms: Sequence[SSAValue], place: Linear) -> None:
        """The row's greatest value becomes that of all, if it is greater."""
        b, found = self.builder, self.found
        kept = [(found.between, rooms[0])]
        kept += [(one.variable, room) for one, room in zip(found.beside, rooms[1:], strict=True)]
        new = [b.load(room, [place]) for _, room in kept]
        old = [b.load(variable, []) for variable, _ in kept]
        is_float = not isinstance(found.best.type, IntegerType)
        compare = (arith.CmpfOp if is_float else arith.CmpiOp)(new[0], old[0], found.compare)
        condition = b.insert(compare).result
        for (variable, _), then, orelse in zip(kept, new, old, strict=True):
            b.store(b.insert(arith.SelectOp(condition, then, orelse)).result, variable, [])


def _replace_variables(block: Block, variables: dict[SSAValue, SSAValue]) -> None:
    for op in block.ops:
        if isinstance(op, (affine.LoadOp, affine.StoreOp)) and op.memref in variables:
            number = 0 if isinstance(op, affine.LoadOp) else 1
            op.operands[number] = variables[op.memref]
