"""Parts of programs that work on arrays of records of like numbers: particles, points, pixels."""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.memory import Argument, Buffer
from polyopt.tools.fuzz.programs.scalars import DOUBLE, FLOAT, INT
from polyopt.tools.fuzz.programs.writer import FILLS, MARGIN, RUNS, Writer

USES = table(
    "use of records", moved=12, pairs=8, summed=8, neighbours=8, gathered=6, through_a_pointer=5
)


def records(writer: Writer) -> None:
    """Some of the members of each record from others, in steps."""
    choices = writer.choices
    use = choices.pick(USES)
    scalar = choices.one([DOUBLE, DOUBLE, FLOAT, INT])
    count = choices.number(2, 4)
    name = writer.fresh("R")
    members = [f"f{k}" for k in range(count)]
    writer.globals.append(f"struct s_{name} {{ {scalar.c} {', '.join(members)}; }};")
    fields = tuple((one, scalar, 1) for one in members)
    writer.buffers.append(Buffer(name, fields, writer.most + MARGIN, choices.one(FILLS)))
    mark = choices.one(["", "restrict "])
    writer.parameters.append((f"struct s_{name} *{mark}{name}", Argument(name, (0,) * RUNS)))
    n = choices.one(writer.sizes).signed_text
    t, i, j = (writer.fresh(one) for one in "tij")
    to, of = choices.one(members), choices.one(members)
    half = "0.5 * " if scalar.floating else ""

    def at(place: str, member: str) -> str:
        return small(writer, f"{name}[{place}].{member}", scalar)

    with writer.block(f"for (int {t} = 0; {t} < {choices.number(1, 4)}; {t}++)"):
        with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
            here = f"{name}[{i}].{to}"
            match use:
                case "pairs":
                    few = f"{n} % 9"
                    with writer.block(f"for (int {j} = 0; {j} < {few}; {j}++)"):
                        far = f"{at(i, of)} - {at(j, of)}"
                        weight = "0.125 * " if scalar.floating else ""
                        writer.line(f"{here} = {at(i, to)} + {weight}({far});")
                case "summed":
                    out = writer.result(scalar)
                    terms = " + ".join(at(i, one) for one in members)
                    writer.line(f"{out} = {small(writer, out, scalar)} / 2 + {terms};")
                case "neighbours":
                    near = f"{half}{at(f'{i} + 1', of)} + {half}{at(i, to)}"
                    writer.line(f"{here} = {near};")
                case "gathered":
                    keys = writer.subscript_array(writer.most)
                    writer.line(f"{here} = {half}{at(keys.element([i]), of)} + 1;")
                case "through a pointer":
                    p = writer.fresh("p")
                    writer.line(f"struct s_{name} *{p} = &{name}[{i}];")
                    more = small(writer, f"{p}->{of}", scalar)
                    writer.line(f"{p}->{to} = {small(writer, f'{p}->{to}', scalar)} / 2 + {more};")
                case _:
                    for _ in range(choices.number(1, 2)):
                        own, other = choices.one(members), choices.one(members)
                        text = f"{half}{at(i, own)} + {half}{at(i, other)}"
                        writer.line(f"{name}[{i}].{own} = {text};")
