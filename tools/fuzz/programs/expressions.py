"""What is computed in the loops: values of every type from the arrays at hand, and conditions."""

from __future__ import annotations

import re

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.scalars import (
    DOUBLE,
    FLOAT,
    INT,
    Scalar,
    draw_element,
)
from polyopt.tools.fuzz.programs.values import (
    Value,
    arithmetic,
    as_integer,
    bitwise,
    constant,
    divided,
    element_value,
    shifted,
    stored,
    tamed,
)
from polyopt.tools.fuzz.programs.writer import Writer

LEAVES = table(
    "operand",
    element=50,
    element_of_another_type=6,
    iterator=8,
    size=3,
    constant=6,
    scalar=10,
    gathered_element=4,
)
FLOATING = table(
    "floating operation",
    weighted_sum=25,
    sum=15,
    difference=10,
    product=12,
    quotient=3,
    selection=6,
    minimum_or_maximum=4,
    negation=3,
    call_of_libm=7,
    call_of_a_function=6,
    conversion=4,
)
LIBM = table(
    "libm",
    **{
        name: 1
        for name in "sqrt fabs floor ceil exp sin cos log pow fmin fmax trunc round atan tanh "
        "cbrt hypot fma".split()
    },
)
INTEGRAL = table(
    "integer operation",
    sum=20,
    difference=10,
    product=10,
    bitwise=8,
    shift=4,
    division=5,
    selection=6,
    complement=2,
    cast=6,
    call_of_a_function=5,
    comparison=3,
)
CONDITIONS = table(
    "condition",
    affine=20,
    modulo=8,
    data=20,
    **{"data and affine": 8, "and": 6, "or": 5, "not": 3},
)


def leaf(writer: Writer, scalar: Scalar) -> Value:
    """An operand that is read somewhere, of the type or of one like it."""
    choices = writer.choices
    names = [name for name in LEAVES.weights if name != "element of another type"]
    if not writer.loops:
        names = ["element", "size", "constant"]
    if not writer.scalars:
        names = [name for name in names if name != "scalar"]
    if choices.chance(0.06):
        names.append("element of another type")
    match choices.pick(LEAVES, among=names):
        case "element of another type":
            array = writer.array(draw_element(choices), choices.number(1, 2))
            return element_value(writer.element(array), array.scalar)
        case "iterator":
            one = choices.one(writer.loops)
            return Value(one.text, one.scalar, one.least, one.most)
        case "size":
            size = choices.one(writer.sizes)
            return Value(size.name, size.scalar, 0, size.most)
        case "constant":
            return constant(choices.number(-3, 9))
        case "scalar":
            name, kind = choices.one(writer.scalars)
            return element_value(name, kind)
        case "gathered element":
            array = writer.array(scalar, 1, fixed=True)
            by = writer.subscript_array(min(array.extents[0].most, 100))
            return element_value(array.element([writer.element(by)]), array.scalar)
        case _:
            rank = choices.one([1, 1, 2, 2, 3]) if writer.most <= 40 else choices.one([1, 1, 2])
            array = writer.array(scalar, rank)
            return element_value(writer.element(array), array.scalar)


def value(writer: Writer, scalar: Scalar, depth: int = 2) -> Value:
    """An expression of the type, or of one that converts to it."""
    if scalar.floating:
        return _floating(writer, scalar, depth)
    return _integral(writer, scalar, depth)


def _floating(writer: Writer, scalar: Scalar, depth: int) -> Value:
    choices = writer.choices
    if depth == 0:
        return leaf(writer, scalar)
    suffix = "f" if scalar == FLOAT else ""
    a = _floating(writer, scalar, depth - 1 if choices.chance(0.6) else 0)
    b = _floating(writer, scalar, 0)
    match choices.pick(FLOATING):
        case "weighted sum":
            u, v = choices.one([("0.5", "0.25"), ("0.125", "0.75"), ("0.3", "0.6")])
            return Value(f"({u}{suffix} * {a.text} + {v}{suffix} * {b.text})", scalar)
        case "sum":
            return Value(f"(0.5{suffix} * ({a.text} + {b.text}))", scalar)
        case "difference":
            return Value(f"({a.text} - 0.5{suffix} * {b.text})", scalar)
        case "product":
            return Value(f"(0.0625{suffix} * {a.text} * {b.text})", scalar)
        case "quotient":
            return Value(f"({a.text} / (1.5{suffix} + {b.text} * (double){b.text}))", DOUBLE)
        case "selection":
            return Value(f"({condition(writer, 0)} ? {a.text} : {b.text})", scalar)
        case "minimum or maximum":
            sign = choices.one(["<", ">", "<=", ">="])
            return Value(f"({a.text} {sign} {b.text} ? {a.text} : {b.text})", scalar)
        case "negation":
            return Value(f"(-{a.text})", scalar)
        case "call of libm":
            return _libm(writer, a, b, scalar)
        case "call of a function":
            return Value(f"{small_function(writer, scalar)}({a.text}, {b.text})", scalar)
        case _:
            small = tamed(choices, as_integer(leaf(writer, scalar)))
            return Value(f"({choices.one(['float', 'double'])}){small.text}", scalar)


def _libm(writer: Writer, a: Value, b: Value, scalar: Scalar) -> Value:
    name = writer.choices.pick(LIBM)
    f = "f" if scalar == FLOAT else ""
    match name:
        case "sqrt" | "log":
            text = f"{name}{f}(1.0{f} + {a.text} * {a.text})"
        case "exp":
            text = f"{name}{f}(-0.001{f} * {a.text} * {a.text})"
        case "pow":
            text = f"{name}{f}(1.0{f} + 0.001{f} * {a.text} * {a.text}, 0.5{f})"
        case "fmin" | "fmax" | "hypot":
            text = f"{name}{f}({a.text}, {b.text})"
        case "fma":
            text = f"{name}{f}({a.text}, 0.25{f}, {b.text})"
        case _:
            text = f"{name}{f}({a.text})"
    return Value(text, scalar)


