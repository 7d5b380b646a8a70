"""What passes that choose layouts for arrays by themselves have in common: which SCoPs they look
at, at what cost, and how what they have chosen is written."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq

import islpy as isl
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import BATCH, BY_HAND, ScopOp
from polyopt.ir.problem import limited, place_of, read_permitted, read_problem
from polyopt.passes.storage.asked_parameters import asked_in_front
from polyopt.passes.storage.layout import sizes_that_fit, told, write_relaid
from polyopt.passes.storage.moved_accesses import with_known_locals
from polyopt.poly.changes.layouts import Layout, NoLayout, Relaid, relaid
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class Chooser:
    """The pass `name`, which gives `topic` another layout; its options `limit` (bytes of all new
    arrays of a SCoP) and `operations` (of isl's)."""

    name: str
    topic: str
    limit: int
    operations: int


@record(eq=False)
class Chosen:
    """An array in another layout; `what` is what stays as it is if that cannot be; `often` are the
    parameters for which it pays, where not for all."""

    array: str
    layout: Layout
    what: str
    often: isl.Set | None = None


def lay_out_scops(
    module: ModuleOp,
    by: Chooser,
    may_be: Callable[[SSAValue], bool],
    change: Callable[[ScopOp, Scop], None],
) -> None:
    """`change` each SCoP with an array that `may_be` one; a SCoP for which that costs too much
    stays as it is, and so does one whose order is a person's. What depends on what is not asked
    for all: few have such arrays, and most of these change before somebody else asks."""
    for op in operations_in(module, ScopOp):
        if op.attributes.keys() & {BY_HAND, BATCH} or not any(map(may_be, op.arrays)):
            continue
        scop = read_permitted(op)
        try:
            with limited(op, by.topic, by.operations):
                change(op, scop)
        except BudgetExceeded as error:
            span = place_of(op, scop)
            remark("missed", by.name, f"{by.topic} stay as they are: {error}", span)


def write_chosen(
    op: ScopOp,
    scop: Scop,
    by: Chooser,
    chosen: Seq[Chosen],
    *,
    often: str = "",
    ordered: bool = True,
) -> None:
    """The SCoP with what was chosen, behind a test where that pays for some parameters only, which
    the words `often` say, or where sizes decide. `ordered`: not as in the source, maybe."""
    span = place_of(op, scop)
    made, wanted = list[tuple[Chosen, Relaid]](), scop.known
    for one in chosen:
        try:
            made.append((one, _relaid(op, one)[1]))
        except NoLayout as reason:
            remark("missed", by.name, f"{one.what} stay as they are: {reason}", span)
            continue
        wanted = wanted if one.often is None else wanted.intersect(one.often)
    if not made or wanted.is_empty():
        return
    also, more = None, ""
    if not scop.known.is_subset(wanted):
        also, more = asked_in_front(op, wanted.gist(scop.known).coalesce()), often
    try:
        fits = sizes_that_fit(by.name, op, [one for _, one in made], by.limit, also)
    except CompileError as reason:
        remark("missed", by.name, f"{by.topic} stay as they are: {reason}", span)
        return
    for one, _ in made:
        order, new = _relaid(op, one)
        op = write_relaid(op, new, order if ordered else None)
        remark("applied", by.name, f"{told(new)}{fits}{more}", span)


def _relaid(op: ScopOp, one: Chosen) -> tuple[isl.Schedule, Relaid]:
    """The order of the source, and the SCoP with the array in its new layout, in the order that it
    has. Raises NoLayout."""
    problem = read_problem(op)
    scop = with_known_locals(op, problem.scop)
    return problem.source_schedule, relaid(scop, scop.array(one.array), one.layout)
