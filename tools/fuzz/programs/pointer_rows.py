"""Parts of programs that keep matrices as arrays of pointers to rows: `A[i][j]` is a load of a row.

Rows are apart, in another order, the same one twice, or overlap: what the compiler does not see is
whether the row that it stores to is one that it reads, and whether pointers stay what they are.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.memory import Argument, Buffer
from polyopt.tools.fuzz.programs.scalars import Scalar, draw_element
from polyopt.tools.fuzz.programs.writer import FILLS, RUNS, Writer

ROWS = table("rows of pointers", apart=12, reversed=6, shared=6, overlapping=6, looked_up=4)
KEPT = table("array of pointers", local=8, passed=14, passed_as_constant=6, member=4)
USES = table(
    "use of rows of pointers",
    sweep=10,
    product=10,
    column=6,
    copied_row=6,
    swapped_rows=6,
    sums=8,
)
COUNT = 12
"""Rows of a matrix."""
WIDTH = 24
"""Elements from one row to the next; rows are used up to `WIDTH - 4`, and may begin later."""


def rows_of_pointers(writer: Writer) -> None:
    """Pointers into one buffer are put into an array, and a nest works on what they lead to."""
    choices = writer.choices
    scalar = draw_element(choices)
    kept, use = choices.pick(KEPT), choices.pick(USES)
    matrices = [_matrix(writer, scalar) for _ in range(3 if use == "product" else 2)]
    if kept == "member":
        tag, item = writer.fresh("rows_of"), writer.fresh("pair")
        writer.globals.append(f"struct {tag} {{ {scalar.c} **to, **from; long rows; }};")
        writer.line(f"struct {tag} {item} = {{ {matrices[0]}, {matrices[1]}, {COUNT} }};")
        matrices[:2] = [f"{item}.to", f"{item}.from"]
    if kept.startswith("passed"):
        _called(writer, scalar, use, matrices, is_constant=kept == "passed as constant")
    else:
        _used(writer, scalar, use, matrices)


def _matrix(writer: Writer, scalar: Scalar) -> str:
    """The name of an array of pointers to rows."""
    choices = writer.choices
    kind = choices.pick(ROWS)
    flat, rows, r = writer.fresh("flat"), writer.fresh("rows"), writer.fresh("r")
    writer.buffers.append(Buffer(flat, (("", scalar, 1),), (COUNT + 1) * WIDTH, choices.one(FILLS)))
    writer.parameters.append((f"{scalar.c} *{flat}", Argument(flat, (0,) * RUNS)))
    place = {
        "apart": f"{r} * {WIDTH}",
        "reversed": f"({COUNT - 1} - {r}) * {WIDTH}",
        "shared": f"{r} / 2 * {WIDTH}",
        "overlapping": f"{r} * {choices.number(1, 9)}",
        "looked up": f"({r} * 5 + 3) % {COUNT} * {WIDTH} + {r} % 3",
    }[kind]
    writer.line(f"{scalar.c} *{rows}[{COUNT}];")
    writer.line(f"for (int {r} = 0; {r} < {COUNT}; {r}++) {rows}[{r}] = {flat} + {place};")
    return rows


def _called(
    writer: Writer, scalar: Scalar, use: str, matrices: list[str], *, is_constant: bool
) -> None:
    """The nest is a function of its own, which knows of the rows what its parameters say."""
    choices = writer.choices
    name = writer.fresh("g")
    own = [f"R{k}" for k in range(len(matrices))]
    mark = "*const *" if is_constant and use != "swapped rows" else "**"
    given = ", ".join([*matrices, *(one.name for one in writer.sizes)])
    parameters = [f"{scalar.c} {mark}{one}" for one in own]
    parameters += [f"{one.scalar.c} {one.name}" for one in writer.sizes]
    with writer.elsewhere() as body:
        _used(writer, scalar, use, own)
    apart = choices.one(["static ", "static __attribute__((noinline)) ", ""])
    head = f"{apart}void {name}({', '.join(parameters)})"
    writer.functions.append("\n".join([head, "{", *body, "}"]))
    writer.line(f"{name}({given});")


def _used(writer: Writer, scalar: Scalar, use: str, matrices: list[str]) -> None:
    choices = writer.choices
    to, first, *more = matrices
    i, j, k = (writer.fresh(name) for name in "ijk")
    n, m = (f"({choices.one(writer.sizes).signed_text}) % {top}" for top in (COUNT, WIDTH - 4))
    half = "0.5 * " if scalar.floating else ""
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        match use:
            case "sweep":
                with writer.block(f"for (int {j} = 1; {j} < {m}; {j}++)"):
                    left = small(writer, f"{first}[{i}][{j} - 1]", scalar)
                    right = small(writer, f"{first}[{i} + 1][{j} + 1]", scalar)
                    writer.line(f"{to}[{i}][{j}] = {half}{left} + {half}{right};")
            case "product":
                with writer.block(f"for (int {j} = 0; {j} < {m}; {j}++)"):
                    writer.line(f"{scalar.c} sum = 0;")
                    with writer.block(f"for (int {k} = 0; {k} < {n}; {k}++)"):
                        a = small(writer, f"{first}[{i}][{k}]", scalar)
                        b = small(writer, f"{more[0]}[{k}][{j}]", scalar)
                        weight = "0.0625 * " if scalar.floating else ""
                        writer.line(f"sum += {weight}{a} * {b};")
                    writer.line(f"{to}[{i}][{j}] = sum;")
            case "column":
                with writer.block(f"for (int {j} = 0; {j} < {m}; {j}++)"):
                    there = small(writer, f"{first}[{j} % {COUNT}][{i}]", scalar)
                    writer.line(f"{to}[{i}][{j}] = {half}{there} + 1;")
            case "copied row":
                row = writer.fresh("row")
                writer.line(f"const {scalar.c} *{row} = {first}[{i}];")
                with writer.block(f"for (int {j} = 0; {j} < {m}; {j}++)"):
                    writer.line(f"{to}[{i}][{j}] = {row}[{j}];")
            case "swapped rows":
                swap = writer.fresh("swap")
                writer.line(f"{scalar.c} *{swap} = {to}[{i}];")
                writer.line(f"{to}[{i}] = {to}[{n}];")
                writer.line(f"{to}[{n}] = {swap};")
                with writer.block(f"for (int {j} = 0; {j} < {m}; {j}++)"):
                    here = small(writer, f"{to}[{i}][{j}]", scalar)
                    there = small(writer, f"{first}[{i}][{j}]", scalar)
                    writer.line(f"{to}[{i}][{j}] = {half}{here} + {half}{there};")
            case _:
                writer.line(f"{scalar.c} sum = 0;")
                with writer.block(f"for (int {j} = 0; {j} < {m}; {j}++)"):
                    there = small(writer, f"{first}[{i}][{j}]", scalar)
                    writer.line(f"sum += {there};")
                writer.line(f"{to}[{i}][0] = sum;")
