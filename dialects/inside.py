"""The operations of some kinds inside of another.

`Operation.walk` is a generator in a generator for each level of a nest, and asking each operation
for its class goes through Python's abstract classes; the passes do both some thirty times for a
module. Here one list is made, and a class is asked for once.
"""

from __future__ import annotations

from typing import TypeVar

from xdsl.ir import Operation

from polyopt.dialects.quick_operations import walk_of

Op = TypeVar("Op", bound=Operation)


def operations_in(root: Operation, *kinds: type[Op]) -> list[Op]:
    """Those of `root.walk()` that are of one of the kinds, in that order."""
    found = list[Op]()
    wanted: dict[type[Operation], bool] = {}
    for op in walk_of(root):
        is_wanted = wanted.get(type(op))
        if is_wanted is None:
            is_wanted = wanted[type(op)] = isinstance(op, kinds)
        if is_wanted:
            found.append(op)  # pyright: ignore[reportArgumentType]  its class was asked
    return found
