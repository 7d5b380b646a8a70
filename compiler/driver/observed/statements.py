"""What a report says of the statements of a static control part: where they stand, what they only
update, and whether they compute in floating point."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat

from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import StmtOp, WriteOp
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
            )
        )
    return tuple(found)


def _stores_of(statement: StmtOp) -> tuple[Span, ...]:
    """Where it does what later passes tell about it: there may be several places."""
    spans = (span_of(op) for op in statement.accesses() if isinstance(op, WriteOp))
    return tuple(dict.fromkeys(span for span in spans if span is not None))


def _rounds(statement: StmtOp) -> bool:
    """Whether anything that it reads or computes is a floating-point number."""
    results = (result for op in statement.walk() for result in op.results)
    return any(isinstance(result.type, AnyFloat) for result in results)
