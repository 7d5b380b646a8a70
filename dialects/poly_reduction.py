"""What a statement updates: `A[x] = A[x] op value` of an accumulator, beside what else it does.

Recognised from the statement's operations: a value that is written to the element that it was
read from, with nothing on the way but operations of one associative and commutative operator,
each used once. Other elements of the array may be read too, as in
`table[i][j] = max(table[i][j], table[i][k])`: whether they are others, the dependences tell. A
subtraction counts as an addition where the accumulator is its left side. Whether the updates may
be reordered is for others to say.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.dialects.poly import ReadOp, StmtOp, WriteOp
from polyopt.poly.scop import Reduction

OPERATORS: Mapping[type[Operation], str] = {
    arith.AddfOp: "arith.addf",
    arith.SubfOp: "arith.addf",
    arith.MulfOp: "arith.mulf",
    arith.AddiOp: "arith.addi",
    arith.SubiOp: "arith.addi",
    arith.MuliOp: "arith.muli",
    arith.MaximumfOp: "arith.maximumf",
    arith.MinimumfOp: "arith.minimumf",
    arith.MaxnumfOp: "arith.maxnumf",
    arith.MinnumfOp: "arith.minnumf",
    arith.MaxSIOp: "arith.maxsi",
    arith.MinSIOp: "arith.minsi",
    arith.MaxUIOp: "arith.maxui",
    arith.MinUIOp: "arith.minui",
    arith.AndIOp: "arith.andi",
    arith.OrIOp: "arith.ori",
    arith.XOrIOp: "arith.xori",
}


def find_reductions(op: StmtOp, array_names: Mapping[SSAValue, str]) -> tuple[Reduction, ...]:
    """One for each array that is written once, by an update."""
    accesses = op.accesses()
    writes = [a for a in accesses if isinstance(a, WriteOp)]
    written = [a.array for a in writes]
    found: list[Reduction] = []
    for write in writes:
        reads = [a for a in accesses if isinstance(a, ReadOp) and _is_same_element(a, write)]
        if written.count(write.array) != 1 or len(reads) != 1:
            continue
        operator = _operator_between(reads[0], write)
        if operator is not None:
            read, to = accesses.index(reads[0]), accesses.index(write)
            found.append(Reduction(operator, array_names[write.array], read, to))
    return tuple(found)


def _is_same_element(read: ReadOp, write: WriteOp) -> bool:
    return (
        read.array is write.array
        and read.relation == write.relation
        and read.may is None
        and write.may is None
        and not read.index
        and not write.index
    )


def _operator_between(read: ReadOp, write: WriteOp) -> str | None:
    """The one operator of the chain of single uses from the value read to the value written."""
    value: SSAValue = read.result
    operator: str | None = None
    while True:
        uses = list(value.uses)
        if len(uses) != 1:
            return None
        use = uses[0]
        user = use.operation
        if user is write:
            return operator
        found = OPERATORS.get(type(user))
        is_subtracted = isinstance(user, arith.SubfOp | arith.SubiOp) and use.index == 1
        if found is None or is_subtracted or operator not in (None, found):
            return None
        operator = found
        result = user.results[0]
        assert isinstance(result, OpResult)
        value = result
