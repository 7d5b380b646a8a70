"""Elements of local arrays that are put into all lanes, where the arrays are filled by vectors.

    for i: t[i, 0..7] = …, a vector
    for i: … t[i, 0] * b[0, 0..7] + t[i, 1] * b[1, 0..7] + …

A load puts an element into all lanes for nothing. Where LLVM unrolls both loops, it keeps the
vectors of `t` in registers and takes each element out of them, by shuffles, which one pipe does. It
cannot where the place of an element is a number that is known only when the loop runs: the loop
over the rows that are read stays a loop.
"""

from __future__ import annotations

from xdsl.dialects import affine, memref, vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import OpResult, SSAValue

from polyopt.dialects.loop_facts import facts_of, set_facts
from polyopt.ir.affine.affine_nest import enclosing_loops
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.objects.alias import underlying_object
from polyopt.support.core_model import CORE


def keep_rows_in_loops(module: ModuleOp) -> None:
    """Mark the loops that LLVM is not to unroll: those of known length whose iterations spread so
    many elements that one more round costs less than the shuffles would."""
    filled = {
        array
        for op in module.walk()
        if isinstance(op, affine.VectorStoreOp) and (array := _local_array(op.memref)) is not None
    }
    spread: dict[affine.ForOp, int] = {}
    for op in module.walk():
        if isinstance(op, affine.LoadOp) and _is_spread(op) and _local_array(op.memref) in filled:
            loop = _row_loop(op)
            if loop is not None:
                spread[loop] = spread.get(loop, 0) + 1
    for loop, elements in spread.items():
        if elements >= CORE.code.spread_elements:
            set_facts(loop, facts_of(loop).with_marks("no_unroll"))


def _local_array(array: SSAValue) -> SSAValue | None:
    found = underlying_object(array)
    is_local = isinstance(found, OpResult) and isinstance(found.op, memref.AllocaOp)
    return found if is_local and isinstance(found, SSAValue) else None


def _is_spread(op: affine.LoadOp) -> bool:
    return any(isinstance(use.operation, vector.BroadcastOp) for use in op.result.uses)


def _row_loop(op: affine.LoadOp) -> affine.ForOp | None:
    """The outermost loop that the place of the element moves with, if its length is known."""
    subscripts = subscripts_of(op) or ()
    moving = (
        loop for loop in enclosing_loops(op) if any(form.uses([loop.iv]) for form in subscripts)
    )
    outermost = next(moving, None)
    if outermost is None:
        return None
    bounds = (*(outermost.lowers or ()), *(outermost.uppers or ()))
    is_known = bounds and not any(form.terms for form in bounds)
    return outermost.op if is_known else None
