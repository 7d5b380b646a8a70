"""Single-entry single-exit regions, and how a function is composed of them.

R. Johnson, D. Pearson, K. Pingali: "The Program Structure Tree: Computing Control Regions in
Linear Time", PLDI 1994. A region is a set of blocks that is entered only at `entry` and left
only to `exit`, which is not in it. A function is read as sequences: from its entry, each block
together with what lies between it and the next block that all paths go through is a region; the
sequences inside a region start at the blocks that its entry dominates immediately.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.support.record import entity


@entity
class FlowRegion:
    """`blocks` (an ordered set) are in reverse postorder. `exit` is None where some path does not
    come back: such a part of a function is no region, but has regions in it. `aside` are blocks
    behind edges that leave a region and never come back while the region does: exits for errors
    and ways into endless loops."""

    entry: Block
    exit: Block | None
    blocks: dict[Block, None]
    aside: frozenset[Block] = frozenset()

    def __contains__(self, block: Block) -> bool:
        return block in self.blocks


def sequence(
    flow: ControlFlow, start: Block, within: FlowRegion | None = None
) -> Iterator[FlowRegion]:
    """The consecutive regions from `start` on, as long as `start` dominates them and the loop
    around them is the same. Only the last one can have no exit. They lie in `within`, so that
    no block is in two of the sequences that a function is taken apart into."""
    around = _surrounding_loop(flow, start)
    block: Block | None = start
    while block is not None and (within is None or block in within):
        region = _smallest_region(flow, block, around, within)
        yield region
        block = region.exit
        if block is not None and not _continues(flow, start, block):
            return


def inner_sequences(flow: ControlFlow, region: FlowRegion) -> Iterator[list[FlowRegion]]:
    """The sequences in a region that start below its entry."""
    tree = flow.dominators
    for child in tree.children[flow.cfg.number[region.entry]]:
        block = flow.cfg.blocks[child]
        if block in region:
            yield list(sequence(flow, block, region))


def joined(parts: list[FlowRegion]) -> FlowRegion:
    """Consecutive regions as one."""
    blocks = {block: None for part in parts for block in part.blocks}
    aside = frozenset[Block]().union(*(part.aside for part in parts))
    return FlowRegion(parts[0].entry, parts[-1].exit, blocks, aside)


def loops_in(flow: ControlFlow, region: FlowRegion) -> list[NaturalLoop]:
    """The loops that lie in a region as a whole, outer ones first."""
    found: list[NaturalLoop] = []
    for block in region.blocks:
        loop = flow.loops.innermost(block)
        if loop is not None and loop.header is block and all(b in region for b in loop.blocks):
            found.append(loop)
    return sorted(found, key=lambda loop: loop.depth)


def _continues(flow: ControlFlow, start: Block, block: Block) -> bool:
    return flow.dominators.strictly_dominates(start, block) and (
        _surrounding_loop(flow, block) is _surrounding_loop(flow, start)
    )


def _surrounding_loop(flow: ControlFlow, block: Block) -> NaturalLoop | None:
    """The loop that a sequence through `block` is part of: a loop that `block` is the header of
    is an element of the sequence."""
    loop = flow.loops.innermost(block)
    return loop.parent if loop is not None and loop.header is block else loop


def _smallest_region(
    flow: ControlFlow, entry: Block, around: NaturalLoop | None, within: FlowRegion | None
) -> FlowRegion:
    own = flow.loops.innermost(entry)
    exit = flow.onward.immediate(entry)
    # Behind the exit of what is around, no exit is one of a region in it.
    while exit is not None and (
        within is None or within.exit is None or exit in within or exit is within.exit
    ):
        inside_own = own is not None and own is not around and exit in own
        found = None if inside_own else _between(flow, entry, exit, within)
        if found is not None:
            return found
        exit = flow.onward.immediate(exit)
    return FlowRegion(entry, None, _dominated(flow, entry, within))


def _dominated(flow: ControlFlow, entry: Block, within: FlowRegion | None) -> dict[Block, None]:
    """What lies below `entry` in the tree of dominators, it among them."""
    pending, numbers = [flow.cfg.number[entry]], list[int]()
    while pending:
        number = pending.pop()
        numbers.append(number)
        pending += flow.dominators.children[number]
    blocks = (flow.cfg.blocks[number] for number in sorted(numbers))
    return {block: None for block in blocks if within is None or block in within}


def _between(
    flow: ControlFlow, entry: Block, exit: Block, within: FlowRegion | None
) -> FlowRegion | None:
    """What is reached from `entry` before `exit`; None if it is entered elsewhere, too, or goes
    beyond `within`. What is entered elsewhere is mostly seen at its first block that `entry` does
    not dominate: without that, each exit of a long function is asked about all before it."""
    cfg, returning, dominates = flow.cfg, flow.returning, flow.dominators.node_dominates
    first, end = cfg.number[entry], cfg.number[exit]
    found = {first}
    aside: set[int] = set()
    pending = [first]
    while pending:
        source = pending.pop()
        for target in cfg.successors[source]:
            if target == end or target in found:
                continue
            if source in returning and target not in returning:
                aside.add(target)
                continue
            if not dominates(first, target):
                return None
            if within is not None and cfg.blocks[target] not in within:
                return None
            found.add(target)
            pending.append(target)
    for number in found:
        if number != first and not found.issuperset(cfg.predecessors[number]):
            return None
    blocks = {cfg.blocks[number]: None for number in sorted(found)}
    return FlowRegion(entry, exit, blocks, frozenset(cfg.blocks[number] for number in aside))
