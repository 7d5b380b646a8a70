"""Models of what nests cost, by name: ours, and those that packages add by the entry point
`polyopt.cost_models`. The judge asks one whether the loops that were made stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polyopt.poly.cost.nest_cost import Estimate, Part, estimate
from polyopt.support.core_model import CoreCosts
from polyopt.support.plugins import COST_MODELS, chosen
from polyopt.support.target import Target

CostModel = Callable[[Sequence[Part], Target, CoreCosts], Estimate]
"""As `estimate`, which is one: of a nest's parts, on a machine."""

LINES = "lines"
"""Ours counts the lines that a nest brings in, and what keeps the core busy."""


def cost_model_named(name: str) -> CostModel:
    """Raises CompileError for a name that nobody has."""
    return chosen(COST_MODELS, name, {LINES: estimate}, "model of cost")
