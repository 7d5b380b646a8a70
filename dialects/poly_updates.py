"""Which arrays does a statement only update, whichever way its conditions go?

    if (lower <= r[j] && r[j] < upper) { s += x[j]; c++; }       s and c

More than `find_reductions` knows: stores under conditions, and values that go through the arms of
conditions before they are stored. It is for those who tell what a loop carries; what may be
reordered, and by whom, is for others to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue, Use

from polyopt.dialects.poly import ReadOp, StmtOp, WriteOp
from polyopt.dialects.poly_reduction import OPERATORS


def updated_arrays(op: StmtOp, array_names: Mapping[SSAValue, str]) -> dict[str, str]:
    """The arrays of which the statement stores nothing but updates of elements, each with its
    operator: what it stores was read from there for that alone. Other elements of them it may
    read."""
    accesses = op.accesses()
    writes = [one for one in accesses if isinstance(one, WriteOp)]
    found = dict[str, str]()
    for array in dict.fromkeys(one.array for one in writes):
        operators = {_operator_of(one, accesses) for one in writes if one.array is array}
        (operator,) = operators if len(operators) == 1 else (None,)
        if operator is not None:
            found[array_names[array]] = operator
    return found


def _operator_of(write: WriteOp, accesses: Sequence[ReadOp | WriteOp]) -> str | None:
    """Of the update that it stores: the next store of an element takes the next reading of it."""
    here = [one for one in accesses if one.array is write.array and one.relation == write.relation]
    stores = [one for one in here if isinstance(one, WriteOp)]
    reads = [one for one in here if isinstance(one, ReadOp)]
    if write.index or len(reads) != len(stores):
        return None
    return _operator_between(reads[stores.index(write)], write)


def _operator_between(read: ReadOp, write: WriteOp) -> str | None:
    """The operator of everything on the way from the value read to the value written, which is all
    that is done with it: each way adds to it, or leaves it as it is."""
    derived: set[SSAValue] = {read.result}
    operators = set[str]()
    pending: list[SSAValue] = [read.result]
    while pending:
        for use in pending.pop().uses:
            if use.operation is write:
                continue
            result = _passed_on(use)
            if result is None:
                return None
            if (operator := OPERATORS.get(type(use.operation))) is not None:
                operators.add(operator)
            if result not in derived:
                derived.add(result)
                pending.append(result)
    makers = {one.owner for one in derived if isinstance(one.owner, Operation)}
    is_kept = all(_keeps(one, derived) for one in makers if one is not read)
    if write.value not in derived or not is_kept or len(operators) != 1:
        return None
    return operators.pop()


def _passed_on(use: Use) -> SSAValue | None:
    """What an accumulator's value becomes there; None where it is used for anything else."""
    op = use.operation
    if type(op) in OPERATORS:
        is_subtracted = isinstance(op, arith.SubfOp | arith.SubiOp) and use.index == 1
        return None if is_subtracted else op.results[0]
    if isinstance(op, arith.SelectOp):
        return None if use.index == 0 else op.result
    around = op.parent_op()
    if isinstance(op, scf.YieldOp) and isinstance(around, scf.IfOp):
        return around.results[use.index]
    return None


def _keeps(op: Operation, derived: set[SSAValue]) -> bool:
    """Whether the value that it makes is the accumulator's whichever way conditions go, once."""
    if isinstance(op, arith.SelectOp):
        return op.lhs in derived and op.rhs in derived
    if not isinstance(op, scf.IfOp):
        return sum(operand in derived for operand in op.operands) == 1
    ends = [region.block.last_op for region in op.regions if region.blocks]
    places = [place for place, result in enumerate(op.results) if result in derived]
    return all(end is not None and end.operands[at] in derived for end in ends for at in places)
