"""Parts of programs that move or combine elements where they are: turned and mirrored parts,
transposed squares, butterflies, sums by doubling, levels of grids that lie behind each other.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.memory import Array
from polyopt.tools.fuzz.programs.scalars import Scalar, draw_element
from polyopt.tools.fuzz.programs.writer import Writer

PLACES = table(
    "elements moved in place",
    mirrored=8,
    turned=8,
    transposed=8,
    quarter_turn=5,
    butterflies=8,
    doubling=8,
    levels=10,
    bits_reversed=5,
)


def moved_in_place(writer: Writer) -> None:
    choices = writer.choices
    kind = choices.pick(PLACES)
    scalar = draw_element(choices)
    n = choices.one(writer.sizes).signed_text
    if kind in ("transposed", "quarter turn"):
        a = writer.array(scalar, 2, written=True, fixed=True)
        (_transposed if kind == "transposed" else _quarter_turn)(writer, a, n)
        return
    x = writer.array(scalar, 1, written=True, fixed=True, factor=2 if kind == "levels" else 1)
    match kind:
        case "mirrored":
            _mirrored(writer, x, "0", f"{n} - 1")
        case "turned":
            by = writer.fresh("by")
            writer.line(f"const int {by} = {n} / {choices.one([2, 3, 5])};")
            for low, high in (("0", f"{by} - 1"), (by, f"{n} - 1"), ("0", f"{n} - 1")):
                _mirrored(writer, x, low, high)
        case "butterflies":
            _butterflies(writer, x, n)
        case "doubling":
            _doubling(writer, x, n)
        case "levels":
            _levels(writer, x, n)
        case _:
            _bits_reversed(writer, x)


def _exchange(writer: Writer, one: str, other: str, c: str) -> None:
    held = writer.fresh("held")
    writer.line(f"const {c} {held} = {one};")
    writer.line(f"{one} = {other};")
    writer.line(f"{other} = {held};")


def _mirrored(writer: Writer, x: Array, low: str, high: str) -> None:
    i, j = writer.fresh("i"), writer.fresh("j")
    if writer.choices.chance(0.5):
        head = f"for (int {i} = {low}, {j} = {high}; {i} < {j}; {i}++, {j}--)"
        with writer.block(head):
            _exchange(writer, x.element([i]), x.element([j]), x.scalar.c)
    else:
        with writer.block(f"for (int {i} = 0; {i} < ({high} - ({low}) + 1) / 2; {i}++)"):
            there = x.element([f"{high} - {i}"])
            _exchange(writer, x.element([f"{low} + {i}"]), there, x.scalar.c)


def _transposed(writer: Writer, a: Array, n: str) -> None:
    i, j = writer.fresh("i"), writer.fresh("j")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        start, end = writer.choices.one([(f"{i} + 1", n), ("0", i)])
        with writer.block(f"for (int {j} = {start}; {j} < {end}; {j}++)"):
            _exchange(writer, a.element([i, j]), a.element([j, i]), a.scalar.c)


def _quarter_turn(writer: Writer, a: Array, n: str) -> None:
    """Four elements at a time, ring by ring."""
    i, j, held = writer.fresh("i"), writer.fresh("j"), writer.fresh("held")
    with writer.block(f"for (int {i} = 0; {i} < {n} / 2; {i}++)"):
        with writer.block(f"for (int {j} = {i}; {j} < {n} - 1 - {i}; {j}++)"):
            ends = (
                (i, j),
                (f"{n} - 1 - {j}", i),
                (f"{n} - 1 - {i}", f"{n} - 1 - {j}"),
                (j, f"{n} - 1 - {i}"),
            )
            places = [a.element(list(one)) for one in ends]
            writer.line(f"const {a.scalar.c} {held} = {places[0]};")
            for to, source in zip(places, [*places[1:], held], strict=True):
                writer.line(f"{to} = {source};")


def _butterflies(writer: Writer, x: Array, n: str) -> None:
    """Stages whose pairs lie 1, 2, 4, … elements apart."""
    half, i, k = writer.fresh("half"), writer.fresh("i"), writer.fresh("k")
    u, v = writer.fresh("u"), writer.fresh("v")
    upwards = writer.choices.chance(0.5)
    rise = f"for (int {half} = 1; 2 * {half} <= {n}; {half} *= 2)"
    fall = f"for (int {half} = 16; {half} >= 1; {half} /= 2)"
    with writer.block(rise if upwards else fall):
        with writer.block(f"for (int {i} = 0; {i} + 2 * {half} <= {n}; {i} += 2 * {half})"):
            with writer.block(f"for (int {k} = {i}; {k} < {i} + {half}; {k}++)"):
                low, high = x.element([k]), x.element([f"{k} + {half}"])
                weight = "0.5 * " if x.scalar.floating else ""
                for name, there in ((u, low), (v, high)):
                    writer.line(
                        f"const {x.scalar.c} {name} = {weight}{small(writer, there, x.scalar)};"
                    )
                writer.line(f"{low} = {u} + {v};")
                writer.line(f"{high} = {u} - {v};")


def _doubling(writer: Writer, x: Array, n: str) -> None:
    """A tree of sums upwards and, perhaps, down again; or all prefixes by steps that double."""
    choices = writer.choices
    s, i = writer.fresh("step"), writer.fresh("i")
    up = f"for (int {s} = 1; {s} < {n}; {s} *= 2)"
    here, there = x.element([i]), x.element([f"{i} + {s}"])
    with writer.block(up):
        if choices.chance(0.6):
            with writer.block(f"for (int {i} = 0; {i} + {s} < {n}; {i} += 2 * {s})"):
                writer.line(f"{here} = {_sum(writer, here, there, x.scalar)};")
        else:
            with writer.block(f"for (int {i} = {n} - 1 - {s}; {i} >= 0; {i}--)"):
                writer.line(f"{there} = {_sum(writer, there, here, x.scalar)};")
    if choices.chance(0.4):
        with writer.block(f"for (int {s} = 32; {s} > 0; {s} >>= 1)"):
            with writer.block(f"for (int {i} = {s}; {i} + {s} < {n}; {i} += 2 * {s})"):
                writer.line(f"{there} = {_sum(writer, there, here, x.scalar)};")


def _levels(writer: Writer, x: Array, n: str) -> None:
    """Coarser grids behind the finest one: each is made of the one before it, and gives back."""
    choices = writer.choices
    size, base, i = writer.fresh("size"), writer.fresh("base"), writer.fresh("i")
    least = choices.number(1, 3)
    writer.line(f"int {size} = {n}, {base} = 0;")
    with writer.block(f"while ({size} > {least})"):
        with writer.block(f"for (int {i} = 0; {i} < {size} / 2; {i}++)"):
            fine = [x.element([f"{base} + 2 * {i} + {k}"]) for k in range(2)]
            coarse = x.element([f"{base} + {size} + {i}"])
            writer.line(f"{coarse} = {_sum(writer, fine[0], fine[1], x.scalar)};")
        writer.line(f"{base} += {size};")
        writer.line(f"{size} /= 2;")
    down, fine = writer.fresh("level"), writer.fresh("fine")
    with writer.block(f"for (int {down} = 0; {down} < {choices.number(1, 2)}; {down}++)"):
        writer.line(f"const int {fine} = {n} >> {down};")
        writer.line(f"const int at_{fine} = {down} ? {n} : 0;")
        with writer.block(f"for (int {i} = 0; {i} < {fine} / 2; {i}++)"):
            here = x.element([f"at_{fine} + 2 * {i} + 1"])
            there = x.element([f"at_{fine} + {fine} + {i}"])
            writer.line(f"{here} = {_sum(writer, here, there, x.scalar)};")


def _bits_reversed(writer: Writer, x: Array) -> None:
    """An order of 16 elements, or as many as there are powers of 2 for."""
    i, j, bit = writer.fresh("i"), writer.fresh("j"), writer.fresh("bit")
    length = max(one for one in (1, 2, 4, 8, 16, 32) if one <= x.extents[0].most)
    writer.line(f"int {j} = 0;")
    with writer.block(f"for (int {i} = 1; {i} < {length}; {i}++)"):
        writer.line(f"int {bit} = {length} / 2;")
        writer.line(f"for (; {j} & {bit}; {bit} >>= 1) {j} ^= {bit};")
        writer.line(f"{j} ^= {bit};")
        with writer.block(f"if ({i} < {j})"):
            _exchange(writer, x.element([i]), x.element([j]), x.scalar.c)


def _sum(writer: Writer, one: str, other: str, scalar: Scalar) -> str:
    if scalar.floating:
        return f"0.5 * {one} + 0.5 * {other}"
    return f"{small(writer, one, scalar)} + {small(writer, other, scalar)}"
