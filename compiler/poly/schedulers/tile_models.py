"""Models of tile sizes by name: ours, and those that packages add by the entry point
`polyopt.tile_models`."""

from __future__ import annotations

from collections.abc import Callable

from polyopt.poly.analysis.strides import AccessMatrices
from polyopt.poly.cost.tile_sizes import TileSizeModel
from polyopt.poly.schedule_tree import Tree
from polyopt.poly.transform.tiling import SizeChoice
from polyopt.support.plugins import TILE_MODELS, chosen
from polyopt.support.target import Target

MakeTileModel = Callable[[AccessMatrices, Tree, Target, frozenset[str]], SizeChoice]
"""As `TileSizeModel` is made, which is one: of the SCoP's accesses, the order of the points, the
machine, and the statements whose innermost loop is serial."""

LINES = "lines"


def tile_model_named(name: str) -> MakeTileModel:
    """Raises CompileError for a name that nobody has."""
    return chosen(TILE_MODELS, name, {LINES: TileSizeModel}, "model of tile sizes")
