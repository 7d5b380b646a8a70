"""parallelize-irregular: loops that are no static control part run in threads if they may."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem, team
from polyopt.dialects.cmem import AS_WRITTEN
from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_pragmas import loop_pragmas_of
from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.dialects.serial_places import SerialPlace, serial_places_of
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.references.loop_references import NotProved, has_chosen_places, is_irregular
from polyopt.ir.references.loop_view import LoopView
from polyopt.passes.openmp.omp_to_teams import OmpToTeamsPass
from polyopt.passes.parallel.irregular.irregular_loops import IrregularLoop, irregular_loop
from polyopt.passes.parallel.irregular.irregular_region import Wanted, write_region
from polyopt.passes.parallel.irregular.irregular_work import work_of_loop
from polyopt.passes.parallel.kept_serial import is_kept_serial
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark

_LEFT_ALONE = {AS_WRITTEN, team.IN_TEAM}


@record
class ParallelizeIrregularPass(ModulePass):
    """Run loops around loops that data end in the threads of a team, the outermost ones whose
    iterations are proved to be independent (`irregular_loops`): rows of a sparse matrix, points
    that escape, walks through a graph that only look; and loops that update elements which data
    choose (histograms). Chunks of iterations are dealt out to who asks for more, in a region as
    OpenMP's `schedule(dynamic)` makes it (`irregular_region`), where the loop is expected to take
    `least` cycles (`irregular_work`); else it runs as it stands. What all iterations update has
    copies (`irregular_parts`).

    Requires: each loop is entered by one edge, with one latch (simplify-loops). Ensures: each
    element sees the same updates in the same order, but for sums, products, bits of integers, which
    are the same in any, and those of floating-point numbers that may be reassociated; regions are
    functions that a team runs (omp-to-teams). `threads`: so many; 0: as many as the runtime has.
    `deterministic`: sums have the same bits for any number of threads.

        for (i = 0; i < n; i++) {                        if (cycles of n rows >= least)
          for (j = ptr[i]; j < ptr[i + 1]; j++) …   =>     team.fork @spmv.omp.0(…)
          y[i] = s;                                      else for (i = 0; i < n; i++) …
        }
    """

    name = "parallelize-irregular"

    threads: int = 0
    least: int = CORE.threads.least
    deterministic: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kept = serial_places_of(op)
        kept += [SerialPlace(one.first, one.last) for one in loop_pragmas_of(op) if one.is_off]
        own = _variables_of_threads(op)
        changed = False
        for function in [one for one in op.ops if isinstance(one, func.FuncOp)]:
            if function.body.blocks and not _is_left_alone(function):
                changed |= self._function(function, kept, own)
        if changed:
            OmpToTeamsPass().apply(ctx, op)

    def _function(
        self, function: func.FuncOp, kept: Sequence[SerialPlace], own: frozenset[str]
    ) -> bool:
        """The last loop first: what is known of those before it stays true."""
        flow = ControlFlow(function.body)
        chosen: list[tuple[IrregularLoop, LoopView]] = []
        name = function.sym_name.data
        for loop in flow.loops.top_level:
            chosen += self._choose(LoopView(loop, flow, own), kept, name)
        for found, view in reversed(chosen):
            wanted = Wanted(self.threads, self.least, self.deterministic)
            write_region(found, work_of_loop(found, view), wanted)
            function.attributes[WRITTEN_ANEW] = UnitAttr()
        return bool(chosen)

    def _choose(
        self, view: LoopView, kept: Sequence[SerialPlace], function: str
    ) -> list[tuple[IrregularLoop, LoopView]]:
        """Of a nest, the outermost loops that run in threads."""
        loop = view.loop
        is_asked = bool(loop.children) and is_irregular(view)
        if not is_asked and not has_chosen_places(view):
            return []
        what, place = f"loop {view.name}", loop.header.last_op
        span = None if place is None else span_of(place)
        try:
            if _is_kept(view, kept):
                raise NotProved("the programmer keeps it there")
            found = irregular_loop(view)
            cycles = work_of_loop(found, view).as_constant
            if cycles is not None and cycles < self.least:
                raise NotProved(f"it is expected to take {cycles} cycles, too few to share")
            if not is_asked and not found.bins:
                return []
        except NotProved as why:
            where = None if why.op is None else span_of(why.op)
            line = "" if where is None else f" (line {where.line})"
            if is_asked:
                told = f"{what} in one thread: {why.message}{line}"
                remark("missed", self.name, told, span, function)
            views = [LoopView(child, view.flow, view.of_threads) for child in loop.children]
            inner = [self._choose(one, kept, function) for one in views]
            return [one for row in inner for one in row]
        places = [*(one.place for one in found.sums), *(one.base for one in found.bins)]
        names = ", ".join(map(_name, places))
        kind = f"reduction of {names}" if names else "doall"
        how = "dealt out by the chunk, for data say how long each takes"
        if found.bins:
            how = "each on a copy, for data say where it updates"
        remark("applied", self.name, f"{what} in threads: {kind}, {how}", span, function)
        return [(found, view)]


def _name(place: SSAValue) -> str:
    if isinstance(place.owner, cmem.AddressOfOp):
        return place.owner.symbol.string_value()
    return place.name_hint or "a variable"


def _variables_of_threads(module: ModuleOp) -> frozenset[str]:
    """`_Thread_local`, or `threadprivate`."""
    return frozenset(
        op.sym_name.data
        for op in module.ops
        if isinstance(op, cmem.GlobalOp)
        and (cmem.THREAD_LOCAL in op.attributes or "thread_local" in cmem.linker_marks(op))
    )


def _is_left_alone(function: func.FuncOp) -> bool:
    return bool(_LEFT_ALONE & function.attributes.keys()) or is_kept_serial(function)


def _is_kept(view: LoopView, kept: Sequence[SerialPlace]) -> bool:
    """What it stores stands where the programmer wants one thread, if this is one of the loops
    there."""
    places = [one for one in kept if not one.loops or view.loop.name in one.loops]
    return bool(places) and any(
        isinstance(op, memref.StoreOp) and one.holds(span_of(op))
        for op in view.operations()
        for one in places
    )
