"""Integer matrices and the lattices that they span: Hermite and Smith forms, Diophantine systems.

A matrix is a tuple of rows, a vector a tuple; numbers are Python's own integers, so nothing
overflows. With `Z` the integers:

    hermite   A U = H         U unimodular, H lower echelon: the lattice A Z^n in canonical form
    smith     U A V = D       U, V unimodular, D diagonal, each entry divides the next
    solve     A x = b         x = x_0 + K y for all integer y, or no solution
    lattice   { B y : y }     membership, index, the stride along each axis

A. Schrijver, Theory of Linear and Integer Programming, 1986, chapters 4 and 5. The algorithms are
the plain ones (column operations with Euclid's division): the matrices here have the size of a
loop nest.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import product

from polyopt.support.record import record

Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]


def identity(size: int) -> Matrix:
    return tuple(tuple(int(row == column) for column in range(size)) for row in range(size))


def transpose(matrix: Matrix) -> Matrix:
    """The transpose; of a matrix without rows, itself."""
    return tuple(zip(*matrix, strict=True))


def apply(matrix: Matrix, vector: Vector) -> Vector:
    """A x."""
    return tuple(sum(a * x for a, x in zip(row, vector, strict=True)) for row in matrix)


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """A B."""
    columns = transpose(right)
    return tuple(apply(columns, row) for row in left)


def determinant(matrix: Matrix) -> int:
    """By fraction-free elimination: E. Bareiss, Sylvester's identity and multistep
    integer-preserving Gaussian elimination, Math. Comp. 1968."""
    rows = [list(row) for row in matrix]
    size, sign, last = len(rows), 1, 1
    for k in range(size - 1):
        pivot = next((r for r in range(k, size) if rows[r][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        for r in range(k + 1, size):
            for c in range(k + 1, size):
                rows[r][c] = (rows[r][c] * rows[k][k] - rows[r][k] * rows[k][c]) // last
        last = rows[k][k]
    return sign * rows[-1][-1] if size else 1


def inverse(matrix: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    """The rational inverse. Raises ValueError if the matrix is singular."""
    size = len(matrix)
    rows = [
        [Fraction(x) for x in row] + [Fraction(int(r == c)) for c in range(size)]
        for r, row in enumerate(matrix)
    ]
    for k in range(size):
        pivot = next((r for r in range(k, size) if rows[r][k]), None)
        if pivot is None:
            raise ValueError("the matrix is singular")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(size):
            if r != k and rows[r][k]:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
    return tuple(tuple(row[size:]) for row in rows)


def is_unimodular(matrix: Matrix) -> bool:
    return determinant(matrix) in (1, -1)


def hermite_form(matrix: Matrix, columns: int | None = None) -> tuple[Matrix, Matrix]:
    """(H, U) with A U = H and U unimodular.

    H is lower echelon: the first non-zero entry of column k, its pivot, is positive and stands
    below that of column k - 1; entries left of a pivot are in [0, pivot); the zero columns come
    last, and the columns of U under them are a basis of { x : A x = 0 }. `columns` is needed only
    for a matrix without rows.
    """
    width = len(matrix[0]) if matrix else (columns or 0)
    work = [list(column) for column in transpose((*matrix, *identity(width)))]
    done = 0
    for row in range(len(matrix)):
        while (pivot := _smallest(work, row, done)) is not None:
            work[done], work[pivot] = work[pivot], work[done]
            for k in range(done + 1, width):
                _subtract(work[k], work[done], work[k][row] // work[done][row])
            if not any(work[k][row] for k in range(done + 1, width)):
                break
        if done == width or not work[done][row]:
            continue
        if work[done][row] < 0:
            work[done] = [-x for x in work[done]]
        for k in range(done):
            _subtract(work[k], work[done], work[k][row] // work[done][row])
        done += 1
    both = transpose(tuple(map(tuple, work)))
    return both[: len(matrix)], both[len(matrix) :]


def smith_form(matrix: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """(D, U, V) with U A V = D, U and V unimodular, D zero off the diagonal, its entries
    non-negative, each one a divisor of the next."""
    height, width = len(matrix), len(matrix[0]) if matrix else 0
    rows = [list(row) + list(unit) for row, unit in zip(matrix, identity(height), strict=True)]
    columns = [list(row) for row in identity(width)]
    for k in range(min(height, width)):
        while (place := _smallest_entry(rows, k, width)) is not None:
            _swap_to_corner(rows, columns, k, place)
            if _clear_cross(rows, columns, k, width):
                break
        if rows[k][k] < 0:
            rows[k] = [-x for x in rows[k]]
    diagonal = tuple(tuple(row[:width]) for row in rows)
    left = tuple(tuple(row[width:]) for row in rows)
    return diagonal, left, tuple(map(tuple, columns))


def kernel(matrix: Matrix) -> Matrix:
    """A basis, as rows, of the integer solutions of A x = 0."""
    return _kernel(*hermite_form(matrix))


def _kernel(form: Matrix, unimodular: Matrix) -> Matrix:
    pairs = zip(transpose(form), transpose(unimodular), strict=True)
    return tuple(solution for image, solution in pairs if not any(image))


def rank(matrix: Matrix) -> int:
    return sum(any(column) for column in transpose(hermite_form(matrix)[0]))


def solve(matrix: Matrix, right: Vector) -> tuple[Vector, Matrix] | None:
    """(x_0, K): the integer solutions of A x = b are x_0 + y K for all integer y; K has a basis
    of the solutions of A x = 0 as its rows. None if there is no integer solution."""
    form, unimodular = hermite_form(matrix)
    rest, combination = list(right), [0] * len(unimodular)
    for k, column in enumerate(transpose(form)):
        row = _pivot(column)
        if row is None:
            break
        combination[k] = rest[row] // column[row]
        _subtract(rest, list(column), combination[k])
    if any(rest):
        return None
    return apply(unimodular, tuple(combination)), _kernel(form, unimodular)


@record
class Lattice:
    """{ B y : y integer }, B the Hermite form of full column rank: equal lattices are equal
    values. `basis` is a matrix whose columns are the generators."""

    basis: Matrix

    @staticmethod
    def of(generators: Matrix) -> Lattice:
        """The lattice that the columns of `generators` span."""
        form, _ = hermite_form(generators)
        kept = [column for column in transpose(form) if any(column)]
        return Lattice(transpose(tuple(kept)) if kept else ((),) * len(generators))

    @property
    def dimensions(self) -> int:
        """Of the space around it."""
        return len(self.basis)

    @property
    def rank(self) -> int:
        return len(self.basis[0]) if self.basis else 0

    @property
    def strides(self) -> Vector:
        """For a lattice of full rank: the step of coordinate k when those before it are fixed."""
        assert self.rank == self.dimensions
        return tuple(self.basis[k][k] for k in range(self.rank))

    @cached_property
    def index(self) -> int:
        """How many cosets it has in Z^n, for a lattice of full rank."""
        count = 1
        for stride in self.strides:
            count *= stride
        return count

    def reduce(self, point: Vector) -> Vector:
        """The canonical point of the coset of `point`: in [0, stride) at every pivot."""
        rest = list(point)
        for column in transpose(self.basis):
            row = _pivot(column)
            assert row is not None
            _subtract(rest, list(column), rest[row] // column[row])
        return tuple(rest)

    def __contains__(self, point: Vector) -> bool:
        return not any(self.reduce(point))

    def cosets(self) -> list[Vector]:
        """One point of each coset of a lattice of full rank, in lexicographic order."""
        return list(product(*(range(stride) for stride in self.strides)))

    def intersect(self, other: Lattice) -> Lattice:
        """The points in both: { B y : B y + C z = 0 }, since -z runs over all that z does."""
        if not self.rank or not other.rank:
            return Lattice(((),) * self.dimensions)
        both = tuple((*mine, *theirs) for mine, theirs in zip(self.basis, other.basis, strict=True))
        points = [apply(self.basis, solution[: self.rank]) for solution in kernel(both)]
        return Lattice.of(transpose(tuple(points))) if points else Lattice(((),) * self.dimensions)


def _pivot(column: Vector) -> int | None:
    return next((row for row, entry in enumerate(column) if entry), None)


def _smallest(columns: list[list[int]], row: int, start: int) -> int | None:
    """The column from `start` with the smallest non-zero magnitude in `row`."""
    candidates = [k for k in range(start, len(columns)) if columns[k][row]]
    return min(candidates, key=lambda k: abs(columns[k][row]), default=None)


def _subtract(vector: list[int], other: list[int], factor: int) -> None:
    """vector -= factor * other, in place."""
    if factor:
        vector[:] = [x - factor * y for x, y in zip(vector, other, strict=True)]


def _smallest_entry(rows: list[list[int]], k: int, width: int) -> tuple[int, int] | None:
    places = [(r, c) for r in range(k, len(rows)) for c in range(k, width) if rows[r][c]]
    return min(places, key=lambda place: abs(rows[place[0]][place[1]]), default=None)


def _swap_to_corner(
    rows: list[list[int]], columns: list[list[int]], k: int, place: tuple[int, int]
) -> None:
    r, c = place
    rows[k], rows[r] = rows[r], rows[k]
    for row in (*rows, *columns):
        row[k], row[c] = row[c], row[k]


def _clear_cross(rows: list[list[int]], columns: list[list[int]], k: int, width: int) -> bool:
    """Divide row and column k by their corner; true if nothing is left of them, and the corner
    divides all that is below and right of it."""
    corner = rows[k][k]
    for r in range(k + 1, len(rows)):
        _subtract(rows[r], rows[k], rows[r][k] // corner)
    for c in range(k + 1, width):
        factor = rows[k][c] // corner
        for row in (*rows, *columns):
            row[c] -= factor * row[k]
    if any(row[k] for row in rows[k + 1 :]) or any(rows[k][c] for c in range(k + 1, width)):
        return False
    for row in rows[k + 1 :]:
        if any(row[c] % corner for c in range(k + 1, width)):
            rows[k] = [x + y for x, y in zip(rows[k], row, strict=True)]
            return False
    return True
