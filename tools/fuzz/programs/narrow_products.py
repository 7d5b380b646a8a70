"""Parts of programs as quantised networks have them: products of narrow integers less zero points.

The zero points are numbers, sizes, or arguments of a function that is called with the arrays; what
they are is not known where the products are computed. Results stay `int`, or are scaled, shifted
and cut to bytes.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.memory import Argument, Array, Buffer, Extent
from polyopt.tools.fuzz.programs.scalars import INT, SCALARS, Scalar
from polyopt.tools.fuzz.programs.writer import FILLS, RUNS, Writer

SHAPES = table(
    "narrow product", matrix=14, transposed=10, vector=6, dot=6, convolution=8, depthwise=8
)
ZEROS = table("zero point", none=4, number=5, size=3, argument=14, argument_of_one=5)
OUT = table("result of narrow product", int=12, requantised=10, saturated=6)
TYPES = table(
    "operand of narrow product", signed_char=10, unsigned_char=10, short=5, unsigned_short=2, char=1
)
SIDE = 40
"""Extents of the operands; sizes are used modulo `SIDE - 6`."""


def narrow_product(writer: Writer) -> None:
    choices = writer.choices
    shape, zeros, out = choices.pick(SHAPES), choices.pick(ZEROS), choices.pick(OUT)
    a = _operand(writer, "qa", SCALARS[choices.pick(TYPES)])
    b = _operand(writer, "qb", SCALARS[choices.pick(TYPES)])
    narrow = choices.one([SCALARS["signed char"], SCALARS["unsigned char"]])
    c = _operand(writer, "qc", INT if out == "int" else narrow, written=True)
    n, m, depth = (f"{one.signed_text} % {SIDE - 6}" for one in writer.sizes)
    za, zb = _zero_points(writer, zeros)
    own = {"n": n, "m": m, "l": depth, "za": za, "zb": zb}
    body = _body(writer, shape, out, a, b, c, own if not zeros.startswith("argument") else None)
    if not zeros.startswith("argument"):
        for text in body:
            writer.line(text)
        return
    name = writer.fresh("g")
    declared = [
        f"const {a.scalar.c} *{a.name}",
        f"const {b.scalar.c} *{b.name}",
        f"{c.scalar.c} *{c.name}",
        *(f"int {one}" for one in own),
    ]
    mark = choices.one(["static __attribute__((noinline)) ", "", "static "])
    lines = [f"    {text}" for text in body]
    writer.functions.append(
        "\n".join([f"{mark}void {name}({', '.join(declared)})", "{", *lines, "}"])
    )
    writer.line(f"{name}({', '.join([a.name, b.name, c.name, *own.values()])});")


def _operand(writer: Writer, name: str, scalar: Scalar, *, written: bool = False) -> Array:
    own = writer.fresh(name)
    array = Array(own, scalar, (Extent(str(SIDE * SIDE), SIDE * SIDE),))
    fill = writer.choices.one([*FILLS, (37, 5, 255), (91, 17, 251)])
    writer.buffers.append(Buffer(own, (("", scalar, 1),), SIDE * SIDE, fill))
    mark = writer.choices.one(["", "restrict "])
    const = "" if written else "const "
    writer.parameters.append((f"{const}{scalar.c} *{mark}{own}", Argument(own, (0,) * RUNS)))
    return array


def _zero_points(writer: Writer, kind: str) -> tuple[str, str]:
    choices = writer.choices
    number = str(choices.one([-128, -5, 0, 1, 3, 100, 127, 128, 255]))
    size = choices.one(writer.sizes).signed_text
    match kind:
        case "none":
            return "0", "0"
        case "argument of one":
            return f"{size} - 50", "0"
        case "argument":
            return f"{size} - {choices.number(0, 128)}", choices.one([number, f"{size} + 28"])
        case "size":
            return f"({size})", f"({number})"
        case _:
            return f"({number})", f"({choices.number(-128, 255)})"


def _body(
    writer: Writer,
    shape: str,
    out: str,
    a: Array,
    b: Array,
    c: Array,
    given: dict[str, str] | None,
) -> list[str]:
    """The nest; its sizes and zero points are `given` texts, or the names of parameters."""
    choices = writer.choices
    i, j, k = (writer.fresh(name) for name in "ijk")
    n, m, depth, za, zb = given.values() if given else ("n", "m", "l", "za", "zb")
    first, second, there = _places(shape, i, j, k)
    rows = "3" if shape == "dot" else n
    columns = "1" if shape in ("vector", "dot") else m
    taps = {"convolution": "5", "depthwise": "3", "dot": f"{n} * 8", "vector": m}.get(shape, depth)
    left = f"({a.name}[{first}] - {za})"
    if "unsigned short" in (a.scalar.c, b.scalar.c):
        left = f"({left} % 1000)"
    elif choices.chance(0.3):
        left = f"({choices.one(['short', 'int'])}){left}"
    return [
        f"for (int {i} = 0; {i} < {rows}; {i}++)",
        f"    for (int {j} = 0; {j} < {columns}; {j}++) {{",
        f"        int sum = {choices.one(['0', f'{i} + 3'])};",
        f"        for (int {k} = 0; {k} < {taps}; {k}++)",
        f"            sum += {left} * ({b.name}[{second}] - {zb});",
        *(f"        {line}" for line in _result(writer, out, c.scalar, f"{c.name}[{there}]")),
        "    }",
    ]


def _places(shape: str, i: str, j: str, k: str) -> tuple[str, str, str]:
    """Subscripts of the operands and of the result."""
    result = f"{i} * {SIDE} + {j}"
    match shape:
        case "matrix":
            return f"{i} * {SIDE} + {k}", f"{k} * {SIDE} + {j}", result
        case "transposed":
            return f"{i} * {SIDE} + {k}", f"{j} * {SIDE} + {k}", result
        case "vector":
            return f"{i} * {SIDE} + {k}", k, i
        case "dot":
            return k, f"{k} + {i}", i
        case "convolution":
            return f"{i} * {SIDE} + {j} + {k}", k, result
        case _:
            return f"({i} + {k}) * {SIDE} + {j}", f"{k} * {SIDE} + {j}", result


def _result(writer: Writer, out: str, scalar: Scalar, there: str) -> list[str]:
    low, high = scalar.least, scalar.most
    match out:
        case "int":
            return [f"{there} = sum;"]
        case "saturated":
            return [f"{there} = sum < {low} ? {low} : sum > {high} ? {high} : sum;"]
        case _:
            return [
                "long wide = ((long)sum * 1340 + 1024) >> 11;",
                f"wide += {writer.choices.number(-3, 128)};",
                f"if (wide < {low}) wide = {low};",
                f"if (wide > {high}) wide = {high};",
                f"{there} = ({scalar.c})wide;",
            ]
