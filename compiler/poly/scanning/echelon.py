"""One polyhedron on a lattice, and its projections: what bounds each of the ordered unknowns.

The integer points of a `Polyhedron` are columns of integers in the order

    1, parameters, variables (outermost first), divisions

where a division is floor(row / d) of columns before it. Its equalities make the points a lattice
(`affine_lattice`), in which a column is free, with a stride, or determined by those before it. The
inequalities are put into the coordinates of the lattice and projected there, innermost first, by
Fourier's elimination (tightened: as exact as it gets); each projection is given back in the
columns, where it holds for all points of the lattice.

    shadow(k)    inequalities between the columns up to k

The projections together are the row-echelon form of Ancourt and Irigoin, section 5: column k is
bounded by the rows of shadow(k) that speak of it. The points that the bounds of all columns let
through are those of the polyhedron, each once; only an outer column's value may have no inner
ones, where elimination is not exact over integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import islpy as isl

from polyopt.poly.isl.lists import basic_sets
from polyopt.poly.isl.numbers import val
from polyopt.poly.scanning.affine_lattice import EchelonLattice, Quotient, solve_equalities
from polyopt.poly.scanning.systems import (
    Row,
    System,
    is_empty,
    opposite,
    project,
    reduce_rows,
)
from polyopt.support.record import record

_Cst, _Param, _Set, _Div = (
    isl.dim_type.cst,
    isl.dim_type.param,
    isl.dim_type.set,
    isl.dim_type.div,
)


@record
class Polyhedron:
    """`variables` is how many columns there are between the parameters and the divisions."""

    parameters: tuple[str, ...]
    variables: int
    divisions: tuple[Quotient, ...]
    equalities: System
    inequalities: System

    @property
    def width(self) -> int:
        """The last column."""
        return len(self.parameters) + self.variables + len(self.divisions)

    def restricted(self, rows: Sequence[Row]) -> Polyhedron:
        """Its points that meet `rows` too; opposite rows become equalities."""
        given = set(rows)
        equal = [row for row in rows if opposite(row) in given]
        other = [row for row in rows if opposite(row) not in given]
        return replace(
            self,
            equalities=(*self.equalities, *equal),
            inequalities=(*self.inequalities, *other),
        )

    def condition(self, names: Sequence[str]) -> str:
        """What its points meet, as isl's text; `names` are the parameters and variables."""
        texts = ["1", *names]
        for division in self.divisions:
            texts.append(f"floor(({_sum(division.row, texts)})/{division.divisor})")
        parts = [f"{_sum(row, texts)} = 0" for row in self.equalities]
        parts += [f"{_sum(row, texts)} >= 0" for row in self.inequalities]
        return " and ".join(parts) or "true"

    @property
    def visible(self) -> int:
        """The last column that is no division."""
        return len(self.parameters) + self.variables

    @cached_property
    def points(self) -> EchelonLattice | None:
        """The lattice of its equalities; None if that has no point."""
        return solve_equalities(self.equalities, self.width)

    @property
    def lattice(self) -> EchelonLattice:
        """`points` of a polyhedron that is not empty."""
        assert self.points is not None
        return self.points

    @cached_property
    def is_empty(self) -> bool:
        """Whether there is no integer point, as far as elimination shows."""
        return self.points is None or is_empty(self.coordinate_rows)

    @cached_property
    def coordinate_rows(self) -> System:
        """Its inequalities, with those that define the divisions, in the lattice's coordinates."""
        rows = list(self.inequalities)
        for k in range(len(self.divisions)):
            rows += self.definition(k)
        return reduce_rows(map(self.lattice.to_coordinates, rows))

    @cached_property
    def _shadows(self) -> dict[int, System]:
        """By last column, in the lattice's coordinates; filled from the innermost."""
        return {self.width: self.coordinate_rows}

    def definition(self, division: int) -> System:
        """0 <= row - d v <= d - 1 for the column v of a division, by its position."""
        quotient, column = self.divisions[division], self.visible + 1 + division
        row = [*quotient.row, *(0 for _ in range(column + 1 - len(quotient.row)))]
        row[column] -= quotient.divisor
        remainder = tuple(row)
        return (remainder, (quotient.divisor - 1 - row[0], *opposite(remainder)[1:]))

    def _coordinates(self, column: int) -> System:
        shadows = self._shadows
        inner = next(k for k in range(column, self.width + 1) if k in shadows)
        for k in range(inner - 1, column - 1, -1):
            coordinate = self.lattice.coordinate_at(k + 1)
            shadows[k] = project(shadows[k + 1], [coordinate]) if coordinate else shadows[k + 1]
        return shadows[column]

    def shadow(self, column: int) -> System:
        """The inequalities that the columns up to `column` meet at every point, and the
        equalities of those that are determined, as opposite rows. Raises BudgetExceeded."""
        found = self._known.get(column)
        if found is None:
            rows = list(map(self.lattice.from_coordinates, self._coordinates(column)))
            for k in range(1, column + 1):
                rows += self.lattice.value_rows(k)
            found = self._known[column] = reduce_rows(rows)
        return found

    @cached_property
    def rows(self) -> System:
        """What its points meet besides congruences: its own inequalities, and the values of the
        columns that are determined."""
        values = (self.lattice.value_rows(column) for column in range(1, self.width + 1))
        return reduce_rows((*self.inequalities, *(row for pair in values for row in pair)))

    @cached_property
    def _known(self) -> dict[int, System]:
        return {}


def polyhedra(value: isl.Set) -> list[Polyhedron]:
    """Disjoint polyhedra whose union is `value`; those shown to be empty are left out."""
    found = list[Polyhedron]()
    for part in basic_sets(value.compute_divs().make_disjoint()):
        whole = isl.Set.from_basic_set(part.detect_equalities()).compute_divs()
        found += map(polyhedron, basic_sets(whole.make_disjoint()))
    return [one for one in found if not one.is_empty]


def polyhedron(value: isl.BasicSet) -> Polyhedron:
    """`value`, whose equalities are explicit and whose divisions are all defined."""
    parameters = value.dim(_Param)
    order = (_Cst, _Param, _Set, _Div)
    return Polyhedron(
        tuple(value.get_dim_name(_Param, k) or "" for k in range(parameters)),
        value.dim(_Set),
        tuple(_quotient(value.get_div(k)) for k in range(value.dim(_Div))),
        _rows(value.equalities_matrix(*order)),
        _rows(value.inequalities_matrix(*order)),
    )


def _rows(matrix: isl.Mat) -> System:
    columns = range(matrix.cols())
    return tuple(
        tuple(matrix.get_element_val(row, column).to_python() for column in columns)
        for row in range(matrix.rows())
    )


def _sum(row: Row, texts: Sequence[str]) -> str:
    pairs = zip(row, texts, strict=False)
    return " + ".join(f"{factor}*{text}" for factor, text in pairs if factor) or "0"


def _quotient(value: isl.Aff) -> Quotient:
    divisor = value.get_denominator_val().to_python()
    scaled = value.scale_val(val(divisor))
    row = [scaled.get_constant_val().to_python()]
    for kind in (_Param, isl.dim_type.in_, _Div):
        row += [scaled.get_coefficient_val(kind, k).to_python() for k in range(scaled.dim(kind))]
    return Quotient(tuple(row), divisor)
