"""Give regions blocks of their own to begin and to end with.

Before regions are looked for, what can be in no static control part is put into blocks apart:
a call between two loop nests, the allocations at a function's start, and the return then end a
region without taking the loads and stores around them along. When a region has been chosen, one
block is put in front of it and one behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects import cf, func
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from polyopt.ir.branches import incoming, outgoing, redirect_all
from polyopt.ir.control.cfg import reverse_postorder
from polyopt.ir.control.regions import FlowRegion
from polyopt.ir.effects import is_access, is_pure, is_pure_here
from polyopt.support.record import record


def isolate_effects(body: Region) -> None:
    """Split each block between accesses to memory and what no region may contain; computing
    stays where it is. The function's entry block ends before its first access or branch."""
    entry = body.blocks.first
    assert entry is not None
    for block in list(body.blocks):
        was_inside = False if block is entry else None
        for op in list(block.ops):
            if is_pure(op) or (_is_branch(op) and block is not entry):
                continue
            is_inside = _is_branch(op) or is_access(op) or is_pure_here(op)
            if was_inside is not None and is_inside != was_inside:
                _split_before(op)
            was_inside = is_inside


@record
class Surrounded:
    """`before` is the only way into the region, `after` the only way out of it that comes back:
    what else is left to, and what comes behind that, is the region's `aside`. Arguments of the
    region's entry that came from outside are now arguments of `before`: `replaced` maps the old
    ones to the new ones. `passed` are the arguments of `after`."""

    region: FlowRegion
    before: Block
    after: Block
    replaced: dict[SSAValue, SSAValue]
    passed: tuple[BlockArgument, ...]


def surround(region: FlowRegion, *, entry_is_loop: bool) -> Surrounded:
    """Put a block in front of a region and one behind it. `entry_is_loop`: the region begins
    with the header of one of its loops. The exit is where the edges out of the region go now: it
    may be the block in front of another region."""
    entry = region.entry
    exit, aside = _ways_out(region)
    before, replaced = _put_before(region, entry, entry_is_loop)
    after = _put_after(region, exit)
    never_back = set(_reached_from(aside)) - _reached_around(after, before)
    inside = FlowRegion(entry, after, region.blocks, frozenset(never_back))
    return Surrounded(inside, before, after, replaced, after.args)


def _ways_out(region: FlowRegion) -> tuple[Block, list[Block]]:
    """(where the region goes on, where it never comes back from)"""
    edges = (edge for block in region.blocks for edge in outgoing(block))
    first, *others = dict.fromkeys(edge.target for edge in edges if edge.target not in region)
    if not others:
        return first, []
    (exit,) = (block for block in (first, *others) if _returns(block))
    return exit, [block for block in (first, *others) if block is not exit]


def _returns(block: Block) -> bool:
    return any(isinstance(one.last_op, func.ReturnOp) for one in reverse_postorder(block))


def _reached_around(start: Block, without: Block) -> set[Block]:
    """What is reached but through that block: where a loop leads from behind a region into it
    again, what the region leaves to by other ways is still left to by the region alone."""
    found, pending = {start, without}, [start]
    while pending:
        for edge in outgoing(pending.pop()):
            if edge.target not in found:
                found.add(edge.target)
                pending.append(edge.target)
    return found - {without}


def _reached_from(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield from reverse_postorder(block)


def _put_before(
    region: FlowRegion, entry: Block, entry_is_loop: bool
) -> tuple[Block, dict[SSAValue, SSAValue]]:
    edges = [edge for edge in incoming(entry) if edge.source not in region]
    body = entry.parent
    assert body is not None
    if entry_is_loop and len(edges) == 1:
        before = Block()
        before.add_op(cf.BranchOp(entry, *edges[0].values))
        edges[0].redirect(before, ())
        body.insert_block_before(before, entry)
        return before, {}
    if entry_is_loop:
        before = Block(arg_types=[argument.type for argument in entry.args])
        before.add_op(cf.BranchOp(entry, *before.args))
        for source in {edge.source: None for edge in edges}:
            redirect_all(source, entry, before, with_values=True)
        body.insert_block_before(before, entry)
        return before, {}
    before = Block(arg_types=[argument.type for argument in entry.args])
    replaced: dict[SSAValue, SSAValue] = {}
    for old, new in zip(entry.args, before.args, strict=True):
        new.name_hint = old.name_hint
        replaced[old] = new
        old.replace_all_uses_with(new)
    for source in {edge.source: None for edge in edges}:
        redirect_all(source, entry, before, with_values=True)
    for old in reversed(entry.args):
        entry.erase_arg(old)
    before.add_op(cf.BranchOp(entry))
    body.insert_block_before(before, entry)
    return before, replaced


def _put_after(region: FlowRegion, exit: Block) -> Block:
    """One edge into `exit` passes its values itself; of several, the block takes arguments."""
    body = exit.parent
    assert body is not None
    edges = [edge for block in region.blocks for edge in outgoing(block) if edge.target is exit]
    if len(edges) == 1:
        after = Block()
        after.add_op(cf.BranchOp(exit, *edges[0].values))
    else:
        after = Block(arg_types=[argument.type for argument in exit.args])
        after.add_op(cf.BranchOp(exit, *after.args))
        for old, new in zip(exit.args, after.args, strict=True):
            new.name_hint = old.name_hint
    for block in region.blocks:
        redirect_all(block, exit, after, with_values=len(edges) > 1)
    body.insert_block_before(after, exit)
    return after


def _split_before(op: Operation) -> None:
    block = op.parent
    assert block is not None
    rest = block.split_before(op)
    branch = cf.BranchOp(rest)
    branch.location = op.location
    block.add_op(branch)


def _is_branch(op: Operation) -> bool:
    return isinstance(op, cf.BranchOp | cf.ConditionalBranchOp | cf.SwitchOp)
