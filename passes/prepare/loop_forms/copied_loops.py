"""Iterations of loops as copies of their blocks: which may be copied, and how they leave."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import cf
from xdsl.ir import Block

from polyopt.ir.branches import Edge, drop_passed, incoming, outgoing
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_access, is_pure
from polyopt.passes.prepare.branches.block_editing import insert_on_edges


def can_be_copied(loop: NaturalLoop, largest: int) -> bool:
    """It computes, loads and stores in `largest` operations, and is left to one block."""
    targets = {edge.target for edge in loop.exits()}
    size = 0
    for block in loop.blocks:
        for op in block.ops:
            size += 1
            jumps = isinstance(op, cf.BranchOp | cf.ConditionalBranchOp | cf.SwitchOp)
            if size > largest or not (jumps or is_access(op) or is_pure(op)):
                return False
    return len(targets) == 1


def drop_constant_arguments(block: Block) -> None:
    """An argument that is one value, whichever way the block is come to, is that value."""
    for argument in reversed(block.args):
        passed = {edge.values[argument.index] for edge in incoming(block)} - {argument}
        if len(passed) == 1:
            argument.replace_all_uses_with(passed.pop())
            for source in {edge.source: None for edge in incoming(block)}:
                drop_passed(source, block, argument.index)
            block.erase_arg(argument)


def edges(source: Block, target: Block) -> Iterator[Edge]:
    yield from [edge for edge in outgoing(source) if edge.target is target]


def leave_through_one_block(loop: NaturalLoop) -> None:
    """What is used behind the loop is an argument of the block that it is left to."""
    exits = loop.exits()
    (target,) = {edge.target for edge in exits}
    if any(edge.source not in loop for edge in incoming(target)):
        target = insert_on_edges(exits)
    values = [
        value
        for block in loop.blocks
        for value in (*block.args, *(result for op in block.ops for result in op.results))
        if any(enclosing_block(use.operation) not in loop for use in value.uses)
    ]
    for value in values:
        argument = target.insert_arg(value.type, len(target.args))
        argument.name_hint = value.name_hint
        value.replace_uses_with_if(argument, lambda use: enclosing_block(use.operation) not in loop)
        for source in {edge.source: None for edge in loop.exits()}:
            for edge in edges(source, target):
                edge.redirect(target, [*edge.values, value])
