"""What a small problem is made of: accesses, loops and branches, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xdsl.dialects import affine, arith
from xdsl.ir import Block, Operation

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.conditions import conditions_of
from polyopt.ir.affine.linear import Linear
from polyopt.support.record import entity, record


@record
class ProblemPlace:
    """A subscript for each dimension: what of it is the same in an iteration (`base`), and what
    goes on in it (`inner`); `offset` is the latter in elements."""

    base: tuple[Linear, ...]
    inner: tuple[Linear, ...]
    offset: Linear


@entity
class Seen:
    """Of one memref: where its elements begin, and those that are there before the iteration
    (`needed`) or change in it (`written`); the least and the greatest of each subscript. `last` is
    what has written each, so far."""

    base: tuple[Linear, ...]
    needed: set[int] = field(default_factory=set[int])
    written: set[int] = field(default_factory=set[int])
    reach: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    last: dict[int, Operation] = field(default_factory=dict[int, Operation])

    @property
    def touched(self) -> set[int]:
        return self.needed | self.written

    def reach_to(self, subscripts: Sequence[int]) -> None:
        reach = self.reach = self.reach or [(number, number) for number in subscripts]
        for dim, number in enumerate(subscripts):
            low, high = reach[dim]
            if number < low:
                reach[dim] = number, high
            elif number > high:
                reach[dim] = low, number


@entity
class AccessStep:
    """An access; once it has been run, where that is, and what is known of its memref; of a store,
    the loads that feed it."""

    op: ElementAccess
    is_load: bool
    place: ProblemPlace | None = None
    seen: Seen | None = None
    loads: list[affine.LoadOp] = field(default_factory=list[affine.LoadOp])


@record
class Choice:
    """A branch that iterators choose: where each of the `conditions` is at least zero, the first
    one of `op`."""

    op: affine.IfOp
    conditions: tuple[Linear, ...] | None


@record
class Steps:
    """What a block does: loops, branches and accesses `in_order`, and how many operations of which
    name."""

    in_order: list[AffineLoop | Choice | AccessStep]
    counts: dict[str, int]


def steps_of(block: Block) -> Steps:
    steps = Steps([], {})
    for op in block.ops:
        if isinstance(op, affine.ForOp):
            steps.in_order.append(AffineLoop(op))
            continue
        if isinstance(op, affine.IfOp):
            steps.in_order.append(Choice(op, conditions_of(op)))
            continue
        if isinstance(op, (affine.LoadOp, affine.StoreOp)):
            steps.in_order.append(AccessStep(op, isinstance(op, affine.LoadOp)))
        if not isinstance(op, (affine.YieldOp, arith.ConstantOp)):
            steps.counts[op.name] = steps.counts.get(op.name, 0) + 1
    return steps
