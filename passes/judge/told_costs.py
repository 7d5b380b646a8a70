"""What code costs, as it stands in attributes and as it is told."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, Float64Type

from polyopt.poly.cost.nest_cost import Estimate


def estimates(cycles: DenseArrayBase[Float64Type]) -> list[Estimate]:
    numbers = iter(map(float, cycles.get_values()))
    return [Estimate(core, memory) for core, memory in zip(numbers, numbers, strict=True)]


def said(one: Estimate) -> str:
    """In three digits, and what is for memory where that is something."""
    told = f"{_three_digits(one.cycles)} cycles"
    return f"{told} ({_three_digits(one.memory)} of them for memory)" if one.memory else told


def _three_digits(number: float) -> str:
    return f"{float(f'{number:.3g}'):,.12g}"
