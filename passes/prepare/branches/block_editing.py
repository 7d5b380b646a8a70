"""Changes of the control-flow graph that keep what a function does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import LocationAttr, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.ir.branches import Edge, redirect_all
from polyopt.ir.control.cfg import reverse_postorder


def erase_unreachable(body: Region) -> None:
    """Blocks that no path from the entry reaches go, all at once: they may refer to each
    other."""
    entry = body.blocks.first
    assert entry is not None
    reached = set(reverse_postorder(entry))
    unreachable = [block for block in body.blocks if block not in reached]
    if unreachable:
        bin = Region()
        for block in unreachable:
            bin.add_block(body.detach_block(block))
        bin.erase()


def merge_with_successor(block: Block) -> Block | None:
    """`block` and its only successor, whose only predecessor it is, become one: whichever has more
    operations, in the place of `block`. None where they are not merged."""
    branch = block.last_op
    if not isinstance(branch, cf.BranchOp):
        return None
    successor = branch.successor
    body = block.parent
    if successor is block or body is None or not _is_only_edge(branch):
        return None
    for argument, value in zip(successor.args, branch.arguments, strict=True):
        argument.replace_all_uses_with(value)
    block.erase_op(branch)
    if _has_more_operations(block, successor):
        return _append(body, block, successor)
    return _prepend(body, block, successor)


def merge_on(block: Block) -> Block:
    """`block` and what follows it alone, as one."""
    merged: Block | None = block
    while merged is not None:
        block, merged = merged, merge_with_successor(merged)
    return block


def _is_only_edge(branch: cf.BranchOp) -> bool:
    """Nothing but this branch goes where it goes."""
    return all(
        use.operation is branch or use.operation.parent is None for use in branch.successor.uses
    )


def _has_more_operations(block: Block, other: Block) -> bool:
    """Found in as many steps as the smaller one has operations: a row of blocks that are merged
    one by one would else take the square of its length."""
    op, counterpart = block.first_op, other.first_op
    while op is not None and counterpart is not None:
        op, counterpart = op.next_op, counterpart.next_op
    return op is not None


def _append(body: Region, block: Block, successor: Block) -> Block:
    for op in list(successor.ops):
        op.detach()
        block.add_op(op)
    body.detach_block(successor)
    successor.erase()
    return block


def _prepend(body: Region, block: Block, successor: Block) -> Block:
    first = successor.first_op
    assert first is not None
    for op in list(block.ops):
        op.detach()
        successor.insert_op_before(op, first)
    for argument in successor.args:
        successor.erase_arg(argument)
    for place, old in enumerate(block.args):
        argument = successor.insert_arg(old.type, place, old.location)
        old.replace_all_uses_with(argument)
        argument.name_hint = old.name_hint
    for source in list(dict.fromkeys(use.operation for use in block.uses)):
        source.successors = [
            successor if target is block else target for target in source.successors
        ]
    body.detach_block(successor)
    body.insert_block_before(successor, block)
    body.detach_block(block)
    block.erase()
    return successor


def copied(
    blocks: Sequence[Block], known: Mapping[SSAValue, SSAValue] | None = None
) -> dict[Block, Block]:
    """Copies of the blocks. Edges between them go to the copies, others where they went; values of
    theirs are the copies', those that are `known` what stands for them, others what they were."""
    copies = {block: Block(arg_types=[a.type for a in block.args]) for block in blocks}
    values = dict(known or {})
    for block, copy in copies.items():
        for old, new in zip(block.args, copy.args, strict=True):
            values[old] = new
            new.name_hint = old.name_hint
            new.location = old.location
    targets = dict(copies)  # gets the blocks inside of operations, too
    for block, copy in copies.items():
        for op in block.ops:
            copy.add_op(op.clone(values, targets))
    return copies


def insert_on_edges(edges: Sequence[Edge]) -> Block:
    """One new block that all `edges`, which have the same target, now go through. It takes over
    what they pass."""
    target = edges[0].target
    body = target.parent
    assert body is not None
    middle = Block(arg_types=[argument.type for argument in target.args])
    for old, new in zip(target.args, middle.args, strict=True):
        new.name_hint = old.name_hint
    location = edges[0].terminator.location
    for source in {edge.source: None for edge in edges}:
        redirect_all(source, target, middle, with_values=True)
    branch = cf.BranchOp(target, *middle.args)
    branch.location = location
    middle.add_op(branch)
    body.insert_block_before(middle, target)
    return middle


def region_of(ops: list[Operation], passed: list[SSAValue], location: LocationAttr) -> Region:
    """The operations, moved, and a yield."""
    block = Block()
    for op in ops:
        op.detach()
        block.add_op(op)
    end = scf.YieldOp(*passed)
    end.location = location
    block.add_op(end)
    return Region(block)


def replace_terminator(terminator: Operation, *ops: Operation) -> None:
    block = terminator.parent
    assert block is not None
    for op in ops:
        op.location = terminator.location
        block.insert_op_before(op, terminator)
    block.erase_op(terminator)


def keep_written_anew(block: Block) -> None:
    """What LLVM would not do of the source stays, whatever becomes of the loops around."""
    function = block.parent_op()
    if isinstance(function, func.FuncOp):
        function.attributes[WRITTEN_ANEW] = UnitAttr()
