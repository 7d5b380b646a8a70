"""Operations written in a row at one place of a function, and calls of what a runtime has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem

Op = TypeVar("Op", bound=Operation)
INDEX = IndexType()
PTR = cmem.PTR
LOCK_SIZE, LOCK_ALIGNMENT = 32, 8
"""GNU's runtime keeps a pointer in a named lock, LLVM's four."""


class Names:
    """The symbols of a module, and new ones."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.known = {
            name.data
            for op in module.ops
            if isinstance(name := op.properties.get("sym_name"), StringAttr)
        }

    def new(self, stem: str) -> str:
        number = 0
        while f"{stem}.{number}" in self.known:
            number += 1
        self.known.add(f"{stem}.{number}")
        return f"{stem}.{number}"

    def declare(
        self,
        name: str,
        inputs: Sequence[Attribute],
        outputs: Sequence[Attribute],
        *,
        is_variadic: bool = False,
    ) -> None:
        """A function that is defined elsewhere."""
        if name in self.known:
            return
        self.known.add(name)
        type = FunctionType.from_lists(inputs, outputs)
        function = func.FuncOp(name, type, Region(), "private")
        if is_variadic:
            function.attributes["cmem.variadic"] = UnitAttr()
        self._add(function)

    def lock(self, critical: str) -> str:
        """The lock of critical regions of this name, the same in all files of a program."""
        name = f".gomp_critical_user_{critical}"
        if name not in self.known:
            self.known.add(name)
            self._add(cmem.GlobalOp(name, LOCK_SIZE, LOCK_ALIGNMENT, linkage="common"))
        return name

    def _add(self, op: Operation) -> None:
        block = self.module.body.block
        first = block.first_op
        if first is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, first)


class Writer:
    """Adds operations at the end of `block`, all from one place in the source."""

    def __init__(self, names: Names, block: Block, location: LocationAttr):
        self.names = names
        self.block = block
        self.location = location

    def at(self, block: Block) -> Writer:
        return Writer(self.names, block, self.location)

    def add(self, op: Op) -> Op:
        op.location = self.location
        self.block.add_op(op)
        return op

    def slot(self, type: MemRefType) -> SSAValue:
        """Storage of the function, for as long as it runs."""
        op = memref.AllocaOp.build(
            operands=[[], []], result_types=[type], properties={"alignment": None}
        )
        op.location = self.location
        region = self.block.parent
        entry = None if region is None else region.blocks.first
        if entry is None or entry.first_op is None:
            return self.add(op).memref
        entry.insert_op_before(op, entry.first_op)
        return op.memref

    def constant(self, value: int, type: IntegerType | IndexType = i64) -> SSAValue:
        return self.add(arith.ConstantOp(IntegerAttr(value, type))).result

    def call(
        self, name: str, arguments: Sequence[SSAValue] = (), outputs: Sequence[Attribute] = ()
    ) -> Sequence[SSAValue]:
        self.names.declare(name, [value.type for value in arguments], outputs)
        return self.add(func.CallOp(name, list(arguments), outputs)).results

    def call_variadic(self, name: str, arguments: Sequence[SSAValue]) -> None:
        """A function that takes one argument of this type, or more."""
        self.names.declare(name, [arguments[0].type], (), is_variadic=True)
        self.add(cmem.CallVariadicOp(name, 1, list(arguments), ()))

    def truth_of(self, name: str, arguments: Sequence[SSAValue] = ()) -> SSAValue:
        """The _Bool that a function of the runtime returns, as an i1."""
        value = self.call(name, arguments, [i8])[0]
        return self.compare("ne", value, self.constant(0, i8))

    def compare(self, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.add(arith.CmpiOp(left, right, predicate)).result

    def select(self, condition: SSAValue, first: SSAValue, second: SSAValue) -> SSAValue:
        return self.add(arith.SelectOp(condition, first, second)).result

    def plus(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.add(arith.AddiOp(left, right)).result

    def minus(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.add(arith.SubiOp(left, right)).result

    def times(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.add(arith.MuliOp(left, right)).result

    def to_i64(self, value: SSAValue, *, signed: bool = True) -> SSAValue:
        type = value.type
        if isinstance(type, IndexType):
            return self.add(arith.IndexCastOp(value, i64)).result
        if type == i64:
            return value
        return self.add((arith.ExtSIOp if signed else arith.ExtUIOp)(value, i64)).result

    def from_i64(self, value: SSAValue, type: Attribute) -> SSAValue:
        if type == i64:
            return value
        if isinstance(type, IndexType):
            return self.add(arith.IndexCastOp(value, INDEX)).result
        assert isa(type, IntegerType)
        return self.add(arith.TruncIOp(value, type)).result

    def number_of(self, name: str) -> SSAValue:
        """An int that a function of the runtime returns, as an index."""
        value = self.call(name, (), [i32])[0]
        return self.add(arith.IndexCastOp(value, INDEX)).result

    def jump(self, target: Block, *values: SSAValue) -> None:
        self.add(cf.BranchOp(target, *values))

    def branch(
        self,
        condition: SSAValue,
        if_true: Block,
        if_false: Block,
        true_values: Sequence[SSAValue] = (),
        false_values: Sequence[SSAValue] = (),
    ) -> None:
        self.add(cf.ConditionalBranchOp(condition, if_true, true_values, if_false, false_values))
