"""Parts of programs in which data decide: what is loaded at all, what is added, how far a cursor
steps, how long an iteration takes; and pointers that lead into the middle of arrays.

Under a condition stand loads that are the same for all iterations, of a place that may not be there
where the condition never holds.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.expressions import value
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.loops import loop
from polyopt.tools.fuzz.programs.memory import Array
from polyopt.tools.fuzz.programs.scalars import DOUBLE, FLOAT, INT, LONG, UINT, draw_element
from polyopt.tools.fuzz.programs.values import element_value, stored, tamed
from polyopt.tools.fuzz.programs.writer import Writer

ASKED = table(
    "load under a condition", same_for_all=12, of_the_outer_loop=8, perhaps_nowhere=8, by_data=6
)
SUMS = table("sum under a condition", one=10, two=6, subtracted=5, skipped=5, of_a_row=8)
CURSORS = table("cursor stepped by data", lengths=10, kinds=10, runs=8)
IRREGULAR = table("sum of an irregular loop", counted_down=10, row=10, until_found=8, nested=5)
MIDDLES = table("pointer with negative subscripts", mirror=10, both=10, gathered=6, passed=6)


def load_under_condition(writer: Writer) -> None:
    """`if (b[i] > 0) a[i] = b[i] * c[p];`"""
    choices = writer.choices
    kind = choices.pick(ASKED)
    scalar = draw_element(choices, choices.one(["float", "any"]))
    a = writer.array(scalar, 1, written=True, fixed=True)
    b, c = writer.array(None, 1, fixed=True), writer.array(scalar, 1, fixed=True, reuse=0.3)
    n, size = choices.one(writer.sizes).signed_text, choices.one(writer.sizes)
    i, p, o = writer.fresh("i"), writer.fresh("p"), writer.fresh("o")
    here = b.element([i])
    asked = f"{here} {choices.one(['>', '<', '!=', '>='])} {choices.one(['0', '1'])}"
    match kind:
        case "of the outer loop":
            steps = f"{size.signed_text} % 7"
            with writer.block(f"for (int {o} = 0; {o} < {steps}; {o}++)"):
                _asked(writer, (i, n), asked, a, c.element([o]), here)
            return
        case "perhaps nowhere":
            # Where nothing is asked for, there is nothing at the place.
            there = writer.fresh("there")
            writer.line(f"const int {there} = {size.signed_text} > {choices.number(1, 9)};")
            writer.line(f"const long {p} = {there} ? {choices.number(0, 3)} : 1L << 40;")
            bits = (
                here if b.scalar.floating else tamed(choices, element_value(here, b.scalar), 6).text
            )
            asked = f"{bits} * {there} > 0"
        case "by data":
            keys = writer.subscript_array(min(c.extents[0].most, 100))
            writer.line(f"const long {p} = {keys.element(['0'])};")
        case _:
            writer.line(f"const int {p} = {size.signed_text} / 2;")
    _asked(writer, (i, n), asked, a, c.element([p]), here)


def _asked(
    writer: Writer, counted: tuple[str, str], asked: str, a: Array, there: str, here: str
) -> None:
    choices, scalar = writer.choices, a.scalar
    i, n = counted
    own, far = a.element([i]), small(writer, there, scalar)
    text = choices.one(
        [
            f"{small(writer, own, scalar)} + {far}",
            far,
            f"{small(writer, own, scalar)} > {far} ? 1 : {far}",
        ]
    )
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        if choices.chance(0.25):
            writer.line(f"if (!({asked})) continue;")
            writer.line(f"{own} = {text};")
        elif choices.chance(0.3):
            with writer.block(f"if ({asked})"):
                writer.line(f"{own} = {text};")
            with writer.block("else"):
                writer.line(f"{own} = 1;")
        else:
            writer.line(f"if ({asked}) {own} = {text};")


def sum_under_condition(writer: Writer) -> None:
    """`if (x[i] > 0) s += x[i];`, in the order of the source where arithmetic is strict."""
    choices = writer.choices
    kind = choices.pick(SUMS)
    scalar = choices.one([DOUBLE, DOUBLE, FLOAT])
    x = writer.array(scalar, 1, fixed=True)
    y = writer.array(choices.one([scalar, INT]), 1, fixed=True)
    n, rows = (choices.one(writer.sizes).signed_text for _ in range(2))
    i, s, o = writer.fresh("i"), writer.fresh("s"), writer.fresh("o")
    first = choices.one(["0", "-0.0", "0.0", "0.5"])
    asked = f"{y.element([i])} {choices.one(['>', '<=', '!=', '=='])} {choices.one(['0', '1'])}"
    added = choices.one([x.element([i]), f"{x.element([i])} * 0.5", "-0.0", f"-{x.element([i])}"])
    head = f"for (int {i} = 0; {i} < {n}; {i}++)"
    writer.line(f"{scalar.c} {s} = {first};")
    match kind:
        case "two":
            other = writer.fresh("s")
            writer.line(f"{scalar.c} {other} = -0.0;")
            with writer.block(head):
                writer.line(f"if ({asked}) {s} += {added};")
                writer.line(f"else {other} {choices.one('+-')}= {x.element([i])};")
            writer.line(f"{writer.result(scalar)} = {other};")
        case "subtracted":
            with writer.block(head):
                writer.line(f"if ({asked}) {s} = {s} - {added};")
        case "skipped":
            with writer.block(head):
                writer.line(f"if ({asked}) continue;")
                writer.line(f"{s} += {added};")
        case "of a row":
            out = writer.array(scalar, 1, written=True, fixed=True, reuse=0.2)
            with writer.block(f"for (int {o} = 0; {o} < {rows}; {o}++)"):
                writer.line(f"{scalar.c} row = {first};")
                with writer.block(head):
                    writer.line(f"if ({asked}) row += {added} * {o};")
                writer.line(f"{out.element([o])} = row;")
        case _:
            with writer.block(head):
                writer.line(f"{s} += {asked} ? {added} : {choices.one(['0', '-0.0'])};")
    writer.line(f"{writer.result(scalar)} = {s};")


def cursor(writer: Writer) -> None:
    """A parser: what is at the cursor says how far it goes."""
    choices = writer.choices
    kind = choices.pick(CURSORS)
    code = writer.array(draw_element(choices, "integer"), 1, fixed=True)
    out = writer.array(
        choices.one([INT, LONG, code.scalar]), 1, written=True, fixed=True, reuse=0.2
    )
    n = choices.one(writer.sizes).signed_text
    at, made, k = writer.fresh("at"), writer.fresh("made"), writer.fresh("k")
    writer.line(f"int {at} = 0, {made} = 0;")
    here = code.element([at])
    match kind:
        case "lengths":
            total = writer.fresh("total")
            with writer.block(f"while ({at} < {n})"):
                writer.line(f"int {k}_end = {at} + 1 + ({here} & 3), {total} = 0;")
                with writer.block(f"for ({at}++; {at} < {k}_end && {at} < {n}; {at}++)"):
                    writer.line(f"{total} += {small(writer, here, code.scalar)};")
                writer.line(f"{out.element([f'{made}++'])} = {total};")
        case "kinds":
            with writer.block(f"while ({at} < {n})"):
                with writer.block(f"switch ({here} & 3)"):
                    writer.line(f"case 0: {at}++; break;")
                    writer.line(f"case 1: {out.element([f'{made}++'])} = {at}; {at} += 2; break;")
                    writer.line(f"case 2: {at} += 3; {made} += {made} < {n} - 1; break;")
                    writer.line(f"default: {at}++; {out.element([made])} = 7;")
        case _:
            with writer.block(f"while ({at} < {n})"):
                writer.line(f"int {k} = {at} + 1;")
                writer.line(f"while ({k} < {n} && {code.element([k])} == {here}) {k}++;")
                writer.line(f"{out.element([f'{made}++'])} = {k} - {at};")
                writer.line(f"{at} = {k};")
    writer.line(f"{writer.result(INT)} = {made};")


def irregular_sum(writer: Writer) -> None:
    """Iterations take as long as data say, and all add to integers."""
    choices = writer.choices
    kind = choices.pick(IRREGULAR)
    scalar = choices.one([INT, LONG, UINT])
    x = writer.array(INT, 1, fixed=True)
    y = writer.array(INT, 1, written=True, fixed=True, reuse=0.2)
    n = choices.one(writer.sizes).signed_text
    i, k, total = writer.fresh("i"), writer.fresh("k"), writer.fresh("total")
    steps = writer.fresh("steps")
    writer.line(f"{scalar.c} {total} = {choices.number(0, 2)}, {steps} = 0;")
    operator = choices.one(["+", "+", "^", "-"])
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        match kind:
            case "counted down":
                writer.line(f"int {k} = {x.element([i])} & 31;")
                with writer.block(f"while ({k} > 0)"):
                    writer.line(f"{total} {operator}= {k};")
                    writer.line(f"{k} -= 1 + ({k} & {i} & 3);")
            case "row":
                keys = writer.subscript_array(writer.most)
                first = keys.element([i])
                with writer.block(
                    f"for (int {k} = {first}; {k} < {first} + ({x.element([i])} & 7); {k}++)"
                ):
                    there = x.element([f"{k} % {writer.most}"])
                    writer.line(f"{total} {operator}= {there} & 15;")
            case "until found":
                writer.line(f"int {k} = {i};")
                with writer.block(f"while ({k} < {n} && ({x.element([k])} & 3) != {i} % 4)"):
                    writer.line(f"{k}++;")
                writer.line(f"{total} {operator}= {k};")
                writer.line(f"{y.element([i])} = {k};")
            case _:
                writer.line(f"int {k} = {x.element([i])} & 7;")
                with writer.block(f"for (int z = 0; z < {k}; z++)"):
                    with writer.block(f"for (int w = z; w < {k} + (z & 1); w++)"):
                        writer.line(f"{total} {operator}= w ^ {i};")
        if choices.chance(0.5):
            writer.line(f"{steps}++;")
        if choices.chance(0.4):
            writer.line(f"{y.element([i])} = {i} * 3;")
    writer.line(f"{writer.result(scalar)} = {total};")
    writer.line(f"{writer.result(scalar)} = {steps};")


def middle(writer: Writer) -> None:
    """A pointer into the middle of an array, with subscripts to both sides."""
    choices = writer.choices
    kind = choices.pick(MIDDLES)
    scalar = draw_element(choices)
    a = writer.array(scalar, 1, written=True, fixed=True, reuse=0.4)
    b = writer.array(scalar, 1, fixed=True)
    if a.field:
        with loop(writer) as counter:
            drawn = value(writer, scalar, 1)
            place = str(writer.most // 2)
            writer.line(f"{a.element([place])} = {stored(choices, drawn, scalar)};")
            writer.line(f"{a.element([f'{counter.text} / 2'])} = 1;")
        return
    half, p, i = writer.fresh("half"), writer.fresh("middle"), writer.fresh("i")
    known = choices.chance(0.4)
    size = choices.one(writer.sizes).signed_text
    where = str(writer.most // 2) if known else f"{size} / 2"
    writer.line(f"const int {half} = {where};")
    writer.line(f"{scalar.c} *{p} = {choices.one([f'{a.name} + {half}', f'&{a.name}[{half}]'])};")
    more = small(writer, b.element([i]), scalar)
    head = f"for (int {i} = 0; {i} <= {half}; {i}++)"
    left, right = f"{p}[-{i}]", f"{p}[{i}]"
    match kind:
        case "mirror":
            to, of = choices.one([(left, right), (right, left)])
            with writer.block(head):
                writer.line(f"{to} = {small(writer, of, scalar)} + {more};")
        case "gathered":
            keys = writer.subscript_array(max(1, writer.most // 2))
            with writer.block(head):
                writer.line(f"{p}[(int){keys.element([i])} % ({half} + 1) - {half}] = {more};")
                writer.line(f"{right} = {small(writer, left, scalar)};")
        case "passed":
            name = writer.fresh("g")
            mark = choices.one(["static __attribute__((noinline)) ", "static ", ""])
            own = small(writer, "to[i]", scalar)
            of = small(writer, "of[i - 1]", scalar)
            body = f"for (int i = 1; i <= n; i++) to[-i] = {own} + {of};"
            writer.functions.append(
                f"{mark}void {name}(int n, {scalar.c} *to, {scalar.c} *of)\n{{\n    {body}\n}}"
            )
            writer.line(f"{name}({half}, {p}, {p});")
        case _:
            with writer.block(f"for (int {i} = -{half}; {i} < {half}; {i}++)"):
                text = small(writer, f"{p}[{i} + 1]", scalar)
                writer.line(f"{p}[{i}] = {text} + {small(writer, f'{p}[-{i} - 1]', scalar)};")
