"""The integer points of a system of equalities, column by column.

They are { origin + basis z : z integer }. With the basis in Hermite form, lower echelon, each
column of the points is a function of those before it:

    free          v_k = offset + stride z, z any integer
    determined    v_k = offset

where `offset` is a quotient of integer functions that is an integer at each point. What the
column demands of an integer that is put there is a `Congruence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

from polyopt.poly.linear.lattice import Lattice, Matrix, Vector, identity, solve, transpose
from polyopt.poly.scanning.systems import Row, System, combine, equality, opposite, tighten
from polyopt.support.record import record


@record
class Quotient:
    """row / divisor, divisor > 0."""

    row: Row
    divisor: int


@record
class Column:
    """Where the lattice has points in this column: at `offset`, where `stride` is 0, else at
    every `stride` from there. The offset is a function of all columns before, and an integer
    at each point that they have in the lattice."""

    offset: Quotient
    stride: int

    @property
    def is_determined(self) -> bool:
        return self.stride == 0


@record
class Congruence:
    """row = 0 modulo `modulus`: in one form for equal ones, so that they can be compared."""

    row: Row
    modulus: int


@record
class EchelonLattice:
    """{ origin + basis z : z integer } in the columns after the first, the basis lower echelon."""

    origin: Vector
    basis: Matrix

    @cached_property
    def pivots(self) -> tuple[int, ...]:
        """The column that is free by each coordinate."""
        return tuple(
            1 + next(k for k, entry in enumerate(one) if entry) for one in transpose(self.basis)
        )

    @cached_property
    def _inverse(self) -> list[tuple[Fraction, ...]]:
        """Each coordinate as a function of the columns 1, v_1, ..., v_n."""
        width = len(self.origin) + 1
        found = list[tuple[Fraction, ...]]()
        for j, pivot in enumerate(self.pivots):
            row = [Fraction(0)] * width
            row[0], row[pivot] = Fraction(-self.origin[pivot - 1]), Fraction(1)
            for i in range(j):
                factor = self.basis[pivot - 1][i]
                if factor:
                    row = [a - factor * b for a, b in zip(row, found[i], strict=True)]
            stride = self.basis[pivot - 1][j]
            found.append(tuple(value / stride for value in row))
        return found

    @cached_property
    def is_everything(self) -> bool:
        return self.basis == identity(len(self.origin)) and not any(self.origin)

    def coordinate_at(self, column: int) -> int | None:
        """The number, from 1, of the coordinate that makes `column` free."""
        return self.pivots.index(column) + 1 if column in self.pivots else None

    def to_coordinates(self, row: Row) -> Row:
        """`row` over the columns as one over the coordinates."""
        if self.is_everything:
            return row
        constant = row[0] + sum(a * b for a, b in zip(row[1:], self.origin, strict=False))
        factors = (
            sum(a * b for a, b in zip(row[1:], column, strict=False))
            for column in transpose(self.basis)
        )
        return (constant, *factors)

    def from_coordinates(self, row: Row) -> Row:
        """The other way round, for the points of the lattice; tightened."""
        return tighten(self.quotient(row).row) or (0,)

    def quotient(self, row: Row) -> Quotient:
        """`row` over the coordinates as a quotient over the columns."""
        if self.is_everything:
            return Quotient(row, 1)
        total = [Fraction(0)] * (len(self.origin) + 1)
        total[0] = Fraction(row[0])
        for factor, inverse in zip(row[1:], self._inverse, strict=False):
            if factor:
                total = [a + factor * b for a, b in zip(total, inverse, strict=True)]
        divisor = lcm(*(value.denominator for value in total))
        return Quotient(tuple(int(value * divisor) for value in total), divisor)

    def prefix(self, last: int) -> EchelonLattice:
        """The points in the columns up to `last`."""
        outer = sum(pivot <= last for pivot in self.pivots)
        return EchelonLattice(self.origin[:last], tuple(row[:outer] for row in self.basis[:last]))

    def column(self, column: int) -> Column:
        found = self._columns.get(column)
        if found is None:
            row = self.basis[column - 1]
            outer = sum(pivot < column for pivot in self.pivots)
            stride = row[outer] if column in self.pivots else 0
            offset = self.quotient((self.origin[column - 1], *row[:outer]))
            before = Quotient(offset.row[:column], offset.divisor)
            found = self._columns[column] = Column(before, stride)
        return found

    @cached_property
    def _columns(self) -> dict[int, Column]:
        return {}

    def value_rows(self, column: int) -> System:
        """`column` = its offset, if it is determined."""
        place = self.column(column)
        if not place.is_determined:
            return ()
        return equality((*place.offset.row, -place.offset.divisor))

    def congruence(self, column: int) -> Congruence | None:
        """What `column` has to meet besides inequalities, where the columns before are on the
        lattice; None if every integer does."""
        return congruence_at(self.column(column))


def congruence_at(place: Column) -> Congruence | None:
    """v = offset (mod stride) for the value v of the column at `place`, with coefficients in
    [0, modulus), of which that of v is no more than half of it."""
    if place.stride <= 1:
        return None
    modulus = place.offset.divisor * place.stride
    row = (*opposite(place.offset.row), place.offset.divisor)
    return Congruence(tuple(value % modulus for value in row), modulus)


def common_column(columns: Sequence[Column], outer: EchelonLattice) -> Column:
    """The finest lattice that holds all points of `columns` where the columns before them are in
    `outer`; determined only if all are, by the same function."""
    first, *others = columns
    stride = first.stride
    for other in others:
        divisor = lcm(first.offset.divisor, other.offset.divisor)
        step = combine(
            divisor // other.offset.divisor,
            other.offset.row,
            -divisor // first.offset.divisor,
            first.offset.row,
        )
        steps = outer.to_coordinates(step)
        if any(value % divisor for value in steps):
            return Column(first.offset, 1)
        stride = gcd(stride, other.stride, *(value // divisor for value in steps))
    return Column(first.offset, stride)


def solve_equalities(rows: Sequence[Row], width: int) -> EchelonLattice | None:
    """The integer points that meet all equalities `rows`; None if there is none."""
    full = [(*row, *(0 for _ in range(width + 1 - len(row)))) for row in rows]
    if not full:
        return EchelonLattice((0,) * width, identity(width))
    solution = solve(tuple(row[1:] for row in full), tuple(-row[0] for row in full))
    if solution is None:
        return None
    origin, directions = solution
    lattice = Lattice.of(transpose(directions)) if directions else Lattice(((),) * width)
    return EchelonLattice(lattice.reduce(origin), lattice.basis)
