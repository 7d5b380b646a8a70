"""compute-in-turns: what is written in turns is computed in turns, where that takes less."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.pvec_group_transfers import WriteInTurnsOp
from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.pvec_transfers import ReadOp, TransferOp
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import move_all
from polyopt.passes.loops.transfer_builder import write
from polyopt.passes.loops.transfers.places import blocks_with_transfers, place_of
from polyopt.passes.loops.transfers.turn_forms import TurnRow, components_of, moves_of, weaving
from polyopt.passes.loops.transfers.turn_planner import Planner, is_uniform
from polyopt.passes.loops.transfers.turn_writer import TurnWriter
from polyopt.support.record import entity, record


@record
class ComputeInTurnsPass(ModulePass):
    """Compute what is written in turns, such as the parts of complex numbers or the colours of a
    pixel, on vectors of the groups as they lie in memory, where that takes fewer operations than
    to take the components apart and to put results together (`turn_forms.py`): all writes of a
    block, or none of them.

    Requires: reads come in front of the writes that wait for them (`share-transfers`), or else
    other ones take their place.
    Ensures: each element is what the same operation gives, rounded as before; but for the sign of
    what is no number.

        %a = pvec.read %x[%v * 2] by [2] within [0, 1]          %0 = pvec.read %x[%v * 2]
        %b = pvec.read %x[%v * 2 + 1] by [2] within [-1, 0]     %1 = pvec.read %x[%v * 2 + 8]
        %c = arith.mulf %a, %s                             =>   %2 = arith.mulf %0, %s
        %d = arith.mulf %b, %s                                  %3 = arith.mulf %1, %s
        pvec.write_in_turns (%c, %d), %x[%v * 2]                pvec.write %2, …   pvec.write %3, …
    """

    name = "compute-in-turns"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in blocks_with_transfers(op):
            dense = (one for one in block.ops if isinstance(one, WriteInTurnsOp) and one.is_dense)
            for group, lanes in sorted(set(map(_shape, dense))):
                turns = _Turns(block, group, lanes)
                if turns.pays():
                    turns.write()


@entity
class _Turns:
    """The writes of groups of so many elements in a block."""

    block: Block
    group: int
    lanes: int
    firsts: dict[TurnRow, ReadOp] = field(default_factory=dict[TurnRow, ReadOp])

    def __post_init__(self) -> None:
        dense = [op for op in self.block.ops if isinstance(op, WriteInTurnsOp) and op.is_dense]
        self.writes = [op for op in dense if _shape(op) == (self.group, self.lanes)]
        self.planner = Planner(self._rows())
        self.roots = [self.planner.plan(op.values) for op in self.writes]

    def _rows(self) -> dict[SSAValue, tuple[TurnRow, int]]:
        """Which component of which row each read is, of rows of which all is read or may be."""
        found: dict[SSAValue, tuple[TurnRow, int]] = {}
        written: list[SSAValue | None] = []
        for op in self.block.ops:
            if isinstance(op, ReadOp):
                row = self._row_of(op, written)
                if row is not None:
                    found[op.result] = row
                    self.firsts.setdefault(row[0], op)
            elif isinstance(op, TransferOp) and not op.results:
                written.append(op.memref)
            elif not is_pure(op):
                written.append(None)
        return found

    def _row_of(self, op: ReadOp, written: Iterable[SSAValue | None]) -> tuple[TurnRow, int] | None:
        window = op.within
        if not window or op.mask is not None or lanes_of(op.result) != self.lanes:
            return None
        is_whole = window[-1] - window[0] == self.group - 1
        forms = linear_forms(op.map.data, op.indices)
        if op.distances[-1] != self.group or not is_whole or forms is None:
            return None
        epoch = sum(1 for one in written if one is None or may_overlap(one, op.memref))
        *outer, last = forms
        return TurnRow(op.memref, (*outer, last + Linear((), window[0])), epoch), -window[0]

    def pays(self) -> bool:
        """Fewer operations than those that nobody asks for any more."""
        reached = list(self.planner.reached(self.roots))
        after = self.group * sum(moves_of(form, self.group, self.lanes) for _, form in reached)
        apart = {one for key, form in reached for one in components_of(key, form)}
        gone = self._gone(apart)
        together = self.group * weaving(self.group, self.lanes) * len(self.writes)
        return after < sum(map(self._work, gone)) + together

    def _gone(self, apart: Iterable[SSAValue]) -> list[Operation]:
        """What is needed for nothing but the writes, but for the components computed apart."""
        others = [one for one in self.block.ops if not self._may_go(one) and one not in self.writes]
        wanted = {value.owner for value in apart}
        wanted |= {operand.owner for one in others for op in one.walk() for operand in op.operands}
        found: list[Operation] = []
        for op in reversed(list(self.block.ops)):
            if op in self.writes or not self._may_go(op):
                continue
            if op in wanted:
                wanted |= {operand.owner for operand in op.operands}
            else:
                found.append(op)
        return found

    def _may_go(self, op: Operation) -> bool:
        return isinstance(op, ReadOp) or is_pure(op)

    def _work(self, op: Operation) -> float:
        """Operations of vectors; a read of what lies around takes its share of the shuffles."""
        if isinstance(op, ReadOp):
            is_near = bool(op.within) and lanes_of(op.result) == self.lanes
            return weaving(self.group, self.lanes) if is_near else 0.0
        if not op.results or is_uniform(op.results[0]) or not op.operands:
            return 0.0
        return 1.0 if isinstance(op.results[0].type, VectorType) else 0.0

    def write(self) -> None:
        forms = self.planner.forms
        builder = AffineBuilder(Block(), self.writes[0])
        writer = TurnWriter(builder, forms, self.firsts, self.group, self.lanes)
        for op, key in zip(self.writes, self.roots, strict=True):
            builder.block, builder.like = Block(), op
            *outer, last = place_of(op, builder)
            for part, value in enumerate(writer.parts(key)):
                at = [*outer, last + Linear((), part * self.lanes)]
                write(builder, value, op.memref, at)
            move_all(builder.block, self.block, op)
            op.detach()
            op.erase()
        for op in reversed(list(self.block.ops)):
            is_used = any(one.first_use is not None for one in op.results)
            if op.results and not is_used and self._may_go(op):
                op.detach()
                op.erase()


def _shape(op: WriteInTurnsOp) -> tuple[int, int]:
    """How many vectors, of how many lanes."""
    return len(op.values), lanes_of(op.values[0])
