"""A SCoP of the IR as a description, and a description's schedule as the SCoP's."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import ScheduleAttr, ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.problem import SOURCE_SCHEDULE, effort_around, read_problem
from polyopt.passes.exchange.imported import import_dates
from polyopt.poly.changes.storage import Move
from polyopt.poly.exchange.adoption import NotTheSame, adopted
from polyopt.poly.exchange.description import Description
from polyopt.poly.exchange.new_places import NotMoved, find_moves
from polyopt.poly.exchange.own_scop import describe
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError

OPERATIONS = 20_000_000
ONLY_SCHEDULES = (
    "in a file that is imported only schedules may change; "
    "a SCoP that was exported with tiles may have data moved: --poly=isl moves none"
)

_FLOATS = {
    "f16": "half",
    "bf16": "bfloat",
    "f32": "float",
    "f64": "double",
    "f80": "x86_fp80",
    "f128": "fp128",
}


def described_op(op: ScopOp) -> Description:
    return _described(op, read_scop(op))


def described_source(op: ScopOp) -> Description:
    """With the order of the source, whatever the schedule is now."""
    scop = read_scop(op)
    kept = op.attributes.get(SOURCE_SCHEDULE)
    return _described(
        op, scop.with_schedule(kept.schedule()) if isinstance(kept, ScheduleAttr) else scop
    )


def _described(op: ScopOp, scop: Scop) -> Description:
    """CompileError where no dates say the order."""
    types = {
        name.data: _type_name(memref_type(value).element_type)
        for value, name in zip(op.arrays, op.array_names, strict=True)
    }
    try:
        read_tree(scop.schedule)
    except UnsupportedTree as reason:
        raise CompileError(f"SCoP '{scop.name}' cannot be described: {reason}", scop.span) from None
    spans = [statement.span for statement in scop.statements if statement.span is not None]
    if not spans:
        return describe(scop, types)
    lines = sorted(span.line for span in [*spans, *filter(None, [span_of(op)])])
    return describe(scop, types, f"{spans[0].file}:{lines[0]}-{lines[-1]}")


def _type_name(element: Attribute) -> str:
    """LLVM's name of the type; pointers are opaque."""
    if isinstance(element, IntegerType | IndexType):
        return "i64" if isinstance(element, IndexType) else f"i{element.bitwidth}"
    return _FLOATS.get(str(element), "ptr")


def import_description(
    op: ScopOp,
    theirs: Description,
    file: str,
    *,
    as_theirs: Callable[[Description], Description] = lambda ours: ours,
    may_move: bool = False,
) -> None:
    """Give the SCoP the schedule of the file that `theirs` was read from; CompileError where the
    file is about something else, or the schedule illegal. `as_theirs` says of ours what the format
    can say of it. `may_move`: accesses go to the places that the file has for them."""

    def combine(ours: Description) -> Description:
        return adopted(theirs, as_theirs(ours), but_places=may_move)

    same = of_same_loops(file, combine, op)
    dates = {one.name: one.schedule for one in same.statements}
    problem = read_problem(op)
    has_our_names = same is theirs
    moves = list[Move]()
    if may_move and has_our_names:
        try:
            moves = find_moves(problem.scop, described_source(op), theirs)
        except NotMoved as reason:
            raise CompileError(f"{file}: {reason}", problem.span) from None
    with problem.effort():
        import_dates(problem, dates, file, moves)


def of_same_loops(
    file: str, combine: Callable[[Description], Description], op: ScopOp
) -> Description:
    """What `combine` makes of the SCoP as the source has it; CompileError where the file is not
    about the same loops."""
    ours = described_source(op)
    try:
        with effort_around(op), budget("comparing SCoPs", OPERATIONS):
            return combine(ours)
    except BudgetExceeded as error:
        raise CompileError(f"{file}: not taken: {error}") from None
    except NotTheSame as error:
        message = f"{file}: not the SCoP '{ours.name}': {error}"
        raise CompileError(message, hint=ONLY_SCHEDULES) from None
