"""Code of the source's level, block by block: `cf` loops and branches, from front to back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, LocationAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polyopt.dialects import cmem

INDEX = IndexType()


class BlockCode:
    """Adds operations at the end of `block`, the last one of `blocks`, all from one place in the
    source."""

    def __init__(self, block: Block, location: LocationAttr):
        self.blocks = [block]
        self.location = location

    @property
    def block(self) -> Block:
        return self.blocks[-1]

    def put(self, op: Operation) -> None:
        op.location = self.location
        self.block.add_op(op)

    def value(self, op: Operation) -> SSAValue:
        self.put(op)
        return op.results[0]

    def constant(self, value: Attribute) -> SSAValue:
        return self.value(arith.ConstantOp(value))  # pyright: ignore[reportArgumentType]

    def number(self, number: int, type: IntegerType | IndexType = i64) -> SSAValue:
        return self.constant(IntegerAttr(number, type))

    def index(self, value: SSAValue) -> SSAValue:
        return value if value.type == INDEX else self.value(arith.IndexCastOp(value, INDEX))

    def add(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.value(arith.AddiOp(left, right))

    def times(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.value(arith.MuliOp(left, right))

    def load(self, array: SSAValue, *indices: SSAValue) -> SSAValue:
        return self.value(memref.LoadOp.get(array, list(indices)))

    def store(self, value: SSAValue, array: SSAValue, *indices: SSAValue) -> None:
        self.put(memref.StoreOp.get(value, array, list(indices)))

    def start(self, block: Block) -> None:
        """Go on in another block."""
        self.blocks.append(block)

    def count(
        self,
        end: SSAValue,
        started: Sequence[SSAValue],
        body: Callable[[SSAValue, Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> list[SSAValue]:
        """`body` for each index from 0 to before `end`, which is given what the last one left and
        leaves as much; what there is then."""
        zero, one = self.number(0, INDEX), self.number(1, INDEX)
        header = Block(arg_types=[INDEX, *(value.type for value in started)])
        inside, after = Block(), Block()
        self.put(cf.BranchOp(header, zero, *started))
        self.start(header)
        number, *carried = header.args
        goes_on = self.value(arith.CmpiOp(number, end, "slt"))
        self.put(cf.ConditionalBranchOp(goes_on, inside, [], after, []))
        self.start(inside)
        left = body(number, carried)
        following = self.add(number, one)
        again = cf.BranchOp(header, following, *left)
        again.attributes[cmem.PROGRESS] = UnitAttr()
        self.put(again)
        self.start(after)
        return list(carried)
