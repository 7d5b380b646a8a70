"""Parts of programs that move through memory by hand: pointers, overlapping arrays, odd counters.

Also loops that data end, and functions that are called with arrays.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.expressions import LIBM, add_to, condition, store, value
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.loops import loop, nest
from polyopt.tools.fuzz.programs.memory import Argument, Array, Buffer, Extent, Iterator
from polyopt.tools.fuzz.programs.scalars import DOUBLE, INT, SCALARS, Scalar, draw_element
from polyopt.tools.fuzz.programs.values import as_integer, element_value, stored
from polyopt.tools.fuzz.programs.writer import FILLS, MARGIN, RUNS, Writer

WALKS = table(
    "pointer",
    walk=20,
    walk_to_an_end=15,
    walk_backward=8,
    walk_by_a_stride=8,
    row_pointer=12,
    pointer_into_the_middle=8,
    walk_in_a_nest=8,
    read_between_nests=10,
)
ALIASES = table(
    "aliasing", shifted_copy=20, halves=20, in_place_sum=10, disjoint_in_one_array=10, matrix_rows=8
)
WHILES = table(
    "loop that data end",
    collatz=8,
    bisection=8,
    merge=12,
    convergence=10,
    skip=10,
    endless_with_break=10,
    digits=6,
    jump_out=8,
)
COUNTERS = table(
    "odd counter", wrapping_byte=12, unsigned_down=15, two_counters=12, stepped_by_data=6
)
CALLS = table("call with arrays", dot=12, axpy=14, row=10, libm_over_array=16, search=8)


# Pointers


def pointer_walk(writer: Writer) -> None:
    choices = writer.choices
    scalar = draw_element(choices)
    source = writer.array(scalar, 1, fixed=True)
    target = writer.array(scalar, 1, written=True, fixed=True, reuse=0.3)
    kind = choices.pick(WALKS)
    if kind == "read between nests":
        _read_between(writer, scalar)
        return
    if kind in ("row pointer", "walk in a nest") or source.field or target.field:
        _row_pointer(writer, walked=kind == "walk in a nest")
        return
    p, q = writer.fresh("p"), writer.fresh("q")
    n = choices.one(writer.sizes).signed_text
    const = "const " if source.is_constant or choices.chance(0.3) else ""
    s, t = source.name, target.name
    expression = f"0.5 * *{p} + 1" if scalar.floating else f"(*{p} & 1023) + 1"
    match kind:
        case "walk":
            writer.line(f"{const}{scalar.c} *{p} = {s};")
            writer.line(f"{scalar.c} *{q} = {t};")
            with loop(writer, simple=True, form=choices.one(["for up", "while", "for down"])):
                if choices.chance(0.5):
                    writer.line(f"*{q}++ = {expression.replace('*' + p, '*' + p + '++')};")
                else:
                    writer.line(f"*{q} = {expression};")
                    writer.line(f"{p}++;")
                    writer.line(f"{q} += 1;")
        case "walk to an end":
            writer.line(f"{scalar.c} *{q} = {t};")
            writer.line(f"{const}{scalar.c} *{p} = {s}, *{p}_end = {s} + {n};")
            with writer.block(
                f"while ({p} < {p}_end)" if choices.chance(0.5) else f"for (; {p} != {p}_end;)"
            ):
                writer.line(f"*{q}++ = {expression};")
                writer.line(f"{p}++;")
        case "walk backward":
            writer.line(f"{const}{scalar.c} *{p} = {s} + {n};")
            writer.line(f"{scalar.c} *{q} = {t} + {n};")
            with writer.block(f"while ({p} > {s} && {q} > {t})"):
                writer.line(f"{p}--;")
                writer.line(f"*--{q} = {expression};")
        case "walk by a stride":
            stride = choices.number(2, 4)
            writer.line(f"{const}{scalar.c} *{p} = {s};")
            with writer.block(f"for (int {q} = 0; {q} + {stride} < {n}; {q} += {stride})"):
                writer.line(f"{t}[{q}] = {expression};")
                writer.line(f"{p} += {stride};")
        case _:
            offset = choices.number(1, 2)
            writer.line(f"{scalar.c} *{q} = {t} + {offset};")
            with loop(writer, border=2, form="for up") as i:
                # Below the pointer's own place subscripts are negative, which no unsigned one is.
                at, right = i.signed_text, f"{s}[{i.text}]"
                writer.line(
                    f"{q}[{at} - {offset}] = {small(writer, right, scalar)} + "
                    f"{small(writer, f'{q}[{at} - {offset + 1}]', scalar)};"
                    if choices.chance(0.5)
                    else f"{q}[{at} - {offset}] = {small(writer, right, scalar)};"
                )


def _read_between(writer: Writer, scalar: Scalar) -> None:
    """`x = *p;` between two nests that both write the array that p leads into; x is what the second
    adds, or says how far it goes. The compiler sees where p comes from, or has to ask."""
    choices = writer.choices
    x = writer.fresh("x")
    if choices.chance(0.5):
        array, p = _passed_twice(writer, scalar)
    else:
        array, p = writer.array(scalar, 1, written=True, fixed=True, reuse=0.3), writer.fresh("p")
        place = str(choices.number(0, writer.most - 1))
        if choices.chance(0.4):
            place = f"({choices.one(writer.sizes).signed_text} + {place}) / 2"
        writer.line(f"{scalar.c} *{p} = &{array.element([place])};")
    with loop(writer, simple=True) as i:
        here = array.element([i.text])
        writer.line(f"{here} = {small(writer, here, scalar)} + 1;")
    writer.line(f"{scalar.c} {x} = *{p};")
    if choices.chance(0.3):
        _bounded_by(writer, array, x)
    else:
        with loop(writer, simple=True) as i:
            here = array.element([i.text])
            taken = f"0.5 * {x}" if scalar.floating else small(writer, x, scalar)
            writer.line(f"{here} = {small(writer, here, scalar)} + {taken};")
    if choices.chance(0.5):
        writer.line(f"*{p} = {x};")


def _passed_twice(writer: Writer, scalar: Scalar) -> tuple[Array, str]:
    """A parameter, and another one that leads into the same array."""
    array = writer.array(scalar, 1, written=True, storage="parameter", fixed=True, reuse=0.0)
    p = writer.fresh("p")
    offsets = tuple(writer.choices.number(0, writer.most - 1) for _ in range(RUNS))
    writer.parameters.append((f"{scalar.c} *{p}", Argument(array.name, offsets)))
    return array, p


def _bounded_by(writer: Writer, array: Array, x: str) -> None:
    """A loop over the array up to what x says."""
    i, end = writer.fresh("i"), writer.fresh("end")
    here = array.element([i])
    value = element_value(x, array.scalar)
    whole = as_integer(value) if array.scalar.floating else value
    writer.line(f"int {end} = ({whole.text}) & 15;")
    with writer.block(f"for (int {i} = 0; {i} < {end}; {i}++)"):
        writer.line(f"{here} = {small(writer, here, array.scalar)} + 2;")


def _row_pointer(writer: Writer, *, walked: bool) -> None:
    """A pointer to each row of a matrix in turn."""
    choices = writer.choices
    scalar = draw_element(choices)
    matrix = writer.array(scalar, 2, written=True, storage="parameter", fixed=True, reuse=0.0)
    assert not matrix.field
    n, m = choices.one(writer.sizes).signed_text, choices.one(writer.sizes).signed_text
    i, j, p = writer.fresh("i"), writer.fresh("j"), writer.fresh("row")
    more = "1" if not scalar.floating else "0.5"
    if walked:
        writer.line(f"{scalar.c} *{p} = &{matrix.element(['0', '0'])};")
        step = matrix.extents[1].text
        with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++, {p} += {step})"):
            with writer.block(f"for (int {j} = 0; {j} < {m}; {j}++)"):
                writer.line(f"{p}[{j}] = {small(writer, f'{p}[{j}]', scalar)} + {more};")
        return
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        writer.line(f"{scalar.c} *{p} = {matrix.name}[{i}];")
        with writer.block(f"for (int {j} = 1; {j} < {m}; {j}++)"):
            right = small(writer, f"{p}[{j} - 1]", scalar)
            writer.line(f"{p}[{j}] = {right} + {more};")


# Overlapping arrays


def aliasing(writer: Writer) -> None:
    """Two pointers into one array, which overlap in some of the runs."""
    choices = writer.choices
    kind = choices.pick(ALIASES)
    scalar = draw_element(choices)
    length = writer.most + MARGIN
    rows = kind == "matrix rows"
    count = length * length if rows else length
    name = writer.fresh("shared")
    writer.buffers.append(Buffer(name, (("", scalar, 1),), 2 * count + 8, choices.one(FILLS)))
    pointers = [writer.fresh("u"), writer.fresh("v")]
    half = count
    offsets = {
        "disjoint in one array": [(0, half)] * RUNS,
        "halves": [(0, half // 2), (half // 2, 0), (0, half)],
    }.get(kind, [(0, choices.number(0, 3)), (choices.number(1, 8), 0), (0, half)])
    for place, pointer in enumerate(pointers):
        chosen = tuple(pair[place] for pair in offsets)
        shape = f" {pointer}[][{length}]" if rows else f" *{pointer}"
        writer.parameters.append((f"{scalar.c}{shape}", Argument(name, chosen)))
    extent = Extent(str(length), length)
    extents = (extent, extent) if rows else (extent,)
    u, v = (Array(pointer, scalar, extents) for pointer in pointers)
    with nest(writer, len(extents)):
        if kind == "in place sum":
            here, there = writer.element(u), writer.element(v)
            writer.line(f"{here} = {small(writer, here, scalar)} + {small(writer, there, scalar)};")
        else:
            there = writer.element(v)
            text = there if choices.chance(0.5) else small(writer, there, scalar)
            writer.line(f"{writer.element(u)} = {text};")
        if choices.chance(0.3):
            store(writer, writer.element(v), scalar, 1)


# Loops that data end


def data_ended(writer: Writer) -> None:
    choices = writer.choices
    kind = choices.pick(WHILES)
    target = writer.array(None, 1, written=True)
    match kind:
        case "collatz":
            with loop(writer) as i:
                x, c = writer.fresh("x"), writer.fresh("steps")
                writer.line(f"unsigned {x} = (unsigned){i.text} + 1;")
                writer.line(f"int {c} = 0;")
                with writer.block(f"while ({x} != 1 && {c} < 30)"):
                    writer.line(f"{x} = {x} % 2 ? 3 * {x} + 1 : {x} / 2;")
                    writer.line(f"{c}++;")
                writer.line(f"{writer.element(target)} = {c};")
        case "bisection":
            array = writer.array(None, 1, fixed=True)
            low, high, mid = (writer.fresh(name) for name in ("low", "high", "mid"))
            writer.line(f"int {low} = 0, {high} = {choices.one(writer.sizes).signed_text};")
            with writer.block(f"while ({low} < {high})"):
                writer.line(f"int {mid} = ({low} + {high}) / 2;")
                writer.line(f"if ({array.element([mid])} < 1) {low} = {mid} + 1;")
                writer.line(f"else {high} = {mid};")
            writer.line(f"{writer.result(INT)} = {low};")
        case "merge":
            _merge(writer)
        case "convergence":
            x, n = writer.fresh("x"), writer.fresh("round")
            array = writer.array(choices.one([DOUBLE, DOUBLE]), 1)
            writer.line(f"double {x} = 64;")
            writer.line(f"int {n} = 0;")
            with writer.block("do", f"}} while ({x} > 0.25 && {n} < 20);"):
                writer.line(f"{x} = 0.5 * {x};")
                with loop(writer):
                    here = writer.element(array) if not array.is_constant else writer.result()
                    writer.line(f"{here} = 0.5 * {here} + {x};")
                writer.line(f"{n}++;")
            writer.line(f"{writer.result()} = {x};")
        case "skip":
            array = writer.array(None, 1, fixed=True)
            at, size = writer.fresh("at"), choices.one(writer.sizes)
            writer.line(f"int {at} = 0;")
            with writer.block(f"while ({at} < {size.signed_text})"):
                here = array.element([at])
                writer.line(f"if ({here} > 1) {at} += 2;")
                writer.line(f"else {at}++;")
                writer.loops.append(Iterator(at, 0, size.most + 1, None, INT, size.most))
                add_to(writer, writer.element(target), target.scalar)
                writer.loops.pop()
        case "endless with break":
            at, size = writer.fresh("at"), choices.one(writer.sizes)
            writer.line(f"int {at} = 0;")
            with writer.block(choices.one(["for (;;)", "while (1)"])):
                writer.line(f"if ({at} >= {size.signed_text}) break;")
                upper = (size.name, -1)
                writer.loops.append(Iterator(at, 0, size.most - 1, upper, INT, size.most))
                store(writer, writer.element(target), target.scalar)
                writer.loops.pop()
                writer.line(f"{at}++;")
        case "digits":
            with loop(writer) as i:
                x, s = writer.fresh("x"), writer.fresh("digits")
                writer.line(f"unsigned long {x} = (unsigned long){i.text} * 2654435761u;")
                writer.line(f"int {s} = 0;")
                with writer.block("do", f"}} while ({x} != 0);"):
                    writer.line(f"{s} += (int)({x} % 10);")
                    writer.line(f"{x} /= 10;")
                writer.line(f"{writer.element(target)} = {s};")
        case _:
            out = writer.fresh("out_of_here")
            with loop(writer, form="for up"), loop(writer, form="for up"):
                store(writer, writer.element(target), target.scalar, 1)
                writer.line(f"if ({condition(writer, 0)}) goto {out};")
            writer.line(f"{out}:;")


def _merge(writer: Writer) -> None:
    """Two arrays into one, by a counter in each."""
    choices = writer.choices
    scalar = draw_element(choices)
    a, b = (writer.array(scalar, 1, fixed=True) for _ in range(2))
    target = writer.array(scalar, 1, written=True, fixed=True, factor=2, reuse=0.1)
    i, j, k = (writer.fresh(name) for name in "ijk")
    n, m = (choices.one(writer.sizes).signed_text for _ in range(2))
    writer.line(f"int {i} = 0, {j} = 0, {k} = 0;")
    with writer.block(f"while ({i} < {n} && {j} < {m})"):
        left, right = a.element([i]), b.element([j])
        writer.line(f"if ({left} <= {right}) {target.element([k])} = {left}, {i}++;")
        writer.line(f"else {target.element([k])} = {right}, {j}++;")
        writer.line(f"{k}++;")
    writer.line(f"while ({i} < {n}) {target.element([f'{k}++'])} = {a.element([f'{i}++'])};")


# Counters


def odd_counter(writer: Writer) -> None:
    choices = writer.choices
    target = writer.array(None, 1, written=True, fixed=True)
    i = writer.fresh("i")
    size = choices.one(writer.sizes)
    match choices.pick(COUNTERS):
        case "wrapping byte":
            first, last = choices.number(240, 255), choices.number(0, 12)
            with writer.block(f"for (unsigned char {i} = {first}; {i} != {last}; {i}++)"):
                writer.loops.append(Iterator(f"({i} & 7)", 0, 7, None, INT, 30))
                add_to(writer, writer.element(target), target.scalar)
                writer.loops.pop()
        case "unsigned down":
            unsigned = choices.one(["unsigned", "unsigned long", "unsigned short"])
            with writer.block(f"for ({unsigned} {i} = {size.name}; {i}-- > 0;)"):
                upper, scalar = (size.name, -1), SCALARS[unsigned]
                writer.loops.append(Iterator(i, 0, size.most - 1, upper, scalar, size.most))
                store(writer, writer.element(target), target.scalar)
                writer.loops.pop()
        case "two counters":
            j = writer.fresh("j")
            head = f"for (int {i} = 0, {j} = {size.signed_text} - 1; {i} < {j}; {i}++, {j}--)"
            with writer.block(head):
                swap = writer.fresh("swap")
                left, right = target.element([i]), target.element([j])
                writer.line(f"{target.scalar.c} {swap} = {left};")
                writer.line(f"{left} = {right};")
                writer.line(f"{right} = {swap};")
        case _:
            step = writer.fresh("step")
            writer.line(f"int {step} = {size.signed_text} % 3 + 1;")
            with writer.block(f"for (int {i} = 0; {i} < {size.signed_text}; {i} += {step})"):
                upper = (size.name, -1)
                writer.loops.append(Iterator(i, 0, size.most - 1, upper, INT, size.most))
                add_to(writer, writer.element(target), target.scalar)
                writer.loops.pop()


# Calls


def call(writer: Writer) -> None:
    choices = writer.choices
    kind = choices.pick(CALLS)
    scalar = draw_element(choices, "float")
    t = scalar.c
    if kind == "libm over array":
        source = writer.array(scalar, 1)
        target = writer.array(scalar, 1, written=True)
        name = choices.pick(LIBM, among=["sqrt", "fabs", "floor", "ceil", "sin", "cos", "trunc"])
        f = "f" if t == "float" else ""
        with loop(writer):
            inner = writer.element(source)
            argument = f"{inner} * {inner}" if name == "sqrt" else inner
            writer.line(f"{writer.element(target)} = {name}{f}({argument});")
        return
    x = writer.array(scalar, 1, fixed=True)
    y = writer.array(scalar, 1, written=True, fixed=True)
    if x.field or y.field:
        with loop(writer):
            drawn = value(writer, scalar)
            writer.line(f"{writer.element(y)} = {stored(choices, drawn, scalar)};")
        return
    name, n = writer.fresh("g"), choices.one(writer.sizes).signed_text
    const = choices.one(["const ", ""]) if not x.is_constant else "const "
    head, body, use = {
        "dot": (
            f"{t} {name}(int n, {const}{t} *x, {const}{t} *y)",
            f"{t} s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s;",
            f"{writer.result(scalar)} = {name}({n}, {x.name}, {y.name});",
        ),
        "axpy": (
            f"void {name}(int n, {t} a, {const}{t} *x, {t} *y)",
            "for (int i = 0; i < n; i++) y[i] = 0.5 * y[i] + a * x[i];",
            f"{name}({n}, 0.25, {x.name}, {y.name});",
        ),
        "row": (
            f"void {name}(int n, {const}{t} *x, {t} *y)",
            "for (int i = 1; i < n; i++) y[i] = 0.25 * x[i - 1] + 0.5 * x[i];",
            f"for (int r = 0; r < 3; r++) {name}({n} - r, {x.name} + r, {y.name});",
        ),
        "search": (
            f"int {name}(int n, {const}{t} *x, {t} y)",
            "for (int i = 0; i < n; i++) if (x[i] > y) return i; return -1;",
            f"{writer.result(INT)} = {name}({n}, {x.name}, 1);",
        ),
    }[kind]
    mark = choices.one(["static ", "static inline ", ""])
    writer.functions.append(f"{mark}{head}\n{{\n    {body}\n}}")
    writer.line(use)
