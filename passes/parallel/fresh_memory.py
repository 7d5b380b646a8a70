"""Memory that a nest is the first to touch: it was allocated in front of it.

    %a = memref.alloc        for i { for j { a[i, j] = 0 } }

No core has it in its caches, and the kernel hands out its pages one by one (2.5 microseconds each
on a virtual Zen 4): what such a nest writes costs what it costs to get it from afar, at least.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import accesses_in


def fresh_arrays(loops: Sequence[affine.ForOp]) -> frozenset[SSAValue]:
    """The arrays that the loops, neighbours, write and nobody in front of them touches."""
    written = {one.array for loop in loops for one in accesses_in(loop) if one and one.is_write}
    return frozenset(array for array in written if _is_fresh(array, loops))


def _is_fresh(array: SSAValue, loops: Sequence[affine.ForOp]) -> bool:
    allocation, parent = array.owner, loops[0].parent
    if not isinstance(allocation, memref.AllocOp) or parent is None:
        return False
    if allocation.parent is not parent:
        return False
    users = [parent.find_ancestor_op_in_block(use.operation) for use in array.uses]
    return all(user is not None and not user.is_before_in_block(loops[0]) for user in users)
