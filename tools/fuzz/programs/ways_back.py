"""Parts of programs that remember where they came from: tables of least costs with a way back,
sorting by exchanges, the best few so far, rows that change places by a key.

What is compared is integers, or moved without arithmetic: approximations decide nothing.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.memory import Array
from polyopt.tools.fuzz.programs.scalars import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SCHAR,
    SHORT,
    UCHAR,
    draw_element,
)
from polyopt.tools.fuzz.programs.writer import Writer

WAYS = table("table with a way back", alignment=10, local_alignment=8, rows_taken=8)
SORTS = table(
    "exchange of elements",
    of_the_least=10,
    of_neighbours=8,
    by_insertion=8,
    of_rows_by_a_key=10,
    best_few=8,
)


def way_back(writer: Writer) -> None:
    """A table filled from two borders, and the way on which its last or best element was made."""
    choices = writer.choices
    kind = choices.pick(WAYS)
    cost = writer.array(choices.one([INT, INT, LONG]), 2, written=True, fixed=True, reuse=0.1)
    moves = writer.array(choices.one([UCHAR, SCHAR, INT]), 2, written=True, fixed=True, reuse=0.1)
    a, b = (writer.array(draw_element(choices, "integer"), 1, fixed=True) for _ in range(2))
    path = writer.array(INT, 1, written=True, fixed=True, factor=2, reuse=0.1)
    if len({one.name for one in (cost, moves, a, b, path)}) < (4 if a.name == b.name else 5):
        return
    n, m = (choices.one(writer.sizes).signed_text for _ in range(2))
    if kind == "rows taken":
        _rows_taken(writer, cost, moves, a, path, (n, m))
    else:
        _alignment(writer, cost, moves, (a, b), path, (n, m), kind == "local alignment")


def _alignment(
    writer: Writer,
    cost: Array,
    moves: Array,
    texts: tuple[Array, Array],
    path: Array,
    sizes: tuple[str, str],
    is_local: bool,
) -> None:
    choices = writer.choices
    i, j = writer.fresh("i"), writer.fresh("j")
    best, move, made = writer.fresh("best"), writer.fresh("move"), writer.fresh("made")
    row, column, top = writer.fresh("row"), writer.fresh("column"), writer.fresh("top")
    n, m = sizes
    left, right = (
        small(writer, one.element([f"{at} - 1"]), one.scalar)
        for one, at in zip(texts, (i, j), strict=True)
    )
    border = 0 if is_local else choices.number(1, 3)
    gap = -2 if is_local else choices.number(1, 3)
    differs = f"({left} == {right} ? {'3 : -2' if is_local else f'0 : {choices.number(1, 4)}'})"
    sign = ">" if is_local else choices.one(["<", "<", "<="])
    for name, size, at in ((i, n, [i, "0"]), (j, m, ["0", j])):
        with writer.block(_up_to(name, "0", size)):
            writer.line(f"{cost.element(at)} = {border} * {name};")
            writer.line(f"{moves.element(at)} = 0;")
    if is_local:
        writer.line(f"{cost.scalar.c} {top} = 0;")
    writer.line(f"int {row} = {'0' if is_local else n}, {column} = {'0' if is_local else m};")
    with writer.block(_up_to(i, "1", n)), writer.block(_up_to(j, "1", m)):
        writer.line(
            f"{cost.scalar.c} {best} = {cost.element([f'{i} - 1', f'{j} - 1'])} + {differs};"
        )
        writer.line(f"int {move} = 1;")
        for number, at in ((2, [f"{i} - 1", j]), (3, [i, f"{j} - 1"])):
            there = f"{cost.element(at)} + {gap}"
            writer.line(f"if ({there} {sign} {best}) {{ {best} = {there}; {move} = {number}; }}")
        if is_local:
            writer.line(f"if ({best} <= 0) {{ {best} = 0; {move} = 0; }}")
        writer.line(f"{cost.element([i, j])} = {best};")
        writer.line(f"{moves.element([i, j])} = {move};")
        if is_local:
            reached = f"{top} = {best}; {row} = {i}; {column} = {j};"
            writer.line(f"if ({best} > {top}) {{ {reached} }}")
    writer.line(f"int {made} = 0;")
    here = moves.element([row, column])
    with writer.block(f"while ({row} > 0 && {column} > 0{f' && {here}' if is_local else ''})"):
        writer.line(f"const int {move} = {here};")
        writer.line(f"{path.element([f'{made}++'])} = {move} * 4 + {row} - {column};")
        if choices.chance(0.5):
            writer.line(f"if ({move} != 3) {row}--;")
            writer.line(f"if ({move} != 2) {column}--;")
        else:
            writer.line(f"{row} -= {move} < 3;")
            writer.line(f"{column} -= {move} == 1 || {move} == 3;")
    writer.line(f"{writer.result(INT)} = {made};")


def _rows_taken(
    writer: Writer,
    cost: Array,
    taken: Array,
    weights: Array,
    path: Array,
    sizes: tuple[str, str],
) -> None:
    """A knapsack: one row of values, updated from its end, and what was taken for each of them."""
    choices = writer.choices
    n, m = sizes
    i, j, w = writer.fresh("i"), writer.fresh("j"), writer.fresh("w")
    room, made, better = writer.fresh("room"), writer.fresh("made"), writer.fresh("better")
    weight = small(writer, weights.element([i]), weights.scalar)
    with writer.block(_up_to(j, "0", m)):
        writer.line(f"{cost.element(['0', j])} = 0;")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        writer.line(f"const int {w} = 1 + ({weight} & 7);")
        with writer.block(f"for (int {j} = {m}; {j} >= 0; {j}--)"):
            writer.line(f"{taken.element([i, j])} = 0;")
            here = cost.element(["0", j])
            more = f"{cost.element(['0', f'{j} - {w}'])} + {w} + ({i} & 3)"
            if choices.chance(0.5):
                writer.line(f"if ({j} < {w}) continue;")
                asked = "1"
            else:
                asked = f"{j} >= {w}"
            with writer.block(f"if ({asked} && {more} > {here})"):
                writer.line(f"{here} = {more};")
                writer.line(f"{taken.element([i, j])} = 1;")
    writer.line(f"int {room} = {m}, {made} = 0, {better} = 0;")
    with writer.block(f"for (int {i} = {n} - 1; {i} >= 0; {i}--)"):
        with writer.block(f"if ({taken.element([i, room])})"):
            writer.line(f"{path.element([f'{made}++'])} = {i};")
            writer.line(f"{room} -= 1 + ({weight} & 7);")
        writer.line(f"else {better} += {room} > {i};")
    writer.line(f"{writer.result(INT)} = {made} + 256 * {better};")


def exchange(writer: Writer) -> None:
    """Elements, or rows, that change places by what they hold."""
    choices = writer.choices
    kind = choices.pick(SORTS)
    if kind == "of rows by a key":
        _rows_by_key(writer)
        return
    scalar = draw_element(choices)
    x = writer.array(scalar, 1, written=True, fixed=True)
    n = choices.one(writer.sizes).signed_text
    i, j, held, at = (writer.fresh(name) for name in ("i", "j", "held", "at"))
    here = x.element([j])
    compare = choices.one(["<", ">", "<="] if kind == "of the least" else ["<", ">"])
    match kind:
        case "of the least":
            with writer.block(f"for (int {i} = 0; {i} < {n} - 1; {i}++)"):
                writer.line(f"int {at} = {i};")
                with writer.block(f"for (int {j} = {i} + 1; {j} < {n}; {j}++)"):
                    writer.line(f"if ({here} {compare} {x.element([at])}) {at} = {j};")
                with writer.block(choices.one(["", f"if ({at} != {i})"])):
                    _swap(writer, x.element([i]), x.element([at]), scalar.c, held)
        case "of neighbours":
            last = writer.fresh("last")
            writer.line(f"int {last} = {n};")
            with writer.block("do", f"}} while ({last} > 1);"):
                writer.line(f"int {at} = 0;")
                with writer.block(f"for (int {j} = 1; {j} < {last}; {j}++)"):
                    before = x.element([f"{j} - 1"])
                    with writer.block(f"if ({here} {compare} {before})"):
                        _swap(writer, before, here, scalar.c, held)
                        writer.line(f"{at} = {j};")
                writer.line(f"{last} = {at};")
        case "by insertion":
            step = choices.one([1, 1, 2, 3])
            with writer.block(f"for (int {i} = {step}; {i} < {n}; {i}++)"):
                writer.line(f"const {scalar.c} {held} = {x.element([i])};")
                writer.line(f"int {j} = {i} - {step};")
                with writer.block(f"while ({j} >= 0 && {held} {compare} {here})"):
                    writer.line(f"{x.element([f'{j} + {step}'])} = {here};")
                    writer.line(f"{j} -= {step};")
                writer.line(f"{x.element([f'{j} + {step}'])} = {held};")
        case _:
            few, count = writer.fresh("few"), choices.number(2, 6)
            writer.line(f"{scalar.c} {few}[{count}];")
            writer.line(f"int {at} = 0;")
            with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
                writer.line(f"const {scalar.c} {held} = {x.element([i])};")
                writer.line(f"int {j};")
                last = f"{few}[{count - 1}]"
                writer.line(f"if ({at} < {count}) {j} = {at}++;")
                writer.line(f"else if ({held} {compare} {last}) {j} = {count - 1};")
                writer.line("else continue;")
                shifted = f"{few}[{j}] = {few}[{j} - 1];"
                writer.line(f"for (; {j} > 0 && {held} {compare} {few}[{j} - 1]; {j}--) {shifted}")
                writer.line(f"{few}[{j}] = {held};")
            with writer.block(f"for (int {i} = 0; {i} < {at}; {i}++)"):
                writer.line(f"{x.element([i])} = {few}[{i}];")


def _swap(writer: Writer, one: str, other: str, c: str, held: str) -> None:
    writer.line(f"const {c} {held} = {one};")
    writer.line(f"{one} = {other};")
    writer.line(f"{other} = {held};")


def _rows_by_key(writer: Writer) -> None:
    """Elimination with rows exchanged, as with a pivot; keys of integers choose it."""
    choices = writer.choices
    scalar = choices.one([DOUBLE, DOUBLE, FLOAT, INT])
    a = writer.array(scalar, 2, written=True, fixed=True, reuse=0.3)
    keys = writer.array(choices.one([INT, LONG, SHORT]), 1, written=True, fixed=True, reuse=0.3)
    n = choices.one(writer.sizes).signed_text
    i, j, k, p, held = (writer.fresh(name) for name in ("i", "j", "k", "pivot", "held"))
    first = choices.one(["0", k])
    with writer.block(f"for (int {k} = 0; {k} < {n}; {k}++)"):
        writer.line(f"int {p} = {k};")
        asked = f"{keys.element([i])} {choices.one(['>', '>='])} {keys.element([p])}"
        with writer.block(f"for (int {i} = {k} + 1; {i} < {n}; {i}++)"):
            writer.line(f"if ({asked}) {p} = {i};")
        with writer.block(choices.one(["", f"if ({p} != {k})"])):
            with writer.block(f"for (int {j} = {first}; {j} < {n}; {j}++)"):
                _swap(writer, a.element([k, j]), a.element([p, j]), scalar.c, held)
            _swap(writer, keys.element([k]), keys.element([p]), keys.scalar.c, held)
        with writer.block(f"for (int {i} = {k} + 1; {i} < {n}; {i}++)"):
            with writer.block(f"for (int {j} = {k} + 1; {j} < {n}; {j}++)"):
                target, left, up = a.element([i, j]), a.element([i, k]), a.element([k, j])
                if scalar.floating:
                    divided = f"(1 + {left} * {left} + {up} * {up})"
                    writer.line(f"{target} -= 0.125 * {left} * {up} / {divided};")
                else:
                    product = f"{small(writer, left, scalar)} * {small(writer, up, scalar)}"
                    writer.line(f"{target} = ({target} % 4096) - {product};")


def _up_to(name: str, start: str, end: str) -> str:
    return f"for (int {name} = {start}; {name} <= {end}; {name}++)"
