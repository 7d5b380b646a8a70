"""poly-relocate: temporaries whose reuse orders a contraction move to where they do not."""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import BATCH, ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.problem import limited
from polyopt.passes.storage.giving_back import give_back
from polyopt.passes.storage.moved_accesses import (
    append_copy,
    drop_copies_in_place,
    element_type_of,
    with_known_locals,
    with_new_array,
    write_moves,
)
from polyopt.poly.changes.contractions import is_contraction
from polyopt.poly.changes.expansion import add_statement, find_expansion
from polyopt.poly.changes.storage import Move, apply_moves, find_webs, move_to_results
from polyopt.poly.changes.updates import accumulator, is_unit_stride, varies
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.scop import Array, Scop, Statement
from polyopt.support.record import record
from polyopt.support.remarks import remark

MOST_STATEMENTS = 32
"""Of so many nothing has been made yet of which that much cost too much to ask."""


@record
class PolyRelocatePass(ModulePass):
    """Move the values of temporaries (`poly/changes/storage.py`, `poly/changes/expansion.py`)
    where a statement becomes a contraction by it: into the element that they end in, else into a
    new array with a place for each iteration of the loops that it sets free.

    Requires: the SCoP has the order of the source. Ensures: every read gets its value from the
    same write as before (checked on the dataflow), and memory is left as before. A SCoP for which
    that costs more than `operations` of isl's stays as it is; of many statements, the code that it
    was made from does, where that is kept beside it.

        s = A[i, j]; for k { s -= A[i, k] * A[k, j] }; A[i, j] = s
      =>
        for k { A[i, j] -= A[i, k] * A[k, j] }
    """

    name = "poly-relocate"

    operations: int = 2_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scop_op in operations_in(op, ScopOp):
            if BATCH in scop_op.attributes:
                continue
            try:
                with limited(scop_op, "relocation", self.operations):
                    self._relocate(scop_op)
            except BudgetExceeded:
                remark("missed", "relocation-budget", "moving temporaries costs too much")

    def _relocate(self, op: ScopOp) -> None:
        scop = self._read(op)
        is_moved = False
        for array in scop.arrays:
            if not _may_hide_a_contraction(scop, array):
                continue
            if self._move(op, scop, array, _is_worth_it):
                is_moved = True
                scop = with_known_locals(op, read_scop(op))
                continue
            op, scop = self._expand(op, scop, array)
        if is_moved:
            self._follow(op, scop)

    def _read(self, op: ScopOp) -> Scop:
        scop = read_scop(op)
        try:
            with budget("which variables are local", self.operations):
                return with_known_locals(op, scop)
        except BudgetExceeded:
            if len(scop.statements) > MOST_STATEMENTS:
                give_back(op)
            raise

    def _follow(self, op: ScopOp, scop: Scop) -> None:
        """Temporaries in front go to the same element, where each statement updates it by that: the
        updates of a contraction may go past other updates, not past what begins them. What is
        copied to its own place by then is not copied."""
        for array in scop.arrays:
            if self._move(op, scop, array, _makes_updates):
                scop = with_known_locals(op, read_scop(op))
        drop_copies_in_place(op, scop)

    def _move(
        self, op: ScopOp, scop: Scop, array: Array, helps: Callable[[Scop, Move], bool]
    ) -> bool:
        """Into the elements that its values end in."""
        if not array.is_local:
            return False

        def is_worth(move: Move) -> bool:
            return element_type_of(op, move.array.name) == kind and helps(scop, move)

        kind = element_type_of(op, array.name)
        found = move_to_results(scop, find_webs(scop, array), is_worth)
        moves = [move for move in found if element_type_of(op, move.array.name) == kind]
        if not any(helps(scop, move) for move in moves):
            return False
        write_moves(op, moves)
        targets = ", ".join(sorted({move.array.name for move in moves}))
        message = f"the values of {array.name} are kept in {targets}"
        remark("applied", self.name, message, span_of(op))
        return True

    def _expand(self, op: ScopOp, scop: Scop, array: Array) -> tuple[ScopOp, Scop]:
        found = find_expansion(scop, array)
        if found is None:
            return op, scop
        new = with_new_array(op, found.moves.array.name, array.name, found.extents)
        write_moves(new, [found.moves])
        if found.copy is not None:
            moved = add_statement(apply_moves(scop, [found.moves]), found.copy)
            append_copy(new, found.copy, moved.schedule)
        dims = len(found.extents) - len(array.extents)
        message = f"{array.name} is expanded by {dims} dimensions"
        remark("applied", self.name, message, span_of(new))
        return new, with_known_locals(new, read_scop(new))


def _may_hide_a_contraction(scop: Scop, array: Array) -> bool:
    """Does a statement of three dimensions or more update the array, without being a contraction
    already?"""
    for statement in scop.statements:
        dims = statement.domain.dim(isl.dim_type.set)
        kinds = {a.is_write for a in statement.accesses if a.array == array.name}
        if dims >= 3 and len(kinds) == 2 and not is_contraction(statement, range(dims)):
            return True
    return False


def _makes_updates(scop: Scop, move: Move) -> bool:
    """All of them go along rows: those down a diagonal, as in elimination, would be tiled by it."""
    moved = apply_moves(scop, [move])
    return all(_goes_along_rows(moved.statement(name)) for name, _ in move.relations)


def _goes_along_rows(statement: Statement) -> bool:
    write = accumulator(statement)
    dims = range(statement.domain.dim(isl.dim_type.set))
    return write is not None and any(varies(write, d) and is_unit_stride(write, d) for d in dims)


def _is_worth_it(scop: Scop, move: Move) -> bool:
    return _sets_free(scop, move) or _joins_its_operands(scop, move)


def _joins_its_operands(scop: Scop, move: Move) -> bool:
    """Whether an update goes to the array that it takes other elements from, along rows: the best
    of an interval among the bests of shorter ones. Their loops have better orders
    (`changes/interchanged_nests.py`) where there are no statements between them."""
    moved = apply_moves(scop, [move])
    return any(_is_recurrence(moved.statement(name)) for name, _ in move.relations)


def _is_recurrence(statement: Statement) -> bool:
    write = accumulator(statement)
    if write is None or statement.domain.dim(isl.dim_type.set) < 3:
        return False
    reads = [a for a in statement.accesses if not a.is_write and a.array == write.array]
    others = [a for a in reads if not a.relation.is_equal(write.relation)]
    return bool(others) and _goes_along_rows(statement)


def _sets_free(scop: Scop, move: Move) -> bool:
    """Whether a statement becomes a contraction. Each belongs to one web of the array, so that no
    other move has a part in it."""
    moved = apply_moves(scop, [move])
    names = {name for name, _ in move.relations}
    return any(
        is_contraction(
            moved.statement(name), range(moved.statement(name).domain.dim(isl.dim_type.set))
        )
        for name in names
    )