def _integral(writer: Writer, scalar: Scalar, depth: int) -> Value:
    choices = writer.choices
    a = leaf(writer, scalar)
    if depth == 0:
        return as_integer(a) if a.scalar.floating else a
    a = _integral(writer, scalar, depth - 1 if choices.chance(0.6) else 0)
    b = _integral(writer, scalar, 0)
    match choices.pick(INTEGRAL):
        case "sum":
            return arithmetic(choices, "+", a, b)
        case "difference":
            return arithmetic(choices, "-", a, b)
        case "product":
            return arithmetic(choices, "*", a, b)
        case "bitwise":
            return bitwise(choices, choices.one("&|^"), a, b)
        case "shift":
            return shifted(choices, a)
        case "division":
            return divided(choices, a, b)
        case "selection":
            c = tamed(choices, b)
            d = tamed(choices, a)
            return Value(f"({condition(writer, 0)} ? {c.text} : {d.text})", INT, -512, 512)
        case "complement":
            low = tamed(choices, a)
            return Value(f"(int)(~{low.text})", INT, -513, 511)
        case "cast":
            kind = draw_element(choices, "integer")
            if kind.signed and kind.bits in (32, 64):
                a = tamed(choices, a)
                return Value(f"({kind.c}){a.text}", kind, -512, 512)
            return Value(f"({kind.c}){a.text}", kind, kind.least, kind.most)
        case "call of a function":
            c, d = tamed(choices, a), tamed(choices, b)
            return Value(f"{small_function(writer, INT)}({c.text}, {d.text})", INT, -600000, 600000)
        case _:
            return Value(f"({a.text} {choices.one(['<', '==', '>='])} {b.text})", INT, 0, 1)


def small_function(writer: Writer, scalar: Scalar) -> str:
    """The name of a static function of two values."""
    choices = writer.choices
    if not scalar.floating:
        scalar = INT
    known = [
        name for line in writer.functions for name in re.findall(rf" {scalar.c} (f\d*)\(", line)
    ]
    if known and choices.chance(0.5):
        return choices.one(known)
    name = writer.fresh("f")
    t = scalar.c
    if scalar.floating:
        body = choices.one(
            [
                "return 0.5 * a + 0.25 * b;",
                "return a < b ? a : 0.5 * b;",
                "if (a > b) return 0.5 * a; return b;",
                f"{t} s = 0; for (int k = 0; k < 3; k++) s += 0.25 * a; return s + 0.125 * b;",
                f"{t} d = a - b; return d * 0.5 < 0 ? -0.5 * d : 0.5 * d;",
            ]
        )
    else:
        body = choices.one(
            [
                "return a + 2 * b;",
                "return a < b ? a : b;",
                "if (a & 1) return a - b; return a ^ b;",
                "int s = 0; for (int k = 0; k < 4; k++) s += (a >> k) & 1; return s * 3 + (b & 7);",
                "return a * b % 1001;",
                "switch (a & 3) { case 0: return b; case 1: return -b; default: return a; }",
            ]
        )
    apart = "static __attribute__((noinline)) "
    mark = choices.one(["static ", "static inline ", apart, f"{apart}__attribute__((const)) "])
    writer.functions.append(f"{mark}{t} {name}({t} a, {t} b) {{ {body} }}")
    return name


def condition(writer: Writer, depth: int = 1) -> str:
    choices = writer.choices
    names = list(CONDITIONS.weights)
    if not writer.loops:
        names = ["data"]
    elif depth == 0:
        names = ["affine", "modulo", "data"]
    match choices.pick(CONDITIONS, among=names):
        case "affine":
            a, b = choices.one(writer.loops), choices.one([*writer.loops, *writer.sizes])
            other = b.signed_text
            sign = choices.one(["<", "<=", ">", ">=", "==", "!="])
            return f"{a.signed_text} + {choices.number(0, 3)} {sign} {other}"
        case "modulo":
            one = choices.one(writer.loops)
            return f"{one.text} % {choices.one([2, 3, 4])} == {choices.number(0, 1)}"
        case "data and affine":
            return f"{condition(writer, 0)} && {_data(writer)}"
        case "and":
            return f"{condition(writer, 0)} && {condition(writer, 0)}"
        case "or":
            return f"({condition(writer, 0)} || {condition(writer, 0)})"
        case "not":
            return f"!({condition(writer, 0)})"
        case _:
            return _data(writer)


def _data(writer: Writer) -> str:
    choices = writer.choices
    array = writer.array(rank=choices.number(1, 2))
    sign = choices.one(["<", "<=", ">", ">=", "==", "!="])
    if choices.chance(0.3):
        other = writer.element(writer.array(array.scalar, 1))
    else:
        other = choices.one(["0", "1", "2"])
    return f"{writer.element(array)} {sign} {other}"


def store(writer: Writer, target: str, scalar: Scalar, depth: int = 2) -> None:
    """target = some value;"""
    drawn = value(writer, scalar, depth)
    writer.line(f"{target} = {stored(writer.choices, drawn, scalar)};")


def add_to(writer: Writer, target: str, scalar: Scalar, sign: str = "+", depth: int = 1) -> None:
    """target += some value;"""
    drawn = value(writer, scalar, depth)
    text = drawn.text if scalar.floating else writer.grown(drawn, scalar)
    writer.line(f"{target} {sign}= {text};")
