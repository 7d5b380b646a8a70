"""What the formats have in common that say SCoPs as matrices, OpenScop's and those beside it."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.passes.exchange.described import ONLY_SCHEDULES, described_op
from polyopt.passes.exchange.exchange_files import Unsayable, chosen_scops, file_of, put
from polyopt.poly.exchange.dates import clan_dates_of
from polyopt.poly.exchange.description import Description
from polyopt.poly.exchange.openscop import OpenScop
from polyopt.poly.exchange.openscop_scop import description_of, openscop_of
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import record


@record
class MatrixFormat:
    """`text_of` raises ValueError, with the reason, for what the format cannot say."""

    name: str
    suffix: str
    text_of: Callable[[OpenScop], str]


def export_matrices(module: ModuleOp, name: str | None, folder: str, form: MatrixFormat) -> None:
    """Write each SCoP, or the one of that name, into its file in the folder. Unsayable for a
    SCoP that the format cannot say."""
    for scop in chosen_scops(module, name):
        try:
            text = form.text_of(_matrices_of(scop))
        except ValueError as reason:
            own = scop.scop_name.data
            raise Unsayable(f"SCoP '{own}' is nothing for {form.name}: {reason}") from None
        put(folder, file_of(scop, form.suffix), text)


def description_for(scop: ScopOp, found: OpenScop, file: str) -> Description:
    """What the file says, in names that no statement of the SCoP has: whether they are the same is
    asked. CompileError where the file has not as many statements."""
    names = [one.stmt_name.data for one in scop.statements()]
    if len(names) != len(found.statements):
        raise CompileError(
            f"not the SCoP '{scop.scop_name.data}', which has {len(names)} statements: "
            f"here are {len(found.statements)}",
            Span(file, 1),
            ONLY_SCHEDULES,
        )
    return description_of(found, file, [f"{name}'" for name in names])


def _matrices_of(op: ScopOp) -> OpenScop:
    scop = read_scop(op)
    domains = {one.name: one.domain for one in scop.statements}
    try:
        dates = clan_dates_of(scop.schedule, domains)
    except UnsupportedTree as error:
        raise CompileError(f"SCoP '{scop.name}' cannot be written as OpenScop: {error}") from None
    iterators = {one.name: one.iterators for one in scop.statements}
    return openscop_of(described_op(op), dates, iterators)
