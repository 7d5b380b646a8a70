"""Dependences, schedule and loops of a kernel take no longer than is promised."""

import pytest
from oracles.kernel_runs import PROGRAMS

from polyopt.tools.bench.schedule_cost import PROMISED, schedule_cost


def cases() -> list[object]:
    return [
        pytest.param(kernel, scheduler, marks=() if kernel == "adi" else pytest.mark.slow)
        for kernel in PROGRAMS
        for scheduler in PROMISED
    ]


@pytest.mark.parametrize(("kernel", "scheduler"), cases())
def test_time(kernel: str, scheduler: str):
    """Time of the processor, twice the promise: the machine that tests may be slow and busy;
    `polyopt-bench --schedule-time` measures the promise itself."""
    cost = schedule_cost(PROGRAMS[kernel], scheduler, fast=True)
    assert cost.total < 2 * PROMISED[scheduler]
    assert not cost.missed
