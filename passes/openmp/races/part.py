"""A static control part of a serial view: when its operations run, and how constructs lie in it."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation

from polyopt.ir.control.cfg import enclosing_block
from polyopt.passes.openmp.races.constructs import Construct, SerialView
from polyopt.passes.scop.access_relations import StatementSpace
from polyopt.passes.scop.plan import ScopPlan
from polyopt.poly.analysis.races import Moment


class Part:
    """`places`: its blocks, numbered; `headers`: its loops by the blocks that they begin with."""

    def __init__(self, view: SerialView, plan: ScopPlan):
        self.view = view
        self.plan = plan
        self.candidate = plan.candidate
        self.space = plan.candidate.space
        self.places = {block: n for n, block in enumerate(self.candidate.region.blocks)}
        self.headers = {loop.header: loop for loop in self.space.iterators}
        self._numbers: dict[Operation, int] = {}

    def time(self, op: Operation, block: Block) -> tuple[Moment, ...]:
        """Places are those of blocks, in steps that leave room for what stands in a block."""
        parts: list[Moment] = []
        for dimension, loop in enumerate(self.space.loops_around(block)):
            parts.append(self._place(loop.header, None))
            parts.append((dimension, self.space.iterators[loop].direction))
        return (*parts, self._place(block, op))

    def _place(self, block: Block, op: Operation | None) -> int:
        start = self.places[block] << 20
        if op is None:
            return start
        if op not in self._numbers:
            for number, one in enumerate(block.ops):
                self._numbers[one] = number
        return start + self._numbers[op]

    def named(self, op: Operation) -> Iterator[StatementSpace]:
        block = op.parent
        if block is not None and block in self.places:
            yield StatementSpace(self.space, block, "W", self.plan.domains.of[block])

    def is_held(self, construct: Construct) -> bool:
        """Whether the static control part holds all of the construct."""
        if construct.headers:
            return all(header in self.headers for header in construct.headers)
        return construct.begin is not None and construct.begin.parent in self.places

    def outside(self, construct: Construct) -> int:
        """How many of the loops are around the construct."""
        if construct.headers:
            return len(self.space.loops_around(construct.headers[0])) - 1
        assert construct.begin is not None
        return len(self.space.loops_around(enclosing_block(construct.begin)))
