"""The C function while it is written: its lines, sizes, arrays, and the loops around the next line.

The pieces of a program share one `Writer`. An array that a piece asks for is one that there is or
another one, kept in any of the ways that C has; what the function is called with follows from them.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from math import prod

from polyopt.tools.fuzz.programs.choices import Choices, table
from polyopt.tools.fuzz.programs.memory import (
    Argument,
    Array,
    Buffer,
    Extent,
    Index,
    Iterator,
    Size,
)
from polyopt.tools.fuzz.programs.scalars import DOUBLE, INT, SCALARS, Scalar, draw_element
from polyopt.tools.fuzz.programs.values import HELD, STORED, Value

RUNS = 3
MARGIN = 4
"""Elements beyond the largest size in each dimension: room for subscripts like i + 2."""
ON_THE_STACK = 1 << 17
"""Elements of a local array at most: three of them fit where stacks end at 8 MiB."""

SIZE_TYPES = table(
    "type of sizes", int=20, long=5, unsigned=2, unsigned_long=2, short=1, unsigned_char=1
)
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 31, 32, 33, 47, 63, 64, 65, 97, 99, 100)
STORAGE = table(
    "storage",
    parameter=10,
    restrict=10,
    VLA_parameter=6,
    linearised=6,
    linearised_by_a_size=4,
    global_array=6,
    local_array=2,
    VLA=3,
    array_of_structs=4,
)
BY_SIZE = ("VLA parameter", "VLA", "linearised by a size")
"""Storage whose extents are sizes."""
SUBSCRIPTS = table(
    "subscript", affine=80, quotient=5, remainder=5, mask=4, shift=4, remainder_made_positive=2
)
"""An affine one, or what C's other operators make of it."""
FILLS = ((7, 3, 23), (5, 1, 17), (11, 6, 31), (3, 2, 13), (29, 4, 37))


