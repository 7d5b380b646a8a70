"""What a lane loop holds, and what of it need not be loaded again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.passes.loops.lanes.meetings import shift_between
from polyopt.support.record import record


@record
class SerialLoop:
    """An innermost loop of straight-line code."""

    loop: AffineLoop

    @cached_property
    def operations(self) -> list[Operation]:
        return [op for op in self.loop.block.ops if not isinstance(op, affine.YieldOp)]

    @cached_property
    def loads(self) -> list[affine.LoadOp]:
        return [op for op in self.operations if isinstance(op, affine.LoadOp)]

    @cached_property
    def stores(self) -> list[affine.StoreOp]:
        return [op for op in self.operations if isinstance(op, affine.StoreOp)]


@record
class LaneByLane(SerialLoop):
    """An innermost loop that is better off as a vector along itself: each lane runs its own."""


@record
class PickedSum(SerialLoop):
    """An innermost loop of sums in any order whose elements vectors along it would have to pick out
    of several, as those of records: lanes around it load each for all of them."""


class InTurn(tuple[Operation, ...]):
    """Straight-line code that one lane runs after the other, each as scalars."""

    __slots__ = ()


Group = SerialLoop | tuple[Operation, ...]


def operations_of(group: Group) -> Sequence[Operation]:
    return group.operations if isinstance(group, SerialLoop) else group


def accesses_in(groups: Sequence[Group]) -> list[tuple[ElementAccess, Group]]:
    """In textual order."""
    return [
        (op, group)
        for group in groups
        for op in operations_of(group)
        if isinstance(op, (affine.LoadOp, affine.StoreOp))
    ]


@record
class Reuse:
    """A load whose value is the one that `source` loaded or stored `age` iterations before, in the
    same lane or, at that time, in the one so many `lanes` before it."""

    source: ElementAccess
    age: int
    lanes: int = 0


def families(group: SerialLoop) -> list[dict[affine.LoadOp, int]]:
    """The loads that move through the same elements together, and how many iterations each is
    ahead of the first."""
    families: list[dict[affine.LoadOp, int]] = []
    iv = group.loop.iv
    for load in group.loads:
        for family in families:
            ahead = shift_between(next(iter(family)), load, iv)
            if ahead is not None:
                family[load] = ahead
                break
        else:
            families.append({load: 0})
    return families


def without_gaps(reuses: dict[affine.LoadOp, Reuse]) -> dict[affine.LoadOp, Reuse]:
    """Those of which every younger age is reused too: its first value is then one that the loop
    would read anyway."""
    ages = {(reuse.source, reuse.age) for reuse in reuses.values()}
    return {
        load: reuse
        for load, reuse in reuses.items()
        if all((reuse.source, age) in ages for age in range(1, reuse.age))
    }
