"""Natural loops and their nesting; edges that make control flow irreducible.

A back edge goes to a block that dominates its source; the natural loop of a header is what
reaches its back edges without passing through the header. A retreating edge that is no back edge
enters a cycle beside its header: such a cycle is irreducible and no loop.
"""

from __future__ import annotations

from dataclasses import field

from xdsl.ir import Block

from polyopt.ir.branches import Edge, incoming, outgoing
from polyopt.ir.control.cfg import Cfg
from polyopt.ir.control.dominance import DominatorTree
from polyopt.support.record import entity


@entity
class NaturalLoop:
    """`blocks` (an ordered set) includes those of inner loops. `depth` is 1 for an outermost
    loop."""

    header: Block
    blocks: dict[Block, None]
    latches: list[Block]
    parent: NaturalLoop | None = None
    depth: int = 1
    children: list[NaturalLoop] = field(default_factory=list["NaturalLoop"])

    def __contains__(self, block: Block) -> bool:
        return block in self.blocks

    @property
    def name(self) -> str:
        """The name of the first variable that changes from iteration to iteration."""
        return next((a.name_hint for a in self.header.args if a.name_hint), "loop")

    def encloses(self, other: NaturalLoop | None) -> bool:
        """This loop is `other` or one around it."""
        while other is not None:
            if other is self:
                return True
            other = other.parent
        return False

    def exits(self) -> list[Edge]:
        """The edges that leave the loop."""
        return [
            edge
            for block in self.blocks
            for edge in outgoing(block)
            if edge.target not in self.blocks
        ]

    def entries(self) -> list[Edge]:
        """The edges into the header from outside."""
        return [edge for edge in incoming(self.header) if edge.source not in self.blocks]

    def back_edges(self) -> list[Edge]:
        return [edge for edge in incoming(self.header) if edge.source in self.blocks]


class LoopForest:
    """The loops of a function; `irreducible` are the (source, target) numbers of edges that enter
    a cycle which is no natural loop."""

    top_level: list[NaturalLoop]
    irreducible: list[tuple[int, int]]

    def __init__(self, cfg: Cfg, tree: DominatorTree):
        self._innermost: dict[Block, NaturalLoop] = {}
        self.top_level = []
        self.irreducible = []
        latches: dict[int, list[int]] = {}
        for source, targets in enumerate(cfg.successors):
            for target in dict.fromkeys(targets):
                if target > source:
                    continue
                if tree.node_dominates(target, source):
                    latches.setdefault(target, []).append(source)
                else:
                    self.irreducible.append((source, target))
        for header in sorted(latches):
            self._add(cfg, header, latches[header])

    def innermost(self, block: Block) -> NaturalLoop | None:
        """The innermost loop around a block."""
        return self._innermost.get(block)

    def depth(self, block: Block) -> int:
        loop = self._innermost.get(block)
        return 0 if loop is None else loop.depth

    def all_loops(self) -> list[NaturalLoop]:
        """Outer loops before inner ones."""
        result = list(self.top_level)
        for loop in result:
            result.extend(loop.children)
        return result

    def _add(self, cfg: Cfg, header: int, latches: list[int]) -> None:
        """Headers come in reverse postorder: an enclosing loop before its inner ones."""
        body = {header}
        pending = [latch for latch in latches if latch != header]
        body.update(pending)
        while pending:
            for source in cfg.predecessors[pending.pop()]:
                if source not in body:
                    body.add(source)
                    pending.append(source)
        block = cfg.blocks[header]
        members = dict.fromkeys(cfg.blocks[n] for n in sorted(body))
        loop = NaturalLoop(block, members, [cfg.blocks[n] for n in latches])
        loop.parent = self._innermost.get(block)
        if loop.parent is None:
            self.top_level.append(loop)
        else:
            loop.depth = loop.parent.depth + 1
            loop.parent.children.append(loop)
        for member in loop.blocks:
            self._innermost[member] = loop
