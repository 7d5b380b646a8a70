"""What is computed from what, in straight code."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.ir import Block, Operation, SSAValue


def has_dependent(
    values: Iterable[SSAValue], operations: Iterable[Operation], wanted: Callable[[Operation], bool]
) -> bool:
    """Whether one of the operations, in their order, is wanted and takes one of the values, or what
    others of them have computed from these."""
    depending = set(values)
    for op in operations:
        if any(operand in depending for operand in op.operands):
            if wanted(op):
                return True
            depending.update(op.results)
    return False


def computed_by(value: SSAValue, block: Block) -> set[Operation]:
    """The operations of the block that the value is computed by."""
    found = set[Operation]()
    left = [value]
    while left:
        owner = left.pop().owner
        if isinstance(owner, Operation) and owner.parent is block and owner not in found:
            found.add(owner)
            left += owner.operands
    return found