class Writer:
    """`most` is the largest that a size may be."""

    def __init__(self, choices: Choices, most: int):
        self.choices = choices
        self.most = most
        self.lines: list[str] = []
        self.globals: list[str] = []
        self.functions: list[str] = []
        self.loops: list[Iterator] = []
        self.arrays: list[Array] = []
        self.parameters: list[tuple[str, Argument]] = []
        self.buffers: list[Buffer] = []
        self.growth = {32: 0, 64: 0}
        self.may_break: list[str] = []
        self._names: dict[str, int] = {}
        self._indent = 1
        self.sizes = [self._draw_size(name) for name in ("n", "m", "l")]
        self.scalars: list[tuple[str, Scalar]] = []

    def _draw_size(self, name: str) -> Size:
        return Size(name, SCALARS[self.choices.pick(SIZE_TYPES)], self.most)

    # Lines

    def line(self, text: str) -> None:
        self.lines.append("    " * self._indent + text)

    @contextmanager
    def block(self, head: str, end: str = "}") -> Generator[None]:
        self.line(f"{head} {{" if head else "{")
        self._indent += 1
        known = len(self.scalars)
        arrays = len(self.arrays)
        yield
        del self.scalars[known:]
        self._forget_locals(arrays)
        self._indent -= 1
        self.line(end)

    @contextmanager
    def elsewhere(self) -> Generator[list[str]]:
        """Lines of another function's body."""
        body = list[str]()
        outside = self.lines, self.loops, self._indent
        self.lines, self.loops, self._indent = body, [], 1
        yield body
        self.lines, self.loops, self._indent = outside

    def _forget_locals(self, known: int) -> None:
        kept = [one for one in self.arrays[known:] if one.storage != "local"]
        self.arrays[known:] = kept

    def fresh(self, prefix: str) -> str:
        """A name that nothing else has."""
        number = self._names.get(prefix, 0)
        self._names[prefix] = number + 1
        return f"{prefix}{number}" if number or prefix in ("n", "m", "l") else prefix

    # What sums may grow by

    @property
    def trips(self) -> int:
        """How often the next line may run at most."""
        product = 1
        for loop in self.loops:
            product *= max(1, loop.trips)
        return product

    def grown(self, value: Value, scalar: Scalar) -> str:
        """The text of what is added to an element of type `scalar` each time that this line runs:
        a value that keeps all that may be added within what elements may hold."""
        if scalar.floating or not scalar.signed or scalar.bits not in HELD:
            from polyopt.tools.fuzz.programs.values import stored

            if not scalar.floating and not value.scalar.floating and scalar.bits < 32:
                return f"({value.text} & 63)"
            return stored(self.choices, value, scalar)
        left = HELD[scalar.bits] - STORED[scalar.bits] - self.growth[scalar.bits]
        reach = 500 if value.scalar.floating else max(abs(value.least), abs(value.most))
        if value.scalar.floating:
            from polyopt.tools.fuzz.programs.values import as_integer

            value = as_integer(value)
        is_wide = not value.scalar.signed and value.scalar.bits >= scalar.bits
        if is_wide or reach * self.trips > left:
            value, reach = Value(f"({value.text} & 7)", value.scalar, 0, 7), 7
        if reach * self.trips > left:
            return "0"
        self.growth[scalar.bits] += reach * self.trips
        return value.text

    # Arrays

    def array(
        self,
        scalar: Scalar | None = None,
        rank: int = 1,
        *,
        kind: str = "any",
        written: bool = False,
        storage: str | None = None,
        factor: int = 1,
        fixed: bool = False,
        reuse: float = 0.5,
    ) -> Array:
        """An array to read, or to write where `written`; its extents are `factor` times the
        largest size, and a margin: numbers where they are to be `fixed`."""
        fixed = fixed or factor != 1
        known = [
            one
            for one in self.arrays
            if len(one.extents) == rank
            and (scalar is None or one.scalar == scalar)
            and (scalar is not None or _is_of(kind, one.scalar))
            and not (written and one.is_constant)
            and (storage is None or one.storage == storage)
            and all(e.size is not None or e.most >= factor * self.most for e in one.extents)
            and not (fixed and any(e.size is not None for e in one.extents))
        ]
        if known and self.choices.chance(reuse):
            return self.choices.one(known)
        return self._new_array(
            scalar or draw_element(self.choices, kind), rank, written, storage, factor, fixed
        )

    def _new_array(
        self,
        scalar: Scalar,
        rank: int,
        written: bool,
        storage: str | None,
        factor: int,
        fixed: bool,
    ) -> Array:
        kept = [name for name in STORAGE.weights if not (fixed and name in BY_SIZE)]
        drawn = storage or self.choices.pick(STORAGE, among=kept)
        if drawn == "linearised by a size" and rank == 1:
            drawn = "restrict"
        if drawn in ("local array", "VLA") and self.loops:
            drawn = "global array"
        extents = tuple(self._extent(drawn, factor) for _ in range(rank))
        if drawn in ("local array", "VLA") and prod(one.most for one in extents) > ON_THE_STACK:
            drawn = "restrict"
        name = self.fresh(self.choices.one("ABCXYZ"))
        inner = "".join(f"[{e.text}]" for e in extents[1:])
        constant = not written and self.choices.chance(0.3)
        const = "const " if constant else ""
        match drawn:
            case "global array":
                whole = "".join(f"[{e.text}]" for e in extents)
                self.globals.append(f"{scalar.c} {name}{whole};")
                array = Array(name, scalar, extents, storage="global")
                self._buffer(array, is_global=True)
            case "local array" | "VLA":
                array = self._local(name, scalar, extents)
            case "array of structs":
                array = self._struct_array(name, scalar, extents, constant)
            case "linearised" | "linearised by a size":
                array = Array(name, scalar, extents, "linear", is_constant=constant)
                self._parameter(array, f"{const}{scalar.c} *{name}")
            case _:
                mark = "restrict " if drawn == "restrict" else ""
                if rank == 1:
                    text = f"{const}{scalar.c} *{mark}{name}"
                else:
                    text = f"{const}{scalar.c} {name}[{mark}{extents[0].text}]{inner}"
                array = Array(name, scalar, extents, is_constant=constant)
                self._parameter(array, text)
        self.arrays.append(array)
        return array

    def _extent(self, storage: str, factor: int) -> Extent:
        if storage in BY_SIZE:
            size = self.choices.one(self.sizes)
            slack = self.choices.number(1, MARGIN)
            return Extent(f"{size.name} + {slack}", size.most + slack, size.name, slack)
        most = factor * self.most + self.choices.number(1, MARGIN)
        return Extent(str(most), most)

    def _parameter(self, array: Array, text: str) -> None:
        self._buffer(array)
        self.parameters.append((text, Argument(array.name, (0,) * RUNS)))

    def _buffer(self, array: Array, *, is_global: bool = False) -> None:
        self.buffers.append(
            Buffer(
                array.name,
                (("", array.scalar, 1),),
                array.count,
                self.choices.one(FILLS),
                is_global=is_global,
            )
        )

    def _local(self, name: str, scalar: Scalar, extents: tuple[Extent, ...]) -> Array:
        whole = "".join(f"[{e.text}]" for e in extents)
        self.line(f"{scalar.c} {name}{whole};")
        names = [self.fresh("z") for _ in extents]
        for depth, (one, extent) in enumerate(zip(names, extents, strict=True)):
            self.line(
                "    " * depth + f"for (int {one} = 0; {one} < (int)({extent.text}); {one}++)"
            )
        subscripts = "".join(f"[{one}]" for one in names)
        total = " + ".join(f"{k + 1} * {one}" for k, one in enumerate(names))
        value = f"({total}) % 7 - 3" if scalar.signed else f"({total}) % 7"
        self.line("    " * len(names) + f"{name}{subscripts} = {value};")
        return Array(name, scalar, extents, storage="local")

    def _struct_array(
        self, name: str, scalar: Scalar, extents: tuple[Extent, ...], constant: bool
    ) -> Array:
        """Elements are one field of each structure."""
        others = [draw_element(self.choices) for _ in range(self.choices.number(1, 2))]
        place = self.choices.number(0, len(others))
        types = [*others[:place], scalar, *others[place:]]
        length = self.choices.number(2, 3) if self.choices.chance(0.3) else 1
        fields = tuple((f"f{k}", one, length if k != place else 1) for k, one in enumerate(types))
        body = " ".join(
            f"{one.c} {field}{f'[{count}]' if count > 1 else ''};" for field, one, count in fields
        )
        tag = f"s_{name}"
        self.globals.append(f"struct {tag} {{ {body} }};")
        inner = "".join(f"[{e.text}]" for e in extents[1:])
        const = "const " if constant else ""
        array = Array(name, scalar, extents, is_constant=constant, field=f".f{place}")
        self.parameters.append(
            (f"{const}struct {tag} {name}[]{inner}", Argument(name, (0,) * RUNS))
        )
        self.buffers.append(Buffer(name, fields, array.count, self.choices.one(FILLS)))
        return array

    def subscript_array(self, extent: int, *, permutation: bool = False) -> Array:
        """Integers in 0 … extent - 1, which nothing writes."""
        name = self.fresh("p")
        scalar = SCALARS[self.choices.one(["int", "int", "long", "unsigned", "unsigned char"])]
        if extent > 255:
            scalar = INT
        length = extent if permutation else self.most + MARGIN
        factor = next(f for f in (7, 11, 5, 13, 3, 1) if not permutation or _coprime(f, extent))
        array = Array(name, scalar, (Extent(str(length), length),), is_constant=True)
        mark = self.choices.one(["", "restrict "])
        self.parameters.append((f"const {scalar.c} *{mark}{name}", Argument(name, (0,) * RUNS)))
        self.buffers.append(
            Buffer(name, (("", scalar, 1),), length, (factor, 2, extent), subscripts=True)
        )
        return array

    def result(self, scalar: Scalar = DOUBLE) -> str:
        """An element of its own, to put a result into."""
        known = [one for one in self.arrays if one.storage == "result" and one.scalar == scalar]
        if known:
            array = known[0]
        else:
            name = self.fresh("out")
            array = Array(name, scalar, (Extent("16", 16),), storage="result", is_constant=True)
            self.arrays.append(array)
            self.buffers.append(Buffer(name, (("", scalar, 1),), 16, (1, 0, 3)))
            self.parameters.append((f"{scalar.c} *{name}", Argument(name, (0,) * RUNS)))
        number = self._names.get(f"{array.name} elements", 0)
        self._names[f"{array.name} elements"] = number + 1
        return f"{array.name}[{number % 16}]"

    # Subscripts

    def index(self, extent: Extent, *, plain: float = 0.5) -> Index:
        """A subscript that stays inside."""
        for _ in range(12):
            drawn = self._affine(plain)
            if extent.holds(drawn):
                return drawn
        for loop in reversed(self.loops):
            if extent.holds(loop):
                return loop
        return Index("0", 0, 0, (extent.size, 0) if extent.size else None)

    def _affine(self, plain: float) -> Index:
        choices = self.choices
        if not self.loops or choices.chance(0.03):
            number = choices.number(0, 2)
            return Index(str(number), number, number)
        inner = self.loops[-1] if choices.chance(0.6) else choices.one(self.loops)
        if choices.chance(plain):
            return inner
        kind = choices.pick(SUBSCRIPTS)
        if kind != "affine":
            return _piecewise(choices, kind, self._sum(inner, signed=True))
        if choices.chance(0.65):
            return shifted_index(inner, choices.one([-2, -1, -1, 1, 1, 2, 3]))
        return self._sum(inner, signed=False)

    def _sum(self, inner: Iterator, *, signed: bool) -> Index:
        """A sum of the loop's iterator, perhaps another one, and a number; as a `signed` value, or
        what C makes of the counters' types."""
        choices = self.choices
        offset = choices.one([-2, -1, -1, 1, 1, 2, 3])
        factor = choices.one([2, -1, 3, -2])
        other = choices.one(self.loops)
        match choices.number(0, 2):
            case 0:
                ends = [factor * inner.least, factor * inner.most]
                text = f"{factor} * {inner.signed_text}"
            case 1:
                ends = [inner.least + other.least, inner.most + other.most]
                texts = [one.signed_text if signed else one.text for one in (inner, other)]
                text = " + ".join(texts)
            case _:
                ends = [inner.least - other.most, inner.most - other.least]
                text = f"{inner.signed_text} - {other.signed_text}"
        offset += max(0, -min(ends)) if choices.chance(0.5) else 0
        return Index(f"{text} + {offset}", min(ends) + offset, max(ends) + offset)

    def element(self, array: Array, *, plain: float = 0.6) -> str:
        """An element of the array, somewhere inside."""
        return array.element([self.index(e, plain=plain).text for e in array.extents])


