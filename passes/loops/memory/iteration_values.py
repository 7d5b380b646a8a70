"""Which buffers hold one value at a time, of one iteration of a loop.

    %t = memref.alloc(%n)                          affine.for %i … {
    affine.for %i … {                                %v = memref.alloca() : memref<f32>
      affine.store %0, %t[%i]                        affine.store %0, %v[]
      affine.for %j … { … %t[%i] … }        =>       affine.for %j … { … %v[] … }
      affine.store %t[%i], %A[%i]                    affine.store %v[], %A[%i]
    }                                              }

A temporary gets a place for each iteration so that loops may be taken apart, and run side by side.
Where all that uses it has stayed in one iteration, or has come together there again, one place in
it is enough, which LLVM keeps in a register: what is summed up goes through memory no more. Rows
that run together have one each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.support.record import record

_Access = affine.LoadOp | affine.StoreOp


@record
class IterationValue:
    """All `accesses` to `place` are in one iteration of `loop`, which stores before it loads."""

    loop: affine.ForOp
    place: tuple[Linear, ...]
    accesses: tuple[_Access, ...]


def iteration_values(buffer: memref.AllocOp) -> list[IterationValue]:
    """How `buffer` is used, if each iteration of the loops that do uses places of it of which it
    stores each first, in an operation that every iteration runs; else nothing. Places that one
    iteration uses lie a number apart that is known: none is another."""
    accesses: dict[tuple[affine.ForOp, tuple[Linear, ...]], list[_Access]] = {}
    for use in buffer.memref.uses:
        user = use.operation
        if isinstance(user, affine.LoadOp | affine.StoreOp) and use.index == _position(user):
            nest, place = _outermost_around(user, buffer), subscripts_of(user)
            if nest is None or place is None:
                return []
            accesses.setdefault((nest, tuple(place)), []).append(user)
        elif not isinstance(user, memref.DeallocOp):
            return []
    found = list[IterationValue]()
    for (_, place), group in accesses.items():
        loop = _innermost_around(group)
        if loop is None or not _stores_first(loop, group):
            return []
        found.append(IterationValue(loop, place, tuple(group)))
    return found if all(_are_apart(one, other) for one, other in combinations(found, 2)) else []


def _are_apart(one: IterationValue, other: IterationValue) -> bool:
    """Are the two never the same element in one iteration of either's loop?"""
    if not one.loop.is_ancestor(other.loop) and not other.loop.is_ancestor(one.loop):
        return True
    apart = [left - right for left, right in zip(one.place, other.place, strict=True)]
    return any(not form.terms and form.constant for form in apart)


def make_variables(buffer: memref.AllocOp, found: Sequence[IterationValue]) -> None:
    """Instead of the buffer, which goes, variables at the head of each iteration."""
    for one in found:
        _make_variable(buffer, one)
    for use in tuple(buffer.memref.uses):
        Rewriter.erase_op(use.operation)
    Rewriter.erase_op(buffer)


def _make_variable(buffer: memref.AllocOp, found: IterationValue) -> None:
    type_ = buffer.memref.type
    assert isinstance(type_, MemRefType)
    variable = memref.AllocaOp.get(type_.element_type, shape=[])
    variable.memref.name_hint = buffer.memref.name_hint
    Rewriter.insert_op(variable, InsertPoint.at_start(found.loop.body.block))
    whole = AffineMapAttr(AffineMap(0, 0, ()))
    for access in found.accesses:
        if isinstance(access, affine.LoadOp):
            new = affine.LoadOp(variable.memref, (), whole, access.result.type)
            new.result.name_hint = access.result.name_hint
        else:
            new = affine.StoreOp(access.value, variable.memref, (), whole)
        Rewriter.replace_op(access, new)


def _position(access: _Access) -> int:
    """Of the memref among the operands."""
    return 0 if isinstance(access, affine.LoadOp) else 1


def _outermost_around(access: _Access, buffer: memref.AllocOp) -> affine.ForOp | None:
    """Of the loops that the buffer is not in."""
    found, around = None, access.parent_op()
    while around is not None and not around.is_ancestor(buffer):
        if isinstance(around, affine.ForOp):
            found = around
        around = around.parent_op()
    return found


def _innermost_around(accesses: list[_Access]) -> affine.ForOp | None:
    first, *others = accesses
    around = first.parent_op()
    while around is not None:
        if isinstance(around, affine.ForOp) and all(map(around.is_ancestor, others)):
            return around
        around = around.parent_op()
    return None


def _stores_first(loop: affine.ForOp, accesses: list[_Access]) -> bool:
    """Is the first of the loop's own operations that hold an access a store?"""
    for op in loop.body.block.ops:
        if any(op is one or op.is_ancestor(one) for one in accesses):
            return isinstance(op, affine.StoreOp) and any(op is one for one in accesses)
    return False
