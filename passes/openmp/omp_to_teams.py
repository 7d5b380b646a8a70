"""OpenMP's constructs as functions that teams run, and branches and calls inside them."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import func, omp
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from polyopt.dialects import ompx
from polyopt.passes.openmp.atomic import update_at_once
from polyopt.passes.openmp.between_calls import lower_critical, lower_ordered, lower_taskgroup
from polyopt.passes.openmp.chosen_threads import lower_masked, lower_sections, lower_single
from polyopt.passes.openmp.early_ends import ask_to_leave
from polyopt.passes.openmp.region_functions import lower_parallel, lower_task, lower_teams
from polyopt.passes.openmp.shared_loops import lower_await, lower_post, lower_simd, lower_wsloop
from polyopt.passes.openmp.team_function import TeamFunction
from polyopt.passes.openmp.writer import Names, Writer
from polyopt.support.record import record


@record
class OmpToTeamsPass(ModulePass):
    """Lower `omp` and `ompx` to `team`, branches, and calls of the runtime by GNU's names, which
    LLVM's runtime has too.

    A parallel region becomes a function of member, size and what it uses of the outside; a task's
    region one without the two. Loops that are shared become loops over a member's part: static
    schedules are computed from member and size, all others are dealt out by the runtime. What
    stands in regions that are not functions goes into the blocks around them.

    Requires: regions end in `omp.terminator`. Ensures: no operation of `omp` is left, and of
    `ompx` only accesses that are atomic, fences and tasks.

        omp.parallel {                       team.fork @f.omp.0(%A) threads(%n)
          omp.wsloop { … loop_nest … }  =>   func.func private @f.omp.0(%member, %size, %A) {
        }                                      … for (i = first; i < last; i++) …
    """

    name = "omp-to-teams"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = Names(op)
        for function in list(op.ops):
            if isinstance(function, func.FuncOp) and function.body.blocks:
                _lower(TeamFunction(names, function, _lower_inside(names), in_team=False))


def _lower_inside(names: Names) -> Callable[..., None]:
    def lower(function: func.FuncOp, *, in_team: bool, is_cancelled: bool = False) -> None:
        one = TeamFunction(names, function, lower, in_team=in_team, is_cancelled=is_cancelled)
        _lower(one)

    return lower


def _lower(here: TeamFunction) -> None:
    pending = list(here.function.body.blocks)
    while pending:
        block = pending.pop()
        op = _first_construct(block)
        if op is None:
            continue
        following = op.next_op
        assert following is not None
        after = block.split_before(following)
        op.detach()
        blocks = set(here.function.body.blocks)
        writer = Writer(here.names, block, op.location)
        simple = _SIMPLE.get(type(op))
        if simple is not None:
            simple(here, writer)
            writer.jump(after)
            _merge(writer.block, after)
            pending.append(writer.block)
            continue
        _HANDLERS[type(op)](here, op, writer, after)
        op.erase(safe_erase=False)
        added = [one for one in here.function.body.blocks if one not in blocks]
        pending += [after, *added]


def _first_construct(block: Block) -> Operation | None:
    for op in block.ops:
        if type(op) in _HANDLERS or type(op) in _SIMPLE:
            return op
    return None


def _cancel(here: TeamFunction, op: ompx.CancelOp, writer: Writer, after: Block) -> None:
    ask_to_leave(op, writer)
    writer.jump(after)


def _atomic_update(
    here: TeamFunction, op: ompx.AtomicUpdateOp, writer: Writer, after: Block
) -> None:
    update_at_once(op, writer, after)


def _fence(here: TeamFunction, writer: Writer) -> None:
    writer.add(ompx.FenceOp())


def _wait_for_tasks(here: TeamFunction, writer: Writer) -> None:
    writer.call("GOMP_taskwait")


def _yield(here: TeamFunction, writer: Writer) -> None:
    writer.call("GOMP_taskyield")


_HANDLERS: dict[type[Operation], Callable[..., None]] = {
    omp.ParallelOp: lower_parallel,
    omp.WsLoopOp: lower_wsloop,
    omp.SimdOp: lower_simd,
    omp.SingleOp: lower_single,
    omp.MasterOp: lower_masked,
    omp.MaskedOp: lower_masked,
    omp.TaskOp: lower_task,
    omp.TaskgroupOp: lower_taskgroup,
    ompx.CriticalOp: lower_critical,
    ompx.OrderedOp: lower_ordered,
    ompx.SectionsOp: lower_sections,
    ompx.AtomicUpdateOp: _atomic_update,
    ompx.TeamsOp: lower_teams,
    ompx.CancelOp: _cancel,
    ompx.PostOp: lower_post,
    ompx.AwaitOp: lower_await,
}
"""By (function, operation, writer where it was, block behind it)."""
_SIMPLE: dict[type[Operation], Callable[[TeamFunction, Writer], None]] = {
    omp.BarrierOp: TeamFunction.barrier,
    omp.FlushOp: _fence,
    omp.TaskwaitOp: _wait_for_tasks,
    omp.TaskyieldOp: _yield,
}


def _merge(block: Block, after: Block) -> None:
    """`after` is nobody else's: its operations go on where the block ends."""
    last = block.last_op
    assert last is not None
    block.erase_op(last)
    for op in list(after.ops):
        op.detach()
        block.add_op(op)
    region = after.parent
    assert region is not None
    region.detach_block(after)
    after.erase()
