"""jam-irregular: iterations of a loop around loops that data end run side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.loop_references import NotProved, is_irregular, references_of
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.irregular.changeable import changeable_functions
from polyopt.passes.irregular.exchange import Counted, counted
from polyopt.passes.irregular.jam import jam
from polyopt.passes.irregular.legality import check_variables, checked_vectors, may_fall, may_rise
from polyopt.passes.irregular.uniform import Variation, ends_by_data
from polyopt.poly.changes.factors import FACTORS
from polyopt.support.core_model import CORE
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target

if TYPE_CHECKING:
    from polyopt.poly.linear.dependence_vectors import DependenceVector, Interval


@record
class JamIrregularPass(ModulePass):
    """Register tiles on nests that are no static control part, for a loop in them ends where data
    say: several iterations of a loop around it run side by side, where the data are the same for
    all of them. What those load in common is loaded once, and their sums do not wait for each
    other (J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix, SC 2014, §IV).

    Requires: each loop is entered by one edge, with one latch (simplify-loops). Ensures: no branch
    in the loop goes another way in another iteration; no dependence runs against the new order, by
    the classic tests: a vector that the loop carries within `factor` iterations is carried forward
    by the loop inside, too. What is not known is a dependence. Variables that each iteration writes
    first are in nobody's way. The rest of the iterations is done by the loop as it was.

    `factor`: so many iterations, 1, 2, 4, 6 or 8; 0: those that load the least for each, as far as
    the registers of `march` hold what is loaded, where that is at most the part of it that
    `CORE.orders.jammed` is.

        for (i = 0; i < n; i++)                      for (i = 0; i + 1 < n; i += 2)
          for (j = 0; j < m; j++)                      for (j = 0; j < m; j++)
            for (p = row[j]; p < row[j+1]; p++)  =>      for (p = row[j]; p < row[j+1]; p++) {
              y[i][j] += v[p] * x[i][at[p]];               y[i][j] += v[p] * x[i][at[p]];
                                                           y[i+1][j] += v[p] * x[i+1][at[p]];
                                                         }
                                                     for (; i < n; i++) …
    """

    name = "jam-irregular"

    factor: int = 0
    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.factor and self.factor not in FACTORS:
            expected = ", ".join(map(str, FACTORS))
            raise CompileError(f"{self.name}: expected one of {expected}, not {self.factor}")
        if self.factor == 1:
            return
        for function in changeable_functions(op):
            self._function(function)

    def _function(self, function: func.FuncOp) -> None:
        """What was known is not so behind a change; no loop, nor its copy, is asked about again."""
        asked = set[Span | None]()
        while self._first(function, asked):
            function.attributes[WRITTEN_ANEW] = UnitAttr()

    def _first(self, function: func.FuncOp, asked: set[Span | None]) -> bool:
        """Change the innermost loop that is to be."""
        flow, name = ControlFlow(function.body), function.sym_name.data
        for loop, variation in _candidates(flow):
            span = span_of(loop.branch)
            if span in asked:
                continue
            asked.add(span)
            count = self._count(loop.loop, variation)
            if count == 1 or not is_irregular(view := LoopView(loop.loop, flow)):
                continue
            try:
                _check(view, loop, variation, count)
            except NotProved as why:
                text = f"loop {loop.loop.name} runs one iteration at a time: {why.message}"
                remark("missed", self.name, text, span, name)
                continue
            text = f"loop {loop.loop.name} runs {count} iterations at a time"
            remark("applied", self.name, text, span, name)
            jam(loop, count, variation)
            return True
        return False

    def _count(self, outer: NaturalLoop, variation: Variation) -> int:
        """1 where nothing is used twice, or too little."""
        if self.factor:
            return self.factor
        loads = [_Loads.of(loop, variation) for loop in _innermost(outer)]
        alone = sum(one.traffic(1) for one in loads)
        best, least = 1, alone * CORE.orders.jammed
        registers = Target.named(self.march).vector_registers
        for count in (one for one in FACTORS[1:] if one & (one - 1) == 0):
            traffic = sum(one.traffic(count) for one in loads)
            if max(one.held(count) for one in loads) <= registers and traffic <= least:
                best, least = count, traffic
        return best


@record
class _Loads:
    """Of an iteration of a loop: accesses for each of the jammed iterations, those that are the
    same for all, and variables for each."""

    each: int
    common: int
    variables: int

    @staticmethod
    def of(loop: NaturalLoop, variation: Variation) -> _Loads:
        each, common, variables = 0, 0, set[object]()
        for op in (op for block in loop.blocks for op in block.walk()):
            if not isinstance(op, memref.LoadOp | memref.StoreOp):
                continue
            if op.memref in variation.variables:
                if op.memref in variation.values:
                    variables.add(op.memref)
            elif variation.each_anew(op):
                each += 1
            else:
                common += 1
        return _Loads(each, common, len(variables))

    def traffic(self, count: int) -> float:
        """For each of `count` iterations."""
        return self.each + self.common / count

    def held(self, count: int) -> int:
        return count * (self.each + self.variables) + self.common


def _innermost(loop: NaturalLoop) -> list[NaturalLoop]:
    if not loop.children:
        return [loop]
    return [one for child in loop.children for one in _innermost(child)]


def _candidates(flow: ControlFlow) -> Iterator[tuple[Counted, Variation]]:
    """Inner ones first: loops around loops in which all iterations go the same way."""
    for loop in reversed(flow.loops.all_loops()):
        found = counted(loop) if loop.children else None
        if found is None or not found.counts_alone:
            continue
        variation = Variation(found)
        if not variation.decides and ends_by_data(loop):
            yield found, variation


def _check(view: LoopView, loop: Counted, variation: Variation, count: int) -> None:
    """Raises NotProved where the iterations may not run side by side."""
    references = list(references_of(view))
    check_variables(loop.body, variation.variables)
    shared = [one for one in references if one.base not in variation.variables]
    nest = NaturalNest(_levels(view, shared), view.flow, view.ranges, view.is_fixed)
    for _ in checked_vectors(view, nest, shared, lambda one: _runs_against(one, count)):
        pass


def _levels(view: LoopView, references: Sequence[Reference]) -> tuple[NaturalLoop, ...]:
    """The loop, and the one inside where all accesses are in it."""
    inner = view.loop.children[0]
    innermost = (view.flow.loops.innermost(enclosing_block(one.op)) for one in references)
    return (view.loop, inner) if all(map(inner.encloses, innermost)) else (view.loop,)


def _runs_against(vector: DependenceVector, count: int) -> bool:
    """Iterations that run side by side may meet, and not in one iteration of the loop inside behind
    the other's."""
    outer, *inner = vector
    if outer.is_zero or _is_beyond(outer, count):
        return False
    if not inner:
        return True
    return (may_rise(outer) and not _rises(inner[0])) or (may_fall(outer) and not _falls(inner[0]))


def _is_beyond(one: Interval, count: int) -> bool:
    return (one.low is not None and one.low >= count) or (
        one.high is not None and one.high <= -count
    )


def _rises(one: Interval) -> bool:
    return one.low is not None and one.low > 0


def _falls(one: Interval) -> bool:
    return one.high is not None and one.high < 0
