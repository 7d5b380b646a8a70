"""What the judge is asked of a block whose loops run in threads or alone.

pays? then (many? threads : alone) : source      many? threads : (pays? alone : source)
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block

from polyopt.dialects.poly import PaysOp


def judge_alone(block: Block, branches: Sequence[cf.ConditionalBranchOp]) -> None:
    """If it is asked whether the block's loops pay, that is asked of one thread.

    cf.cond_br %check and %pays, ^block, ^source       cf.cond_br %check, ^block, ^source
    ^block: cf.cond_br %many, ^threads, ^alone    =>   ^block: cf.cond_br %many, ^threads, ^judge
                                                       ^judge: cf.cond_br %pays, ^alone, ^source
    """
    alone, *_ = {branch.else_block for branch in branches}
    for use in list(block.uses):
        asked = use.operation
        if not (isinstance(asked, cf.ConditionalBranchOp) and asked.then_block is block):
            continue
        both = asked.cond.owner
        choice = both.rhs.owner if isinstance(both, arith.AndIOp) else both
        if not isinstance(choice, PaysOp):
            continue
        home, body = choice.parent, block.parent
        assert home is not None
        assert body is not None
        location = asked.location
        choice.detach()
        choice.beside_threads = UnitAttr()
        judge = Block([choice])
        ask = cf.ConditionalBranchOp(
            choice.result, alone, (), asked.else_block, asked.else_arguments
        )
        ask.location = location
        judge.add_op(ask)
        body.insert_block_before(judge, alone)
        if isinstance(both, arith.AndIOp):
            asked.operands[0] = both.lhs
            home.erase_op(both)
        else:
            jump = cf.BranchOp(block, *asked.then_arguments)
            jump.location = location
            home.insert_op_before(jump, asked)
            home.erase_op(asked)
        for branch in branches:
            branch.successors = [branch.then_block, judge]


def keep_block(block: Block) -> None:
    """If it is asked whether the block's loops pay, they do."""
    for use in block.uses:
        branch = use.operation
        if isinstance(branch, cf.ConditionalBranchOp) and branch.then_block is block:
            condition = branch.cond.owner
            if isinstance(condition, arith.AndIOp):
                condition = condition.rhs.owner
            if isinstance(condition, PaysOp):
                condition.source = condition.expected = None
