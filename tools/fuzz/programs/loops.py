"""Loops in every form that C programmers write: bounds, steps, counters, and the words around.

    with loop(writer) as iterator: …    # lines of the body

The interval of the iterator holds whatever the sizes are. Comparisons never mix a negative number
with an unsigned one: sizes and counters are cast where arithmetic could get below zero.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from polyopt.support.record import record
from polyopt.tools.fuzz.programs.choices import Choices, table
from polyopt.tools.fuzz.programs.memory import Iterator
from polyopt.tools.fuzz.programs.scalars import SCALARS, Scalar
from polyopt.tools.fuzz.programs.writer import Writer

FORMS = table(
    "form of loop",
    for_up=50,
    for_up_inclusive=8,
    for_down=10,
    for_stride=8,
    for_down_stride=3,
    for_large_stride=2,
    for_unequal=3,
    **{"while": 6, "do": 6, "goto": 3},
)
BOUNDS = table(
    "bounds of loop",
    size=50,
    number=8,
    size_less_a_number=12,
    lower_from_outer=10,
    upper_from_outer=10,
    minimum=5,
    maximum=4,
    modulo=4,
    quotient=2,
    window=4,
)
COUNTERS = table(
    "type of counter",
    int=50,
    long=10,
    unsigned=8,
    unsigned_long=8,
    short=2,
    unsigned_char=3,
    signed_char=1,
)


@record
class Bounds:
    """`lower <= i < upper` as texts, and the interval of i; `upper_least` is the least that the
    upper bound may be."""

    lower: str
    upper: str
    least: int
    most: int
    sized: tuple[str, int] | None = None
    upper_least: int = 0


def draw_bounds(writer: Writer, *, border: int = 0, simple: bool = False) -> Bounds:
    """With a `border`, i stays so far from the ends of 0 … size."""
    choices = writer.choices
    size = choices.one(writer.sizes)
    n, most = size.signed_text, size.most
    kinds = ["size", "number", "size less a number"]
    outer = choices.one(writer.loops) if writer.loops else None
    if outer is not None and outer.least >= 0 and outer.most <= writer.most + 4:
        kinds += [*("lower from outer", "upper from outer", "minimum", "maximum"), *_LATER]
    if simple or border:
        kinds = ["size less a number" if border else "size"]
    kind = choices.pick(BOUNDS, among=kinds)
    low = border or choices.one([0, 0, 0, 0, 1, 2])
    i = outer.signed_text if outer is not None else "0"
    o = outer if outer is not None else Iterator("0", 0, 0)
    match kind:
        case "number":
            top = choices.one([1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33])
            top = min(top, writer.most)
            return Bounds(str(min(low, top)), str(top), min(low, top), top - 1, None, top)
        case "size less a number":
            less = border or choices.one([1, 1, 2, 3])
            return Bounds(
                str(low), f"{n} - {less}", low, most - less - 1, (size.name, -less - 1), -3
            )
        case "lower from outer":
            more = choices.number(0, 2)
            upper = (size.name, -1)
            return Bounds(f"{i} + {more}" if more else i, n, o.least + more, most - 1, upper)
        case "upper from outer":
            more = choices.number(0, 2)
            sized = (o.upper[0], o.upper[1] + more - 1) if o.upper else None
            text = f"{i} + {more}" if more else i
            return Bounds("0", text, 0, o.most + more - 1, sized)
        case "minimum":
            more = choices.number(2, 9)
            text = f"({n} < {i} + {more} ? {n} : {i} + {more})"
            return Bounds(i, text, o.least, most - 1, (size.name, -1))
        case "maximum":
            less = choices.number(1, 9)
            text = f"({i} - {less} > {low} ? {i} - {less} : {low})"
            return Bounds(text, n, low, most - 1, (size.name, -1))
        case "modulo":
            factor = choices.number(2, 9)
            return Bounds("0", f"{i} % {factor} + 1", 0, factor - 1)
        case "quotient":
            return Bounds("0", f"{n} / 2", 0, most // 2, (size.name, -1))
        case "window":
            reach = choices.number(1, 3)
            text = f"({i} < {reach} ? 0 : {i} - {reach})"
            sized = (o.upper[0], o.upper[1]) if o.upper else None
            return Bounds(text, f"{i} + 1", 0, o.most, sized)
        case _:
            return Bounds(str(low), n, low, most - 1, (size.name, -1))


_LATER = ["modulo", "quotient", "window"]


def draw_counter(choices: Choices, bounds: Bounds, form: str) -> Scalar:
    """A type that holds all that the counter is, one past the ends included."""
    names = [
        name
        for name in COUNTERS.weights
        if bounds.most + 64 <= SCALARS[name].most
        and (SCALARS[name].signed or (SCALARS[name].bits >= 8 and "down" not in form))
    ]
    return SCALARS[choices.pick(COUNTERS, among=names)]


@contextmanager
def loop(
    writer: Writer,
    *,
    bounds: Bounds | None = None,
    form: str | None = None,
    border: int = 0,
    simple: bool = False,
    name: str | None = None,
) -> Generator[Iterator]:
    """A loop around what is written in the block."""
    choices = writer.choices
    given = bounds or draw_bounds(writer, border=border, simple=simple)
    drawn = form or choices.pick(FORMS)
    scalar = draw_counter(choices, given, drawn)
    i = name or writer.fresh(choices.one("ijk"))
    step = 1
    if "stride" in drawn:
        step = choices.one([17, 33, 64]) if "large" in drawn else choices.number(2, 5)
    trips = max(1, (given.most - given.least) // step + 1)
    iterator = Iterator(i, given.least, given.most, given.sized, scalar, trips)
    low, top, t = given.lower, given.upper, scalar.c
    if not scalar.signed and scalar.bits >= 32:
        # An unsigned counter is compared as unsigned: nothing there may be below zero.
        top = top if given.upper_least >= 0 else f"({top} > 0 ? {top} : 0)"
    writer.loops.append(iterator)
    match drawn:
        case "for up inclusive" if scalar.signed or given.upper_least > 0:
            head, end, tail = f"for ({t} {i} = {low}; {i} <= {top} - 1; {i}++)", "}", ""
        case "for down":
            head, end, tail = f"for ({t} {i} = {top} - 1; {i} >= {low}; {i}--)", "}", ""
        case "for stride" | "for large stride":
            head, end, tail = f"for ({t} {i} = {low}; {i} < {top}; {i} += {step})", "}", ""
        case "for down stride":
            head, end, tail = f"for ({t} {i} = {top} - 1; {i} >= {low}; {i} -= {step})", "}", ""
        case "for unequal":
            writer.line(f"if ({low} < {top})")
            head, end, tail = f"for ({t} {i} = {low}; {i} != {top}; {i}++)", "}", ""
        case "while":
            writer.line(f"{t} {i} = {low};")
            head, end, tail = f"while ({i} < {top})", "}", f"{i}++;"
        case "do":
            writer.line(f"{t} {i} = {low};")
            head, end, tail = f"if ({i} < {top}) do", f"}} while (++{i} < {top});", ""
        case "goto":
            label = writer.fresh("again")
            writer.line(f"{t} {i} = {low};")
            writer.line(f"{label}: if ({i} < {top}) {{")
            head, end, tail = "", "}", f"{i}++; goto {label};"
        case _:
            head, end, tail = f"for ({t} {i} = {low}; {i} < {top}; {i}++)", "}", ""
    writer.may_break.append("" if drawn == "goto" else "break" if tail else "break continue")
    with writer.block(head, end):
        yield iterator
        if drawn == "goto":
            pass
        elif tail:
            writer.line(tail)
    if drawn == "goto":
        writer.line(f"    {tail}")
        writer.line("}")
    writer.may_break.pop()
    writer.loops.pop()


@contextmanager
def nest(writer: Writer, depth: int, *, simple: bool = False) -> Generator[list[Iterator]]:
    """Perfectly nested loops."""
    if depth == 0:
        yield list(writer.loops)
        return
    with loop(writer, simple=simple), nest(writer, depth - 1, simple=simple) as iterators:
        yield iterators
