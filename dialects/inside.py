"""The operations of some kinds inside of another.

`Operation.walk` is a generator in a generator for each level of a nest, and asking each operation
for its class goes through Python's abstract classes; the passes do both some thirty times for a
module. Here one list is made, in one loop, and what of a class is wanted is known from before.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import Any, TypeVar

from xdsl.ir import Block, Operation
from xdsl.irdl import IRDLOperation, OptionalDef, VariadicDef

from polyopt.dialects.flat_regions import are_flat

Op = TypeVar("Op", bound=Operation)


def operations_in(root: Operation, *kinds: type[Op]) -> list[Op]:
    """Those of `root.walk()` that are of one of the kinds, in that order."""
    found = list[Any]()
    wanted = _wanted.get(kinds)
    if wanted is None:
        wanted = _wanted[kinds] = _Wanted(kinds)
    if wanted[type(root)]:
        found.append(root)
    pending = [] if wanted.have_regions and are_flat(root.regions) else _bodies(root)
    while pending:
        op, block = pending.pop()
        while True:
            if op is None:
                if block is None:
                    break
                op, block = block._first_op, block._next_block
                continue
            if wanted[type(op)]:
                found.append(op)
            if op.regions and not (wanted.have_regions and are_flat(op.regions)):
                pending.append((op._next_op, block))
                pending += _bodies(op)
                break
            op = op._next_op
    return found


def _bodies(op: Operation) -> list[tuple[Operation | None, Block | None]]:
    """Where to go on, the first region last: an operation, and the block behind its own."""
    return [(None, region.first_block) for region in reversed(op.regions)]


class _Wanted(dict[type, bool]):
    """Whether operations of a class are of one of the kinds. `have_regions`: all of these do."""

    def __init__(self, kinds: tuple[type, ...]):
        super().__init__()
        self._kinds = kinds
        self.have_regions = all(map(_has_some, kinds))

    def __missing__(self, cls: type) -> bool:
        is_wanted = self[cls] = issubclass(cls, self._kinds)
        return is_wanted


def _has_some(kind: type) -> bool:
    return issubclass(kind, IRDLOperation) and any(
        not isinstance(definition, OptionalDef | VariadicDef)
        for _, definition in kind.get_irdl_definition().regions
    )


_wanted: dict[tuple[type, ...], _Wanted] = {}
