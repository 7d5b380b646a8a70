"""What an operation may do besides computing its results."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, sub
from typing import cast

from xdsl.dialects import arith, func, memref, scf, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    is_side_effect_free,
)
from xdsl.utils.hints import isa

from polyopt.dialects.poly import PURE_CALL, READING_CALL

_DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)
_FOLDED: dict[type, Callable[[int, int], int]] = {
    arith.AddiOp: add,
    arith.SubiOp: sub,
    arith.MuliOp: mul,
    arith.MaxSIOp: max,
    arith.MinSIOp: min,
}
_COMPUTING = ("arith.", "math.")
"""Dialects all of whose operations are pure; by name, for `math` takes long to load."""


def is_pure(op: Operation) -> bool:
    """The results are a function of the operands; running it twice or never is unobservable as
    long as it runs only where C runs it."""
    known = _PURE[type(op)]
    if known is not None:
        return known
    if isinstance(op, func.CallOp):
        return PURE_CALL in op.attributes
    return not op.regions and not op.successors and is_side_effect_free(op)


class _PureClasses(dict[type[Operation], "bool | None"]):
    """What is so of all operations of a class, as its traits have it, None where each has to be
    asked: passes ask a million times of a long program."""

    def __missing__(self, cls: type[Operation]) -> bool | None:
        known = self[cls] = _is_class_pure(cls)
        return known


_PURE = _PureClasses()
_ALWAYS = (MemoryReadEffect, MemoryWriteEffect, MemoryAllocEffect, MemoryFreeEffect)


def _is_class_pure(cls: type[Operation]) -> bool | None:
    if cls.name.startswith(_COMPUTING):
        return True
    effects = cls.get_traits_of_type(MemoryEffect)
    if issubclass(cls, func.CallOp) or not issubclass(cls, IRDLOperation):
        return None
    if not effects or any(isinstance(one, _ALWAYS) for one in effects):
        return False
    shape = cls.get_irdl_definition()
    has_parts = bool(shape.regions or shape.successors)
    is_plain = all(isinstance(one, NoMemoryEffect) for one in effects)
    return True if is_plain and not has_parts else None


def is_pure_here(op: Operation) -> bool:
    """Pure wherever nothing writes what it reads: a call that changes nothing is, too."""
    return is_pure(op) or READING_CALL in op.attributes


def passes_values(call: func.CallOp) -> bool:
    """It gives a value, and is given no address: it may be one that only computes."""
    return bool(call.results) and not pointers_passed(call)


def pointers_passed(call: func.CallOp) -> list[SSAValue]:
    return [one for one in call.arguments if isinstance(one.type, LLVMPointerType | MemRefType)]


def accesses_in(op: Operation) -> list[memref.LoadOp | memref.StoreOp]:
    """The loads and stores that an operation is, or that stand in it."""
    if isinstance(op, memref.LoadOp | memref.StoreOp):
        return [op]
    if not op.regions:
        return []
    return [inner for inner in op.walk() if isinstance(inner, memref.LoadOp | memref.StoreOp)]


def is_access(op: Operation) -> bool:
    """A load or a store, or a conditional with nothing in it but pure operations and accesses."""
    if isinstance(op, memref.LoadOp | memref.StoreOp):
        return True
    return isinstance(op, scf.IfOp) and all(
        is_pure(inner) or is_access(inner) or isinstance(inner, scf.YieldOp)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def is_speculatable(op: Operation) -> bool:
    """Pure, cheap and defined for every operand: it may run where C does not run it."""
    if isinstance(op, func.CallOp):
        return False
    if isinstance(op, _DIVISIONS):
        divisor = constant_integer(op.operands[1])
        return divisor is not None and divisor not in (0, -1)
    return is_pure(op)


def constant_integer(value: SSAValue) -> int | None:
    """The signed value of an integer constant."""
    op = value.owner
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, IntegerAttr):
        return None
    return as_signed(op.value.value.data, bit_width(value))


def constant_in_all_lanes(value: SSAValue) -> int | None:
    """The integer that each lane of a vector is."""
    op = value.owner
    if isinstance(op, vector.BroadcastOp):
        return constant_integer(op.source)
    if isinstance(op, arith.ConstantOp) and isa(op.value, DenseIntOrFPElementsAttr):
        numbers = set(cast("tuple[int, ...]", op.value.get_values()))
        return numbers.pop() if len(numbers) == 1 else None
    return None


def folded_integer(op: object, known: Callable[[SSAValue], int | None]) -> int | None:
    """The number that an operation on numbers gives, where `known` tells what its operands are;
    nothing wraps."""
    match op:
        case arith.IndexCastOp() | arith.ExtSIOp():
            return known(op.input)
        case arith.ExtUIOp():
            number = known(op.input)
            return None if number is None else number & ((1 << bit_width(op.input)) - 1)
        case arith.ShLIOp():
            number, by = known(op.lhs), known(op.rhs)
            if number is None or by is None or not 0 <= by < bit_width(op.result):
                return None
            return number << by
        case _ if type(op) in _FOLDED:
            left, right = (known(operand) for operand in cast("Operation", op).operands)
            return None if left is None or right is None else _FOLDED[type(op)](left, right)
        case _:
            return None


def bit_width(value: SSAValue) -> int:
    """The width of an integer; an index, and the address that a pointer or a memref is, have 64
    bits."""
    if isinstance(value.type, IndexType | LLVMPointerType | MemRefType):
        return 64
    assert isa(value.type, IntegerType), value
    return value.type.width.data


def is_wide(type: Attribute) -> bool:
    """An integer that no index holds: nothing is counted by it, and no bound is said with it."""
    return isa(type, IntegerType) and type.width.data > 64


def as_signed(number: int, bits: int) -> int:
    """The two's complement number of `bits` bits that is congruent to `number`."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number
