"""drop-buffers: buffers whose values are used where they are stored are values.

That is array contraction: V. Sarkar and G. R. Gao, Optimization of Array Accesses by Collective
Loop Transformations, ICS 1991.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.context import Context
from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.support.record import record

_Place = tuple[Linear, ...]
_Found = dict[affine.LoadOp, SSAValue]


@record
class DropBuffersPass(ModulePass):
    """Where a schedule leaves together what a temporary's values were given places of their own
    for, no iteration needs what another one stored: the buffer and the stores to it go.

    Requires: nothing.
    Ensures: a buffer goes whole or stays whole. One goes if it is only stored to and loaded from by
    `affine` operations, and each load comes behind a store to the same place in the same iteration
    of the same loops, with no other store to the buffer on the way.

        %t = memref.alloc(%n)
        affine.for %i … {                              affine.for %i … {
          affine.store %x, %t[%i]              =>        affine.store %x, %A[%i]
          %y = affine.load %t[%i]                      }
          affine.store %y, %A[%i]
        }
        memref.dealloc %t
    """

    name = "drop-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for buffer in operations_in(op, memref.AllocOp):
            if (found := _stored_values(buffer.memref)) is not None:
                _drop(buffer, found)


def _stored_values(buffer: SSAValue) -> _Found | None:
    """What each load of `buffer` gives; None where that is not known of one of them."""
    users = [use.operation for use in buffer.uses]
    kinds = (affine.StoreOp, affine.LoadOp, memref.DeallocOp)
    if not all(isinstance(user, kinds) for user in users):
        return None
    if any(isinstance(user, affine.StoreOp) and user.value is buffer for user in users):
        return None
    around = _ancestors(users)
    found: _Found = {}
    home = buffer.owner.parent
    assert isinstance(home, Block)
    _walk(home, buffer, around, {}, found)
    loads = sum(isinstance(user, affine.LoadOp) for user in users)
    return found if len(found) == loads else None


def _ancestors(users: Iterable[Operation]) -> set[Operation]:
    """The operations that hold a user, and the users."""
    found: set[Operation] = set()
    for user in users:
        op: Operation | None = user
        while op is not None and op not in found:
            found.add(op)
            op = op.parent_op()
    return found


def _walk(
    block: Block,
    buffer: SSAValue,
    around: set[Operation],
    known: dict[_Place, SSAValue],
    found: _Found,
) -> None:
    """`known`, what the buffer is known to hold in front of `block`, becomes that behind it."""
    for op in block.ops:
        if op not in around:
            continue
        if isinstance(op, affine.StoreOp):
            known.clear()
            if (place := subscripts_of(op)) is not None:
                known[tuple(place)] = op.value
        elif isinstance(op, affine.LoadOp):
            place = subscripts_of(op)
            if place is not None and (value := known.get(tuple(place))) is not None:
                found[op] = value
        else:
            _enter(op, buffer, around, known, found)


def _enter(
    op: Operation,
    buffer: SSAValue,
    around: set[Operation],
    known: dict[_Place, SSAValue],
    found: _Found,
) -> None:
    """What a region stores is not known behind it. A loop inside knows nothing: what it takes from
    outside of it every time goes through memory, as a nest that another pass knows has it."""
    stores = any(
        isinstance(use.operation, affine.StoreOp) and op.is_ancestor(use.operation)
        for use in buffer.uses
    )
    inside = known if isinstance(op, affine.IfOp) else {}
    for region in op.regions:
        for block in region.blocks:
            _walk(block, buffer, around, dict(inside), found)
    if stores:
        known.clear()


def _drop(buffer: memref.AllocOp, found: _Found) -> None:
    """What was stored may have been loaded from the buffer itself: it is followed to its source."""
    for load, value in found.items():
        while isinstance(value.owner, affine.LoadOp) and value.owner in found:
            value = found[value.owner]
        load.result.replace_all_uses_with(value)
    for user in [use.operation for use in buffer.memref.uses]:
        user.detach()
        user.erase()
    buffer.detach()
    buffer.erase()
