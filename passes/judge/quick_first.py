"""Where one thread runs what was written, a quick test of how much there is to do stands in front.

    ^y: %a = no overlap                        ^y: %q = as long as threads are to be worth
      cf.cond_br %a, ^x, ^source                 cf.cond_br %q, ^y2, ^source
    ^x: %q = as long as …              =>      ^y2: %a = no overlap
      cf.cond_br %q, ^ask, ^alone                cf.cond_br %a, ^ask, ^source
    ^alone: cf.br ^source                      (^x is ^y)

The rows of a sparse matrix are too little for threads, each of them, and what loops may rely on was
asked of each before that was known (`passes/parallel/arms`).
"""

from __future__ import annotations

from xdsl.dialects import cf
from xdsl.ir import Block, Operation

from polyopt.ir.dependents import computed_by
from polyopt.ir.effects import is_pure


def ask_quickly_first(alone: Block) -> None:
    """`alone` only goes on to what was written. Nothing is done where what comes before it is not
    as above."""
    quick = _quick_branch(alone)
    only = alone.first_op
    if quick is None or not isinstance(only, cf.BranchOp):
        return
    here = quick.parent
    assert here is not None
    uses = [use.operation for use in here.uses]
    asked = uses[0] if len(uses) == 1 else None
    if not (isinstance(asked, cf.ConditionalBranchOp) and asked.else_block is only.successor):
        return
    test = [op for op in here.ops if op is not quick]
    if asked.then_arguments or not all(map(is_pure, test)):
        return
    before, body = asked.parent, here.parent
    assert before is not None
    assert body is not None
    late = _needed_only_for(asked, before)
    behind = Block()
    body.insert_block_after(behind, before)
    for op in test:
        op.detach()
        before.insert_op_before(op, asked)
    for op in [one for one in before.ops if one in late]:
        op.detach()
        behind.add_op(op)
    first = cf.ConditionalBranchOp(quick.cond, behind, (), asked.else_block, asked.else_arguments)
    second = cf.ConditionalBranchOp(
        asked.cond, quick.then_block, quick.then_arguments, asked.else_block, asked.else_arguments
    )
    first.location, second.location = quick.location, asked.location
    first.attributes.update(quick.attributes)
    behind.add_op(second)
    before.insert_op_before(first, asked)
    before.erase_op(asked)
    here.erase_op(quick)
    body.detach_block(here).erase()


def _quick_branch(alone: Block) -> cf.ConditionalBranchOp | None:
    """The one of the two that lead there which leads to the other one."""
    branches = [use.operation for use in alone.uses]
    if len(branches) != 2 or alone.args:
        return None
    for one, other in (branches, branches[::-1]):
        if isinstance(one, cf.ConditionalBranchOp) and one.then_block is other.parent:
            return one
    return None


def _needed_only_for(asked: cf.ConditionalBranchOp, block: Block) -> set[Operation]:
    """What is computed in the block for this condition, and for nothing else."""
    late = {op for op in computed_by(asked.cond, block) if is_pure(op)}
    while True:
        kept = {
            op
            for op in late
            if any(
                use.operation not in late and use.operation is not asked
                for result in op.results
                for use in result.uses
            )
        }
        if not kept:
            return late
        late -= kept
