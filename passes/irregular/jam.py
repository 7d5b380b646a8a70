"""Several iterations of a loop of blocks side by side.

    header(i):  if (i < n)              first(i):  if (i < n && i+1 < n)
      … loops that end where              … the same loops once, and in them
        the same data say …       =>          all that differs for i and for i+1 …
                                          first(i+2)
                                        header(i):  if (i < n) …

The blocks stay behind the new ones, for the iterations that are left over. The condition of the
loop is asked for one iteration after the other, as C would, so that nothing is known of how it
counts. In each block one iteration is done before the next one.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.branches import Edge
from polyopt.passes.irregular.exchange import Counted
from polyopt.passes.irregular.uniform import Variation

_Values = dict[SSAValue, SSAValue]


def jam(loop: Counted, count: int, variation: Variation) -> None:
    """Requires: its header only computes, nothing in it decides otherwise in another iteration,
    and variables are written by each iteration before it reads them."""
    _Jam(loop, count, variation).write()


class _Jam:
    def __init__(self, loop: Counted, count: int, variation: Variation):
        self.loop = loop
        self.variation = variation
        self.now: list[_Values] = [{} for _ in range(count)]
        """Of each value in the loop, what it is in each of the iterations."""
        self.blocks = {block: Block() for block in loop.loop.blocks}
        """By each block the new one; what comes before another on all ways stands before it."""

    def write(self) -> None:
        header = self.loop.loop.header
        region = header.parent
        assert region is not None
        self._own_variables()
        for block, new in self.blocks.items():
            self._arguments(block, new)
        for block in list(region.blocks):
            if block in self.blocks:
                region.insert_block_before(self.blocks[block], header)
        self._header(header)
        within = [block for block in self.blocks if block is not header]
        for block in within:
            self._operations(block)
        for block in within:
            self._branch(block)
        enters = self.loop.enters
        enters.redirect(self.blocks[header], enters.values)

    def _own_variables(self) -> None:
        """Each iteration has its own; the last one has that of the source, which is read later."""
        for variable in self.variation.variables:
            owner = variable.owner
            if variable not in self.variation.values or not isinstance(owner, memref.AllocaOp):
                continue
            assert owner.parent is not None
            for now in self.now[:-1]:
                owner.parent.insert_op_before(owner.clone(now), owner)

    def _arguments(self, block: Block, new: Block) -> None:
        for argument in block.args:
            differs = argument in self.variation.values and block is not self.loop.loop.header
            first: SSAValue | None = None
            for now in self.now:
                if first is None or differs:
                    first = new.insert_arg(argument.type, len(new.args))
                    first.name_hint = argument.name_hint
                now[argument] = first

    def _operations(self, block: Block) -> None:
        for number in range(len(self.now)):
            self._copy(block.ops, self.blocks[block], number)

    def _copy(self, ops: Iterable[Operation], to: Block, number: int) -> None:
        """What is the same for all is computed for the first iteration."""
        now = self.now[number]
        for op in ops:
            if op.successors:
                continue
            if number == 0 or self.variation.each_anew(op):
                to.add_op(op.clone(now))
            else:
                now |= {one: self.now[0][one] for one in op.results}

    def _header(self, header: Block) -> None:
        """It stays for as long as all of the iterations are to run."""
        new, branch = self.blocks[header], self.loop.branch
        asked: SSAValue | None = None
        for number in range(len(self.now)):
            if number:
                self.now[number][self.loop.counter] = self._after(number - 1, new)
            self._copy(header.ops, new, number)
            stays = self._stays(number, new)
            asked = stays if asked is None else self._both(asked, stays, new)
        assert asked is not None
        body = self.blocks[self.loop.body]
        behind, goes_on = Block(), cf.BranchOp(header, new.args[0])
        behind.add_op(goes_on)
        last = cf.ConditionalBranchOp(asked, body, [], behind, [])
        last.location = goes_on.location = branch.location
        new.add_op(last)
        region = header.parent
        assert region is not None
        region.insert_block_before(behind, header)

    def _stays(self, number: int, new: Block) -> SSAValue:
        branch = self.loop.branch
        stays = self.now[number].get(branch.cond, branch.cond)
        if self.loop.stays_if:
            return stays
        true = arith.ConstantOp(IntegerAttr(1, i1))
        other = arith.XOrIOp(stays, true.result)
        new.add_ops([true, other])
        return other.result

    def _both(self, one: SSAValue, other: SSAValue, new: Block) -> SSAValue:
        """The second is not looked at where the first is false."""
        false = arith.ConstantOp(IntegerAttr(0, i1))
        both = arith.SelectOp(one, other, false.result)
        new.add_ops([false, both])
        return both.result

    def _after(self, number: int, new: Block) -> SSAValue:
        """The counter of the next iteration, computed in the header."""
        known = dict(self.now[number])
        for op in self.loop.computed(self.loop.after):
            if op.parent is not self.loop.loop.header:
                new.add_op(op.clone(known))
        return known.get(self.loop.after, self.loop.after)

    def _branch(self, block: Block) -> None:
        """As in the source, with a value for each iteration where there is one."""
        branch, new = block.last_op, self.blocks[block]
        assert branch is not None
        known = self.now[-1] if branch is self.loop.returns.terminator else self.now[0]
        new.add_op(branch.clone(known, self.blocks))
        for position in range(len(branch.successors)):
            old = Edge(branch, position)
            if old.target is self.loop.loop.header or not old.values:
                continue
            assert new.last_op is not None
            Edge(new.last_op, position).redirect(self.blocks[old.target], self._passed(old))

    def _passed(self, edge: Edge) -> list[SSAValue]:
        return [
            now.get(value, value)
            for argument, value in zip(edge.target.args, edge.values, strict=True)
            for now in (self.now if argument in self.variation.values else self.now[:1])
        ]
