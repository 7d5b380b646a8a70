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
)
SUMS = table(
    "sum over a number's bits", steps=12, bits=10, parity=6, flips=4, products=3, numbers=3
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
    is_behind = change in ("lowest cleared", "shifted") and choices.chance(0.3)
    kept_outside = choices.chance(0.3)
    if kept_outside:
        writer.line(f"{of_sum.c} {c} = {choices.number(0, 9)};")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        writer.line(f"{scalar.c} {v} = {_start(writer, x.element([i]), scalar, change)};")
        if not kept_outside:
            writer.line(f"{of_sum.c} {c} = {choices.number(0, 9)};")
        test = _test(choices.chance(0.5), v, scalar, change)
        changed = _changed(v, scalar, change)
        body = [f"{c} {_summed(writer, v, c, of_sum)};", changed]
        with writer.block("do" if is_behind else f"while ({test})"):
            for line in body:
                writer.line(line)
        if is_behind:
            writer.line(f"while ({test});")
        writer.line(f"{out.element([i])} = {c}{choices.one(['', f' + ({v} & 1)'])};")
    if kept_outside:
        writer.line(f"{writer.result(INT)} = {c};")


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
