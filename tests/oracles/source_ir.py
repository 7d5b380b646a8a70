"""An oracle: run source IR (func, cf, arith, memref, cmem) directly, slowly and plainly.

Integers are kept as the signed number of their bits, pointers are numbers, memory is a dictionary
from addresses to values. After each block that has run, a visitor sees the values so far and how
often the back edge of each loop around was taken.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from xdsl.dialects import arith, cf, func, memref, scf, ub
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.branches import Edge
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import as_signed, bit_width
from polyopt.ir.expressions.shapes import element_bytes

Values = dict[SSAValue, Any]
Counters = Mapping[NaturalLoop, int]
Visitor = Callable[[Block, Values, Counters], None]

OBJECT_BYTES = 1 << 20


class TooLong(Exception):
    """The program takes more steps than the test wants to wait for."""


class Undefined(Exception):
    """C does not define what the program does."""


@dataclass(frozen=True)
class Array:
    """A memref: the address of its first element and the bytes between neighbours."""

    address: int
    strides: tuple[int, ...]

    def element(self, indices: Sequence[int]) -> int:
        return self.address + sum(map(operator.mul, indices, self.strides))


def _truncated(a: int, b: int) -> int:
    if b == 0:
        raise Undefined
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_EXACT: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
    arith.DivSIOp: _truncated,
    arith.RemSIOp: lambda a, b: a - b * _truncated(a, b),
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.ShLIOp: lambda a, b: a << b,
    arith.ShRSIOp: lambda a, b: a >> b,
}
_UNSIGNED: dict[type[Operation], Callable[[int, int], int]] = {
    arith.DivUIOp: lambda a, b: a // b,
    arith.RemUIOp: lambda a, b: a % b,
    arith.ShRUIOp: lambda a, b: a >> b,
    arith.MinUIOp: min,
    arith.MaxUIOp: max,
}
_FLOAT: dict[type[Operation], Callable[[float, float], float]] = {
    arith.AddfOp: lambda a, b: a + b,
    arith.SubfOp: lambda a, b: a - b,
    arith.MulfOp: lambda a, b: a * b,
    arith.DivfOp: lambda a, b: a / b,
}
_PREDICATES = (
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
    *(operator.lt, operator.le, operator.gt, operator.ge),
)
_FLOAT_ORDER = (operator.eq, operator.gt, operator.ge, operator.lt, operator.le, operator.ne)
_FLOAT_PREDICATES = {
    first + k: compare for first in (1, 8) for k, compare in enumerate(_FLOAT_ORDER)
}
"""Ordered and unordered: there are no NaNs here."""


@dataclass
class SourceRun:
    """One run of a function. `memory` may be filled before; `steps` bounds the operations."""

    memory: dict[int, Any] = field(default_factory=dict[int, Any])
    steps: int = 20_000
    visit: Visitor = lambda block, values, counters: None
    values: Values = field(default_factory=Values)
    counters: dict[NaturalLoop, int] = field(default_factory=dict[NaturalLoop, int])
    _objects: count[int] = field(default_factory=lambda: count(1000))

    def run(self, flow: ControlFlow, arguments: Sequence[Any]) -> Sequence[Any]:
        """Run the function whose control flow is given; gives what it returns."""
        block = flow.cfg.blocks[0]
        self.values.update(zip(block.args, arguments, strict=True))
        while True:
            edge = self.run_block(block)
            self.visit(block, self.values, self.counters)
            if edge is None:
                assert isinstance(block.last_op, func.ReturnOp)
                return [self.values[v] for v in block.last_op.arguments]
            passed = [self.values[value] for value in edge.values]
            self._count(flow, edge)
            block = edge.target
            self.values.update(zip(block.args, passed, strict=True))

    def run_block(self, block: Block) -> Edge | None:
        for op in block.ops:
            self.steps -= 1
            if self.steps < 0:
                raise TooLong
            if op is block.last_op:
                return self._taken(op)
            self.step(op)
        return None

    def _count(self, flow: ControlFlow, edge: Edge) -> None:
        loop = flow.loops.innermost(edge.target)
        if loop is not None and loop.header is edge.target:
            again = edge.source in loop
            self.counters[loop] = self.counters[loop] + 1 if again else 0

    def _taken(self, op: Operation) -> Edge | None:
        match op:
            case func.ReturnOp():
                return None
            case cf.ConditionalBranchOp():
                return Edge(op, 0 if self.values[op.cond] else 1)
            case cf.SwitchOp():
                numbers = list(op.case_values.get_values()) if op.case_values else []
                flag = self.values[op.flag]
                return Edge(op, numbers.index(flag) + 1 if flag in numbers else 0)
            case _:
                return Edge(op, 0)

    def step(self, op: Operation) -> None:
        """Run one operation that is no terminator."""
        values = self.values
        operands = [values[value] for value in op.operands]
        kind = type(op)
        match op:
            case memref.StoreOp():
                self.memory[operands[1].element(operands[2:])] = operands[0]
                return
            case scf.IfOp():
                self._decide(op)
                return
            case _:
                result = op.results[0]
        if kind in _EXACT:
            self._integer(op, _EXACT[kind](*operands))
            return
        if kind in _UNSIGNED:
            mask = (1 << bit_width(result)) - 1
            self._integer(op, _UNSIGNED[kind](operands[0] & mask, operands[1] & mask))
            return
        if kind in _FLOAT:
            values[result] = _FLOAT[kind](*operands)
            return
        values[result] = self._other(op, operands)

    def _decide(self, op: scf.IfOp) -> None:
        region = op.regions[0 if self.values[op.cond] else 1]
        for block in region.blocks:
            for inner in block.ops:
                if isinstance(inner, scf.YieldOp):
                    passed = [self.values[value] for value in inner.operands]
                    self.values.update(zip(op.results, passed, strict=True))
                else:
                    self.step(inner)

    def _integer(self, op: Operation, number: int) -> None:
        wrapped = as_signed(number, bit_width(op.results[0]))
        flags = op.properties.get("overflowFlags")
        if number != wrapped and flags is not None and "nsw" in str(flags):
            raise Undefined
        self.values[op.results[0]] = wrapped

    def _other(self, op: Operation, operands: Sequence[Any]) -> Any:
        match op:
            case arith.ConstantOp():
                if isinstance(op.value, IntegerAttr):
                    return as_signed(op.value.value.data, bit_width(op.result))
                assert isinstance(op.value, FloatAttr)
                return op.value.value.data
            case arith.CmpiOp():
                predicate = op.predicate.value.data
                if predicate >= 6:
                    mask = (1 << bit_width(op.lhs)) - 1
                    operands = [operand & mask for operand in operands]
                return -1 if _PREDICATES[predicate](*operands) else 0
            case arith.CmpfOp():
                return -1 if _FLOAT_PREDICATES[op.predicate.value.data](*operands) else 0
            case arith.SelectOp():
                return operands[1] if operands[0] else operands[2]
            case arith.ExtUIOp():
                return operands[0] & ((1 << bit_width(op.input)) - 1)
            case arith.ExtSIOp():
                return operands[0]
            case arith.TruncIOp() | arith.IndexCastOp():
                return as_signed(operands[0], bit_width(op.result))
            case arith.SIToFPOp():
                return float(operands[0])
            case arith.UIToFPOp():
                return float(operands[0] & ((1 << bit_width(op.input)) - 1))
            case arith.FPToSIOp() | arith.FPToUIOp():
                return as_signed(int(operands[0]), bit_width(op.result))
            case cmem.PtrToIntOp() | cmem.IntToPtrOp():
                return operands[0]
            case cmem.OffsetOp():
                return operands[0] + operands[1] * op.stride.value.data
            case cmem.AddressOp():
                return operands[0].element(operands[1:])
            case cmem.ViewOp():
                return self._array(operands[0], op.result, [None, *operands[1:]])
            case memref.AllocaOp():
                return self._array(next(self._objects) * OBJECT_BYTES, op.memref, operands)
            case memref.LoadOp():
                address = operands[0].element(operands[1:])
                if address not in self.memory:
                    raise Undefined
                return self.memory[address]
            case cmem.DistinctObjectsOp():
                for result, operand in zip(op.res, operands, strict=True):
                    self.values[result] = operand
                return operands[0]
            case ub.PoisonOp():
                return 0
            case _:
                raise NotImplementedError(op.name)

    def _array(self, address: int, array: SSAValue, dynamic: Sequence[int | None]) -> Array:
        shape = memref_type(array).get_shape()
        sizes = list(dynamic)
        if shape and shape[0] != DYNAMIC_INDEX and sizes[:1] == [None]:
            sizes.pop(0)
        extents = [sizes.pop(0) if e == DYNAMIC_INDEX else e for e in shape]
        size = element_bytes(memref_type(array).element_type)
        assert size is not None
        strides: list[int] = []
        for extent in reversed(extents):
            strides.append(size)
            size *= extent or 0
        return Array(address, tuple(reversed(strides)))
