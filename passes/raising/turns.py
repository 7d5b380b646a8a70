"""Loops of `scf` whose memrefs change places, unrolled until each is back in its place.

    scf.for %t = … iter_args(%p = %a, %q = %b)     scf.for %t = … in steps twice as far
      from %p to %q                            =>    from %a to %b
      scf.yield %q, %p                               scf.if %t + step < bound { from %b to %a }

What `unroll-turns` does for C's pointers: which memref an access goes to is then the same in every
iteration, and the loop may be in a static control part. Time loops of stencil compilers are such.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.locations import span_of
from polyopt.ir.effects import constant_integer, is_access, is_pure
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark

STRUCTURE = (scf.ForOp, scf.ParallelOp, scf.IfOp, scf.YieldOp, scf.ReduceOp)


def without_turns(op: scf.ForOp) -> scf.ForOp:
    """The loop in its place: `op` itself where no memrefs change places, where somebody asks which
    is where afterwards, or where something in it does more than access and compute."""
    places, step = _places(op), constant_integer(op.step)
    turn = _turn(places)
    if turn == 1 or step is None or step <= 0 or not _can_be_copied(op):
        return op
    told = f"unrolled by {turn}: memrefs change places"
    remark("applied", "raise-to-affine", told, span_of(op))
    iterator = op.body.block.args[0]
    body = Block(arg_types=[iterator.type])
    body.args[0].name_hint = iterator.name_hint
    _Turns(op, places, step, body.args[0]).write(body, list(op.iter_args), turn)
    strided = arith.ConstantOp.from_int_and_width(turn * step, IndexType())
    new = scf.ForOp(op.lb, op.ub, strided, [], Region(body))
    new.attributes, new.location = dict(op.attributes), op.location
    Rewriter.insert_op([strided, new], InsertPoint.before(op))
    Rewriter.erase_op(op)
    return new


def _places(op: scf.ForOp) -> list[int]:
    """Whose place each carried memref has taken from; none where not all are such."""
    carried: list[SSAValue] = list(op.body.block.args[1:])
    last = op.body.block.last_op
    assert isinstance(last, scf.YieldOp)
    given = list(last.arguments)
    is_turn = all(isinstance(one.type, MemRefType) and one in carried for one in given)
    if not is_turn or any(result.uses for result in op.res):
        return []
    return [carried.index(one) for one in given]


def _turn(places: Sequence[int]) -> int:
    """After how many iterations all are back, if that is soon."""
    at, start = list(places), list(range(len(places)))
    for length in range(1, CORE.code.pointer_turn + 1):
        if at == start:
            return length
        at = [places[one] for one in at]
    return 1


def _can_be_copied(op: scf.ForOp) -> bool:
    inside = [inner for inner in op.walk() if inner is not op]
    if not isinstance(op.body.block.args[0].type, IndexType):
        return False
    return len(inside) <= CORE.code.unrolled_turns and all(
        isinstance(one, STRUCTURE) or is_access(one) or is_pure(one) for one in inside
    )


@record
class _Turns:
    """Writes the iterations of one turn, each behind the question whether there is one more."""

    op: scf.ForOp
    places: Sequence[int]
    step: int
    iterator: SSAValue

    def write(self, into: Block, given: Sequence[SSAValue], left: int, done: int = 0) -> None:
        counted: SSAValue = self.iterator
        if done:
            far = arith.ConstantOp.from_int_and_width(done * self.step, IndexType())
            later = arith.AddiOp(counted, far)
            more = arith.CmpiOp(later, self.op.ub, "slt")
            then = Block()
            self.add(into, far, later, more, scf.IfOp(more, [], Region(then)), scf.YieldOp())
            into, counted = then, later.result
        old = self.op.body.block
        known: dict[SSAValue, SSAValue] = dict(zip(old.args, [counted, *given], strict=True))
        for inner in old.ops:
            if inner is not old.last_op:
                into.add_op(inner.clone(known))
        if left > 1:
            self.write(into, [given[place] for place in self.places], left - 1, done + 1)
        else:
            self.add(into, scf.YieldOp())

    def add(self, into: Block, *ops: Operation) -> None:
        for one in ops:
            one.location = self.op.location
            into.add_op(one)
