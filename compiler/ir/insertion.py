"""Operations put in front of others, as a part of what these are written for."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue


def insert_before(
    op: Operation, place: Operation, like: Operation | None = None
) -> Sequence[SSAValue]:
    """The results of `op`, which stands before `place` and comes from where `like` (or `place`)
    does in the source."""
    block = place.parent
    assert block is not None
    op.location = (like or place).location
    block.insert_op_before(op, place)
    return op.results
