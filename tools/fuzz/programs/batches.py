"""Parts of programs that do the same small piece of dense algebra again and again, on one part of
a long array after the other.

The order is a number or known when the program runs; the parts lie one after the other, or side by
side (`a[(i * k + j) * n + b]`), or are copied to an array of the iteration's own first.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.memory import Array
from polyopt.tools.fuzz.programs.scalars import DOUBLE, FLOAT, INT, Scalar
from polyopt.tools.fuzz.programs.writer import Writer

BATCHES = table(
    "small problem of a batch",
    product=10,
    product_transposed=6,
    by_a_vector=6,
    elimination=14,
    solution=6,
    norms=6,
    determinant=4,
    greatest_of_each=6,
)
PLACES = table("place of a small problem", one_after_the_other=14, side_by_side=6, copied=6)
MOST = 5
"""The largest order."""


class _Batch:
    """The names of one: `count` problems of that order, numbered by `b`."""

    def __init__(self, writer: Writer, scalar: Scalar):
        choices = writer.choices
        self.writer, self.scalar = writer, scalar
        self.kept = choices.pick(PLACES)
        self.count = choices.one(writer.sizes).signed_text
        self.order = str(choices.number(2, MOST))
        if choices.chance(0.35):
            self.order = writer.fresh("order")
            writer.line(
                f"const int {self.order} = {choices.one(writer.sizes).signed_text} % 4 + 2;"
            )
        self.b, self.i, self.j, self.k = (writer.fresh(one) for one in ("b", "i", "j", "k"))

    def matrices(self, *, written: bool = False) -> Array:
        return self._array(MOST * MOST, written)

    def vectors(self, *, written: bool = False) -> Array:
        return self._array(MOST, written)

    def _array(self, factor: int, written: bool) -> Array:
        reuse = 0.15 if written else 0.3
        return self.writer.array(
            self.scalar, 1, written=written, factor=factor, fixed=True, reuse=reuse
        )

    def of_matrix(self, array: Array, i: str, j: str) -> str:
        if self.kept == "side by side":
            return array.element([f"(({i}) * {self.order} + {j}) * {self.count} + {self.b}"])
        return array.element(
            [f"{self.b} * {self.order} * {self.order} + ({i}) * {self.order} + {j}"]
        )

    def of_vector(self, array: Array, i: str) -> str:
        if self.kept == "side by side":
            return array.element([f"({i}) * {self.count} + {self.b}"])
        return array.element([f"{self.b} * {self.order} + {i}"])

    def each(self, name: str, start: str = "0", end: str = "") -> str:
        return f"for (int {name} = {start}; {name} < {end or self.order}; {name}++)"


def batch(writer: Writer) -> None:
    """`for (b …) for (i < k) for (j < k) c[b][i][j] = …`"""
    choices = writer.choices
    kind = choices.pick(BATCHES)
    scalar = choices.one([DOUBLE, DOUBLE, FLOAT, FLOAT, INT])
    if kind in ("elimination", "solution") and scalar == INT:
        scalar = DOUBLE
    one = _Batch(writer, scalar)
    a = one.matrices(written=kind == "elimination")
    with writer.block(one.each(one.b, end=one.count)):
        match kind:
            case "product" | "product transposed" | "by a vector":
                _product(one, kind, a)
            case "elimination":
                _elimination(one, a)
            case "solution":
                _solution(one, a)
            case "norms":
                _norms(one, a)
            case "determinant":
                _determinant(one, a)
            case _:
                _greatest(one, a)


def _product(one: _Batch, kind: str, a: Array) -> None:
    writer, i, j, k = one.writer, one.i, one.j, one.k
    total = writer.fresh("total")
    vector = kind == "by a vector"
    x = one.vectors() if vector else one.matrices()
    y = one.vectors(written=True) if vector else one.matrices(written=True)

    def row() -> None:
        writer.line(f"{one.scalar.c} {total} = 0;")
        with writer.block(one.each(k)):
            left = one.of_matrix(a, i, k)
            places = (k, j) if kind == "product" else (j, k)
            right = one.of_vector(x, k) if vector else one.of_matrix(x, *places)
            left, right = (small(writer, text, one.scalar) for text in (left, right))
            writer.line(f"{total} += {left} * {right};")
        target = one.of_vector(y, i) if vector else one.of_matrix(y, i, j)
        scale = "0.125 * " if one.scalar.floating else ""
        writer.line(f"{target} = {scale}{total};")

    with writer.block(one.each(i)):
        if vector:
            row()
            return
        with writer.block(one.each(j)):
            row()


def _elimination(one: _Batch, a: Array) -> None:
    """LU in place, in the array or in a copy."""
    writer, i, j, k = one.writer, one.i, one.j, one.k
    own = writer.fresh("own")

    def at(row: str, column: str) -> str:
        if one.kept == "copied":
            return f"{own}[{row}][{column}]"
        return one.of_matrix(a, row, column)

    def copy(back: bool) -> None:
        with writer.block(one.each(i)):
            with writer.block(one.each(j)):
                pair = (one.of_matrix(a, i, j), at(i, j))
                to, source = pair if back else pair[::-1]
                writer.line(f"{to} = {source};")

    if one.kept == "copied":
        writer.line(f"{one.scalar.c} {own}[{MOST}][{MOST}];")
        copy(back=False)
    with writer.block(one.each(k)):
        with writer.block(one.each(i, f"{k} + 1")):
            writer.line(f"{at(i, k)} /= 3 + {at(k, k)} * {at(k, k)};")
            with writer.block(one.each(j, f"{k} + 1")):
                writer.line(f"{at(i, j)} -= 0.0625 * {at(i, k)} * {at(k, j)};")
    if one.kept == "copied":
        copy(back=True)


def _solution(one: _Batch, a: Array) -> None:
    """A triangular system, the unknowns in the order of the rows."""
    writer, i, j = one.writer, one.i, one.j
    x = one.vectors(written=True)
    total = writer.fresh("total")
    with writer.block(one.each(i)):
        writer.line(f"{one.scalar.c} {total} = {one.of_vector(x, i)};")
        with writer.block(one.each(j, end=i)):
            writer.line(f"{total} -= 0.0625 * {one.of_matrix(a, i, j)} * {one.of_vector(x, j)};")
        diagonal = one.of_matrix(a, i, i)
        writer.line(f"{one.of_vector(x, i)} = {total} / (2 + {diagonal} * {diagonal});")


def _norms(one: _Batch, a: Array) -> None:
    """The rows of each, by what they add up to."""
    writer, i, j = one.writer, one.i, one.j
    to = one.matrices(written=True)
    total = writer.fresh("total")
    text = small(writer, one.of_matrix(a, i, j), one.scalar)
    with writer.block(one.each(i)):
        writer.line(f"{one.scalar.c} {total} = 1;")
        with writer.block(one.each(j)):
            writer.line(f"{total} += {text} * {text};")
        with writer.block(one.each(j)):
            writer.line(f"{one.of_matrix(to, i, j)} = {text} / {total};")


def _determinant(one: _Batch, a: Array) -> None:
    """Of the first three rows and columns (two where there are no more), written out."""
    writer = one.writer
    out = one.vectors(written=True)

    def at(row: int, column: int) -> str:
        return small(writer, one.of_matrix(a, str(row), str(column)), one.scalar)

    scale = "0.0625 * " if one.scalar.floating else ""
    text = f"{at(0, 0)} * {at(1, 1)} - {at(0, 1)} * {at(1, 0)}"
    writer.line(f"{one.scalar.c} {(d := writer.fresh('d'))} = {scale}({text});")
    if one.order.isdigit() and int(one.order) > 2:
        minor = f"{at(1, 2)} * {at(2, 1)} - {at(1, 1)} * {at(2, 2)}"
        factor = "0.0625 * " if one.scalar.floating else "1 * "
        writer.line(f"{d} -= {factor}({minor});")
    writer.line(f"{one.of_vector(out, '0')} = {d};")


def _greatest(one: _Batch, a: Array) -> None:
    """Of each row the greatest and where it is, as classes are chosen."""
    writer, i, j = one.writer, one.i, one.j
    out, places = (
        one.vectors(written=True),
        writer.array(INT, 1, written=True, factor=MOST, fixed=True, reuse=0.15),
    )
    best, place = writer.fresh("best"), writer.fresh("place")
    compare = writer.choices.one([">", ">=", "<"])
    with writer.block(one.each(i)):
        writer.line(f"{one.scalar.c} {best} = {one.of_matrix(a, i, '0')};")
        writer.line(f"int {place} = 0;")
        with writer.block(one.each(j, "1")):
            here = one.of_matrix(a, i, j)
            writer.line(f"if ({here} {compare} {best}) {{ {best} = {here}; {place} = {j}; }}")
        writer.line(f"{one.of_vector(out, i)} = {best};")
        writer.line(f"{one.of_vector(places, i)} = {place};")
