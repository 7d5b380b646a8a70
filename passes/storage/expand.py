"""poly-expand: temporaries get a place for each iteration of the loops that this sets free."""

from __future__ import annotations

from collections.abc import Sequence as Seq

import islpy as isl
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import BATCH, ScopOp, SetAttr
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.problem import limited
from polyopt.passes.storage.moved_accesses import (
    append_copy,
    with_known_locals,
    with_new_array,
    write_moves,
)
from polyopt.passes.storage.size_limit import Request, always_fit, beyond, insert_version
from polyopt.poly.changes.band_expansion import Choice, choose, find_candidates
from polyopt.poly.changes.declared import within_declared
from polyopt.poly.changes.expansion import Expansion, add_statement, expanded, move_over
from polyopt.poly.changes.storage import apply_moves
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark

_GREATEST_LIMIT = (1 << 31) - 1

OPERATIONS = 100_000
"""For what is known of the sizes for which temporaries do not fit."""


@record
class PolyExpandPass(ModulePass):
    """Give the values of temporaries places of their own (`poly/changes/band_expansion.py`), in
    a new array with a place for each iteration of the loops that commute by it, or carry nothing.

    `arrays` are the temporaries to look at, all of them where none is named. `loops` is the number
    of innermost loops to expand over, whatever that frees; 0 looks for the fewest that free a band
    of loops, else a single one. The new arrays of a SCoP take at most `limit` bytes together: where
    parameters decide on that, the SCoP is there twice, and the sizes choose when it runs.
    `declared`: no subscript is beyond what its array is declared with.

    Requires: the SCoP has the order of the source. Ensures: every read gets its value from the
    same write as before (checked on the dataflow), and memory is left as before. A SCoP for which
    that costs more than `operations` of isl's stays as it is.

        for i { s = 0; for j { s += A[i, j] }; B[i] = s }
      =>
        for i { s_x[i] = 0; for j { s_x[i] += A[i, j] }; B[i] = s_x[i] }
    """

    name = "poly-expand"

    arrays: tuple[str, ...] = ()
    loops: int = 0
    limit: int = 1 << 24
    operations: int = 4_000_000
    declared: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.loops < 0:
            raise CompileError(f"{self.name}: loops is not negative, got {self.loops}")
        if not 0 <= self.limit <= _GREATEST_LIMIT:
            raise CompileError(f"{self.name}: limit is from 0 to {_GREATEST_LIMIT}")
        scops = operations_in(op, ScopOp)
        known = {name.data for scop_op in scops for name in scop_op.array_names}
        for array in self.arrays:
            if array not in known:
                raise CompileError(f"{self.name}: no static control part has an array {array!r}")
        for scop_op in scops:
            if BATCH in scop_op.attributes:
                continue
            try:
                with limited(scop_op, "expansion", self.operations):
                    scop = with_known_locals(scop_op, read_scop(scop_op))
                    found = self._expansions(scop)
            except BudgetExceeded:
                remark("missed", "expansion-budget", "expanding temporaries costs too much")
                continue
            if found:
                self._write(scop_op, scop, found)

    def _expansions(self, scop: Scop) -> list[Expansion]:
        """Each of the SCoP that the ones before it have made."""
        expansions: list[Expansion] = []
        for candidate, dims in self._choice(scop).items():
            web = candidate.web
            is_as_found = all(one.source != web.array for one in expansions)
            move = move_over(scop, [web], dims)
            found = expanded(scop, web.array, move, web.flow if is_as_found else None)
            if found is None:
                return []
            expansions.append(found)
            scop = after(scop, found)
        return expansions

    def _choice(self, scop: Scop) -> Choice:
        candidates = find_candidates(scop, self.arrays)
        if not candidates:
            return {}
        if self.loops:
            return {one: one.innermost(self.loops) for one in candidates}
        try:
            return choose(scop, read_tree(scop.schedule), candidates)
        except UnsupportedTree:
            return {}

    def _write(self, op: ScopOp, scop: Scop, expansions: list[Expansion]) -> None:
        requests = [_request(one) for one in expansions]
        fits = always_fit(requests, self.limit, scop.known)
        if fits is None and self.declared:
            fits = self._fit_where_used(scop, expansions) or None
        too_large = self._when_too_large(scop, requests) if fits is None else None
        if too_large is not None and too_large.is_empty():
            fits = True
        names = ", ".join(dict.fromkeys(one.source.name for one in expansions))
        if fits is False:
            message = f"{names}: an array for each iteration is larger than {self.limit} bytes"
            remark("missed", "expansion-size", message, span_of(op))
            return
        if fits is None:
            version = insert_version(op, requests, self.limit)
            if too_large is not None:
                _assume(version, too_large)
        for one in expansions:
            op = with_new_array(op, one.moves.array.name, one.source.name, one.extents)
            write_moves(op, [one.moves])
            scop = after(scop, one)
            if one.copy is not None:
                append_copy(op, one.copy, scop.schedule)
        condition = "" if fits else f", where that takes at most {self.limit} bytes"
        message = f"{names}: one for each iteration of the loops around{condition}"
        remark("applied", self.name, message, span_of(op))

    def _fit_where_used(self, scop: Scop, expansions: Seq[Expansion]) -> bool:
        """Whether the new arrays fit for all parameters for which they are used: what runs with
        more rows and columns than have been declared is an error of the program."""
        total = 0
        for one in expansions:
            try:
                with budget("sizes of temporaries", OPERATIONS):
                    most = _request(one).most_bytes(within_declared(scop, _uses(scop, one)))
            except BudgetExceeded:
                return False
            if most is None:
                return False
            total += most
        return total <= self.limit

    def _when_too_large(self, scop: Scop, requests: Seq[Request]) -> isl.Set | None:
        """The parameters for which the SCoP runs without the new arrays, as far as that shows.
        Often nearly nothing runs there: where rows with columns have been declared, and are few, as
        many rows as that have no columns."""
        sizes = beyond(requests, self.limit)
        if sizes is None or not self.declared:
            return sizes
        try:
            with budget("sizes of temporaries", OPERATIONS):
                return within_declared(scop, sizes.intersect(scop.known))
        except BudgetExceeded:
            return sizes


def _request(expansion: Expansion) -> Request:
    return Request(expansion.source.element_bytes, expansion.extents)


def _uses(scop: Scop, expansion: Expansion) -> isl.Set:
    """The parameters for which a statement runs that accesses what is expanded."""
    runs = isl.Set.empty(scop.known.get_space())
    for statement in scop.statements:
        if any(one.array == expansion.source.name for one in statement.accesses):
            runs = runs.union(statement.domain.params())
    return runs.intersect(scop.known)


def _assume(version: scf.IfOp, holds: isl.Set) -> None:
    [other] = [op for op in version.false_region.ops if isinstance(op, ScopOp)]
    other.assumed = SetAttr.of(holds)


def after(scop: Scop, expansion: Expansion) -> Scop:
    """The SCoP in which an expansion has been made."""
    moved = apply_moves(scop, [expansion.moves])
    return moved if expansion.copy is None else add_statement(moved, expansion.copy)
