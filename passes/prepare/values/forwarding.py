"""In straight code, an element that has just been stored is known, and need not be stored twice."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.prepare.branches.hammocks import ElementName, place_of


def forward_stores(block: Block) -> None:
    """Loads of an element that the block has stored or loaded before give that value; a store
    goes where another one to its place follows and nothing in between may see it. Places are equal
    by the values that name them (clean-values first)."""
    for op, value in known_elements(block):
        if isinstance(op, memref.LoadOp) and value is not None:
            op.res.replace_all_uses_with(value)
            block.erase_op(op)
    _drop_overwritten(block)


def known_elements(
    block: Block,
) -> Iterator[tuple[memref.LoadOp | memref.StoreOp, SSAValue | None]]:
    """Each load and store of the block, and what is in its place before it, where the block has
    loaded or stored that. An operation that has come may be erased."""
    known = dict[ElementName, SSAValue]()
    for op in list(block.ops):
        match op:
            case memref.LoadOp():
                place, loaded = place_of(op), op.res
                value = known.get(place)
                yield op, value
                if value is None:
                    known[place] = loaded
            case memref.StoreOp():
                place, array, stored = place_of(op), op.memref, op.value
                yield op, known.get(place)
                _forget(known, array)
                known[place] = stored
            case _ if not _keeps_memory(op):
                known.clear()
            case _:
                pass


def _drop_overwritten(block: Block) -> None:
    hidden = dict[ElementName, memref.StoreOp]()
    for op in list(block.ops):
        match op:
            case memref.LoadOp():
                _forget(hidden, op.memref)
            case memref.StoreOp():
                place = place_of(op)
                before = hidden.get(place)
                if before is not None:
                    block.erase_op(before)
                _forget(hidden, op.memref)
                hidden[place] = op
            case _ if not _keeps_memory(op):
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
