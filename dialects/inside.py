"""The operations of some kinds inside of another.

`Operation.walk` is a generator in a generator for each level of a nest, and asking each operation
for its class goes through Python's abstract classes; the passes do both some thirty times for a
module. Here one list is made, in one loop, and a class is asked for once.
"""

from __future__ import annotations

from typing import TypeVar

from xdsl.ir import Block, Operation

Op = TypeVar("Op", bound=Operation)


def operations_in(root: Operation, *kinds: type[Op]) -> list[Op]:
    """Those of `root.walk()` that are of one of the kinds, in that order."""
    found = list[Op]()
    wanted: dict[type[Operation], bool] = {}
    if isinstance(root, kinds):
        found.append(root)
    pending = _bodies(root)
    while pending:
        op, block = pending.pop()
        while op is not None or block is not None:
            if op is None:
                assert block is not None
                op, block = block.first_op, block.next_block
                continue
            is_wanted = wanted.get(type(op))
            if is_wanted is None:
                is_wanted = wanted[type(op)] = isinstance(op, kinds)
            if is_wanted:
                found.append(op)  # pyright: ignore[reportArgumentType]  its class was asked
            if op.regions:
                pending.append((op.next_op, block))
                pending += _bodies(op)
                break
            op = op.next_op
    return found


def _bodies(op: Operation) -> list[tuple[Operation | None, Block | None]]:
    """Where to go on, the first region last: an operation, and the block behind its own."""
    return [(None, region.first_block) for region in reversed(op.regions)]
