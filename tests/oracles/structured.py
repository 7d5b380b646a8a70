"""An oracle: run structured IR (affine, scf, arith, memref) directly, slowly and plainly.

Affine maps and sets are evaluated on Python integers by their definition, so that lowered and
original code can be compared by what they do. Memory is a dictionary; every access is recorded.
Index arithmetic that leaves 64 bits, and a read of a value before it is defined, are errors.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, MemRefType, ModuleOp, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintKind

from polyopt.dialects.cmem import DistinctObjectsOp
from polyopt.ir.effects import bit_width

Number = int | float
Event = tuple[str, str, tuple[int, ...], Number]
"""("load" or "store", array, element, value)."""

LIMIT = 1 << 63


@dataclass
class Memory:
    """Elements that nobody wrote hold a number that tells them apart."""

    elements: dict[tuple[str, tuple[int, ...]], Number] = field(default_factory=dict[Any, Any])
    events: list[Event] = field(default_factory=list[Event])

    def load(self, array: str, element: tuple[int, ...]) -> Number:
        default = (hash((array, element)) % 1009) / 8
        value = self.elements.get((array, element), default)
        self.events.append(("load", array, element, value))
        return value

    def store(self, array: str, element: tuple[int, ...], value: Number) -> None:
        self.elements[array, element] = value
        self.events.append(("store", array, element, value))

    def of_arguments(self) -> list[Event]:
        """The events of arrays that came in, without those of the function's own variables."""
        return [event for event in self.events if not event[1].startswith("alloca")]


