"""Stores of what was there before, changed by an operator that has a reduction in OpenMP."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from polyopt.support.record import record

_CLASSES = {
    "arith.addf": "+",
    "arith.addi": "+",
    "arith.subf": "+",
    "arith.subi": "+",
    "arith.mulf": "*",
    "arith.muli": "*",
    "arith.andi": "&",
    "arith.ori": "|",
    "arith.xori": "^",
    "arith.maximumf": "max",
    "arith.maxnumf": "max",
    "arith.maxsi": "max",
    "arith.maxui": "max",
    "arith.minimumf": "min",
    "arith.minnumf": "min",
    "arith.minsi": "min",
    "arith.minui": "min",
}
_SUBTRACTIONS = ("arith.subf", "arith.subi")
_CASTS = ("arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.trunci")


@record(eq=False)
class RaceUpdate:
    """`load` is what the store's value comes from, by operations of one class: `operator`, as
    OpenMP spells it."""

    operator: str
    load: Operation


def update_of(store: memref.StoreOp, is_same: Callable[[memref.LoadOp], bool]) -> RaceUpdate | None:
    """`is_same`: the load reads the place that the store writes. Of a sum with the old value in
    it twice, or taken off, there is none."""
    operator: str | None = None
    found: list[memref.LoadOp] = []
    pending: list[tuple[SSAValue, bool]] = [(store.value, True)]
    while pending:
        value, is_plain = pending.pop()
        op = value.owner
        if isinstance(op, memref.LoadOp) and is_same(op):
            if not is_plain:
                return None
            found.append(op)
        elif isinstance(op, Operation) and op.name in _CASTS:
            pending.append((op.operands[0], is_plain))
        elif isinstance(op, Operation) and op.name in _CLASSES:
            if operator not in (None, _CLASSES[op.name]):
                if _reads(op, is_same):
                    return None
                continue
            operator = _CLASSES[op.name]
            is_second_plain = is_plain and op.name not in _SUBTRACTIONS
            pending += [(op.operands[0], is_plain), (op.operands[1], is_second_plain)]
        elif isinstance(op, Operation) and _reads(op, is_same):
            return None
    return RaceUpdate(operator, found[0]) if operator is not None and len(found) == 1 else None


def _reads(op: Operation, is_same: Callable[[memref.LoadOp], bool]) -> bool:
    """Whether the old value goes into what an operation computes."""
    seen: set[Operation] = set()
    pending: list[Operation] = [op]
    while pending:
        one = pending.pop()
        if one in seen:
            continue
        seen.add(one)
        if isinstance(one, memref.LoadOp):
            if is_same(one):
                return True
            continue
        pending += [value.owner for value in one.operands if isinstance(value.owner, Operation)]
    return False
