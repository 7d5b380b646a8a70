"""Dominators and postdominators of a function body, and the frontiers of dominance.

K. D. Cooper, T. J. Harvey, K. Kennedy: "A Simple, Fast Dominance Algorithm", Rice University
TR-06-33870, 2001: immediate dominators by iterating over reverse postorder with two fingers,
frontiers from the predecessors of joins. Queries are O(1) by the entry and exit times of a walk
over the tree.

    a dominates b       every path from the entry to b goes through a
    a postdominates b   every path from b to an exit of the function goes through a

A block from which no exit can be reached (an endless loop) has no postdominator but itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import func
from xdsl.ir import Block

from polyopt.ir.control.cfg import Cfg

_NONE = -1


class DominatorTree:
    """The tree of immediate dominators over block numbers; `parent[root]` is the root itself,
    `parent[n]` is -1 where n is not reached from the root."""

    def __init__(self, cfg: Cfg, root: int, order: Sequence[int], sources: Sequence[Sequence[int]]):
        """`order` is a reverse postorder from `root`, `sources[n]` are the predecessors of n."""
        self.cfg = cfg
        self.root = root
        self.parent = _immediate_dominators(root, order, sources)
        self.children: list[list[int]] = [[] for _ in sources]
        for node in order:
            if node != root:
                self.children[self.parent[node]].append(node)
        self._enter, self._leave = _walk_times(root, self.children)
        self._order = order
        self._sources = sources

    def immediate(self, block: Block) -> Block | None:
        """The closest strict dominator; None for the root (and where it is the virtual exit)."""
        node = self.cfg.number[block]
        above = self.parent[node]
        if above in (_NONE, node) or above >= len(self.cfg.blocks):
            return None
        return self.cfg.blocks[above]

    def dominates(self, above: Block, below: Block) -> bool:
        a, b = self.cfg.number[above], self.cfg.number[below]
        return a == b or self.node_dominates(a, b)

    def strictly_dominates(self, above: Block, below: Block) -> bool:
        return above is not below and self.dominates(above, below)

    def node_dominates(self, above: int, below: int) -> bool:
        start = self._enter[above]
        return (
            start >= 0 and start <= self._enter[below] and self._leave[below] <= self._leave[above]
        )

    @cached_property
    def frontier(self) -> list[set[int]]:
        """`frontier[n]`: the nodes that n does not strictly dominate but one of whose
        predecessors n dominates. The root has no predecessors."""
        frontier: list[set[int]] = [set() for _ in self._sources]
        for node in self._order:
            sources = [s for s in self._sources[node] if self.parent[s] != _NONE]
            for runner in sources if len(sources) > 1 else ():
                while runner != self.parent[node]:
                    frontier[runner].add(node)
                    runner = self.parent[runner]
        return frontier


def dominators(cfg: Cfg) -> DominatorTree:
    return DominatorTree(cfg, 0, range(len(cfg.blocks)), cfg.predecessors)


def postdominators(cfg: Cfg) -> DominatorTree:
    """Over the reversed graph with one virtual exit, whose number is `len(cfg.blocks)`."""
    count = len(cfg.blocks)
    exits = [n for n, targets in enumerate(cfg.successors) if not targets]
    targets = [list(dict.fromkeys(cfg.predecessors[n])) for n in range(count)] + [exits]
    sources: list[list[int]] = [list(dict.fromkeys(s)) for s in cfg.successors] + [[]]
    for node in exits:
        sources[node].append(count)
    return DominatorTree(cfg, count, _reverse_postorder(count, targets), sources)


def onward_postdominators(cfg: Cfg) -> DominatorTree:
    """Postdominators of the ways that go on. What can come back does: a way into a part of the
    function that never returns (an exit for errors, an endless loop) is no way on. In such a part
    itself, and in a function that never returns, what ends does, and an endless loop goes on at
    its end, so that every block has a postdominator or the virtual exit."""
    count = len(cfg.blocks)
    returning = returning_blocks(cfg)
    ends = [n for n, targets in enumerate(cfg.successors) if not targets]
    ending = _reaching(cfg, ends, returning)
    for node in reversed(range(count)):
        if node not in ending:
            ends.append(node)
            ending |= _reaching(cfg, [node], ending)
    sources: list[list[int]] = [
        [one for one in dict.fromkeys(targets) if node not in returning or one in returning]
        for node, targets in enumerate(cfg.successors)
    ]
    sources.append([])
    targets: list[list[int]] = [[] for _ in range(count)]
    targets.append(ends)
    for node, successors in enumerate(sources):
        for one in successors:
            targets[one].append(node)
    for node in ends:
        sources[node].append(count)
    return DominatorTree(cfg, count, _reverse_postorder(count, targets), sources)


def returning_blocks(cfg: Cfg) -> set[int]:
    """The blocks from which the function may return."""
    returns = [n for n, block in enumerate(cfg.blocks) if isinstance(block.last_op, func.ReturnOp)]
    return _reaching(cfg, returns, set())


def _reaching(cfg: Cfg, targets: Sequence[int], known: set[int]) -> set[int]:
    """The nodes from which one of `targets` or `known` is reached."""
    found = {*known, *targets}
    pending = list(found)
    while pending:
        for source in cfg.predecessors[pending.pop()]:
            if source not in found:
                found.add(source)
                pending.append(source)
    return found


def _immediate_dominators(
    root: int, order: Sequence[int], sources: Sequence[Sequence[int]]
) -> list[int]:
    position = [_NONE] * len(sources)
    for place, node in enumerate(order):
        position[node] = place
    parent = [_NONE] * len(sources)
    parent[root] = root
    changed = True
    while changed:
        changed = False
        for node in order:
            if node == root:
                continue
            new = _NONE
            for source in sources[node]:
                if parent[source] == _NONE:
                    continue
                new = source if new == _NONE else _meet(parent, position, new, source)
            if parent[node] != new:
                parent[node] = new
                changed = True
    return parent


def _meet(parent: Sequence[int], position: Sequence[int], a: int, b: int) -> int:
    """The closest common ancestor in the tree found so far."""
    while a != b:
        while position[a] > position[b]:
            a = parent[a]
        while position[b] > position[a]:
            b = parent[b]
    return a


def _walk_times(root: int, children: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    enter, leave = [_NONE] * len(children), [_NONE] * len(children)
    clock = 0
    stack = [(root, iter(children[root]))]
    enter[root] = clock
    while stack:
        node, pending = stack[-1]
        child = next(pending, None)
        if child is None:
            leave[node] = clock
            stack.pop()
            continue
        clock += 1
        enter[child] = clock
        stack.append((child, iter(children[child])))
    return enter, leave


def _reverse_postorder(root: int, targets: Sequence[Sequence[int]]) -> list[int]:
    postorder: list[int] = []
    seen = {root}
    stack = [(root, iter(targets[root]))]
    while stack:
        node, pending = stack[-1]
        target = next(pending, None)
        if target is None:
            postorder.append(node)
            stack.pop()
        elif target not in seen:
            seen.add(target)
            stack.append((target, iter(targets[target])))
    postorder.reverse()
    return postorder
