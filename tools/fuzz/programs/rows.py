"""Parts of programs that go through rows: what is greatest under a condition beside a sum,
windows that end at the border, triangles solved from the left, tables over intervals.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.memory import Array
from polyopt.tools.fuzz.programs.scalars import DOUBLE, FLOAT, INT, LONG, SHORT, UCHAR
from polyopt.tools.fuzz.programs.writer import Writer

CONCLUSIONS = table(
    "conclusion on a row",
    greatest_and_sum=10,
    under_a_condition=10,
    both_ends=8,
    scaled=8,
    counted_by_class=6,
)
BORDERS = table("border of a window", chosen=10, asked_for_each=8, minimum=8, apart=6)
TRIANGLES = table("triangle from the left", rows=10, packed=8, columns=8, factor=8, upward=6)
INTERVALS = table("table over intervals", by_length=10, rows_upward=8, best_in_a_scalar=8)


def rows_concluded(writer: Writer) -> None:
    """For each row some numbers, and a row made of them."""
    choices = writer.choices
    kind = choices.pick(CONCLUSIONS)
    scalar = choices.one([DOUBLE, FLOAT, FLOAT, INT, SHORT, UCHAR])
    a = writer.array(scalar, 2, fixed=True)
    weights = writer.array(choices.one([scalar, INT, FLOAT]), 1, fixed=True)
    wide = scalar if scalar.floating else choices.one([INT, LONG])
    out = writer.array(wide, 2, written=True, fixed=True, reuse=0.2)
    rows, columns = (choices.one(writer.sizes).signed_text for _ in range(2))
    i, j = writer.fresh("i"), writer.fresh("j")
    best, least, total = (writer.fresh(name) for name in ("best", "least", "total"))
    some = writer.fresh("some")
    here = a.element([i, j])
    added = small(writer, here, scalar)
    asked = f"{weights.element([j])} {choices.one(['>', '<=', '!='])} {choices.one(['0', '1'])}"
    inner = f"for (int {j} = 0; {j} < {columns}; {j}++)"
    with writer.block(f"for (int {i} = 0; {i} < {rows}; {i}++)"):
        first = a.element([i, "0"]) if choices.chance(0.5) else choices.one(["0", "1", "-1"])
        writer.line(f"{wide.c} {best} = {first}, {least} = {first}, {total} = 0;")
        writer.line(f"int {some} = 0;")
        with writer.block(inner):
            match kind:
                case "under a condition":
                    with writer.block(f"if ({asked})"):
                        writer.line(f"{total} += {added};")
                        writer.line(f"if ({here} > {best}) {best} = {here};")
                        writer.line(f"{some}++;")
                case "both ends":
                    writer.line(f"{best} = {here} > {best} ? {here} : {best};")
                    writer.line(f"if ({least} > {here}) {least} = {here};")
                case "counted by class":
                    writer.line(f"{some} += {here} > {best};")
                    writer.line(f"if ({asked} && {here} < {least}) {least} = {here};")
                    writer.line(f"else {total} += {added};")
                case _:
                    writer.line(f"if ({here} > {best}) {best} = {here};")
                    writer.line(f"{total} += {added};")
        low = small(writer, least, wide)
        if kind == "scaled":
            with writer.block(inner):
                top = f"{added} - {small(writer, best, wide)}"
                square = f"({small(writer, total, wide)} * {small(writer, total, wide)} + 1)"
                writer.line(f"{out.element([i, j])} = ({top}) / {square};")
        else:
            ends = f"{small(writer, best, wide)} - {low}"
            writer.line(f"{out.element([i, '0'])} = {ends};")
            writer.line(f"{out.element([i, '1'])} = {small(writer, total, wide)} + {some};")


def bordered_window(writer: Writer) -> None:
    """Sums or extremes of what lies around each element, the border repeated or left out."""
    choices = writer.choices
    kind = choices.pick(BORDERS)
    scalar = choices.one([DOUBLE, FLOAT, INT, SHORT, UCHAR])
    a = writer.array(scalar, 2, fixed=True)
    wide = scalar if scalar.floating else INT
    out = writer.array(choices.one([wide, scalar]), 2, written=True, fixed=True, reuse=0.1)
    if out.name == a.name:
        return
    rows, columns = (choices.one(writer.sizes).signed_text for _ in range(2))
    i, j, u, v = (writer.fresh(name) for name in "ijuv")
    y, x, result = writer.fresh("y"), writer.fresh("x"), writer.fresh("result")
    reach = choices.number(1, 2)
    extreme = choices.chance(0.4)

    def around(name: str, low: str, high: str) -> str:
        return f"for (int {name} = {low}; {name} <= {high}; {name}++)"

    def clamp(text: str, size: str) -> str:
        if kind == "chosen":
            return f"{text} < 0 ? 0 : {text} >= {size} ? {size} - 1 : {text}"
        return f"{text} < 0 ? 0 : ({text} < {size} - 1 ? {text} : {size} - 1)"

    def take(there: str) -> None:
        if extreme:
            writer.line(f"if ({there} > {result}) {result} = {there};")
        else:
            writer.line(f"{result} += {small(writer, there, scalar)};")

    with writer.block(f"for (int {i} = 0; {i} < {rows}; {i}++)"):
        with writer.block(f"for (int {j} = 0; {j} < {columns}; {j}++)"):
            first = a.element([i, j]) if extreme else "0"
            writer.line(f"{wide.c} {result} = {first};")
            if kind == "apart":
                ends = [
                    (f"{i} > {reach} ? {i} - {reach} : 0", rows, i),
                    (f"{j} > {reach} ? {j} - {reach} : 0", columns, j),
                ]
                names = [(writer.fresh("from"), writer.fresh("until")) for _ in ends]
                for (low, high), (start, size, at) in zip(names, ends, strict=True):
                    last = f"{at} + {reach} < {size} ? {at} + {reach} : {size} - 1"
                    writer.line(f"const int {low} = {start}, {high} = {last};")
                with writer.block(around(u, *names[0])), writer.block(around(v, *names[1])):
                    take(a.element([u, v]))
            else:
                with writer.block(around(u, f"-{reach}", str(reach))):
                    with writer.block(around(v, f"-{reach}", str(reach))):
                        if kind == "asked for each":
                            inside = f"{i} + {u} >= 0 && {i} + {u} < {rows}"
                            inside += f" && {j} + {v} >= 0 && {j} + {v} < {columns}"
                            writer.line(f"if (!({inside})) continue;")
                            take(a.element([f"{i} + {u}", f"{j} + {v}"]))
                        else:
                            writer.line(f"const int {y} = {clamp(f'{i} + {u}', rows)};")
                            writer.line(f"const int {x} = {clamp(f'{j} + {v}', columns)};")
                            take(a.element([y, x]))
            writer.line(f"{out.element([i, j])} = {result};")


def left_looking(writer: Writer) -> None:
    """Triangular systems and factors in which each element gathers its updates in a scalar."""
    choices = writer.choices
    kind = choices.pick(TRIANGLES)
    scalar = choices.one([DOUBLE, DOUBLE, FLOAT])
    n = choices.one(writer.sizes).signed_text
    i, j, k, s = (writer.fresh(name) for name in ("i", "j", "k", "s"))
    x = writer.array(scalar, 1, written=True, fixed=True, reuse=0.2)
    if kind == "packed":
        # The factor is the number of rows that a triangle has at most.
        packed = writer.array(scalar, 1, fixed=True, factor=writer.most // 2 + 1, reuse=0.3)

        def at(row: str, column: str) -> str:
            return packed.element([f"{row} * ({row} + 1) / 2 + {column}"])
    else:
        a = writer.array(scalar, 2, written=kind == "factor", fixed=True, reuse=0.3)

        def at(row: str, column: str) -> str:
            return a.element([column, row] if kind == "columns" else [row, column])

    down = kind == "upward"
    outer = f"for (int {i} = {n} - 1; {i} >= 0; {i}--)" if down else _counted(i, "0", n)
    with writer.block(outer):
        if kind == "factor":
            with writer.block(_counted(j, "0", f"{i} + 1")):
                writer.line(f"{scalar.c} {s} = {at(i, j)};")
                with writer.block(_counted(k, "0", j)):
                    writer.line(f"{s} -= 0.0625 * {at(i, k)} * {at(j, k)};")
                writer.line(f"if ({i} == {j}) {at(i, i)} = {s} / (4 + {s} * {s});")
                writer.line(f"else {at(i, j)} = 0.25 * {s} / (1 + {at(j, j)} * {at(j, j)});")
            return
        writer.line(f"{scalar.c} {s} = {x.element([i])};")
        with writer.block(_counted(j, f"{i} + 1", n) if down else _counted(j, "0", i)):
            writer.line(f"{s} -= 0.0625 * {at(i, j)} * {x.element([j])};")
        writer.line(f"{x.element([i])} = {s} / (2 + {at(i, i)} * {at(i, i)});")


def interval_table(writer: Writer) -> None:
    """The best of all ways to cut each interval in two."""
    choices = writer.choices
    kind = choices.pick(INTERVALS)
    scalar = choices.one([INT, LONG, DOUBLE, FLOAT])
    t: Array = writer.array(scalar, 2, written=True, fixed=True, reuse=0.1)
    cuts = writer.array(INT, 2, written=True, fixed=True, reuse=0.1)
    weights = writer.array(choices.one([scalar, INT]), 1, fixed=True)
    if cuts.name in (t.name, weights.name) or t.name == weights.name:
        return
    n = choices.one(writer.sizes).signed_text
    i, j, k, w = (writer.fresh(name) for name in ("i", "j", "k", "width"))
    with_cuts = choices.chance(0.5)
    best, cut, cost = writer.fresh("best"), writer.fresh("cut"), writer.fresh("cost")
    compare = choices.one(["<", "<", "<=", ">"])

    def body() -> None:
        target = t.element([i, j])
        in_scalar = kind == "best in a scalar"
        now = best if in_scalar else target
        start = "-1000000" if compare == ">" else "1000000"
        if in_scalar:
            writer.line(f"{scalar.c} {best} = {start};")
        else:
            writer.line(f"{target} = {start};")
        if with_cuts:
            writer.line(f"int {cut} = {i};")
        with writer.block(_counted(k, i, j)):
            parts = f"{t.element([i, k])} + {t.element([f'{k} + 1', j])}"
            weight = small(writer, weights.element([k]), weights.scalar)
            writer.line(f"{scalar.c} {cost} = {parts} + {weight};")
            more = f" {cut} = {k};" if with_cuts else ""
            writer.line(f"if ({cost} {compare} {now}) {{ {now} = {cost};{more} }}")
        if in_scalar:
            writer.line(f"{target} = {best};")
        if with_cuts:
            writer.line(f"{cuts.element([i, j])} = {cut};")

    with writer.block(_counted(i, "0", n)):
        writer.line(f"{t.element([i, i])} = {small(writer, weights.element([i]), weights.scalar)};")
    if kind == "rows upward" or (kind == "best in a scalar" and choices.chance(0.5)):
        with writer.block(f"for (int {i} = {n} - 1; {i} >= 0; {i}--)"):
            with writer.block(_counted(j, f"{i} + 1", n)):
                body()
    else:
        with writer.block(_counted(w, "1", n)):
            with writer.block(_counted(i, "0", f"{n} - {w}")):
                writer.line(f"const int {j} = {i} + {w};")
                body()


def _counted(name: str, start: str, end: str) -> str:
    return f"for (int {name} = {start}; {name} < {end}; {name}++)"
