"""Parts of programs that keep a state: rings and registers of what came last, machines whose next
state data choose; and lists of work: queues that a loop fills while it empties them, chains,
orders by counting, sets that are joined.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.kernels import small
from polyopt.tools.fuzz.programs.memory import Array
from polyopt.tools.fuzz.programs.scalars import INT, LONG, UINT, draw_element
from polyopt.tools.fuzz.programs.writer import MARGIN, Writer

STATES = table("state", ring=10, register=8, machine=8, machine_of_labels=5)
WORK = table("list of work", breadth_first=8, chains=8, order_by_counting=8, joined_sets=6)


def kept_state(writer: Writer) -> None:
    choices = writer.choices
    kind = choices.pick(STATES)
    x = writer.array(draw_element(choices, "integer" if "machine" in kind else "any"), fixed=True)
    out = writer.array(
        INT if "machine" in kind else x.scalar, 1, written=True, fixed=True, reuse=0.3
    )
    n = choices.one(writer.sizes).signed_text
    match kind:
        case "ring":
            _ring(writer, x, out, n)
        case "register":
            _register(writer, x, out, n)
        case "machine":
            _machine(writer, x, out, n)
        case _:
            _machine_of_labels(writer, x, out, n)


def _ring(writer: Writer, x: Array, out: Array, n: str) -> None:
    """A delay line, of any length or of a power of 2."""
    choices = writer.choices
    ring, at, i, old = (writer.fresh(name) for name in ("ring", "at", "i", "old"))
    length = choices.one([2, 3, 4, 5, 7, 8, 16, 17])
    _cleared(writer, x.scalar.c, ring, str(length))
    writer.line(f"int {at} = 0;")
    wrapped = [f"if (++{at} == {length}) {at} = 0;", f"{at} = ({at} + 1) % {length};"]
    if length & (length - 1) == 0:
        wrapped.append(f"{at} = ({at} + 1) & {length - 1};")
    half = "0.5 * " if x.scalar.floating else ""
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        writer.line(f"const {x.scalar.c} {old} = {ring}[{at}];")
        kept = small(writer, x.element([i]), x.scalar)
        writer.line(f"{ring}[{at}] = {kept} + {half}{small(writer, old, x.scalar)};")
        writer.line(f"{out.element([i])} = {small(writer, old, x.scalar)} - {kept};")
        writer.line(choices.one(wrapped))
    writer.line(f"{writer.result(x.scalar)} = {ring}[{at}];")


def _register(writer: Writer, x: Array, out: Array, n: str) -> None:
    """What came last moves on by one place each time."""
    choices = writer.choices
    held, i, k, s = (writer.fresh(name) for name in ("held", "i", "k", "s"))
    length = choices.number(2, 9)
    _cleared(writer, x.scalar.c, held, str(length))
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        moved = f"{held}[{k}] = {held}[{k} - 1];"
        writer.line(f"for (int {k} = {length - 1}; {k} > 0; {k}--) {moved}")
        writer.line(f"{held}[0] = {small(writer, x.element([i]), x.scalar)};")
        writer.line(f"{x.scalar.c} {s} = 0;")
        factor = "0.25" if x.scalar.floating else f"({k} % 3 - 1)"
        writer.line(f"for (int {k} = 0; {k} < {length}; {k}++) {s} += {factor} * {held}[{k}];")
        writer.line(f"{out.element([i])} = {s};")


def _machine(writer: Writer, x: Array, out: Array, n: str) -> None:
    choices = writer.choices
    i, state, seen = writer.fresh("i"), writer.fresh("state"), writer.fresh("seen")
    here = x.element([i])
    writer.line(f"int {state} = {choices.number(0, 3)}, {seen} = 0;")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        with writer.block(f"switch ({state})"):
            writer.line(f"case 0: if ({here} & 1) {state} = 1; break;")
            writer.line(f"case 1: {seen}++; {state} = {here} & 2 ? 2 : 3; break;")
            done = choices.one(["continue", "break"])
            writer.line(f"case 2: {out.element([i])} = {seen}; {state} = {here} & 3; {done};")
            writer.line(f"default: {seen} -= {here} > 0; {state} = 0;")
        writer.line(f"{out.element([i])} = {state} + 4 * ({seen} & 63);")
    writer.line(f"{writer.result(INT)} = {state} * 256 + {seen};")


def _machine_of_labels(writer: Writer, x: Array, out: Array, n: str) -> None:
    """The same without a loop's statement."""
    i, seen = writer.fresh("i"), writer.fresh("seen")
    first, second, end = (writer.fresh(name) for name in ("one_state", "other_state", "ended"))
    here = x.element([i])
    writer.line(f"int {i} = 0, {seen} = 0;")
    writer.line(f"{first}: if ({i} >= {n}) goto {end};")
    writer.line(f"{out.element([i])} = {seen};")
    writer.line(f"if ({here} & {writer.choices.one([1, 2, 4])}) {{ {i}++; goto {second}; }}")
    writer.line(f"{i} += 2;")
    writer.line(f"goto {first};")
    writer.line(f"{second}: if ({i} >= {n}) goto {end};")
    writer.line(f"{seen} += {here} > 0 ? 3 : -1;")
    writer.line(f"{i}++;")
    writer.line(f"if ({seen} % 5 == 0) goto {first};")
    writer.line(f"goto {second};")
    writer.line(f"{end}: {writer.result(INT)} = {seen};")


