"""Whether nothing in a region has regions of its own, found out once.

Most functions of a long program are nothing but blocks of such operations, and what passes look for
has regions mostly: loops, static control parts. Where the process is told of all that comes into a
region (`quick_operations.py`), a region that was flat says so until something comes that may
change it. One that was not says so, too, though what had regions may be gone: it is walked.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation, Region

_FLAT = "_is_flat"
"""Where a region keeps what was found."""

_told = list[bool]()
"""Not empty where this process is told."""


def are_flat(regions: Sequence[Region]) -> bool:
    """Whether it is known that no operation in the blocks of these has regions."""
    return bool(_told) and all([_is_flat(region) for region in regions])


def may_be_flat_no_longer(region: Region) -> None:
    vars(region).pop(_FLAT, None)


def keep_flatness() -> None:
    """For this process: what puts blocks into a region, or regions into an operation, tells. Who
    puts an operation with regions into a block has to call `may_be_flat_no_longer` himself."""
    for name, of_target in _MOVERS.items():
        setattr(Region, name, _telling(getattr(Region, name), of_target))
    setattr(Operation, "add_region", _telling(Operation.add_region, _around))
    _told.append(True)


def _around(op: Operation, _: Region) -> Region | None:
    return None if op.parent is None else op.parent.parent


_MOVERS: dict[str, Callable[[Region, Any], Region | None]] = {
    "_attach_block": lambda region, _: region,
    "move_blocks": lambda _, region: region,
    "move_blocks_before": lambda _, block: block.parent,
}
"""What puts blocks into a region, and which region that is."""


def _telling(
    general: Callable[[Any, Any], None], of_target: Callable[[Any, Any], Region | None]
) -> Callable[[Any, Any], None]:
    def put(self: Any, other: Any) -> None:
        region = of_target(self, other)
        if region is not None:
            may_be_flat_no_longer(region)
        general(self, other)

    return put


def _is_flat(region: Region) -> bool:
    held = vars(region)
    if _FLAT not in held:
        held[_FLAT] = not _has_regions(region)
    return held[_FLAT]


def _has_regions(region: Region) -> bool:
    block = region._first_block
    while block is not None:
        op = block._first_op
        while op is not None:
            if op.regions:
                return True
            op = op._next_op
        block = block._next_block
    return False
