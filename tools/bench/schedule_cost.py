"""What the polyhedral middle costs: dependences, schedule and loops of each kernel's SCoP."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from xdsl.dialects import func

from polyopt.dialects.poly import ScopOp
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import read_source
from polyopt.driver.units.unit import lower, parse
from polyopt.ir.problem import read_problem
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.names import all_schedulers, is_scheduler, scheduler_named
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.record import record
from polyopt.support.remarks import collect_remarks
from polyopt.tools.bench.programs import Program

PROMISED: Mapping[str, float] = {"poly-ast": 1.0, "isl": 2.0}
"""Seconds for any kernel."""


@record
class ScheduleCost:
    """Seconds of the processor; `missed`: what a spent budget left undone."""

    kernel: str
    dependences: float
    schedule: float
    loops: float
    missed: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        return self.dependences + self.schedule + self.loops


def schedule_cost(program: Program, scheduler: str, *, fast: bool) -> ScheduleCost:
    """Of all SCoPs in the kernel's function, sizes unknown."""
    if not is_scheduler(scheduler):
        known = ", ".join(all_schedulers())
        raise CompileError(f"no scheduler '{scheduler}'", hint=f"one of {known}")
    with collect_remarks() as remarks:
        costs = [_cost(op, scheduler) for op in _scops(program, fast=fast)]
    missed = tuple(item.message for item in remarks.items if "budget" in item.id)
    steps = [sum(column) for column in zip(*costs, strict=True)] or [0.0, 0.0, 0.0]
    return ScheduleCost(program.name, *steps, missed=missed)


def _scops(program: Program, *, fast: bool) -> Iterator[ScopOp]:
    mode = "-ffast-math" if fast else "-ffp-contract=off"
    settings = read_settings(["-O3", "-march=native", mode, "-DLARGE_DATASET", "--poly=identity"])
    unit = parse(read_source(str(program.source)), settings, SourceMap())
    lower(unit, "poly")
    for op in unit.module.ops:
        if isinstance(op, func.FuncOp) and op.sym_name.data == program.function:
            yield from (inner for inner in op.walk() if isinstance(inner, ScopOp))


def _cost(op: ScopOp, scheduler: str) -> tuple[float, float, float]:
    choose = scheduler_named(scheduler)
    scop = read_problem(op).scop
    times = [time.process_time()]
    dependences = compute_dependences(scop, reassociate=True)
    times.append(time.process_time())
    schedule = choose(scop, dependences, SchedulerOptions())
    times.append(time.process_time())
    generate_loops(scop, dependences, schedule)
    times.append(time.process_time())
    return times[1] - times[0], times[2] - times[1], times[3] - times[2]


def print_schedule_costs(console: Console, title: str, costs: Sequence[ScheduleCost]) -> None:
    table = Table("kernel", title=title)
    for name in ("dependences", "schedule", "loops", "together"):
        table.add_column(name, justify="right")
    table.add_column("missed")
    for cost in costs:
        times = (cost.dependences, cost.schedule, cost.loops, cost.total)
        table.add_row(cost.kernel, *(f"{one:.2f}" for one in times), "; ".join(cost.missed))
    console.print(table)


def promise(scheduler: str, costs: Sequence[ScheduleCost]) -> str | None:
    """Whether the scheduler is as quick as it should be, if that is said of it."""
    limit = PROMISED.get(scheduler)
    if limit is None or not costs:
        return None
    slowest = max(costs, key=lambda cost: cost.total)
    kept = "kept" if slowest.total <= limit else "MISSED"
    return f"{kept}: slowest {slowest.total:.2f} s ({slowest.kernel}), at most {limit:g}"
