"""check-worksharing: warn of pragmas that the dependences prove wrong."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func, omp
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.support.record import record
from polyopt.support.warnings import warn

_SHARING = (omp.ParallelOp, omp.WsLoopOp, omp.SimdOp)


@record
class CheckWorksharingPass(ModulePass):
    """Warn where iterations that OpenMP lets run at once, in threads or lanes, use one element and
    one of them writes it, with two of them as an example, and with the clause that is missing.

    Each function with constructs is taken in a copy to the code of one thread, its loops to static
    control parts; races are asked of the instances, exactly. What is not known to happen is not
    spoken of.

    Requires: the module as the front end made it. Ensures: the module is as it was.

        omp.wsloop { for (i) … a[i] = a[i - 1] … }     warning: iterations in different threads
                                                       race on 'a' [-Wopenmp-races]
    """

    name = "check-worksharing"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        thread_local = frozenset(
            one.sym_name.data
            for one in op.ops
            if isinstance(one, cmem.GlobalOp) and cmem.THREAD_LOCAL in one.attributes
        )
        for function in op.ops:
            if not isinstance(function, func.FuncOp):
                continue
            if any(map(_shares, function.walk())):
                _check(ctx, function, thread_local)
            if any(isinstance(one, omp.TaskOp) for one in function.walk()):
                _check_tasks(function)


def _shares(op: Operation) -> bool:
    return isinstance(op, _SHARING)


def _check_tasks(function: func.FuncOp) -> None:
    from polyopt.passes.openmp.races.tasks import task_races

    for warning in task_races(function):
        warn(warning)


def _check(ctx: Context, function: func.FuncOp, thread_local: frozenset[str]) -> None:
    from polyopt.passes.openmp.races.find import find_races
    from polyopt.passes.openmp.races.reports import report
    from polyopt.passes.openmp.races.serial_view import serial_view
    from polyopt.passes.prepare.branches.structure_branches import StructureBranchesPass
    from polyopt.passes.prepare.loop_forms.simplify_loops import SimplifyLoopsPass
    from polyopt.passes.prepare.variables.promote_scalars import PromoteScalarsPass
    from polyopt.passes.scop.isolation import isolate_effects

    copy = function.clone()
    module = ModuleOp([copy])
    view = serial_view(copy, thread_local)
    for one in (PromoteScalarsPass(), StructureBranchesPass(), SimplifyLoopsPass()):
        one.apply(ctx, module)
    isolate_effects(copy.body)
    for race in find_races(view):
        warn(report(view, race))
