"""Everything that is known about the control flow of one function body, computed when asked."""

from __future__ import annotations

from functools import cached_property

from xdsl.ir import Block, Region

from polyopt.ir.control.cfg import Cfg
from polyopt.ir.control.dominance import (
    DominatorTree,
    dominators,
    onward_postdominators,
    postdominators,
    returning_blocks,
)
from polyopt.ir.control.loops import LoopForest


class ControlFlow:
    """Valid as long as no block, edge or terminator of `body` changes."""

    def __init__(self, body: Region):
        self.body = body

    @cached_property
    def cfg(self) -> Cfg:
        return Cfg(self.body)

    @cached_property
    def dominators(self) -> DominatorTree:
        return dominators(self.cfg)

    @cached_property
    def postdominators(self) -> DominatorTree:
        return postdominators(self.cfg)

    @cached_property
    def onward(self) -> DominatorTree:
        """Postdominators where exits for errors and endless loops do not count."""
        return onward_postdominators(self.cfg)

    def returns(self, block: Block) -> bool:
        """The function may return once it is there."""
        return self.cfg.number[block] in self.returning

    @cached_property
    def returning(self) -> set[int]:
        """The numbers of the blocks from which the function may return."""
        return returning_blocks(self.cfg)

    @cached_property
    def loops(self) -> LoopForest:
        return LoopForest(self.cfg, self.dominators)
