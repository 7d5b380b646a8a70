"""Everything that is known about the control flow of one function body, computed when asked."""

from __future__ import annotations

from functools import cached_property

from xdsl.ir import Region

from polyopt.ir.cfg import Cfg
from polyopt.ir.dominance import DominatorTree, dominators, postdominators
from polyopt.ir.loops import LoopForest


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
    def loops(self) -> LoopForest:
        return LoopForest(self.cfg, self.dominators)
