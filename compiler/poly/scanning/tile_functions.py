"""Partitions of integer space as functions: in which tile is a point, and where in it?

`tilings` says which points tile t has; a schedule wants the other direction, t as a function of x,
and isl wants it quasi-affine. Families of hyperplanes are that as they stand:

    t_r = floor((h_r x - o_r) / s_r)

Tiles of one shape P at the origins G t + o are no floors of the coordinates. The cells of the
lattice are: x - o lies in cell c = floor(G^-1 (x - o)), and a tile meets few of them. The part of
P in the cell d is the part of tile t in the cell t + d, so that

    t = floor(G^-1 (x - o)) - d        where x - o - G t is in P, for each d that P meets

one piece for each d. The parts, each moved by -G d, fill the cell 0 without overlapping if and
only if the tiles cover space, each point once: a comparison of two sets, however large the tile.

The order in which tiles run is that of t. Another unimodular order U t is the same partition with
the generators G U^-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import lcm, prod

import islpy as isl

from polyopt.poly.isl.numbers import val
from polyopt.poly.linear.lattice import Matrix, Vector, determinant, identity, inverse, multiply
from polyopt.support.record import record

CELLS = 400
"""Cells of the lattice that a tile may lie across, by the box around it."""

_IN, _SET = isl.dim_type.in_, isl.dim_type.set


@record
class HyperplaneTiles:
    """t = order floor((normals x - offset) / spacings)."""

    normals: Matrix
    spacings: Vector
    offset: Vector
    order: Matrix

    @property
    def dimensions(self) -> int:
        return len(self.normals[0])

    def along(self, order: Matrix) -> HyperplaneTiles:
        """The same tiles, numbered by `order t`."""
        return HyperplaneTiles(
            self.normals, self.spacings, self.offset, multiply(order, self.order)
        )

    def membership(self) -> isl.Map:
        """{ [x] -> [t] }."""
        return _relation(self.functions())

    def functions(self) -> tuple[isl.PwAff, ...]:
        space = _points(self.dimensions)
        floors = [
            _linear(space, normal, -offset).scale_down_val(val(spacing)).floor()
            for normal, spacing, offset in zip(
                self.normals, self.spacings, self.offset, strict=True
            )
        ]
        return tuple(isl.PwAff.from_aff(_combined(row, floors)) for row in self.order)


@record(eq=False)
class LatticeTiles:
    """The tiles `shape + generators t + offset`; the generators are the columns."""

    generators: Matrix
    shape: isl.Set
    offset: Vector
    cells: tuple[Vector, ...]

    @property
    def dimensions(self) -> int:
        return len(self.generators)

    def along(self, order: Matrix) -> LatticeTiles:
        """The same tiles, numbered by `order t`."""
        back = tuple(tuple(int(x) for x in row) for row in inverse(order))
        return lattice_partition(multiply(self.generators, back), self.shape, self.offset)

    def membership(self) -> isl.Map:
        """{ [x] -> [t] }, in as many pieces as the shape has."""
        dimensions = self.dimensions
        both = _points(2 * dimensions)
        local = [
            _linear(both, (*unit, *(-factor for factor in row)), -start)
            for unit, row, start in zip(
                identity(dimensions), self.generators, self.offset, strict=True
            )
        ]
        pairs = isl.Map.from_domain_and_range(
            isl.Set.universe(_points(dimensions)), isl.Set.universe(_points(dimensions))
        )
        flat = self.shape.preimage_multi_aff(_joint(local))
        return pairs.wrap().flatten_map().reverse().intersect_domain(flat).range().unwrap()

    def functions(self) -> tuple[isl.PwAff, ...]:
        return self._pieces(0)

    def local(self) -> tuple[isl.PwAff, ...]:
        """x - generators t - offset: the place of a point in its tile."""
        return self._pieces(1)

    def _pieces(self, which: int) -> tuple[isl.PwAff, ...]:
        found: list[isl.PwAff] = []
        for cell in self.cells:
            forms = self._in_cell(cell)
            where = self.shape.preimage_multi_aff(_joint(forms[1]))
            parts = [isl.PwAff.alloc(where, one) for one in forms[which]]
            pairs = zip(found, parts, strict=True)
            found = [one.union_add(two) for one, two in pairs] if found else parts
        return tuple(found)

    def _in_cell(self, cell: Vector) -> tuple[list[isl.Aff], list[isl.Aff]]:
        """The tile of a point whose local part is in `cell`, and the local coordinates."""
        space = _points(self.dimensions)
        tile = [
            one.add_constant_val(val(-moved))
            for one, moved in zip(_cell(self.generators, self.offset), cell, strict=True)
        ]
        units = identity(self.dimensions)
        local = [
            _linear(space, unit, -start).sub(_combined(row, tile))
            for unit, start, row in zip(units, self.offset, self.generators, strict=True)
        ]
        return tile, local


Tiles = HyperplaneTiles | LatticeTiles


def hyperplane_partition(normals: Matrix, spacings: Vector, offset: Vector = ()) -> HyperplaneTiles:
    """Raises ValueError for families that are none."""
    if not normals or len(normals) != len(spacings) or any(one < 1 for one in spacings):
        raise ValueError("hyperplanes have a normal and a spacing of at least 1 for each family")
    if any(not any(normal) for normal in normals):
        raise ValueError("a normal of zeros is that of no hyperplane")
    offset = offset or (0,) * len(normals)
    if len(offset) != len(normals):
        raise ValueError("hyperplanes have an offset for each family")
    return HyperplaneTiles(normals, spacings, offset, identity(len(normals)))


def lattice_partition(generators: Matrix, shape: isl.Set, offset: Vector = ()) -> LatticeTiles:
    """`shape` is over as many coordinates as `generators` has rows. Raises ValueError if its
    translations do not cover each point exactly once."""
    dimensions = len(generators)
    if not generators or determinant(generators) == 0:
        raise ValueError("the generators span no lattice of full dimension")
    if len(offset) not in (0, dimensions):
        raise ValueError("the offset has a coordinate for each dimension")
    if shape.is_empty() or not shape.is_bounded():
        raise ValueError("the shape is empty" if shape.is_empty() else "the shape is not bounded")
    cell = _joint(_cell(generators, (0,) * dimensions))
    reached = shape.apply(isl.Map.from_multi_aff(cell))
    ranges = [
        range(reached.dim_min_val(k).to_python(), reached.dim_max_val(k).to_python() + 1)
        for k in range(dimensions)
    ]
    if prod(len(one) for one in ranges) > CELLS:
        raise ValueError(f"the shape lies across more than {CELLS} cells of its lattice")
    parts = list[Vector]()
    whole = _at((0,) * dimensions).preimage_multi_aff(cell)
    folded = isl.Set.empty(whole.get_space())
    for one in product(*ranges):
        part = shape.intersect(_at(one).preimage_multi_aff(cell))
        if part.is_empty():
            continue
        moved = part.apply(isl.Map.from_multi_aff(_translation(generators, one)))
        if not folded.is_disjoint(moved):
            raise ValueError("the shapes at two points of the lattice overlap")
        folded = folded.union(moved)
        parts.append(one)
    if not whole.is_subset(folded):
        raise ValueError("the shapes at the lattice's points leave gaps")
    return LatticeTiles(generators, shape, offset or (0,) * dimensions, tuple(parts))


def spanned_cell(generators: Matrix) -> isl.Set:
    """The points whose cell is 0. Raises ValueError if the generators are dependent."""
    if determinant(generators) == 0:
        raise ValueError("the generators span no lattice of full dimension")
    zero = (0,) * len(generators)
    return _at(zero).preimage_multi_aff(_joint(_cell(generators, zero)))


def _relation(functions: Sequence[isl.PwAff]) -> isl.Map:
    """{ [x] -> [f_1(x), ..., f_m(x)] }."""
    first, *rest = (isl.MultiPwAff.from_pw_aff(one) for one in functions)
    for one in rest:
        first = first.flat_range_product(one)
    return isl.Map.from_multi_pw_aff(first)


def _cell(generators: Matrix, offset: Vector) -> list[isl.Aff]:
    """floor(generators^-1 (x - offset))."""
    space = _points(len(generators))
    found = list[isl.Aff]()
    for row in inverse(generators):
        common = lcm(*(value.denominator for value in row))
        factors = tuple(int(value * common) for value in row)
        start = -sum(a * x for a, x in zip(factors, offset, strict=True))
        found.append(_linear(space, factors, start).scale_down_val(val(common)).floor())
    return found


def _translation(generators: Matrix, cell: Vector) -> isl.MultiAff:
    """x -> x - generators cell."""
    space = _points(len(generators))
    moves = [-sum(a * c for a, c in zip(row, cell, strict=True)) for row in generators]
    units = identity(len(generators))
    return _joint([_linear(space, u, move) for u, move in zip(units, moves, strict=True)])


def _points(dimensions: int) -> isl.Space:
    return isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, dimensions)


def _linear(space: isl.Space, factors: Sequence[int], constant: int) -> isl.Aff:
    form = isl.Aff.val_on_domain_space(space, val(constant))
    for k, factor in enumerate(factors):
        form = form.set_coefficient_val(_IN, k, val(factor))
    return form


def _combined(factors: Sequence[int], forms: Sequence[isl.Aff]) -> isl.Aff:
    """The sum of factors times forms."""
    total = forms[0].scale_val(val(factors[0]))
    for factor, form in zip(factors[1:], forms[1:], strict=True):
        total = total.add(form.scale_val(val(factor)))
    return total


def _joint(forms: Sequence[isl.Aff]) -> isl.MultiAff:
    first, *rest = (isl.MultiAff.from_aff(one) for one in forms)
    for one in rest:
        first = first.flat_range_product(one)
    return first


def _at(point: Vector) -> isl.Set:
    here = isl.Set.universe(_points(len(point)))
    for k, value in enumerate(point):
        here = here.fix_val(_SET, k, val(value))
    return here
