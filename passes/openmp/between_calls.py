"""Regions between two calls of the runtime: critical, ordered, groups of tasks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import omp
from xdsl.ir import Block, Region, SSAValue

from polyopt.dialects import cmem, ompx
from polyopt.passes.openmp.team_function import TeamFunction, inline, put_before
from polyopt.passes.openmp.writer import Writer


def lower_critical(here: TeamFunction, op: ompx.CriticalOp, writer: Writer, after: Block) -> None:
    name = op.sym.data
    if name in (ompx.REDUCTION, ompx.ATOMIC):
        _between(op.region, writer, after, "GOMP_atomic_start", "GOMP_atomic_end")
    elif name:
        lock = [writer.add(cmem.AddressOfOp(here.names.lock(name))).result]
        start, end = "GOMP_critical_name_start", "GOMP_critical_name_end"
        _between(op.region, writer, after, start, end, lock)
    else:
        _between(op.region, writer, after, "GOMP_critical_start", "GOMP_critical_end")


def lower_ordered(here: TeamFunction, op: ompx.OrderedOp, writer: Writer, after: Block) -> None:
    _between(op.region, writer, after, "GOMP_ordered_start", "GOMP_ordered_end")


def lower_taskgroup(here: TeamFunction, op: omp.TaskgroupOp, writer: Writer, after: Block) -> None:
    start, end = "GOMP_taskgroup_start", "GOMP_taskgroup_end"
    _between(op.regions[0], writer, after, start, end)


def _between(
    region: Region,
    writer: Writer,
    after: Block,
    start: str,
    end: str,
    arguments: Sequence[SSAValue] = (),
) -> None:
    """The region between two calls."""
    behind = Block()
    put_before(after, behind)
    entry = inline(region, behind)
    writer.call(start, arguments)
    writer.jump(entry)
    writer.at(behind).call(end, arguments)
    writer.at(behind).jump(after)
