"""A static control part of which too much has to be asked goes at once.

Tens of statements that share variables and run over and over are asked about by each pass anew,
for all that the function may cost, and nothing comes of them in the end: who finds that out first
decides for the code that they were made from.
"""

from __future__ import annotations

from xdsl.dialects import arith, cf, func
from xdsl.ir import Operation

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import PaysOp, ScopOp
from polyopt.ir.branches import Edge
from polyopt.passes.prepare.branches.block_editing import erase_unreachable
from polyopt.support.remarks import remark


def give_back(op: ScopOp) -> bool:
    """Whether the code that it was made from is there to take its place, and has done so."""
    around = op.parent_op()
    choice = _choice(op)
    if choice is None or not isinstance(around, func.FuncOp):
        return False
    message = "it costs too much to find out what depends on what: the code stays as it was written"
    remark("missed", "given-back", message, span_of(op), around.sym_name.data)
    both = _only_user(choice)
    last = _only_user(both) if isinstance(both, arith.AndIOp) else both
    assert isinstance(last, cf.ConditionalBranchOp)
    other = Edge(last, 1)
    jump = cf.BranchOp(other.target, *other.values)
    jump.location = last.location
    for gone in (last, *([both] if both is not last else []), choice):
        block = gone.parent
        assert block is not None
        if gone is last:
            block.insert_op_before(jump, gone)
        block.erase_op(gone)
    erase_unreachable(around.body)
    return True


def _choice(op: ScopOp) -> PaysOp | None:
    around = op.parent_op()
    if around is None:
        return None
    name = op.scop_name.data
    return next((c for c in operations_in(around, PaysOp) if c.scop_name.data == name), None)


def _only_user(op: Operation) -> Operation:
    (use,) = op.results[0].uses
    return use.operation
