"""How the subscripts of an access move where no affine function gives them.

    X[c[k] * n + j]    moves by one with j, and with k by what c holds

The relation of such an access says which elements may be touched; from one iteration to the next
the computation of the index says more, and costs are estimated from that.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.poly import ReadOp, StmtOp
from polyopt.poly.linear.linear_forms import subscripts_of
from polyopt.poly.scop import Moves

_TRANSPARENT = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp)


def moves_of(indices: Sequence[SSAValue], statement: StmtOp) -> tuple[Moves, ...]:
    """For each index that is computed in the statement: what is added to it when each iterator goes
    on by one; None where that is not one number."""
    iterators = statement.body.block.args
    known: dict[SSAValue, Moves] = {
        one: tuple(int(k == one.index) for k in range(len(iterators))) for one in iterators
    }
    needed, pending = set[Operation](), [index.owner for index in indices]
    while pending:
        op = pending.pop()
        if isinstance(op, Operation) and op not in needed and statement.is_ancestor(op):
            needed.add(op)
            pending += [operand.owner for operand in op.operands]
    still = (0,) * len(iterators)
    for op in statement.walk():
        if op in needed:
            parts = [known.get(operand, still) for operand in op.operands]
            known |= dict.fromkeys(op.results, _moves(op, parts, len(iterators)))
    return tuple(known.get(index, still) for index in indices)


def _moves(op: Operation, parts: Sequence[Moves], count: int) -> Moves:
    if op.regions:
        return (None,) * count
    if isinstance(op, _TRANSPARENT):
        return parts[0]
    if isinstance(op, (arith.AddiOp, arith.SubiOp)):
        sign = 1 if isinstance(op, arith.AddiOp) else -1
        return tuple(
            None if a is None or b is None else a + sign * b for a, b in zip(*parts, strict=True)
        )
    if isinstance(op, arith.MuliOp):
        for factor, part in ((op.lhs, parts[1]), (op.rhs, parts[0])):
            number = _constant(factor)
            if number is not None:
                return tuple(None if step is None else step * number for step in part)
    read = _moves_of_place(op, count) if isinstance(op, ReadOp) else ()
    return tuple(_anyhow([part[k] for part in (*parts, *read)]) for k in range(count))


def _moves_of_place(op: ReadOp, count: int) -> tuple[Moves, ...]:
    if op.relation.is_empty:
        return ()
    rows = subscripts_of(op.relation.map())
    if rows is None:
        return () if op.index else ((None,) * count,)
    return rows


def _anyhow(steps: Sequence[int | None]) -> int | None:
    return None if any(step != 0 for step in steps) else 0


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None
