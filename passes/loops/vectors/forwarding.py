"""What an iteration has just stored, and loads again, is the value.

    a[i] = b[i - 1] + x                     s = b[i - 1] + x
    b[i] = a[i] + y                  =>     a[i] = s
                                            b[i] = s + y

A recurrence that goes through an array of its own is then one of values.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine
from xdsl.ir import Block, SSAValue

from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap

_Place = tuple[SSAValue, tuple[Linear, ...]]


def forward_stores(block: Block) -> None:
    """Nothing else is changed; each load gives what it gave."""
    for load, value in loads_of_stored(block):
        load.result.replace_all_uses_with(value)
        block.erase_op(load)


def drop_overwritten(block: Block) -> None:
    """Stores, right in the block, to what it stores to again before anything may look there."""
    unseen: dict[_Place, affine.StoreOp] = {}
    for op in list(block.ops):
        if isinstance(op, affine.StoreOp):
            if (subscripts := subscripts_of(op)) is not None:
                place = op.memref, tuple(subscripts)
                if (earlier := unseen.get(place)) is not None:
                    block.erase_op(earlier)
                unseen[place] = op
        elif isinstance(op, affine.LoadOp):
            unseen = {at: one for at, one in unseen.items() if not may_overlap(at[0], op.memref)}
        elif op.regions or not is_pure(op):
            unseen.clear()


def forward_accesses(block: Block) -> bool:
    """The same of what has just been loaded, too. Is there less to load now?"""
    is_less = False
    for load, value in _loads_again(block, is_read=True):
        load.result.replace_all_uses_with(value)
        block.erase_op(load)
        is_less = True
    return is_less


def loads_of_stored(block: Block) -> Iterator[tuple[affine.LoadOp, SSAValue]]:
    """The loads, right in the block, of what it has stored before, and the value; whoever takes
    them may erase each before asking for the next."""
    yield from _loads_again(block, is_read=False)


def _loads_again(block: Block, *, is_read: bool) -> Iterator[tuple[affine.LoadOp, SSAValue]]:
    """`is_read`: of what it has loaded as well."""
    known: dict[_Place, SSAValue] = {}
    for op in list(block.ops):
        if isinstance(op, affine.StoreOp):
            known = {at: v for at, v in known.items() if not may_overlap(at[0], op.memref)}
            if (subscripts := subscripts_of(op)) is not None:
                known[op.memref, tuple(subscripts)] = op.value
        elif isinstance(op, affine.LoadOp):
            subscripts = subscripts_of(op)
            if subscripts is None:
                continue
            place = op.memref, tuple(subscripts)
            if (value := known.get(place)) is not None:
                yield op, value
            elif is_read:
                known[place] = op.result
        elif op.regions or not is_pure(op):
            known.clear()
