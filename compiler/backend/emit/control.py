"""The blocks of a region, in reverse postorder: a definition comes before all its uses.

Blocks that control cannot reach are left out.
"""

from __future__ import annotations

from xdsl.ir import Block, Region

from polyopt.backend.emit.function import FunctionEmitter


def reverse_postorder(entry: Block) -> list[Block]:
    """The blocks reachable from `entry`, each before those that it dominates."""
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(_successors(successor))))
                break
        else:
            order.append(block)
            stack.pop()
    return order[::-1]


def _successors(block: Block) -> list[Block]:
    terminator = block.last_op
    return list(terminator.successors)[::-1] if terminator is not None else []


def emit_region(f: FunctionEmitter, region: Region) -> None:
    """Emit the blocks of a region; control falls into its entry from where the emitter stands,
    the arguments of the entry are bound already."""
    entry = region.blocks.first
    assert entry is not None
    order = reverse_postorder(entry)
    starts_a_loop = any(entry in _successors(block) for block in order)
    for number, block in enumerate(order if starts_a_loop else order[1:], 1):
        f.targets[block] = f.new_join(f"bb{number}", [arg.type for arg in block.args])
    if starts_a_loop:
        f.jump(f.targets[entry], f.registers(entry.args))
    for block in order:
        if block in f.targets:
            f.enter_binding(f.targets[block], block.args)
        f.emit_op(f.emit_block(block))
