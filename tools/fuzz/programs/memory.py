"""Where the programs keep their data, and subscripts that stay inside.

An index knows the interval of its values and, where it has one, its upper end in terms of a size
(`i < n` gives ("n", -1)): an array with an extent that is a number asks for the first, one with an
extent like `n + 2` for the second.
"""

from __future__ import annotations

from polyopt.support.record import record
from polyopt.tools.fuzz.programs.scalars import Scalar


@record
class Size:
    """An integer parameter of the function, 0 to `most`."""

    name: str
    scalar: Scalar
    most: int

    @property
    def signed_text(self) -> str:
        """As an operand of arithmetic that may get below zero."""
        return self.name if self.scalar.signed else f"(int){self.name}"


@record
class Index:
    """An integer in `least` … `most`, at most the size plus a number where `upper` says so."""

    text: str
    least: int
    most: int
    upper: tuple[str, int] | None = None


@record
class Iterator(Index):
    """The counter of a loop that runs at most `trips` times."""

    scalar: Scalar = Scalar("int", "i4", 32)
    trips: int = 1

    @property
    def signed_text(self) -> str:
        return self.text if self.scalar.signed or self.scalar.bits < 32 else f"(int){self.text}"


@record
class Extent:
    """A number, or a size plus a number; `most` is the largest that it can be."""

    text: str
    most: int
    size: str | None = None
    slack: int = 0

    def holds(self, index: Index) -> bool:
        if index.least < 0:
            return False
        if self.size is None:
            return index.most < self.most
        return index.upper is not None and (
            index.upper[0] == self.size and index.upper[1] < self.slack
        )


@record
class Array:
    """`style` says how an element is written: "subscripts" A[i][j], "linear" A[i * 8 + j]."""

    name: str
    scalar: Scalar
    extents: tuple[Extent, ...]
    style: str = "subscripts"
    storage: str = "parameter"
    is_constant: bool = False
    field: str = ""

    @property
    def count(self) -> int:
        product = 1
        for extent in self.extents:
            product *= extent.most
        return product

    def element(self, subscripts: list[str]) -> str:
        if self.style == "linear":
            text = subscripts[0]
            for subscript, extent in zip(subscripts[1:], self.extents[1:], strict=True):
                factor = extent.text if extent.size is None else f"({extent.text})"
                text = f"({text}) * {factor} + {subscript}"
            return f"{self.name}[{text}]"
        return self.name + "".join(f"[{one}]" for one in subscripts) + self.field


@record
class Buffer:
    """Memory that a call works on: `fields` are (name, type, how many), "" for a plain array.
    `fill` is (factor, offset, modulus) of the values, which are centred around 0 unless the
    buffer holds `subscripts`."""

    name: str
    fields: tuple[tuple[str, Scalar, int], ...]
    count: int
    fill: tuple[int, int, int]
    subscripts: bool = False
    is_global: bool = False

    @property
    def is_struct(self) -> bool:
        return self.fields[0][0] != ""


@record
class Argument:
    """A pointer into a buffer, so many elements from its start in each of the runs."""

    buffer: str
    offsets: tuple[int, ...]
