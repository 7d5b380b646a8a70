"""The last iteration of a loop in threads apart from the others, in the part that it is in.

    part [first, last) of [lower, upper)  ->  for i = first to min(last, upper - 1) { body(copies) }
                                              if first < last = upper { body(upper - 1, arrays) }

What it leaves in the arrays is what the loop leaves there; all others work on the thread's copies.
"""

from __future__ import annotations

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from polyopt.dialects import team
from polyopt.passes.parallel.code import Code

_BEFORE = AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0) - 1,)))


def share_but_last(code: Code, share: team.ShareOp) -> team.ShareOp:
    """The iterations of the share that are not the loop's last one."""
    end = code.least(share.last, code.insert(affine.ApplyOp([share.upper], _BEFORE)))
    end = code.index(code.greatest(end, share.first))
    others = team.ShareOp((share.first, end), (share.lower, share.upper))
    code.insert(others)
    return others


def add_last(code: Code, loop: affine.ForOp, share: team.ShareOp) -> None:
    """The loop's last iteration at the end of `code`, if it is in the share; `loop`, which stands
    nowhere, is gone."""
    is_end = code.insert(arith.CmpiOp(share.last, share.upper, "eq"))
    is_some = code.insert(arith.CmpiOp(share.first, share.last, "slt"))
    test = code.insert(arith.AndIOp(is_end, is_some))
    inside = Code(Block(), code.like)
    iterator = loop.body.block.args[0]
    last = inside.insert(affine.ApplyOp([share.upper], _BEFORE))
    last.name_hint = iterator.name_hint
    values: dict[SSAValue, SSAValue] = {iterator: last}
    for op in loop.body.block.ops:
        if not isinstance(op, affine.YieldOp):
            inside.block.add_op(op.clone(values))
    inside.block.add_op(scf.YieldOp())
    choice = scf.IfOp(test, [], Region(inside.block))
    choice.location = code.like.location
    code.block.add_op(choice)
    loop.erase()
