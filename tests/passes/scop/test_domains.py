"""The domains of a SCoP's blocks are the iterations in which a run of the function enters them."""

from __future__ import annotations

from collections import Counter as Multiset
from dataclasses import dataclass, field
from math import prod

import islpy as isl
import pytest
from oracles.expressions import Evaluation
from oracles.prepared import function_named, prepare, source_module
from oracles.random_counting import counting_program
from oracles.source_ir import Counters, SourceRun, TooLong, Undefined, Values
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width
from polyopt.ir.expressions.integer_expr import Unknown
from polyopt.passes.scop.detection import find_scops
from polyopt.passes.scop.isolation import isolate_effects
from polyopt.passes.scop.plan import ScopPlan

ARGUMENTS = ((5, 3, 4, 6), (0, 1, 0, -1), (-2, 4, 7, 2), (7, 7, 1, 0), (3, -3, 2, 5))
ADDRESS = 1 << 40

Point = tuple[int, ...]


@dataclass
class Visits:
    """What one execution of a SCoP enters, for one valuation of its parameters."""

    parameters: dict[str, int]
    points: dict[Block, Multiset[Point]] = field(default_factory=dict[Block, Multiset[Point]])


class Recorder:
    def __init__(self, plan: ScopPlan):
        self.plan = plan
        self.executions: list[Visits] = []
        self._inside = False

    def visit(self, block: Block, values: Values, counters: Counters) -> None:
        region = self.plan.candidate.region
        if block not in region:
            self._inside = False
            return
        if not self._inside:
            self.executions.append(Visits(self._parameters(values)))
            self._inside = True
        points = self.executions[-1].points.setdefault(block, Multiset())
        points[self._position(block, values, counters)] += 1

    def _parameters(self, values: Values) -> dict[str, int]:
        parameters: dict[str, int] = {}
        for monomial, name in self.plan.candidate.space.parameters.items():
            numbers = [
                number_of(values, atom.value, atom.is_signed)
                for atom in monomial
                if isinstance(atom, Unknown) and atom.value in values
            ]
            if len(numbers) == len(monomial):
                parameters[name] = prod(numbers)
        return parameters

    def _position(self, block: Block, values: Values, counters: Counters) -> Point:
        space = self.plan.candidate.space
        positions: dict[NaturalLoop, int] = {}
        evaluation = Evaluation(
            lambda value, is_signed: number_of(values, value, is_signed), positions.__getitem__
        )
        for loop in space.loops_around(block):
            iterator = space.iterators[loop]
            start = evaluation.of(iterator.start)
            positions[loop] = start + iterator.direction * counters[loop]
        return tuple(positions.values())


def number_of(values: Values, value: SSAValue, is_signed: bool) -> int:
    number = values[value]
    if is_signed or not isinstance(value.type, IntegerType | IndexType):
        return number
    return number & ((1 << bit_width(value)) - 1)


def points_of(domain: isl.Set) -> set[Point]:
    result: set[Point] = set()

    def add(point: isl.Point) -> None:
        count = domain.dim(isl.dim_type.set)
        vector = (point.get_coordinate_val(isl.dim_type.set, k) for k in range(count))
        result.add(tuple(int(value.to_python()) for value in vector))

    domain.foreach_point(add)
    return result


def with_parameters(values: isl.Set, parameters: dict[str, int]) -> isl.Set:
    for name, number in parameters.items():
        place = values.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            values = values.fix_val(isl.dim_type.param, place, number)
    return values


def check(plan: ScopPlan, visits: Visits) -> None:
    if plan.assumed is not None and with_parameters(plan.assumed, visits.parameters).is_empty():
        return
    assert not with_parameters(plan.context, visits.parameters).is_empty(), "context"
    for block in plan.candidate.region.blocks:
        entered = visits.points.get(block, Multiset[Point]())
        assert all(times == 1 for times in entered.values()), "one point, two executions"
        domain = with_parameters(plan.domains.of[block], visits.parameters)
        assert points_of(domain) == set(entered), f"{plan.domains.of[block]} {visits.parameters}"


@pytest.mark.parametrize(
    "seed", [n if n < 15 else pytest.param(n, marks=pytest.mark.slow) for n in range(150)]
)
def test_domains_are_what_runs(seed: int):
    function = function_named(prepare(source_module(counting_program(seed))))
    isolate_effects(function.body)
    flow = ControlFlow(function.body)
    plans = find_scops(flow).plans
    for arguments in ARGUMENTS:
        recorders = [Recorder(plan) for plan in plans]

        def visit(
            block: Block, values: Values, counters: Counters, all: list[Recorder] = recorders
        ) -> None:
            for recorder in all:
                recorder.visit(block, values, counters)

        try:
            SourceRun(steps=2000, visit=visit).run(flow, (*arguments, ADDRESS))
        except (TooLong, Undefined):
            continue
        for recorder in recorders:
            for visits in recorder.executions:
                check(recorder.plan, visits)


def test_most_functions_are_understood():
    """The comparison above is not empty: of the random functions, most have a SCoP."""
    found = 0
    for seed in range(15):
        function = function_named(prepare(source_module(counting_program(seed))))
        isolate_effects(function.body)
        found += bool(find_scops(ControlFlow(function.body)).plans)
    assert found >= 10
