"""Regions that become functions: `parallel` is forked, a league of `teams` called, a task spawned.

What a region uses of the outside is given to its function (`outline`); the function is lowered as
the one around it is.
"""

from __future__ import annotations

from xdsl.dialects import arith, omp
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, SSAValue

from polyopt.dialects import ompx, team
from polyopt.passes.openmp.early_ends import (
    end_early,
    is_cancelled,
)
from polyopt.passes.openmp.outline import outline
from polyopt.passes.openmp.team_function import TeamFunction
from polyopt.passes.openmp.writer import INDEX, Writer

_FINAL = 2
"""Of GNU's runtime. That a task may go on in another thread (`untied`) is never told it: GNU's
forgets it, LLVM's stops where such a task waits for others."""


def lower_parallel(here: TeamFunction, op: omp.ParallelOp, writer: Writer, after: Block) -> None:
    name = here.names.new(f"{here.function.sym_name.data}.omp")
    if op.num_threads is not None:
        threads = writer.add(arith.IndexCastOp(op.num_threads, INDEX)).result
    else:
        threads = writer.number_of("omp_get_max_threads")
    if op.if_expr is not None:
        threads = writer.select(op.if_expr, threads, writer.constant(1, INDEX))
    writer.block.add_op(op)
    leaves = is_cancelled(op.regions[0])
    end_early(op.regions[0], here.names)
    function, live = outline(here.function, op, name, for_team=True)
    op.detach()
    writer.add(team.ForkOp(name, live, threads))
    writer.jump(after)
    here.lower_inside(function, in_team=True, is_cancelled=leaves)


def lower_teams(here: TeamFunction, op: ompx.TeamsOp, writer: Writer, after: Block) -> None:
    name = here.names.new(f"{here.function.sym_name.data}.teams")
    teams, limit = (
        writer.constant(0, i32) if value is None else writer.from_i64(value, i32)
        for value in (op.teams, op.limit)
    )
    writer.block.add_op(op)
    function, live = outline(here.function, op, name, for_team=False)
    op.detach()
    writer.add(ompx.LeagueOp(name, live, teams, limit))
    writer.jump(after)
    here.lower_inside(function, in_team=False)


def lower_task(here: TeamFunction, op: omp.TaskOp, writer: Writer, after: Block) -> None:
    name = here.names.new(f"{here.function.sym_name.data}.task")
    flags = writer.constant(0, i32)
    if op.final is not None:
        final = writer.select(op.final, writer.constant(_FINAL, i32), writer.constant(0, i32))
        flags = writer.add(arith.OrIOp(flags, final)).result
    writer.block.add_op(op)
    end_early(op.regions[0], here.names)
    function, live = outline(here.function, op, name, for_team=False)
    op.detach()
    writer.add(ompx.SpawnOp(name, live, op.if_expr, flags, *_places(op)))
    writer.jump(after)
    here.lower_inside(function, in_team=False)


def _places(op: omp.TaskOp) -> tuple[list[SSAValue], list[SSAValue]]:
    """Those that a task depends on, which it writes to and which it only reads."""
    writes, reads = list[SSAValue](), list[SSAValue]()
    kinds = () if op.depend_kinds is None else op.depend_kinds
    for place, kind in zip(op.depend_vars, kinds, strict=True):
        is_read = kind.data is omp.DependKind.TASKDEPENDIN
        (reads if is_read else writes).append(place)
    return writes, reads
