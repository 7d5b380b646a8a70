"""Partitions of integer space into tiles, as systems: which points does tile t have?

A tiling is a system of rows over the columns 1, t_1, ..., t_m, i_1, ..., i_n: the points i of tile
t are those that meet them, and each point is in one tile.

    hyperplanes    t = floor(H i), H rational: m families of parallel hyperplanes, evenly spaced
                   (F. Irigoin, R. Triolet, Supernode partitioning, POPL 1988); with fewer families
                   than dimensions the tiles are unbounded stripes
    lattice        i = G t + o + local, where the local points of all tiles are one shape, such as
                   a hexagon, and the origins are a lattice of full dimension

After C. Ancourt, F. Irigoin, Scanning polyhedra with DO loops, PPoPP 1991, sections 2 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from polyopt.poly.linear.dependence_vectors import DependenceVector, combine
from polyopt.poly.linear.lattice import (
    Lattice,
    Matrix,
    Vector,
    apply,
    determinant,
    kernel,
    smith_form,
    transpose,
)
from polyopt.poly.scanning.systems import Row, System, project
from polyopt.support.record import record


@record
class Tiling:
    tiles: int
    dimensions: int
    membership: System


def hyperplanes(normals: Matrix, spacings: Vector) -> Tiling:
    """t_r = floor(normals_r i / spacings_r): 0 <= normals_r i - spacings_r t_r < spacings_r."""
    if any(spacing < 1 for spacing in spacings) or len(normals) != len(spacings):
        raise ValueError("a spacing of at least 1 for each family of hyperplanes")
    rows = list[Row]()
    for r, (normal, spacing) in enumerate(zip(normals, spacings, strict=True)):
        tile = tuple(-spacing * int(r == k) for k in range(len(normals)))
        rest = (*tile, *normal)
        rows += [(0, *rest), (spacing - 1, *(-value for value in rest))]
    return Tiling(len(normals), len(normals[0]), tuple(rows))


def rectangles(sizes: Vector) -> Tiling:
    """Tiles of these sizes along the axes."""
    axes = tuple(tuple(int(a == b) for b in range(len(sizes))) for a in range(len(sizes)))
    return hyperplanes(axes, sizes)


def lattice_tiles(generators: Matrix, shape: System, offset: Vector | None = None) -> Tiling:
    """Tiles of one `shape`, rows over 1 and the local coordinates, at the origins
    `generators t + offset`. Raises ValueError if these do not cover each point exactly once."""
    dimensions = len(generators)
    offset = offset or (0,) * dimensions
    points = shape_points(shape, dimensions)
    lattice = Lattice.of(generators)
    residues = {lattice.reduce(point) for point in points}
    if determinant(generators) == 0 or not len(points) == len(residues) == lattice.index:
        raise ValueError("the shape at the lattice's points does not cover each point once")
    rows = list[Row]()
    for constant, *factors in shape:
        padded = (*factors, *(0 for _ in range(dimensions - len(factors))))
        tile = apply(transpose(generators), padded)
        moved = constant - sum(a * b for a, b in zip(padded, offset, strict=True))
        rows.append((moved, *(-value for value in tile), *padded))
    return Tiling(dimensions, dimensions, tuple(rows))


def hexagons(height: int, width: int) -> Tiling:
    """Hexagons for stencils of five points, with sides along both diagonals and one axis: 2 height
    points along the second coordinate, where a side of `width` is left at the top.

    The sides are (height, height), (width, 0) and (height, -height), so the origins are spanned by
    the sums of neighbouring ones; of two opposite sides one belongs to the tile.
    """
    side = 2 * height + width
    shape: System = (
        (0, 1, 1),
        (side - 1, -1, -1),
        (0, 1, -1),
        (side - 1, -1, 1),
        (height, 0, 1),
        (height - 1, 0, -1),
    )
    return lattice_tiles(((height + width, height + width), (height, -height)), shape)


def shape_points(shape: System, dimensions: int) -> list[Vector]:
    """The integer points of a bounded shape. Raises ValueError if it is not bounded."""
    ranges = list[range]()
    for k in range(1, dimensions + 1):
        others = [other for other in range(1, dimensions + 1) if other != k]
        rows = [row for row in project(shape, others) if len(row) > k]
        lows = [-(row[0] // row[k]) for row in rows if row[k] > 0]
        highs = [row[0] // -row[k] for row in rows if row[k] < 0]
        if not lows or not highs:
            raise ValueError("the shape is not bounded")
        ranges.append(range(max(lows), min(highs) + 1))
    return [
        point
        for point in product(*ranges)
        if all(sum(a * x for a, x in zip(row, (1, *point), strict=False)) >= 0 for row in shape)
    ]


def origin_lattice(normals: Matrix, spacings: Vector) -> Lattice:
    """The tile coordinates t of a hyperplane partition at which hyperplanes of all families meet in
    an integer point: normals i = diag(spacings) t. Tiles whose coordinates differ by a vector of
    this lattice are translations of each other; if it is everything, all tiles are.

    With the Smith form U normals V = D, there is such a point if and only if each row r of
    U diag(spacings) t is a multiple of D_r (0 where D has none).
    """
    form, left, _ = smith_form(normals)
    families = range(len(normals))
    scaled = tuple(
        tuple(left[r][k] * spacings[k] for k in families)
        + tuple(-form[r][k] if k < len(form[r]) and k == r else 0 for k in families)
        for r in families
    )
    solutions = [solution[: len(normals)] for solution in kernel(scaled)]
    return Lattice.of(transpose(tuple(solutions)) if solutions else ((),) * len(normals))


def is_legal(normals: Matrix, vectors: Sequence[DependenceVector]) -> bool:
    """Whether no dependence goes back to an earlier tile in any family: then tiles may run one
    after the other in the order of their coordinates (sufficient, not necessary)."""
    return all(
        (low := combine(normal, vector).low) is not None and low >= 0
        for normal in normals
        for vector in vectors
    )
