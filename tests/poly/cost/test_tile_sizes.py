"""Where tiles pay, and that what a tile touches fits the cache it is made for."""

from dataclasses import replace

import pytest
from oracles.kernels import KERNELS

from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.analysis.strides import AccessMatrices
from polyopt.poly.cost.locality import LocalityModel, order_for_locality
from polyopt.poly.cost.tile_sizes import TileSizeModel
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import (
    LEAF,
    Band,
    Mark,
    Member,
    Tree,
    bands,
    marks,
    read_tree,
    statements_of,
)
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop
from polyopt.poly.transform.tiling import tile_over
from polyopt.support.target import Target

TARGET = Target()


def chosen(kernel: str, target: Target = TARGET) -> dict[tuple[str, ...], tuple[int, ...] | None]:
    """The sizes for each permutable band of isl's schedule, its best loops innermost."""
    scop = parse_scop(KERNELS[kernel])
    dependences = compute_dependences(scop, reassociate=True)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions(fuse="min"))
    matrices = AccessMatrices(scop)
    place = TreePosition((), dependences.validity)
    tree = order_for_locality(read_tree(schedule), LocalityModel(matrices), place)
    model = TileSizeModel(matrices, tree, target)
    return {
        tuple(statements_of(band)): model(band, ())
        for band in bands(tree)
        if band.permutable and len(band.members) > 1
    }


@pytest.mark.parametrize("kernel", ["atax", "bicg", "mvt", "gesummv", "jacobi-1d"])
def test_data_that_is_used_once_or_stays_in_cache_is_not_tiled(kernel: str):
    assert set(chosen(kernel).values()) == {None}


@pytest.mark.parametrize(
    ("kernel", "statements"),
    [("2mm", ("S1",)), ("jacobi-2d", ("S0", "S1")), ("heat-3d", ("S0", "S1")), ("lu", None)],
)
def test_data_that_is_used_again_is_tiled(kernel: str, statements: tuple[str, ...] | None):
    found = chosen(kernel)
    sizes = found[statements] if statements else next(iter(found.values()))
    assert sizes is not None
    assert sum(size > 1 for size in sizes) >= 2


def test_a_larger_cache_has_no_smaller_tiles():
    small = replace(TARGET, l1_bytes=8 * 1024, l2_bytes=64 * 1024)
    large = replace(TARGET, l1_bytes=64 * 1024, l2_bytes=4 * 1024 * 1024)

    def volume(target: Target) -> int:
        sizes = chosen("2mm", target)["S1",]
        assert sizes is not None
        product = 1
        for size in sizes:
            product *= 1000 if size == 1 else size
        return product

    assert volume(small) < volume(large)


def test_rows_are_not_cut_short_where_their_ends_are_slow():
    """A cache of 512 KiB holds more rows if they are cut; but each has an end."""
    small = replace(TARGET, l2_bytes=512 * 1024)

    def row(target: Target) -> int:
        (sizes,) = filter(None, chosen("heat-3d", target).values())
        return 128 if sizes[-1] == 1 else sizes[-1]

    assert row(replace(small, stores_lanes=True)) > row(small)


def test_tiles_of_one_tree_around_the_points_of_another():
    scop = parse_scop(KERNELS["jacobi-2d"])
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    tree, points = read_tree(schedule), read_tree(scop.schedule)
    tiled = tile_over(tree, points, lambda band, _: [8] * len(band.members))
    assert tiled is not None
    assert marks(tiled) == ["tile", "point"]
    assert below_points(tiled) is points
    assert tile_over(tree, points, lambda band, _: None) is None


def below_points(tree: Tree) -> Tree:
    while not (isinstance(tree, Mark) and tree.name == "point"):
        assert not isinstance(tree, type(None))
        tree = tree.child  # type: ignore[union-attr]
    return tree.child


DIAGONALS = """
[n]
for i : 0 < i < n
  for j : 0 < j < n
    S: A[i, j] = A[i - 1, j - 1] B[i, j]
"""


def model_and_diagonals(scop: Scop) -> tuple[TileSizeModel, Band]:
    """The model for rows as they stand, and a band of diagonals."""
    source = read_tree(scop.schedule)
    (rows, columns) = (member for band in bands(source) for member in band.members)
    diagonal = Member(rows.function.sub(columns.function), coincident=True)
    band = Band((diagonal, rows), LEAF, permutable=True)
    return TileSizeModel(AccessMatrices(scop), source, TARGET), band


def test_tiles_are_compared_with_the_loops_that_run_without_them():
    """Tiles of diagonals are better than diagonals, but what runs without tiles is rows."""
    scop = parse_scop(DIAGONALS)
    model, diagonals = model_and_diagonals(scop)
    assert model(diagonals, ()) is None
    along = replace(model, points=Band(diagonals.members, LEAF))
    assert along(diagonals, ()) is not None
