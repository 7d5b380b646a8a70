"""Parts of programs that keep little and write it over and over: two rows of a table by turns,
scratch arrays that each iteration fills first.

Rows are chosen by parity (`t[i % 2]`), by pointers that change places, or there is one row and the
element that it loses is kept. What is left at the end is copied out of whatever row it is in.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.expressions import value
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.loops import loop
from polyopt.tools.fuzz.programs.scalars import DOUBLE, FLOAT, INT, LONG, SHORT, Scalar
from polyopt.tools.fuzz.programs.values import stored
from polyopt.tools.fuzz.programs.writer import MARGIN, Writer

ROWS = table(
    "rows written over and over", by_parity=14, pointers_change_places=14, one_row=6, three_rows=5
)
STEPS = table("step of a table", common=8, distance=8, greatest=6, mean=8)
SCRATCH = table(
    "scratch array", filled_and_summed=8, sorted_in=5, prefix=6, copied_out=6, outside=5
)
PARITIES = (
    ("{i} % 2", "({i} + 1) % 2"),
    ("{i} & 1", "1 - ({i} & 1)"),
    ("{i} & 1", "!({i} & 1)"),
    ("{i} % 2", "1 - {i} % 2"),
    ("{i} & 1", "({i} - 1) & 1"),
)


def rows_by_turns(writer: Writer) -> None:
    """A table of n + 1 rows of which only the last ones are kept."""
    choices = writer.choices
    kind, step = choices.pick(ROWS), choices.pick(STEPS)
    scalar = choices.one([INT, INT, LONG, SHORT, DOUBLE, FLOAT])
    width = writer.most + MARGIN
    a = writer.array(choices.one([scalar, INT]), 1, fixed=True)
    b = writer.array(a.scalar, 1, fixed=True)
    out = writer.array(scalar, 1, written=True, fixed=True, reuse=0.2)
    n, m = (choices.one(writer.sizes).signed_text for _ in range(2))
    i, j, z = (writer.fresh(name) for name in "ijz")
    count = {"by parity": 2, "three rows": 3, "one row": 1}.get(kind, 2)
    t = writer.fresh("t")
    static = choices.one(["", "", "static "])
    names = [t] if kind != "pointers change places" else [f"{t}_a", f"{t}_b"]
    shape = f"[{count}][{width}]" if count > 1 and len(names) == 1 else f"[{width}]"
    writer.line(f"{static}{scalar.c} {', '.join(name + shape for name in names)};")
    with writer.block(f"for (int {z} = 0; {z} < {width}; {z}++)"):
        rows = [f"{t}[{k}]" for k in range(count)] if len(names) == 1 and count > 1 else names
        for number, row in enumerate(rows):
            writer.line(f"{row}[{z}] = {f'{z} % 7 - 3' if not number else '0'};")
    match kind:
        case "one row":
            row, kept, old = t, writer.fresh("kept"), writer.fresh("old")
            with writer.block(f"for (int {i} = 1; {i} < {n}; {i}++)"):
                writer.line(f"{scalar.c} {kept} = {row}[0];")
                with writer.block(f"for (int {j} = 1; {j} < {m}; {j}++)"):
                    writer.line(f"{scalar.c} {old} = {row}[{j}];")
                    near = [kept, old, f"{row}[{j} - 1]"]
                    same = f"{a.element([i])} == {b.element([j])}"
                    writer.line(f"{row}[{j}] = {_step(writer, step, scalar, near, same)};")
                    writer.line(f"{kept} = {old};")
            last = row
        case "pointers change places":
            p, q, swap = (writer.fresh(name) for name in ("before", "now", "swap"))
            writer.line(f"{scalar.c} *{p} = {names[0]}, *{q} = {names[1]};")
            with writer.block(f"for (int {i} = 1; {i} < {n}; {i}++)"):
                _row(writer, step, scalar, (q, p), (i, j, m), (a.element([i]), b.element([j])))
                if choices.chance(0.3):
                    writer.line(f"{writer.result(scalar)} = {q}[{m} / 2];")
                writer.line(f"{scalar.c} *{swap} = {p};")
                writer.line(f"{p} = {q};")
                writer.line(f"{q} = {swap};")
            last = p
        case _:
            now, before = choices.one(PARITIES)
            if kind == "three rows":
                now, before = "{i} % 3", choices.one(["({i} + 2) % 3", "({i} - 1) % 3"])
            pair = (f"{t}[{now.format(i=i)}]", f"{t}[{before.format(i=i)}]")
            with writer.block(f"for (int {i} = 1; {i} < {n}; {i}++)"):
                _row(writer, step, scalar, pair, (i, j, m), (a.element([i]), b.element([j])))
                if choices.chance(0.3):
                    writer.line(f"{writer.result(scalar)} = {pair[0]}[{m} / 2];")
            last = f"{t}[({n} + {count - 1}) % {count}]"
    with writer.block(f"for (int {j} = 0; {j} < {m}; {j}++)"):
        writer.line(f"{out.element([j])} = {last}[{j}];")


def _row(
    writer: Writer,
    step: str,
    scalar: Scalar,
    rows: tuple[str, str],
    loops: tuple[str, str, str],
    compared: tuple[str, str],
) -> None:
    """A row from the one before."""
    (now, before), (i, j, m) = rows, loops
    if writer.choices.chance(0.6):
        writer.line(f"{now}[0] = {f'{i} % 100' if step == 'distance' else '0'};")
    with writer.block(f"for (int {j} = 1; {j} < {m}; {j}++)"):
        near = [f"{before}[{j} - 1]", f"{before}[{j}]", f"{now}[{j} - 1]"]
        same = f"{compared[0]} == {compared[1]}"
        writer.line(f"{now}[{j}] = {_step(writer, step, scalar, near, same)};")


def _step(writer: Writer, step: str, scalar: Scalar, near: list[str], same: str) -> str:
    """An element from those around it (the corner, above, before)."""
    corner, above, before = near
    match step:
        case "common":
            return f"{same} ? {corner} + 1 : {above} > {before} ? {above} : {before}"
        case "distance":
            least = f"({above} < {before} ? {above} : {before})"
            changed = f"{corner} + !({same})"
            return f"{least} + 1 < {changed} ? {least} + 1 : {changed}"
        case "greatest":
            best = f"{corner} + ({same} ? 2 : -1)"
            return f"{best} > {above} - 1 ? ({best} > 0 ? {best} : 0) : {above} - 1"
        case _:
            if scalar.floating:
                return f"0.25 * {corner} + 0.5 * {above} + 0.125 * {before}"
            return " + ".join(small(writer, one, scalar) for one in near)


def scratch(writer: Writer) -> None:
    """Each iteration fills an array of its own, then uses it."""
    choices = writer.choices
    kind = choices.pick(SCRATCH)
    scalar = choices.one([INT, LONG, DOUBLE, FLOAT])
    length = choices.one([3, 4, 7, 8, 16, 20])
    target = writer.array(scalar, 1, written=True, reuse=0.3)
    s, k = writer.fresh("own"), writer.fresh("k")
    some = choices.one([str(length), f"{choices.one(writer.sizes).signed_text} % {length} + 1"])
    head = f"for (int {k} = 0; {k} < {some}; {k}++)"
    again = f"for (int {k} = 1; {k} < {some}; {k}++)"
    if kind == "outside":
        writer.line(f"{scalar.c} {s}[{length}];")
    with loop(writer) as i:
        if kind != "outside":
            writer.line(f"{scalar.c} {s}[{length}];")
        with writer.block(head):
            drawn = value(writer, scalar, 1)
            text = stored(choices, drawn, scalar)
            writer.line(f"{s}[{k}] = {small(writer, f'({text})', scalar)} + {k};")
        here = writer.element(target)
        match kind:
            case "sorted in":
                swap = writer.fresh("swap")
                with writer.block(again):
                    with writer.block(f"if ({s}[{k}] < {s}[{k} - 1])"):
                        writer.line(f"{scalar.c} {swap} = {s}[{k}];")
                        writer.line(f"{s}[{k}] = {s}[{k} - 1];")
                        writer.line(f"{s}[{k} - 1] = {swap};")
                writer.line(f"{here} = {s}[0];")
            case "prefix":
                with writer.block(again):
                    writer.line(f"{s}[{k}] += {s}[{k} - 1];")
                writer.line(f"{here} = {s}[({some}) - 1];")
            case "copied out":
                rows = writer.array(scalar, 1, written=True, fixed=True)
                with writer.block(f"for (int {k} = 0; {k} < {some} && {k} < {writer.most}; {k}++)"):
                    place = f"({k} + {i.text}) % {writer.most}"
                    writer.line(f"{rows.element([place])} = {s}[({some}) - 1 - {k}];")
            case _:
                total = writer.fresh("total")
                writer.line(f"{scalar.c} {total} = 0;")
                with writer.block(head):
                    factor = f"{s}[({some}) - 1 - {k}]" if choices.chance(0.4) else "2"
                    writer.line(f"{total} += {s}[{k}] * {factor};")
                writer.line(f"{here} = {total};")
