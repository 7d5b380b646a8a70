"""What a statement writes whichever way its conditions go.

    if (a[i] == b[j]) L[i][j] = x; else L[i][j] = y;     each write may be left out, but not both

In `poly` each write of an arm is a may-write. As data of the statement they are must-writes where
every way through it writes this element: what was there before is not read behind them.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import scf
from xdsl.ir import Block, SSAValue

from polyopt.dialects.poly import ScopOp, StmtOp, WriteOp
from polyopt.poly.scop import Scop, Statement

_Element = tuple[SSAValue, str]
"""An array and the relation from instances to its elements."""


def with_sure_writes(op: ScopOp, scop: Scop) -> Scop:
    """`scop`, which describes `op`, with must-writes where all ways through a statement write; the
    same one where there are none."""
    statements = {one.stmt_name.data: one for one in op.statements()}
    told = tuple(_with_sure_writes(statements[one.name], one) for one in scop.statements)
    is_same = all(one is other for one, other in zip(told, scop.statements, strict=True))
    return scop if is_same else replace(scop, statements=told)


def _with_sure_writes(op: StmtOp, statement: Statement) -> Statement:
    sure = _written(op.body.block)
    places = {
        position
        for position, one in enumerate(op.accesses())
        if isinstance(one, WriteOp) and _element(one) in sure
    }
    accesses = tuple(
        replace(one, is_must=True)
        if one.is_write and one.position in places and one.relation.is_single_valued()
        else one
        for one in statement.accesses
    )
    is_same = accesses == statement.accesses
    return statement if is_same else replace(statement, accesses=accesses)


def _written(block: Block) -> set[_Element]:
    """What each way through the block writes."""
    found = set[_Element]()
    for op in block.ops:
        if isinstance(op, WriteOp) and (element := _element(op)) is not None:
            found.add(element)
        elif isinstance(op, scf.IfOp) and op.false_region.blocks:
            found |= _written(op.true_region.block) & _written(op.false_region.block)
    return found


def _element(op: WriteOp) -> _Element | None:
    """None where the place is computed when it runs."""
    return None if op.index else (op.array, op.relation.data)
