"""How often the loops of a SCoP go how far, where that is doubled or halved around them.

for (len = 1; len < n; len *= 2)                    1, 2, 4, …: each once
    for (i = 0; i < n; i += 2 * len)                n / len / 2 times
        for (j = i; j < i + len; j++)

for (len = n / 2; len > 0; len /= 2)                each once, which most of the time goes to
    for (j = 0; j < len; j++)                       the longest

for (len = 1, m = n / 2; m; len *= 2, m /= 2)       each once, and the more of them in a run the
    for (i = 0; i < m; i++)                         shorter they are, which is as if m stayed and
        for (j = 0; j < len; j++)                   they came up n / len / 2 times
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.control.cfg import comes_back
from polyopt.ir.effects import constant_integer

_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp)
_BY_POWERS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)
_BY_FACTORS = (arith.MuliOp, arith.DivSIOp, arith.DivUIOp)
_GROWING = (arith.ShLIOp, arith.MuliOp)


def shares_of_spans(
    at: Block, of: Iterable[SSAValue], others: Iterable[SSAValue], spans: Sequence[float]
) -> list[float] | None:
    """How often each of the spans, which are about powers of two, comes up for the code in the
    block `at`, had the `others` that it is given the same values each time; None where none of the
    values that they are made `of` is doubled or halved."""
    for value in of:
        moved = _doubled_in(value)
        if moved is not None:
            head, by = moved
            is_repeated = comes_back(at, avoiding=(head,))
            is_shared = any(_doubled_in(other) == (head, -by) for other in others)
            return [1 / span if is_repeated or is_shared else 1.0 for span in spans]
    return None


def _doubled_in(value: SSAValue) -> tuple[Block, int] | None:
    """The head of the loop that doubles it (1) or halves it (-1), or what it is a part or a
    multiple of."""
    while isinstance(value.owner, Operation) and _is_passed_on(value.owner):
        value = value.owner.operands[0]
    head = value.owner
    if not isinstance(value, BlockArgument) or not isinstance(head, Block):
        return None
    passed = [edge.values[value.index] for edge in incoming(head) if edge.values]
    moved = [by for one in passed if (by := _moved(one, value))]
    return (head, moved[0]) if moved else None


def _moved(value: SSAValue, of: SSAValue) -> int:
    """1 where it is a multiple of the other one, -1 where it is a part of it."""
    op = value.owner
    if isinstance(op, arith.AddiOp):
        return int(op.lhs is of and op.rhs is of)
    if not isinstance(op, Operation) or not _is_multiple(op) or op.operands[0] is not of:
        return 0
    return 1 if isinstance(op, _GROWING) else -1


def _is_passed_on(op: Operation) -> bool:
    return isinstance(op, _CASTS) or _is_multiple(op)


def _is_multiple(op: Operation) -> bool:
    if not isinstance(op, (*_BY_POWERS, *_BY_FACTORS)):
        return False
    by = constant_integer(op.operands[1])
    return by is not None and by > (0 if isinstance(op, _BY_POWERS) else 1)
