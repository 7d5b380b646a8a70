"""The tiles that a person writes down: hexagons, families of hyperplanes, a lattice with a shape.

    hexagons 8 4                     2 x 8 points high, sides of 4 points, slopes of 45 degrees
    hyperplanes  1 1 8   1 -1 8      for each family the factors of its normal, then the spacing
    lattice  8 0   4 6               the generators one after another; the shape is the cell that
                                     they span, or what a condition says

Numbers that make no partition of space are refused with the reason.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

import islpy as isl

from polyopt.poly.linear.lattice import Matrix, Vector, transpose
from polyopt.poly.scanning.tile_functions import (
    HyperplaneTiles,
    LatticeTiles,
    hyperplane_partition,
    lattice_partition,
    spanned_cell,
)
from polyopt.poly.transform.places import CannotTransform


def hexagon_tiles(height: int, width: int) -> LatticeTiles:
    """Sides along both diagonals and along the first coordinate, where one of `width` points more
    than none is left at the top and bottom; 2 `height` points along the second coordinate."""
    if height < 1 or width < 0:
        raise CannotTransform("hexagons have a height of at least 1 and a width of at least 0")
    side = 2 * height + width
    shape = isl.Set(
        f"{{ [x, y] : 0 <= x + y < {side} and 0 <= x - y < {side} and -{height} <= y < {height} }}"
    )
    reach = height + width
    return lattice_partition(((reach, reach), (height, -height)), shape)


def hyperplane_tiles(
    dimensions: int, normals: Vector, spacings: Vector, offset: Vector = ()
) -> HyperplaneTiles:
    """`normals` is one family's factors after another's."""
    with _reasons():
        return hyperplane_partition(_rows(normals, dimensions), spacings, offset)


def lattice_tiles(
    names: Sequence[str], generators: Vector, where: str | None = None, offset: Vector = ()
) -> LatticeTiles:
    """`names` are those of the coordinates in the condition `where`."""
    dimensions = len(names)
    if len(generators) != dimensions**2:
        raise CannotTransform(
            f"{dimensions} generators of {dimensions} numbers each, not {len(generators)} numbers"
        )
    columns = transpose(_rows(generators, dimensions))
    with _reasons():
        shape = spanned_cell(columns) if where is None else _shape(names, where)
        return lattice_partition(columns, shape, offset)


def _shape(names: Sequence[str], where: str) -> isl.Set:
    try:
        if set(where) & set("[]{}"):
            raise isl.Error("more than a condition")
        return isl.Set(f"{{ [{', '.join(names)}] : {where} }}")
    except isl.Error:
        raise CannotTransform(
            f"no condition on the place in a tile: {where}",
            f"affine conditions as isl writes them, over {', '.join(names)}",
        ) from None


def _rows(numbers: Vector, width: int) -> Matrix:
    if not numbers or len(numbers) % width:
        raise CannotTransform(f"{len(numbers)} numbers are no rows of {width}")
    return tuple(numbers[k : k + width] for k in range(0, len(numbers), width))


@contextmanager
def _reasons() -> Generator[None]:
    """What is no partition cannot be done."""
    try:
        yield
    except ValueError as reason:
        raise CannotTransform(str(reason)) from None
