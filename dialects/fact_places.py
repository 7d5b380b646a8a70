"""Which operations may hold which facts: what the attributes of `loop_facts` cannot say themselves.

An attribute whose name begins with `poly.` on an operation of another dialect is a fact that later
stages rely on. One with a name that nobody reads is a misspelt one, and would be lost in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects import affine, arith, cf, func, math, memref, scf, vector
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Attribute, Data, Operation
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.loop_facts import LOOP, ROUNDING, LoopAttr, LoopFacts, RoundingAttr
from polyopt.dialects.poly import (
    AS_WRITTEN,
    COPY_OF,
    FAR_FROM_LOOPS,
    FOR_LITTLE,
    PURE_CALL,
    READING_CALL,
    TIMED,
    WRITTEN_ANEW,
)

_Holder = Callable[[Operation], bool]


def _is_one_of(*classes: type[Operation]) -> _Holder:
    return lambda op: isinstance(op, classes)


def _computes(op: Operation) -> bool:
    return op.dialect_name() in (arith.Arith.name, math.Math.name, vector.Vector.name)


_Kind = type[Data[Any]] | type[UnitAttr] | tuple[type[Attribute], ...]

_PLACES: Mapping[str, tuple[_Kind, _Holder, str]] = {
    LOOP: (LoopAttr, _is_one_of(affine.ForOp, affine.ParallelOp, scf.ForOp), "a loop"),
    ROUNDING: (RoundingAttr, _computes, "an operation that computes"),
    FOR_LITTLE: (UnitAttr, _is_one_of(scf.IfOp, cf.ConditionalBranchOp), "a conditional"),
    AS_WRITTEN: (UnitAttr, _is_one_of(ModuleOp), "a module"),
    WRITTEN_ANEW: (UnitAttr, _is_one_of(func.FuncOp), "a function"),
    FAR_FROM_LOOPS: (UnitAttr, _is_one_of(func.FuncOp), "a function"),
    COPY_OF: ((StringAttr,), _is_one_of(func.FuncOp), "a function"),
    TIMED: (UnitAttr, _is_one_of(func.FuncOp), "a function"),
    PURE_CALL: (UnitAttr, _is_one_of(func.CallOp), "a call"),
    READING_CALL: ((UnitAttr, ArrayAttr), _is_one_of(func.CallOp), "a call"),
}
"""Which attribute each name stands for, and which operations have it."""


def check_facts(root: Operation) -> None:
    """Raise VerifyException, at the operation, for an attribute in or below `root` that begins
    with `poly.` and is none of those above, or not where it belongs."""
    for op in root.walk():
        for name, value in op.attributes.items():
            if name.startswith("poly.") and not op.name.startswith("poly."):
                fault = _fault(op, name, value)
                if fault is not None:
                    op.emit_error(fault, VerifyException(fault))


def _fault(op: Operation, name: str, value: Attribute) -> str | None:
    if name not in _PLACES:
        known = [fact for fact, (_, may_have, _) in _PLACES.items() if may_have(op)]
        return f"unknown fact {name} on {op.name}: known are {', '.join(known) or 'none'}"
    kind, may_have, where = _PLACES[name]
    if not may_have(op):
        return f"{name} says something of {where}, not of {op.name}"
    if isinstance(value, LoopAttr) and (stores := _stores_missing(op, value.data)):
        return f"{name}: there is no store {stores[0]} right in the body"
    if not isinstance(value, kind):
        expected = name if kind is UnitAttr else f"{name} = #{name}<…>"
        return f"{name} = {value} on {op.name}: expected {expected}"
    return None


def _stores_missing(loop: Operation, facts: LoopFacts) -> list[int]:
    """The numbers of stores that the loop does not have."""
    if not facts.nontemporal:
        return []
    body = [op for block in loop.regions[0].blocks for op in block.ops]
    count = sum(1 for op in body if isinstance(op, affine.StoreOp | memref.StoreOp))
    return [number for number in facts.nontemporal if number >= count]
