"""poly-pad-rows: longer rows while a SCoP runs, where those that there are meet in a cache."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.poly import ScopOp
from polyopt.passes.storage.chosen_layouts import (
    Chooser,
    Chosen,
    lay_out_scops,
    write_chosen,
)
from polyopt.poly.changes.crowded_rows import crowded_rows
from polyopt.poly.changes.layouts import Layout
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class PolyPadRowsPass(ModulePass):
    """Make the rows of arrays a cache line longer while a SCoP runs (`poly-layout`), where they lie
    so far apart that those of a tile meet in few sets of the cache that is to keep them, and where
    their elements are used often enough (`poly/changes/crowded_rows`).

    Requires: schedules are final. Ensures: they are as they were, between copies of what goes in
    and out. New arrays take at most `limit` bytes together: where parameters decide, the SCoP is
    there twice. What costs more than `operations` of isl's stays as it is.

        double A[m][512]: for k_tile, for j_tile, for k in tile, for i, for j in tile { A[i, j] … }
      =>
        for a0, for a1 { A_layout[a0, a1] = A[a0, a1] }            A_layout: rows of 520
        for k_tile, for j_tile, for k in tile, for i, for j in tile { A_layout[i, j] … }
        for a0, for a1 { A[a0, a1] = A_layout[a0, a1] }
    """

    name = "poly-pad-rows"

    march: str = "native"
    limit: int = CORE.crowded.limit
    operations: int = 2_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        by = Chooser(self.name, "rows", self.limit, self.operations)

        def pad(scop_op: ScopOp, scop: Scop) -> None:
            try:
                tree = read_tree(scop.schedule)
            except UnsupportedTree:
                return
            found = crowded_rows(scop, tree, target)
            chosen = [
                Chosen(array, Layout("pad", number=number), f"rows of {array}")
                for array, number in found.items()
            ]
            write_chosen(scop_op, scop, by, chosen)

        lay_out_scops(op, by, _has_known_rows, pad)


def _has_known_rows(array: SSAValue) -> bool:
    """Others are not worth reading the SCoP for."""
    shape = memref_type(array).get_shape()
    return len(shape) == 2 and shape[-1] != DYNAMIC_INDEX
