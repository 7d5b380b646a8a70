"""Which memrefs may share memory, by where they come from.

Only what is certain counts: two memrefs are apart when they stand on different identified
objects (allocations, globals, `llvm.noalias` arguments), whichever of them control flow chose, when
they are different results of one `cmem.distinct_objects`, or when one is an object that this
function made and the other came in from outside before it was made. Everything else may overlap.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.objects.pointed_objects import made_object, may_point_to_one, source_of


def may_overlap(a: SSAValue, b: SSAValue) -> bool:
    """False only if no element reached through `a` is reached through `b`."""
    if a is b:
        return True
    distinct_a, distinct_b = _distinct(a), _distinct(b)
    if distinct_a is not None and distinct_b is not None and distinct_a[0] is distinct_b[0]:
        return distinct_a[1] == distinct_b[1]
    object_a, object_b = underlying_object(a), underlying_object(b)
    if object_a is None or object_b is None:
        return may_point_to_one(a, b)
    if object_a == object_b:
        return True
    if isinstance(object_a, str) and isinstance(object_b, str):
        return False
    return not (_is_own(object_a) or _is_own(object_b))


def underlying_object(value: SSAValue) -> SSAValue | str | None:
    """The allocation, the argument or the global's name that a memref or pointer stands on; None
    where that cannot be told."""
    while isinstance(value, OpResult):
        owner = value.op
        made = made_object(value)
        if made is not None:
            return made
        source = source_of(owner, value)
        if source is None:
            return None
        value = source
    assert isinstance(value, BlockArgument)
    return value if _function_of(value.block) is not None else None


def _distinct(value: SSAValue) -> tuple[cmem.DistinctObjectsOp, int] | None:
    """The nearest `cmem.distinct_objects` below a memref, and the result's number."""
    while isinstance(value, OpResult):
        owner = value.op
        if isinstance(owner, cmem.DistinctObjectsOp):
            return owner, value.index
        source = source_of(owner, value)
        if source is None:
            return None
        value = source
    return None


def _is_own(thing: SSAValue | str) -> bool:
    """Nothing else that can be named in the function is the same memory."""
    return isinstance(thing, OpResult) or _is_noalias_argument(thing)


def _is_noalias_argument(thing: SSAValue | str) -> bool:
    if not isinstance(thing, BlockArgument):
        return False
    function = _function_of(thing.block)
    if function is None or function.arg_attrs is None:
        return False
    return "llvm.noalias" in function.arg_attrs.data[thing.index].data


def _function_of(block: Block) -> func.FuncOp | None:
    parent = block.parent_op()
    if isinstance(parent, func.FuncOp) and parent.body.blocks.first is block:
        return parent
    return None
