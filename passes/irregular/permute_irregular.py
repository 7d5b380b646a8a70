"""permute-irregular: loops around loops that data end change places where that pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.objects.iteration_variables import is_variable
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.loop_references import NotProved, is_irregular, references_of
from polyopt.ir.references.loop_view import LoopView
from polyopt.passes.irregular.changeable import changeable_functions
from polyopt.passes.irregular.exchange import Counted, can_be_exchanged, counted, exchange
from polyopt.passes.irregular.legality import check_variables, checked_vectors, may_fall, may_rise
from polyopt.passes.irregular.line_costs import LineCosts
from polyopt.support.core_model import CORE
from polyopt.support.diagnostics import Span
from polyopt.support.record import record
from polyopt.support.remarks import remark

if TYPE_CHECKING:
    from polyopt.poly.linear.dependence_vectors import DependenceVector

_Pair = frozenset[tuple[str, Span | None]]
"""The names and places of two loops."""


@record
class PermuteIrregularPass(ModulePass):
    """Exchange two loops, one directly in the other, of nests that are no static control part, for
    a loop inside of them ends where data say: columns of a right-hand side around a triangular
    solve by skylines, or by rows of a sparse matrix. Where the data are those of a row, all columns
    are one static control part then, with vectors along the row.

    Requires: each loop is entered by one edge, with one latch (simplify-loops). Ensures: no
    dependence runs against the new order, by the classic tests: no direction vector of the two
    loops is (+, -) (`ir/references/loop_directions`); neither counts with the other's number, and
    there is nothing but arithmetic between them. Variables that each iteration of both writes first
    are in nobody's way. What is not known is a dependence.

    The loop that touches fewer cache lines per iteration goes inside (`line_costs`), where they are
    at most `gain` of the other's; 0 exchanges nothing, and a large number all that may be. Where
    loops run in `threads`, one whose iterations are independent stays outside of one whose are not.

        for (j = 0; j < m; j++)                      for (i = 0; i < n; i++)
          for (i = 0; i < n; i++)                      for (j = 0; j < m; j++)
            for (k = first[i]; k < i; k++)      =>       for (k = first[i]; k < i; k++)
              x[i][j] -= l[i][k] * x[k][j];                x[i][j] -= l[i][k] * x[k][j];
    """

    name = "permute-irregular"

    gain: float = CORE.orders.gain
    threads: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in changeable_functions(op):
            self._function(function)

    def _function(self, function: func.FuncOp) -> None:
        """An exchange leaves nothing of what was known; no two loops are asked about again."""
        asked = set[_Pair]()
        while (found := self._first(function, asked)) is not None:
            exchange(*found)
            function.attributes[WRITTEN_ANEW] = UnitAttr()

    def _first(self, function: func.FuncOp, asked: set[_Pair]) -> tuple[Counted, Counted] | None:
        """The outermost two that are to be exchanged."""
        flow, name = ControlFlow(function.body), function.sym_name.data
        for outer, inner in _candidates(flow):
            pair = frozenset((one.loop.name, span_of(one.branch)) for one in (outer, inner))
            if pair in asked:
                continue
            asked.add(pair)
            try:
                if not self._pays(LoopView(outer.loop, flow), outer, inner):
                    continue
            except NotProved as why:
                what = f"loops {outer.loop.name} and {inner.loop.name} keep their order"
                remark("missed", self.name, f"{what}: {why.message}", span_of(outer.branch), name)
                continue
            for one, other in ((outer, inner), (inner, outer)):
                text = f"loop {one.loop.name} changes places with loop {other.loop.name}"
                remark("applied", self.name, text, span_of(one.branch), name)
            return outer, inner
        return None

    def _pays(self, view: LoopView, outer: Counted, inner: Counted) -> bool:
        """Raises NotProved where it would, and may not be."""
        references = list(references_of(view))
        nest = NaturalNest((outer.loop, inner.loop), view.flow, view.ranges, view.is_fixed)
        written = {one.base for one in references if one.is_write}
        own = {base for base in written if is_variable(base)}
        shared = [one for one in references if one.base not in own]
        costs = LineCosts(nest, view.evolution, written)
        within, around = (costs.of(loop.loop, shared) for loop in (outer, inner))
        if not within <= around * self.gain:
            return False
        check_variables(inner.body, own)
        vectors = list(checked_vectors(view, nest, shared, _runs_against))
        if self.threads and _is_parallel(0, vectors) and not _is_parallel(1, vectors):
            raise NotProved(f"iterations of {outer.loop.name} can run in threads")
        return True


def _candidates(flow: ControlFlow) -> Iterator[tuple[Counted, Counted]]:
    """Outer ones first."""
    for loop in flow.loops.all_loops():
        if len(loop.children) != 1 or not loop.children[0].children:
            continue
        outer, inner = counted(loop), counted(loop.children[0])
        if outer is None or inner is None or not can_be_exchanged(outer, inner):
            continue
        if is_irregular(LoopView(inner.loop, flow)):
            yield outer, inner


def _is_parallel(level: int, vectors: Sequence[DependenceVector]) -> bool:
    return all(vector[level].is_zero for vector in vectors)


def _runs_against(vector: DependenceVector) -> bool:
    """It may be (+, -), seen from either end."""
    outer, inner = vector
    return (may_rise(outer) and may_fall(inner)) or (may_fall(outer) and may_rise(inner))
