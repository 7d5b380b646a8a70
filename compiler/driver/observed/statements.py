"""What a report says of the statements of a static control part: where they stand, what they only
update, and whether they compute in floating point."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import AnyFloat, IntegerType, MemRefType
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import ReadOp, StmtOp, WriteOp
from polyopt.dialects.poly_updates import updated_arrays
from polyopt.ir.problem import EXACT, Problem
from polyopt.report.contents import Statement
from polyopt.support.diagnostics import SourceMap, Span

ADDS = "arith.addf"


def statements_of(problem: Problem, file: str, sources: SourceMap) -> tuple[Statement, ...]:
    """`file` is the one that is shown."""
    named = {
        array: name.data
        for array, name in zip(problem.op.arrays, problem.op.array_names, strict=True)
    }
    ops = {op.stmt_name.data: op for op in problem.op.statements()}
    found = list[Statement]()
    for one in problem.scop.statements:
        updated = updated_arrays(ops[one.name], named)
        found.append(
            Statement(
                one.name,
                one.iterators,
                one.span,
                (sources.line(one.span) or "").strip(),
                one.span.line if one.span is not None and one.span.file == file else None,
                tuple(array for array, operator in updated.items() if operator == ADDS),
                tuple(array for array, operator in updated.items() if operator in EXACT),
                _stores_of(ops[one.name]),
                _rounds(ops[one.name]),
                _touches(ops[one.name], named, file),
                _integers(ops[one.name], named),
            )
        )
    return tuple(found)


def _stores_of(statement: StmtOp) -> tuple[Span, ...]:
    """Where it does what later passes tell about it: there may be several places."""
    spans = (span_of(op) for op in statement.accesses() if isinstance(op, WriteOp))
    return tuple(dict.fromkeys(span for span in spans if span is not None))


def _touches(
    statement: StmtOp, named: Mapping[SSAValue, str], file: str
) -> tuple[tuple[str, bool, int], ...]:
    """Arrays that it accesses in one line only, which is another than that in which it stands.
    What reads a variable may have the place of its declaration: it is read where it is used."""
    own, lines = span_of(statement), dict[tuple[str, bool], set[int]]()
    for op in statement.accesses():
        is_write, at = isinstance(op, WriteOp), span_of(op)
        if at is None or own is None or at.file != file:
            return ()
        is_variable = isa(op.array.type, MemRefType) and not op.array.type.get_shape()
        line = _used_in(op, file) if isinstance(op, ReadOp) and is_variable else at.line
        if line is not None:
            lines.setdefault((named[op.array], is_write), set()).add(line)
    return tuple(
        (*key, line)
        for key, found in lines.items()
        if len(found) == 1
        for line in found
        if own is not None and line != own.line
    )


def _used_in(read: ReadOp, file: str) -> int | None:
    """The first line that uses what is read."""
    spans = [span_of(use.operation) for use in read.result.uses]
    return min((one.line for one in spans if one is not None and one.file == file), default=None)


def _integers(statement: StmtOp, named: Mapping[SSAValue, str]) -> tuple[str, ...]:
    writes = [op for op in statement.accesses() if isinstance(op, WriteOp)]
    return tuple(named[op.array] for op in writes if isinstance(op.value.type, IntegerType))


def _rounds(statement: StmtOp) -> bool:
    """Whether anything that it reads or computes is a floating-point number."""
    results = (result for op in statement.walk() for result in op.results)
    return any(isinstance(result.type, AnyFloat) for result in results)