def run(module: ModuleOp, *arguments: Number, function: str | None = None) -> Memory:
    """Call the module's function (the first one, or that of the name); memref arguments are
    left out of `arguments` and get their names."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    callee = next(f for f in functions if function in (None, f.sym_name.data))
    machine = _Machine()
    rest = iter(arguments)
    for k, argument in enumerate(callee.body.block.args):
        is_memory = isinstance(argument.type, MemRefType)
        machine.values[argument] = (argument.name_hint or f"arg{k}") if is_memory else next(rest)
    machine.block(callee.body.block)
    return machine.memory


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _signed(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def _index(value: int) -> int:
    assert -LIMIT <= value < LIMIT, "index arithmetic wraps"
    return value


BINARY: dict[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddiOp: lambda a, b: _index(a + b),
    arith.SubiOp: lambda a, b: _index(a - b),
    arith.MuliOp: lambda a, b: _index(a * b),
    arith.DivSIOp: _truncated,
    arith.RemSIOp: lambda a, b: a - b * _truncated(a, b),
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.DivUIOp: lambda a, b: a % (2 * LIMIT) // b,
    arith.RemUIOp: lambda a, b: a % (2 * LIMIT) % b,
    arith.ShLIOp: lambda a, b: _index(a << b),
    arith.ShRUIOp: lambda a, b: a % (2 * LIMIT) >> b,
    arith.ShRSIOp: lambda a, b: a >> b,
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
    arith.MaxSIOp: max,
    arith.MinSIOp: min,
    arith.AddfOp: operator.add,
    arith.SubfOp: operator.sub,
    arith.MulfOp: operator.mul,
}
PREDICATES: dict[int, Callable[[int, int], bool]] = {
    0: operator.eq,
    1: operator.ne,
    2: operator.lt,
    3: operator.le,
    4: operator.gt,
    5: operator.ge,
}


_ENDS = scf.YieldOp | affine.YieldOp | func.ReturnOp | scf.ReduceReturnOp


@dataclass
class _Machine:
    values: dict[SSAValue, Any] = field(default_factory=dict[SSAValue, Any])
    memory: Memory = field(default_factory=Memory)
    allocated: int = 0

    def all(self, values: Iterable[SSAValue]) -> list[Any]:
        return [self.values[value] for value in values]

    def block(self, block: Block) -> list[Any]:
        """Run a block; what its terminator passes on."""
        for op in block.ops:
            if isinstance(op, _ENDS):
                return self.all(op.operands)
            for result, value in zip(op.results, self.operation(op), strict=True):
                self.values[result] = value
        return []

    def operation(self, op: Operation) -> Sequence[Any]:
        if type(op) in BINARY:
            left, right = self.all(op.operands)
            return [BINARY[type(op)](left, right)]
        match op:
            case arith.ConstantOp(value=IntegerAttr() as constant):
                return [constant.value.data & 1 if op.result.type == i1 else constant.value.data]
            case arith.ConstantOp(value=FloatAttr() as constant):
                return [constant.value.data]
            case arith.CmpiOp():
                left, right = self.all(op.operands)
                return [int(PREDICATES[op.predicate.value.data](left, right))]
            case arith.SelectOp():
                test, yes, no = self.all(op.operands)
                return [yes if test else no]
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.TruncIOp():
                return [_signed(self.values[op.input], bit_width(op.results[0]))]
            case arith.ExtUIOp():
                return [self.values[op.input] % (1 << bit_width(op.input))]
            case affine.ApplyOp():
                return self.map(op.map.data, op.mapOperands)
            case affine.MinOp():
                return [min(self.map(op.map.data, op.arguments))]
            case affine.LoadOp():
                element = tuple(self.map(op.map.data, op.indices))
                return [self.memory.load(self.values[op.memref], element)]
            case affine.StoreOp():
                element = tuple(self.map(op.map.data, op.indices))
                self.memory.store(self.values[op.memref], element, self.values[op.value])
            case memref.LoadOp():
                return [self.memory.load(self.values[op.memref], tuple(self.all(op.indices)))]
            case memref.StoreOp():
                element = tuple(self.all(op.indices))
                self.memory.store(self.values[op.memref], element, self.values[op.value])
            case memref.AllocaOp():
                self.allocated += 1
                return [f"alloca{self.allocated}"]
            case DistinctObjectsOp():
                return self.all(op.memrefs)
            case affine.ForOp():
                lower = max(self.map(op.lowerBoundMap.data, op.lowerBoundOperands))
                upper = min(self.map(op.upperBoundMap.data, op.upperBoundOperands))
                return self.loop(op.body, range(lower, upper, op.step.value.data), op.inits)
            case scf.ForOp():
                lower, upper, step = self.all((op.lb, op.ub, op.step))
                return self.loop(op.body, range(lower, upper, step), op.iter_args)
            case affine.ParallelOp():
                self.parallel(op)
            case scf.ParallelOp():
                bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
                carried = self.all(op.initVals)
                self.nest(op.body.block, [range(*self.all(one)) for one in bounds], [], carried)
                return carried
            case affine.IfOp():
                region = op.then_region if self.contains(op) else op.else_region
                return self.block(region.block) if region.blocks else []
            case scf.IfOp():
                region = op.true_region if self.values[op.cond] else op.false_region
                return self.block(region.block) if region.blocks else []
            case _:
                raise NotImplementedError(op.name)
        return []

    def map(self, map: Any, operands: Iterable[SSAValue]) -> list[int]:
        values = self.all(operands)
        return list(map.eval(values[: map.num_dims], values[map.num_dims :]))

    def contains(self, op: affine.IfOp) -> bool:
        set = op.condition.data
        values = self.all(op.args)
        dims, symbols = values[: set.num_dims], values[set.num_dims :]
        tests = {
            AffineConstraintKind.ge: operator.ge,
            AffineConstraintKind.le: operator.le,
            AffineConstraintKind.eq: operator.eq,
        }
        return all(
            tests[one.kind](one.lhs.eval(dims, symbols), one.rhs.eval(dims, symbols))
            for one in set.constraints
        )

    def loop(self, body: Region, range: range, inits: Iterable[SSAValue]) -> list[Any]:
        carried = self.all(inits)
        for iteration in range:
            for argument, value in zip(body.block.args, [iteration, *carried], strict=True):
                self.values[argument] = value
            carried = self.block(body.block)
        return carried

    def parallel(self, op: affine.ParallelOp) -> None:
        cut = op.lowerBoundsMap.data.num_dims + op.lowerBoundsMap.data.num_symbols
        lowers = iter(self.map(op.lowerBoundsMap.data, op.map_operands[:cut]))
        uppers = iter(self.map(op.upperBoundsMap.data, op.map_operands[cut:]))
        ranges: list[range] = []
        for low, high, step in zip(
            op.lowerBoundsGroups.get_values(),
            op.upperBoundsGroups.get_values(),
            op.steps,
            strict=True,
        ):
            lower = max(next(lowers) for _ in range(int(low)))
            upper = min(next(uppers) for _ in range(int(high)))
            ranges.append(range(lower, upper, step.value.data))
        self.nest(op.body.block, ranges, [])

    def nest(
        self,
        block: Block,
        ranges: Sequence[range],
        point: list[int],
        carried: list[Any] | None = None,
    ) -> None:
        if ranges:
            for iteration in ranges[0]:
                self.nest(block, ranges[1:], [*point, iteration], carried)
            return
        self.values.update(zip(block.args, point, strict=True))
        for op in block.ops:
            if isinstance(op, scf.ReduceOp) and carried is not None:
                for k, (region, value) in enumerate(zip(op.reductions, op.args, strict=True)):
                    pair = (carried[k], self.values[value])
                    self.values.update(zip(region.block.args, pair, strict=True))
                    (carried[k],) = self.block(region.block)
            elif not isinstance(op, affine.YieldOp):
                for result, value in zip(op.results, self.operation(op), strict=True):
                    self.values[result] = value
