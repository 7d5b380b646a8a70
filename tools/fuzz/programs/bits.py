"""Parts of programs that go through the bits of numbers: counts, lengths, parities, zeros below the
lowest bit, and loops that look like these and are none.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.scalars import (
    INT,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    Scalar,
)
from polyopt.tools.fuzz.programs.writer import Writer

CHANGES = table(
    "change of a number's bits",
    lowest_cleared=12,
    shifted=10,
    halved=6,
    zeros_shifted_out=6,
    by_two_places=4,
    ones_set=3,
    none_but_its_place=20,
)
SUMS = table(
    "sum over a number's bits", steps=12, bits=10, parity=6, flips=4, products=3, numbers=3
)

PLACES = table(
    "sum over places of bits", shifted=10, condition=8, masked=8, rest=5, weighed=5, changed=6
)


def bits(writer: Writer) -> None:
    """`for (i …) { v = x[i] ^ y[i]; while (v) { c++; v &= v - 1; } out[i] += c; }`"""
    choices = writer.choices
    scalar = choices.one([UINT, UINT, ULONG, UCHAR, USHORT, INT, LONG, SHORT])
    of_sum = choices.one([INT, INT, LONG, UCHAR, USHORT, UINT])
    x = writer.array(scalar, 1, fixed=True)
    out = writer.array(of_sum, 1, written=True, fixed=True, reuse=0.3)
    change = choices.pick(CHANGES)
    i, v, c = writer.fresh("i"), writer.fresh("v"), writer.fresh("c")
    n = choices.one(writer.sizes).signed_text
    kept_outside = choices.chance(0.3)
    if kept_outside:
        writer.line(f"{of_sum.c} {c} = {choices.number(0, 9)};")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        writer.line(f"{scalar.c} {v} = {_start(writer, x.element([i]), scalar, change)};")
        if not kept_outside:
            writer.line(f"{of_sum.c} {c} = {choices.number(0, 9)};")
        if change == "none but its place":
            _over_places(writer, v, c, scalar)
        else:
            _until_none_is_left(writer, v, c, (scalar, of_sum), change)
        writer.line(f"{out.element([i])} = {c}{choices.one(['', f' + ({v} & 1)'])};")
    if kept_outside:
        writer.line(f"{writer.result(INT)} = {c};")


def _until_none_is_left(
    writer: Writer, v: str, c: str, scalars: tuple[Scalar, Scalar], change: str
) -> None:
    choices = writer.choices
    scalar, of_sum = scalars
    is_behind = change in ("lowest cleared", "shifted") and choices.chance(0.3)
    test = _test(choices.chance(0.5), v, scalar, change)
    changed = _changed(v, scalar, change)
    body = [f"{c} {_summed(writer, v, c, of_sum)};", changed]
    with writer.block("do" if is_behind else f"while ({test})"):
        for line in body:
            writer.line(line)
    if is_behind:
        writer.line(f"while ({test});")


def _over_places(writer: Writer, v: str, c: str, scalar: Scalar) -> None:
    """Bits that are there, one after the other, up or down, all of them or some."""
    choices = writer.choices
    b, highest = writer.fresh("b"), scalar.bits - (1 if scalar.signed else 0)
    low, high = choices.one([(0, highest), (0, highest), (0, highest - 3), (2, highest)])
    header = choices.one(
        [
            f"int {b} = {low}; {b} < {high}; {b}++",
            f"int {b} = {low}; {b} <= {high - 1}; {b} += 1",
            f"unsigned {b} = {low}; {b} != {high}; {b}++",
            f"int {b} = {high - 1}; {b} >= {low}; {b}--",
            f"int {b} = {low}; {b} < {high}; {b} += 2",
        ]
    )
    one = "1ul" if scalar.bits == 64 else "1u"
    with writer.block(f"for ({header})"):
        match choices.pick(PLACES):
            case "shifted":
                writer.line(f"{c} += ({v} >> {b}) & 1;")
            case "condition":
                writer.line(f"if (({v} >> {b}) & 1) {c} += {choices.number(1, 3)};")
            case "masked":
                writer.line(f"if ({v} & ({one} << {b})) {c}++;")
            case "rest":
                writer.line(f"{c} ^= ({v} >> {b}) % 2;")
            case "weighed":
                writer.line(f"{c} += (({v} >> {b}) & 1) * ({b} & 3);")
            case _:
                writer.line(f"{c} += ({v} >> {b}) & 1;")
                writer.line(f"{v} ^= 5;")


def _start(writer: Writer, element: str, scalar: Scalar, change: str) -> str:
    """Numbers with the sign set only where a loop over them ends all the same."""
    text = element
    if scalar.signed and change != "halved":
        text = f"({text}) & {scalar.most}{'L' if scalar.bits == 64 else ''}"
    if change == "zeros shifted out":
        return f"({text}) | {1 << writer.choices.number(0, 6)}"
    return text


def _test(is_short: bool, v: str, scalar: Scalar, change: str) -> str:
    if change == "zeros shifted out":
        return f"!({v} & 1)" if is_short else f"{v} % 2 == 0"
    if change == "ones set":
        return f"~{v} & 255"
    if scalar.signed and change == "halved":
        return f"{v} > 0"
    return v if is_short else f"{v} != 0"


def _changed(v: str, scalar: Scalar, change: str) -> str:
    match change:
        case "lowest cleared":
            return f"{v} &= {v} - 1;"
        case "halved":
            return f"{v} /= 2;"
        case "by two places":
            return f"{v} >>= 2;"
        case "ones set":
            return f"{v} |= ({scalar.c})({v} + 1u);"
        case _:
            return f"{v} >>= 1;"


def _summed(writer: Writer, v: str, c: str, of_sum: Scalar) -> str:
    """What an iteration does with the sum, which is too small to overflow."""
    choices = writer.choices
    match choices.pick(SUMS):
        case "steps":
            return choices.one(["+= 1", "+= 3", "-= 2"])
        case "bits":
            return f"+= {v} & 1"
        case "parity":
            return f"^= {v} & 1"
        case "flips":
            return f"^= {choices.number(1, 9)}"
        case "products":
            return f"= ({of_sum.c})(({c} * 5u + 7u) & 127u)"
        case _:
            return f"+= {v} & 127"
