"""A loop whose results have closed forms goes, and these stand where its header was."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.branches import Edge
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width
from polyopt.ir.insertion import insert_before


class ClosedLoop:
    """Writes closed forms at the start of the header of a loop that is left by one edge, `exit`,
    out of its header; `end` then takes the loop away. The header stays, and nothing leads back to
    it. Of one that tests behind its body (its only block) nothing else stays."""

    def __init__(self, loop: NaturalLoop, exit: Edge, *, tests_behind: bool = False):
        self._loop = loop
        self._exit = exit
        self._tests_behind = tests_behind
        self._old = list(loop.header.ops)
        self._place = self._old[0]
        self._new = set[Operation]()

    def number(self, number: int, like: SSAValue) -> SSAValue:
        assert isa(like.type, IntegerType)
        return self.add(arith.ConstantOp(IntegerAttr(number, like.type)))

    def resized(self, value: SSAValue, like: SSAValue) -> SSAValue:
        """As a number of the other's type, or its lowest bits."""
        wanted = like.type
        assert isa(wanted, IntegerType)
        width = bit_width(value)
        if width == wanted.width.data:
            return value
        if width < wanted.width.data:
            return self.add(arith.ExtUIOp(value, wanted))
        return self.add(arith.TruncIOp(value, wanted))

    def add(self, op: Operation) -> SSAValue:
        """Its only result."""
        self.add_all(op)
        return op.results[0]

    def add_all(self, op: Operation) -> None:
        insert_before(op, self._place, self._exit.terminator)
        self._new.add(op)

    def end(self, final: Mapping[SSAValue, SSAValue]) -> None:
        """`final`: in place of what the loop computed step by step."""
        for old, new in final.items():
            for use in list(old.uses):
                if use.operation not in self._new:
                    use.operation.operands[use.index] = new
            new.name_hint = new.name_hint or old.name_hint
        self._leave()

    def _leave(self) -> None:
        header, exit = self._loop.header, self._exit
        leaving = cf.BranchOp(exit.target, *exit.values)
        insert_before(leaving, exit.terminator)
        _erase([block for block in self._loop.blocks if block is not header])
        gone = reversed(self._old) if self._tests_behind else [exit.terminator]
        for op in gone:
            header.erase_op(op, safe_erase=False)
        if not self._tests_behind:
            for op in reversed(self._old[:-1]):
                if not any(any(one.uses) for one in op.results):
                    header.erase_op(op)


def _erase(blocks: list[Block]) -> None:
    for block in blocks:
        for op in reversed(list(block.ops)):
            block.erase_op(op, safe_erase=False)
    for block in blocks:
        region = block.parent
        assert region is not None
        region.erase_block(block, safe_erase=False)
