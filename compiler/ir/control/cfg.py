"""The control-flow graph of a function body: its reachable blocks, numbered.

Blocks are numbered in reverse postorder of a depth-first search from the entry, so that, back
edges of loops apart, every edge goes from a smaller to a greater number.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.support.components import on_cycles


class Cfg:
    """`blocks[n]` is the block of number n; the entry has number 0. Edges that occur twice (both
    targets of a branch are the same) are listed twice. Unreachable blocks have no number."""

    blocks: list[Block]
    number: dict[Block, int]
    successors: list[list[int]]
    predecessors: list[list[int]]

    def __init__(self, body: Region):
        entry = body.blocks.first
        assert entry is not None
        self.blocks = reverse_postorder(entry)
        self.number = {block: n for n, block in enumerate(self.blocks)}
        self.successors = [
            [self.number[target] for target in block.last_op.successors] if block.last_op else []
            for block in self.blocks
        ]
        self.predecessors = [[] for _ in self.blocks]
        for source, targets in enumerate(self.successors):
            for target in targets:
                self.predecessors[target].append(source)

    def __contains__(self, block: Block) -> bool:
        return block in self.number


def reverse_postorder(entry: Block) -> list[Block]:
    """The blocks reachable from `entry`; siblings keep the order of the terminator, so that a
    loop's body comes before what follows the loop where the body is the first successor."""
    postorder: list[Block] = []
    seen = {entry}
    stack = [(entry, _targets(entry))]
    while stack:
        block, pending = stack[-1]
        if not pending:
            postorder.append(block)
            stack.pop()
            continue
        target = pending.pop()
        if target not in seen:
            seen.add(target)
            stack.append((target, _targets(target)))
    postorder.reverse()
    return postorder


def _targets(block: Block) -> list[Block]:
    """Successors, so that popping from the end visits the last one first: in the reverse of the
    postorder the first successor then comes first."""
    return list(block.last_op.successors) if block.last_op is not None else []


def comes_back(block: Block, *, avoiding: Iterable[Block] = (), most: int | None = None) -> bool:
    """Does a way from the block lead to it again, through none of those, as far as is seen of
    `most` blocks?"""
    return _leads_to(block, block, avoiding, most)


def _leads_to(
    start: Block, end: Block, avoiding: Iterable[Block] = (), most: int | None = None
) -> bool:
    """By one step at least."""
    pending, seen = _targets(start), set(avoiding)
    while pending and (most is None or len(seen) < most):
        block = pending.pop()
        if block is end:
            return True
        if block not in seen:
            seen.add(block)
            pending += _targets(block)
    return False


class Cycles:
    """The blocks that come back, for who asks of many: `block in cycles`. Valid as long as no edge
    changes."""

    def __init__(self) -> None:
        self._found: dict[Region, set[Block]] = {}

    def __contains__(self, block: Block) -> bool:
        region = block.parent
        assert region is not None
        found = self._found.get(region)
        if found is None:
            found = self._found[region] = on_cycles(region.blocks, _targets)
        return block in found


def may_run_later(op: Operation, other: Operation, region: Region) -> bool:
    """May `other` run when `op` has run? Both are in the region, at any depth; what is in one
    operation of it may run in any order."""
    one, two = _part_of(region, op), _part_of(region, other)
    start, end = one.parent, two.parent
    assert start is not None
    assert end is not None
    if one is two or (start is end and one.is_before_in_block(two)):
        return True
    return _leads_to(start, end)


def _part_of(region: Region, op: Operation) -> Operation:
    """The operation of one of the region's blocks that `op` is or is in."""
    while op.parent_region() is not region:
        around = op.parent_op()
        assert around is not None
        op = around
    return op


def defining_block(value: SSAValue) -> Block:
    """The block of the control-flow graph that computes a value or has it as an argument."""
    owner = value.owner
    return owner if isinstance(owner, Block) else enclosing_block(owner)


def enclosing_block(op: Operation) -> Block:
    """The block of the control-flow graph that an operation runs in: that of the conditional, for
    what stands in an `scf.if`."""
    block = op.parent
    assert block is not None
    around = block.parent_op()
    return enclosing_block(around) if isinstance(around, scf.IfOp) else block


def part_of(block: Block, op: Operation) -> Operation:
    """The operation of the block that `op`, which is in it, is or is inside of."""
    found = block.find_ancestor_op_in_block(op)
    assert found is not None
    return found


def is_conditional(op: Operation) -> bool:
    """The operation stands in an `scf.if`."""
    return isinstance(op.parent_op(), scf.IfOp)
