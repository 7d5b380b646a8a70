"""Parts of programs: nests of random statements, reductions, searches.

A piece writes its lines into the function and leaves what it computes in arrays.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.expressions import add_to, condition, store, value
from polyopt.tools.fuzz.programs.loops import Bounds, loop, nest
from polyopt.tools.fuzz.programs.memory import Array, Iterator
from polyopt.tools.fuzz.programs.scalars import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    UINT,
    Scalar,
    draw_element,
)
from polyopt.tools.fuzz.programs.values import element_value, stored, tamed
from polyopt.tools.fuzz.programs.writer import Writer

DEPTHS = table("depth of nest", one=25, two=40, three=25, four=10)
STATEMENTS = table(
    "statement",
    assignment=40,
    addition=20,
    scalar=12,
    conditional=14,
    conditional_with_else=6,
    **{"break": 2, "continue": 3, "switch": 2, "inner sum": 6, "copy of a structure": 2},
    **{"exit for errors": 2},
)
REDUCTIONS = table(
    "operator of reduction",
    **{"+": 30, "-": 6, "*": 6, "&": 4, "|": 4, "^": 5, "min": 10, "max": 10, "&&": 3, "||": 3},
)
RESULTS = table("result of reduction", scalar=40, element=30, array_by_inner_loop=15, several=15)


def depth_of(writer: Writer) -> int:
    most = 4 if writer.most <= 16 else 3 if writer.most <= 48 else 2
    names = list(DEPTHS.weights)[:most]
    return list(DEPTHS.weights).index(writer.choices.pick(DEPTHS, among=names)) + 1


# Nests


def random_nest(writer: Writer) -> None:
    """Loops with statements on any level."""
    _level(writer, depth_of(writer))


def _level(writer: Writer, depth: int) -> None:
    choices = writer.choices
    with loop(writer):
        if depth == 1:
            for _ in range(choices.number(1, 3)):
                statement(writer)
            return
        if choices.chance(0.4):
            statement(writer)
        _level(writer, depth - 1)
        if choices.chance(0.15):
            _level(writer, 1)
        if choices.chance(0.3):
            statement(writer)


def statement(writer: Writer, depth: int = 0) -> None:
    """Anything that a loop may hold."""
    choices = writer.choices
    words = writer.may_break[-1] if writer.may_break else ""
    names = [
        name
        for name in STATEMENTS.weights
        if (name not in ("break", "continue") or name in words)
        and (name != "exit for errors" or writer.loops)
        and (depth < 2 or not name.startswith("conditional"))
    ]
    match choices.pick(STATEMENTS, among=names):
        case "addition":
            array = writer.array(None, choices.one([1, 2]), written=True)
            add_to(writer, writer.element(array), array.scalar, choices.one("+++-"))
        case "scalar":
            scalar = draw_element(choices)
            name = writer.fresh("t")
            drawn = value(writer, scalar)
            writer.line(f"{scalar.c} {name} = {stored(choices, drawn, scalar)};")
            writer.scalars.append((name, scalar))
            statement(writer, depth)
        case "conditional":
            with writer.block(f"if ({condition(writer)})"):
                statement(writer, depth + 1)
        case "conditional with else":
            with writer.block(f"if ({condition(writer)})"):
                statement(writer, depth + 1)
            with writer.block("else"):
                statement(writer, depth + 1)
        case "break" | "continue" as word:
            writer.line(f"if ({condition(writer)}) {word};")
        case "exit for errors":
            one = choices.one(writer.loops)
            error = choices.one(["__builtin_abort()", "__builtin_unreachable()"])
            writer.line(f"if ({one.signed_text} > {one.most + choices.number(0, 3)}) {error};")
        case "switch":
            _switch(writer)
        case "inner sum":
            _inner_sum(writer)
        case "copy of a structure":
            _copy_structure(writer)
        case _:
            array = writer.array(None, choices.one([1, 1, 2, 2, 3]), written=True)
            store(writer, writer.element(array), array.scalar)


def _switch(writer: Writer) -> None:
    choices = writer.choices
    by = tamed(choices, value(writer, INT, 1))
    array = writer.array(None, 1, written=True)
    targets = [writer.element(array) for _ in range(3)]
    with writer.block(f"switch ({by.text} & 3)"):
        for number, target in enumerate(targets):
            writer.line(f"case {number}:" if number else "default:")
            store(writer, target, array.scalar, 1)
            if choices.chance(0.7):
                writer.line("break;")


def _inner_sum(writer: Writer) -> None:
    choices = writer.choices
    scalar = draw_element(choices)
    name = writer.fresh("s")
    writer.line(f"{scalar.c} {name} = {choices.number(0, 3)};")
    writer.scalars.append((name, scalar))
    if len(writer.loops) < (4 if writer.most <= 16 else 3):
        with loop(writer):
            add_to(writer, name, scalar)
    array = writer.array(scalar, 1, written=True)
    writer.line(f"{writer.element(array)} = {name};")


def _copy_structure(writer: Writer) -> None:
    array = writer.array(None, 1, written=True, storage="array of structs", reuse=0.0)
    whole = Array(array.name, array.scalar, array.extents)
    writer.line(f"{writer.element(whole)} = {writer.element(whole)};")


# Reductions


def reduction(writer: Writer) -> None:
    """Many values become one, or one in each row, with every operator."""
    choices = writer.choices
    operator = choices.pick(REDUCTIONS)
    kind = {"*": "any", "+": "any", "-": "any", "min": "any", "max": "any"}
    scalar = draw_element(choices, kind.get(operator, "integer"))
    if operator == "*" and not scalar.floating and scalar.signed:
        scalar = UINT
    match choices.pick(RESULTS):
        case "scalar":
            _into_scalar(writer, operator, scalar)
        case "element":
            array = writer.array(scalar, 1, written=True)
            with loop(writer) as i:
                target = _held(writer, array, i)
                with nest(writer, choices.number(1, 2) if writer.most <= 48 else 1):
                    _update(writer, target, operator, scalar)
        case "array by inner loop":
            array = writer.array(scalar, 1, written=True)
            with nest(writer, choices.number(2, 3) if writer.most <= 48 else 2) as loops:
                _update(writer, _held(writer, array, loops[-1]), operator, scalar)
        case _:
            _several(writer, scalar)


def _held(writer: Writer, array: Array, i: Iterator) -> str:
    return array.element([i.text if e.holds(i) else writer.index(e).text for e in array.extents])


def _into_scalar(writer: Writer, operator: str, scalar: Scalar) -> None:
    choices = writer.choices
    name = writer.fresh("acc")
    first = {"*": "1", "&": "-1", "&&": "1", "min": "100", "max": "-100"}.get(operator, "0")
    if not scalar.signed and first.startswith("-"):
        first = f"({scalar.c}){first}"
    writer.line(f"{scalar.c} {name} = {first};")
    with nest(writer, choices.number(1, 3) if writer.most <= 48 else choices.number(1, 2)):
        if choices.chance(0.35):
            with writer.block(f"if ({condition(writer)})"):
                _update(writer, name, operator, scalar)
        else:
            _update(writer, name, operator, scalar)
    writer.line(f"{writer.result(scalar)} = {name};")


def _update(writer: Writer, target: str, operator: str, scalar: Scalar) -> None:
    choices = writer.choices
    drawn = value(writer, scalar, choices.number(0, 2))
    match operator:
        case "+" | "-":
            text = drawn.text if scalar.floating else writer.grown(drawn, scalar)
            if choices.chance(0.3):
                writer.line(f"{target} = {target} {operator} {text};")
            else:
                writer.line(f"{target} {operator}= {text};")
        case "*":
            if scalar.floating:
                writer.line(f"{target} *= 1 + 0.0009765625 * ({drawn.text});")
            else:
                writer.line(f"{target} *= {tamed(choices, drawn).text} | 1;")
        case "&" | "|" | "^":
            writer.line(f"{target} {operator}= {tamed(choices, drawn, 14).text};")
        case "&&" | "||":
            text = f"{tamed(choices, drawn).text} != 3"
            writer.line(f"{target} = {target} {operator} {text};")
        case _:
            sign = "<" if operator == "min" else ">"
            text = stored(choices, drawn, scalar)
            match choices.number(0, 2):
                case 0:
                    writer.line(f"{target} = {text} {sign} {target} ? {text} : {target};")
                case 1:
                    writer.line(f"{target} = {target} {sign} {text} ? {target} : {text};")
                case _:
                    writer.line(f"if ({text} {sign} {target}) {target} = {text};")


def _several(writer: Writer, scalar: Scalar) -> None:
    """A sum, its squares, the least and the greatest, of one pass."""
    if not scalar.floating:
        scalar = LONG
    array = writer.array(scalar, 2 if writer.most <= 48 else 1)
    names = [writer.fresh(name) for name in ("sum", "squares", "low", "high")]
    writer.line(f"{scalar.c} {names[0]} = 0, {names[1]} = 0, {names[2]} = 50, {names[3]} = -50;")
    with nest(writer, len(array.extents)):
        x = element_value(writer.element(array), scalar)
        small = x.text if scalar.floating else tamed(writer.choices, x).text
        writer.line(f"{names[0]} += {small};")
        writer.line(f"{names[1]} += {small} * {small};")
        writer.line(f"if ({x.text} < {names[2]}) {names[2]} = {x.text};")
        writer.line(f"{names[3]} = {names[3]} > {x.text} ? {names[3]} : {x.text};")
    for name in names:
        writer.line(f"{writer.result(scalar)} = {name};")


# Searches


SEARCHES = table(
    "search", least=30, greatest=20, first=15, nearest_centre=25, pivot=15, guarded_by_last=5
)


def search(writer: Writer) -> None:
    """Where something is found, and what is done at that place."""
    choices = writer.choices
    match choices.pick(SEARCHES):
        case "nearest centre":
            _nearest(writer)
        case "pivot":
            _pivot(writer)
        case "first":
            _first(writer)
        case "guarded by last":
            _guarded_by_last(writer)
        case name:
            _extreme(writer, "<" if name == "least" else ">")


def _extreme(writer: Writer, sign: str) -> None:
    """The position of the least element of each row is a subscript afterwards."""
    choices = writer.choices
    scalar = draw_element(choices, choices.one(["float", "any"]))
    array = writer.array(scalar, choices.one([1, 2, 2]), fixed=True)
    sums = writer.array(draw_element(choices), 1, written=True, fixed=True)
    best, where = writer.fresh("best"), writer.fresh("at")
    outer = len(array.extents) == 2

    def body() -> None:
        row = [writer.loops[-1].text] if outer else []
        if outer and not array.extents[0].holds(writer.loops[-1]):
            row = ["0"]
        writer.line(f"int {where} = 0;")
        writer.line(f"{scalar.c} {best} = {array.element([*row, '0'])};")
        size = choices.one(writer.sizes)
        bounds = Bounds("1", size.signed_text, 1, size.most - 1, (size.name, -1))
        with loop(writer, bounds=bounds, form=choices.one(["for up", "for up", "while"])) as j:
            here = array.element([*row, j.text])
            with writer.block(f"if ({here} {sign} {best})"):
                writer.line(f"{best} = {here};")
                writer.line(f"{where} = {j.text};")
        target = sums.element([where])
        writer.scalars.append((best, scalar))
        add_to(writer, target, sums.scalar)
        writer.line(f"{writer.result(INT)} = {where};")

    if outer:
        with loop(writer, simple=True):
            body()
    else:
        with writer.block(""):
            body()


def _nearest(writer: Writer) -> None:
    """Points join the nearest of a few centres: sums and counts by what was found."""
    choices = writer.choices
    scalar = choices.one([DOUBLE, FLOAT, INT])
    points = writer.array(scalar, 2, reuse=0.1, fixed=True)
    centres = writer.array(scalar, 2, reuse=0.1, fixed=True)
    sums = writer.array(scalar, 2, written=True, reuse=0.1, fixed=True)
    counts = writer.array(INT, 1, written=True, reuse=0.1, fixed=True)
    few = choices.number(2, 5)
    n, d = choices.one(writer.sizes), min(choices.number(1, 9), writer.most)
    i, c, k = writer.fresh("i"), writer.fresh("c"), writer.fresh("d")
    near, at = writer.fresh("near"), writer.fresh("at")
    if choices.chance(0.4):
        with writer.block(f"for (int {c} = 0; {c} < {few}; {c}++)"):
            writer.line(f"{counts.element([c])} = 0;")
            with writer.block(f"for (int {k} = 0; {k} < {d}; {k}++)"):
                writer.line(f"{sums.element([c, k])} = 0;")
    with writer.block(f"for (int {i} = 0; {i} < {n.signed_text}; {i}++)"):
        writer.line(f"{scalar.c} {near} = 100000;")
        writer.line(f"int {at} = 0;")
        with writer.block(f"for (int {c} = 0; {c} < {few}; {c}++)"):
            if choices.chance(0.5):
                # The distances are there already.
                q = centres.element([i, c])
            else:
                q = writer.fresh("q")
                writer.line(f"{scalar.c} {q} = 0;")
                with writer.block(f"for (int {k} = 0; {k} < {d}; {k}++)"):
                    p, z = points.element([i, k]), centres.element([c, k])
                    if scalar.floating:
                        writer.line(f"{q} += ({p} - {z}) * ({p} - {z});")
                    else:
                        writer.line(f"{q} += ({p} % 50 - {z} % 50) * ({p} % 50 - {z} % 50);")
            with writer.block(f"if ({q} < {near})"):
                writer.line(f"{near} = {q};")
                writer.line(f"{at} = {c};")
        count = counts.element([at])
        writer.line(choices.one([f"{count}++;", f"{count} += 1;"]))
        with writer.block(f"for (int {k} = 0; {k} < {d}; {k}++)"):
            p = points.element([i, k])
            writer.line(f"{sums.element([at, k])} += {p if scalar.floating else f'({p} & 7)'};")
    writer.growth[32] += 8 * writer.most


def _pivot(writer: Writer) -> None:
    """Columns are exchanged by the place of the greatest element, then a row is eliminated."""
    choices = writer.choices
    a = writer.array(choices.one([DOUBLE, FLOAT]), 2, written=True, fixed=True, reuse=0.2)
    n = choices.one(writer.sizes).signed_text
    c = a.scalar.c
    k, p, i, j = (writer.fresh(name) for name in "kpij")
    with writer.block(f"for (int {k} = 0; {k} < {n}; {k}++)"):
        writer.line(f"int {p} = {k};")
        with writer.block(f"for (int {i} = {k} + 1; {i} < {n}; {i}++)"):
            writer.line(f"if ({a.element([i, k])} > {a.element([p, k])}) {p} = {i};")
        with writer.block(f"for (int {j} = 0; {j} < {n}; {j}++)"):
            writer.line(f"{c} swap = {a.element([k, j])};")
            writer.line(f"{a.element([k, j])} = {a.element([p, j])};")
            writer.line(f"{a.element([p, j])} = swap;")
        with writer.block(f"for (int {i} = {k} + 1; {i} < {n}; {i}++)"):
            with writer.block(f"for (int {j} = {k}; {j} < {n}; {j}++)"):
                factor = a.element([i, k]) if choices.chance(0.3) else "0.0625"
                scaled = f"0.03125 * {factor}" if factor != "0.0625" else factor
                writer.line(f"{a.element([i, j])} -= {scaled} * {a.element([k, j])};")


def _first(writer: Writer) -> None:
    """The first place where a condition holds, by leaving the loop."""
    choices = writer.choices
    array = writer.array(None, 1)
    target = writer.array(None, 1, written=True)
    at = writer.fresh("at")
    writer.line(f"int {at} = -1;")
    with loop(writer, form="for up", simple=True) as i:
        here = writer.element(array)
        with writer.block(f"if ({here} > {choices.number(1, 4)})"):
            writer.line(f"{at} = {i.text};")
            writer.line("break;")
    writer.line(f"{writer.result(INT)} = {at};")
    with writer.block(f"if ({at} >= 0)"):
        index = Iterator(at, 0, writer.most - 1)
        writer.loops.append(index)
        add_to(writer, writer.element(target), target.scalar)
        writer.loops.pop()


def _guarded_by_last(writer: Writer) -> None:
    """What was found in the previous iteration steers this one."""
    last = writer.fresh("last")
    array = writer.array(None, 1, kind="integer")
    target = writer.array(None, 1, written=True, fixed=True, reuse=0.1)
    limit = min(target.extents[0].most, 1 << (writer.most.bit_length() - 1))
    writer.line(f"int {last} = 0;")
    with loop(writer):
        add_to(writer, target.element([last]), target.scalar)
        here = element_value(writer.element(array), array.scalar)
        power = 1 << (limit.bit_length() - 1)
        writer.line(f"{last} = {here.text} & {power - 1};")