def shifted_index(index: Index, offset: int) -> Index:
    if offset == 0:
        return index
    sign, reach = ("+", offset) if offset > 0 else ("-", -offset)
    upper = (index.upper[0], index.upper[1] + offset) if index.upper else None
    return Index(f"{index.text} {sign} {reach}", index.least + offset, index.most + offset, upper)


def _piecewise(choices: Choices, kind: str, index: Index) -> Index:
    """`/ % & >>` of a signed index by a number: C's quotient goes toward zero, a shift down."""
    a, low, high = f"({index.text})", index.least, index.most
    match kind:
        case "quotient":
            by = choices.one([2, 2, 3, 4, 5, 8])
            return Index(f"{a} / {by}", int(low / by), int(high / by))
        case "shift":
            by = choices.number(1, 3)
            return Index(f"({a} >> {by})", low >> by, high >> by)
        case "mask":
            by = choices.one([1, 3, 7, 15, -2, -4])
            ends = (0, by) if by > 0 else (low & by, high & by)
            return Index(f"({a} & {by})", *ends)
        case "remainder":
            by = choices.one([2, 3, 4, 5, 7, 8])
            return Index(f"{a} % {by}", 0 if low >= 0 else 1 - by, min(max(high, 0), by - 1))
        case _:
            by = choices.one([2, 3, 5, 8])
            return Index(f"({a} % {by} + {by}) % {by}", 0, by - 1)


def _is_of(kind: str, scalar: Scalar) -> bool:
    match kind:
        case "any":
            return True
        case "float":
            return scalar.floating
        case "unsigned":
            return not scalar.floating and not scalar.signed
        case _:
            return not scalar.floating


def _coprime(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a == 1
