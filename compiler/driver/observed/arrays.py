"""The arrays of a static control part: whose they are, and what the source calls them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from polyopt.dialects.poly import ScopOp


def source_names(op: ScopOp) -> Iterator[tuple[str, str]]:
    """Of the arrays whose names were made, because they are members (`c->data`), or one variable
    (`*sum`), or because others have the same name, what the source has for them."""
    from polyopt.ir.objects.bases import object_of
    from polyopt.passes.scop.array_names import array_name

    for name, array in zip(op.array_names, op.arrays, strict=True):
        seen = _before_promises(array)
        found = array_name(object_of(seen))
        if found is not None and _is_pointed_to(seen):
            found = f"*{found}"
        if found is not None and found != name.data:
            yield name.data, found


def _is_pointed_to(array: SSAValue) -> bool:
    """Whether it is the one variable that a parameter leads to."""
    from xdsl.ir import Block

    from polyopt.dialects.cmem import ViewOp, memref_type

    view = array.owner
    if not isinstance(view, ViewOp) or memref_type(array).get_num_dims():
        return False
    return isinstance(view.operands[0].owner, Block)


def _before_promises(array: SSAValue) -> SSAValue:
    """What was promised to be apart from other arrays."""
    from xdsl.ir import OpResult

    from polyopt.dialects import cmem

    while isinstance(array, OpResult) and isinstance(array.op, cmem.DistinctObjectsOp):
        array = array.op.memrefs[array.index]
    return array


def own_variables(op: ScopOp) -> tuple[str, ...]:
    """The variables of the function that nothing but the static control part uses, or nothing that
    runs behind it."""
    from xdsl.dialects import memref

    from polyopt.dialects.cmem import memref_type
    from polyopt.passes.storage.moved_accesses import is_dead_after

    local = {name.data for name in op.local or ()}

    def is_own(name: str, array: SSAValue) -> bool:
        if memref_type(array).get_num_dims():
            return False
        if name in local:
            return True
        is_used_here = all(op.is_ancestor(use.operation) for use in array.uses)
        is_variable = isinstance(array.owner, memref.AllocaOp)
        return is_variable and (is_used_here or is_dead_after(op, array))

    named = zip(op.array_names, op.arrays, strict=True)
    return tuple(name.data for name, array in named if is_own(name.data, array))
