"""What was done in the time that static control parts took: iterations, flops and bytes, counted in
their sets for the values that their parameters had in the run, and what the model expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from polyopt.poly.analysis.counting import count_points
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.report.contents import Execution, Machine, Measured
from polyopt.support.record import record
from polyopt.support.remarks import Remark

if TYPE_CHECKING:
    import islpy as isl

    from polyopt.ir.problem import Problem
    from polyopt.poly.scop import Scop

COUNTED = 16
"""Of so many lists of values, those that took longest, the work is counted."""

OPERATIONS = 8_000_000
"""For all that is counted of one static control part."""


@record
class Work:
    """Of one execution."""

    instances: int
    flops: int
    bytes: int


@record
class Countable:
    """A static control part as it was when its schedule was final: `flops` of an instance, by
    statement."""

    scop: Scop
    flops: dict[str, int]


def countable(problem: Problem) -> Countable:
    return Countable(
        problem.scop,
        {op.stmt_name.data: sum(map(_flops, op.walk())) for op in problem.op.statements()},
    )


def _flops(op: object) -> int:
    from xdsl.dialects import arith, math
    from xdsl.dialects.builtin import AnyFloat

    match op:
        case math.FmaOp():
            return 2
        case arith.AddfOp() | arith.SubfOp() | arith.MulfOp() | arith.DivfOp():
            return 1
        case _:
            is_function = getattr(op, "name", "").startswith("math.")
            results = getattr(op, "results", ())
            return int(is_function and any(isinstance(one.type, AnyFloat) for one in results))


def measure(
    part: Countable,
    executions: Sequence[Execution],
    judged: Remark | None,
    machine: Machine,
) -> Measured:
    """`judged` is what was said when its loops were weighed."""
    entries = sum(one.entries for one in executions)
    seconds = sum(one.seconds for one in executions)
    whole = Measured(entries, seconds, 0.0, 0, 0, 0)
    try:
        with budget("counting", OPERATIONS):
            longest = sorted(executions, key=lambda one: -one.seconds)[:COUNTED]
            for one in longest:
                whole = _with(whole, one, work_of(part, one.values))
            return replace(whole, expected=_expected(part, whole, judged, machine))
    except BudgetExceeded:
        return whole


def _with(measured: Measured, one: Execution, work: Work | None) -> Measured:
    if work is None:
        return measured
    return replace(
        measured,
        counted=measured.counted + one.seconds,
        instances=measured.instances + one.entries * work.instances,
        flops=measured.flops + one.entries * work.flops,
        bytes=measured.bytes + one.entries * work.bytes,
    )


def work_of(part: Countable, values: Sequence[int]) -> Work | None:
    """For these values of the parameters; None where sets are not to be counted."""
    import islpy as isl

    scop = part.scop
    instances = flops = 0
    touched = dict[tuple[str, bool], isl.Set]()
    for statement in scop.statements:
        domain = _fixed(statement.domain, values)
        number = count_points(domain)
        if number is None:
            return None
        instances += number
        flops += number * part.flops.get(statement.name, 0)
        for access in statement.accesses:
            elements = access.relation.intersect_domain(domain).range()
            key = access.array, access.is_write
            touched[key] = touched[key].union(elements) if key in touched else elements
    bytes = 0
    for (name, _), elements in touched.items():
        array = scop.array(name)
        if array.is_local:
            continue
        number = count_points(_fixed(elements, values).coalesce())
        if number is None:
            return None
        bytes += number * array.element_bytes
    return Work(instances, flops, bytes)


def _fixed(points: isl.Set, values: Sequence[int]) -> isl.Set:
    """With these values of the parameters, in their order, and without parameters."""
    import islpy as isl

    from polyopt.poly.isl.numbers import val

    kind = isl.dim_type.param
    count = min(points.dim(kind), len(values))
    for k in range(count):
        points = points.fix_val(kind, k, val(values[k]))
    return points.project_out(kind, 0, points.dim(kind))


def _expected(
    part: Countable, found: Measured, judged: Remark | None, machine: Machine
) -> float | None:
    """The model's cycles are for values that it took for likely; with as many for each instance."""
    numbers = dict(judged.numbers) if judged is not None else {}
    cycles = numbers.get("cycles" if judged and judged.id == "pays" else "source_cycles")
    if cycles is None or not found.instances:
        return None
    values = [int(numbers[f"parameter_{k}"]) for k in range(len(numbers) - 2)]
    work = work_of(part, values)
    if work is None or not work.instances:
        return None
    return cycles / work.instances * found.instances / machine.cycles
