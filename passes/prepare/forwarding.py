"""In straight code, an element that has just been stored is known, and need not be stored twice."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.alias import may_overlap
from polyopt.ir.effects import is_pure
from polyopt.passes.prepare.hammocks import ElementName, place_of


def forward_stores(block: Block) -> None:
    """Loads of an element that the block has stored or loaded before give that value; a store
    goes where another one to its place follows and nothing in between may see it. Places are equal
    by the values that name them (clean-values first)."""
    known = dict[ElementName, SSAValue]()
    hidden = dict[ElementName, memref.StoreOp]()
    for op in list(block.ops):
        match op:
            case memref.LoadOp():
                place = place_of(op)
                value = known.get(place)
                if value is not None:
                    op.res.replace_all_uses_with(value)
                    block.erase_op(op)
                    continue
                known[place] = op.res
                _forget(hidden, op.memref)
            case memref.StoreOp():
                place = place_of(op)
                before = hidden.get(place)
                if before is not None:
                    block.erase_op(before)
                _forget(known, op.memref)
                _forget(hidden, op.memref)
                known[place] = op.value
                hidden[place] = op
            case _ if not _keeps_memory(op):
                known.clear()
                hidden.clear()
            case _:
                pass


def _keeps_memory(op: Operation) -> bool:
    return is_pure(op) and not op.regions


def _forget(
    places: dict[ElementName, SSAValue] | dict[ElementName, memref.StoreOp], base: SSAValue
) -> None:
    """What an access through `base` may read or write."""
    for place in [place for place in places if may_overlap(place[0], base)]:
        del places[place]
