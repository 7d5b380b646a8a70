"""Writes a loop whose steps pass on the vectors that they have read.

for v step L:                        old = the lanes of row[low + base - L] that the loop reads
  x = row[v + base - k]        =>    for v step L:
                                       new = row[v + base]
                                       x = the lanes L - k and on of old and new
                                       old = new
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.loop_facts import set_facts
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lane_shuffles import picked
from polyopt.passes.loops.replacement import move_all, replace_op
from polyopt.passes.loops.transfer_builder import read
from polyopt.passes.loops.transfers.carry_model import Chain
from polyopt.passes.loops.transfers.read_rows import RowReads
from polyopt.support.record import entity


@entity
class CarriedLoop:
    reads: RowReads
    chains: Sequence[Chain]

    def write(self) -> None:
        """In the place of the loop."""
        reads, op = self.reads, self.reads.loop.op
        outside = AffineBuilder(Block(), op)
        first = [value for chain in self.chains for value in self._in_front(outside, chain)]
        old, new = list[SSAValue](), list[SSAValue]()
        for chain in self.chains:
            carried = [
                reads.loop.block.insert_arg(chain.row.type_, len(reads.loop.block.args))
                for _ in range(chain.carried)
            ]
            old += carried
            new += self._share(chain, carried)
        self._close(outside, first, new)

    def _in_front(self, builder: AffineBuilder, chain: Chain) -> list[SSAValue]:
        """What the step before the first one would have read, of that the lanes which the first
        one reads; none if there is no first one."""
        row, reads = chain.row, self.reads
        extent = reads.high - reads.low
        values: list[SSAValue] = []
        for number in range(chain.count, chain.vectors):
            offset = chain.base - number * row.lanes
            begin = max(0, min(chain.made) - offset)
            end = extent * row.lanes if extent.terms else Linear((), row.lanes)
            mask = builder.lanes_between(Linear((), begin), end, row.lanes)
            place = [form.substitute({reads.loop.iv: reads.low}) for form in row.at(offset)]
            values.append(read(builder, row.array, place, row.type_, mask=mask))
        return values

    def _share(self, chain: Chain, carried: Sequence[SSAValue]) -> list[SSAValue]:
        """Reads take their values from the chain's vectors; what the next step is passed."""
        row = chain.row
        made = [op for one in chain.made for op in row.reads[one]]
        first = min(made, key=_position)
        builder = AffineBuilder(Block(), first)
        vectors = [
            read(builder, row.array, row.at(chain.base - number * row.lanes), row.type_)
            for number in range(chain.count)
        ]
        vectors += carried
        starts = [chain.base - number * row.lanes for number in range(len(vectors))]
        for one in chain.made:
            wanted = range(one, one + row.lanes)
            value = picked(builder, vectors, starts, list(wanted))
            for op in row.reads[one]:
                op.result.replace_all_uses_with(value)
        block = first.parent
        assert block is not None
        move_all(builder.block, block, first)
        for op in made:
            op.detach()
            op.erase()
        return vectors[: chain.carried]

    def _close(
        self, outside: AffineBuilder, first: Sequence[SSAValue], new: Sequence[SSAValue]
    ) -> None:
        """The loop with what it carries now."""
        op, facts = self.reads.loop.op, self.reads.loop.facts
        terminator = op.body.block.last_op
        assert isinstance(terminator, affine.YieldOp)
        region = op.detach_region(op.body)
        inits = [*op.inits, *first]
        yielded = affine.YieldOp.get(*terminator.operands, *new)
        region.block.insert_op_before(yielded, terminator)
        terminator.detach()
        terminator.erase()
        loop = affine.ForOp.from_region(
            op.lowerBoundOperands,
            op.upperBoundOperands,
            inits,
            [value.type for value in inits],
            op.lowerBoundMap,
            op.upperBoundMap,
            region,
            op.step,
        )
        outside.insert(loop)
        set_facts(loop, facts)
        for before, after in zip(op.results, loop.results, strict=False):
            before.replace_all_uses_with(after)
        replace_op(op, outside.block)


def _position(op: Operation) -> int:
    block = op.parent
    assert block is not None
    return block.get_operation_index(op)
