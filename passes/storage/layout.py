"""poly-layout: an array in another layout while a SCoP runs."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Literal

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import ScheduleAttr, ScopOp
from polyopt.dialects.poly_view import accesses_of, read_scop
from polyopt.ir.problem import SOURCE_SCHEDULE, limited
from polyopt.passes.storage.moved_accesses import (
    add_copy,
    with_known_locals,
    with_new_array,
    write_moves,
)
from polyopt.passes.storage.size_limit import Request, always_fit, insert_choice, insert_version
from polyopt.poly.changes.layouts import Kind, Layout, NoLayout, Relaid, relaid
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark

_GREATEST_LIMIT = (1 << 40) - 1


@record
class PolyLayoutPass(ModulePass):
    """Keep `array` in another layout while a SCoP runs (`poly/changes/layouts.py`): `transpose`
    has its dimensions in another `order` (outermost first; reversed where none is given), `pad`
    makes its rows `number` elements longer, `split` takes records of `number` numbers apart, so
    that each of their members has a row: arrays of structs are structs of arrays.

    What a read may see from before the SCoP is copied into the new array first; what is written
    is copied back at the end, unless nothing reads it afterwards: a local array that is filled and
    used up here has the new layout and no copies. `scops` are the functions whose SCoPs are meant,
    all that touch the array where none is named.

    Ensures: dependences are those that there were, since no two elements share a place; the copies
    are statements before and behind all others. A new array takes at most `limit` bytes: where
    parameters decide on that, the SCoP is there twice, and the sizes choose when it runs. What
    cannot be done is an error.

        for t, for j, for i { s[j] += A[i, j] }
      =>
        for a0, for a1 { A_layout[a1, a0] = A[a0, a1] }
        for t, for j, for i { s[j] += A_layout[j, i] }
    """

    name = "poly-layout"

    array: str
    layout: Literal["transpose", "pad", "split"] = "transpose"
    order: tuple[int, ...] = ()
    number: int = 0
    scops: tuple[str, ...] = ()
    limit: int = 1 << 28
    operations: int = 4_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self._check_options()
        chosen = [one for one in operations_in(op, ScopOp) if self._is_meant(one)]
        if not chosen:
            where = f" of {', '.join(self.scops)}" if self.scops else ""
            raise CompileError(
                f"{self.name}: no static control part{where} has an array {self.array!r}"
            )
        for scop_op in chosen:
            self._change(scop_op)

    def _check_options(self) -> None:
        if self.order and self.layout != "transpose":
            raise CompileError(f"{self.name}: order is for layout=transpose")
        if self.layout == "transpose" and self.number:
            raise CompileError(f"{self.name}: number is for layout=pad and layout=split")
        least = {"transpose": 0, "pad": 1, "split": 2}[self.layout]
        if self.number < least:
            raise CompileError(f"{self.name}: layout={self.layout} asks for number={least} or more")
        if not 0 <= self.limit <= _GREATEST_LIMIT:
            raise CompileError(f"{self.name}: limit is from 0 to {_GREATEST_LIMIT}")

    def _is_meant(self, op: ScopOp) -> bool:
        names = [name.data for name in op.array_names]
        return self.array in names and (not self.scops or op.scop_name.data in self.scops)

    def _change(self, op: ScopOp) -> None:
        try:
            with limited(op, "layout", self.operations):
                scop = with_known_locals(op, read_scop(op))
                source = scop.array(self.array)
                made = relaid(scop, source, self._layout(len(source.extents)))
        except NoLayout as reason:
            raise CompileError(f"{self.name}: {reason}", span_of(op)) from None
        except BudgetExceeded as error:
            raise CompileError(f"{self.name}: not done: {error}", span_of(op)) from None
        condition = sizes_that_fit(self.name, op, [made], self.limit)
        write_relaid(op, made)
        remark("applied", self.name, f"{told(made)}{condition}", span_of(op))

    def _layout(self, rank: int) -> Layout:
        kind: Kind = self.layout
        if kind != "transpose":
            return Layout(kind, number=self.number)
        return Layout(kind, order=self.order or tuple(reversed(range(rank))))


def sizes_that_fit(
    name: str, op: ScopOp, made: Seq[Relaid], limit: int, also: SSAValue | None = None
) -> str:
    """`op` runs where the arrays that the pass `name` has made take no more than `limit` bytes
    together, and where the test `also` holds; the text says when the first is. Raises CompileError
    where it is never."""
    requests = [Request(one.source.element_bytes, one.extents) for one in made]
    fits = always_fit(requests, limit)
    if fits is False:
        size = sum(request.known_bytes() or 0 for request in requests)
        names = ", ".join(one.source.name for one in made)
        message = f"{name}: {names} would take {size} bytes, more than {limit}"
        raise CompileError(message, span_of(op))
    if fits is None:
        insert_version(op, requests, limit, also)
    elif also is not None:
        insert_choice(op, also)
    return "" if fits else f", where that takes at most {limit} bytes"


def write_relaid(op: ScopOp, made: Relaid, source_order: isl.Schedule | None = None) -> ScopOp:
    """The SCoP as it has been made: its order is that of the source from now on, unless that is
    given."""
    if made.layout.kind == "transpose":
        _permute_indices(op, made)
    name = made.move.array.name
    op = with_new_array(op, name, made.source.name, made.extents, is_static=True)
    write_moves(op, [made.move])
    for copy in made.copies:
        add_copy(op, copy)
    source = made.scop.schedule if source_order is None else made.around(source_order)
    op.properties["schedule"] = ScheduleAttr.of(made.scop.schedule)
    op.attributes[SOURCE_SCHEDULE] = ScheduleAttr.of(source)
    return op


def _permute_indices(op: ScopOp, made: Relaid) -> None:
    """What is computed of subscripts goes with the dimensions."""
    for statement in op.statements():
        for position, access in enumerate(accesses_of(statement)):
            old = list(access.index)
            if old and (statement.stmt_name.data, position) in made.move.relations:
                first = len(access.operands) - len(old)
                for place, k in enumerate(made.layout.order):
                    access.operands[first + place] = old[k]


def told(made: Relaid) -> str:
    """What has been done, in a sentence."""
    layout, name = made.layout, made.source.name
    match layout.kind:
        case "transpose":
            how = f"has its dimensions in the order {', '.join(str(k) for k in layout.order)}"
        case "pad":
            how = f"has rows that are {layout.number} elements longer"
        case "split":
            how = f"has the members of its records of {layout.number} in rows of their own"
    ways = {(True, True): "copied in and out", (True, False): "copied in"}
    ways[False, True] = "copied out"
    copied = ways.get((made.into is not None, made.out is not None), "without copies")
    return f"{name} {how}, {copied}"