def listed_work(writer: Writer) -> None:
    choices = writer.choices
    kind = choices.pick(WORK)
    n = choices.one(writer.sizes).signed_text
    out = writer.array(INT, 1, written=True, fixed=True, reuse=0.2)
    room = writer.most + MARGIN
    match kind:
        case "breadth first":
            _breadth_first(writer, out, n, room)
        case "chains":
            _chains(writer, out, n, room)
        case "order by counting":
            _order(writer, out, n)
        case _:
            _joined_sets(writer, out, n)


def _breadth_first(writer: Writer, out: Array, n: str, room: int) -> None:
    near = writer.array(draw_element(writer.choices, "integer"), 2, fixed=True)
    if near.name == out.name:
        return
    queue, head, tail = (writer.fresh(name) for name in ("queue", "head", "tail"))
    i, u = writer.fresh("i"), writer.fresh("u")
    mask = writer.choices.one([1, 3, 7])
    writer.line(f"int {queue}[{room}], {head} = 0, {tail} = 0;")
    writer.line(f"for (int {i} = 0; {i} < {n}; {i}++) {out.element([i])} = -1;")
    with writer.block(f"if ({n} > 0)"):
        writer.line(f"{out.element(['0'])} = 0;")
        writer.line(f"{queue}[{tail}++] = 0;")
    with writer.block(f"while ({head} < {tail})"):
        writer.line(f"const int {u} = {queue}[{head}++];")
        with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
            asked = f"({near.element([u, i])} & {mask}) == 0 && {out.element([i])} < 0"
            with writer.block(f"if ({asked})"):
                writer.line(f"{out.element([i])} = {out.element([u])} + 1;")
                writer.line(f"{queue}[{tail}++] = {i};")
    writer.line(f"{writer.result(INT)} = {tail};")


def _chains(writer: Writer, out: Array, n: str, room: int) -> None:
    """Lists of what falls into the same cell, as indices; then sums along them."""
    choices = writer.choices
    keys = writer.array(draw_element(choices, "integer"), 1, fixed=True)
    if keys.name == out.name:
        return
    first, following, i, p, s = (
        writer.fresh(name) for name in ("first", "following", "i", "p", "total")
    )
    cells = choices.one([4, 8, 16])
    key = f"{keys.element([i])} & {cells - 1}"
    total = choices.one([INT, LONG, UINT])
    writer.line(f"int {first}[{cells}], {following}[{room}];")
    writer.line(f"for (int {i} = 0; {i} < {cells}; {i}++) {first}[{i}] = -1;")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        writer.line(f"{following}[{i}] = {first}[{key}];")
        writer.line(f"{first}[{key}] = {i};")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        writer.line(f"{total.c} {s} = 0;")
        start = f"int {p} = {first}[({key}) ^ {choices.one([0, 1])}]"
        with writer.block(f"for ({start}; {p} >= 0; {p} = {following}[{p}])"):
            writer.line(f"{s} += {small(writer, keys.element([p]), keys.scalar)} + ({p} & 1);")
        writer.line(f"{out.element([i])} = (int){s} & 4095;")


def _order(writer: Writer, out: Array, n: str) -> None:
    """Counts, where each class begins, and then each element's number at its place."""
    choices = writer.choices
    keys = writer.array(draw_element(choices, "integer"), 1, fixed=True)
    if keys.name == out.name:
        return
    start, i = writer.fresh("start"), writer.fresh("i")
    classes = choices.one([2, 8, 16, 64])
    key = f"{keys.element([i])} & {classes - 1}"
    _cleared(writer, "int", start, str(classes + 1))
    writer.line(f"for (int {i} = 0; {i} < {n}; {i}++) {start}[({key}) + 1]++;")
    before = f"{start}[{i}] += {start}[{i} - 1];"
    writer.line(f"for (int {i} = 1; {i} <= {classes}; {i}++) {before}")
    place = out.element([f"{start}[{key}]++"])
    if choices.chance(0.3):
        last = choices.one([f"{i}--", f"--{i}"])
        writer.line(f"for (int {i} = {n} - 1; {i} >= 0; {last}) {place} = {i};")
    else:
        writer.line(f"for (int {i} = 0; {i} < {n}; {i}++) {place} = {i};")


def _joined_sets(writer: Writer, out: Array, n: str) -> None:
    """The root of each element's set, found by pointers that are shortened on the way."""
    choices = writer.choices
    pairs = [writer.array(draw_element(choices, "integer"), 1, fixed=True) for _ in range(2)]
    if out.name in (one.name for one in pairs):
        return
    i, u, v = writer.fresh("i"), writer.fresh("u"), writer.fresh("v")
    writer.line(f"for (int {i} = 0; {i} < {n}; {i}++) {out.element([i])} = {i};")
    with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
        for name, pair in zip((u, v), pairs, strict=True):
            at = small(writer, pair.element([i]), pair.scalar)
            writer.line(f"int {name} = (int)((({at}) * 5 + {i}) & 127) % {n};")
            follow = f"{name} = {out.element([name])}"
            if choices.chance(0.5):
                above = f"{out.element([out.element([name])])}"
                follow = f"{{ {out.element([name])} = {above}; {follow}; }}"
            else:
                follow += ";"
            writer.line(f"while ({out.element([name])} != {name}) {follow}")
        if choices.chance(0.5):
            writer.line(f"if ({u} < {v}) {out.element([v])} = {u};")
            writer.line(f"else {out.element([u])} = {v};")
        else:
            writer.line(f"{out.element([u])} = {v};")


def _cleared(writer: Writer, c: str, name: str, length: str) -> None:
    z = writer.fresh("z")
    writer.line(f"{c} {name}[{length}];")
    writer.line(f"for (int {z} = 0; {z} < {length}; {z}++) {name}[{z}] = 0;")
