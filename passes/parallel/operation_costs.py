"""What operations take, one by one: cycles of one on one element, and cache lines that it goes on.

x = a[i] + b[i]     0.5 + 0.5 + 0.5 cycles; 2 of 8 lines an iteration, of doubles
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import affine
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType
from xdsl.ir import Operation

from polyopt.dialects.cmem import element_type
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import Access, access_of, is_defined_inside
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES

_COSTS = CORE.threads
_CYCLES: Mapping[str, float] = {
    **dict.fromkeys(("affine.load", "memref.load"), _COSTS.load),
    **dict.fromkeys(("affine.store", "memref.store"), _COSTS.store),
    **dict.fromkeys(("affine.apply", "affine.yield", "scf.yield", "arith.constant"), 0.0),
    "arith.divf": _COSTS.float_division,
    **dict.fromkeys(("arith.divsi", "arith.remsi"), _COSTS.integer_division),
    "func.call": _COSTS.call,
}
"""Of one operation on one element."""

_FAMILIES: Mapping[str, float] = {"arith.": _COSTS.arithmetic, "math.": _COSTS.function}


def may_be_vectors(loop: affine.ForOp) -> bool:
    return facts_of(loop).carried in ("parallel", "reduction")


def is_of_contraction(op: Operation | None) -> bool:
    """Its elements wait in panels and registers: what counts is arithmetic."""
    return isinstance(op, affine.ForOp) and "contract" in facts_of(op).marks


def narrower_than_lanes(innermost: affine.ForOp) -> int:
    """How many elements that a body is about fit into a lane of eight bytes, by the widest ones
    that it loads, stores, carries, or computes with as floating-point numbers. Other integers are
    computed in the width of what is loaded (`affine-narrow`)."""
    types = [value.type for value in innermost.results]
    for op in innermost.body.walk():
        access = access_of(op)
        if access is not None:
            types.append(element_type(access.array))
        types += [value.type for value in op.results if isinstance(value.type, AnyFloat)]
    sizes = [one.size if isinstance(one, FixedBitwidthType) else _COSTS.lane_bytes for one in types]
    return max(1, _COSTS.lane_bytes // max(sizes, default=_COSTS.lane_bytes))


def lines_of(op: Operation) -> float:
    """How many cache lines an iteration of the loop around goes on, by this access."""
    access, around = access_of(op), op.parent_op()
    if access is None or not isinstance(around, affine.ForOp) or not access.subscripts:
        return 0.0
    iterator = around.body.block.args[0]
    steps = [None if form is None else form.coefficient(iterator) for form in access.subscripts]
    if not any(steps):
        return 0.0
    element = element_type(access.array)
    size = element.size if isinstance(element, FixedBitwidthType) else LINE_BYTES
    is_in_row = not any(steps[:-1]) and steps[-1] is not None
    return min(1.0, abs(steps[-1] or 0) * size / LINE_BYTES) if is_in_row else 1.0


def cycles_of(op: Operation) -> float:
    """Of one operation on one element; not of what stands in it."""
    known = _CYCLES.get(op.name)
    if known is not None:
        return known
    return next((c for prefix, c in _FAMILIES.items() if op.name.startswith(prefix)), _COSTS.other)


def cycles_in_registers(innermost: affine.ForOp) -> float:
    """Of loads and stores of an innermost body that stay at one place while its loop runs: what
    adds up there does so in a register."""
    accesses = map(access_of, innermost.body.block.ops)
    return sum(cycles_of(one.op) for one in accesses if one is not None and _stays(one, innermost))


def _stays(access: Access, innermost: affine.ForOp) -> bool:
    forms = access.subscripts
    return forms is not None and not any(
        form is None or any(is_defined_inside(value, innermost) for value in form.values)
        for form in forms
    )
