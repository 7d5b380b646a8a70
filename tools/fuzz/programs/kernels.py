"""Parts of programs that come from numerics: recurrences, stencils, products, solvers, histograms.

Each is written in one of the ways in which people write it, on arrays of any type and storage.
"""

from __future__ import annotations

from polyopt.tools.fuzz.programs.choices import table
from polyopt.tools.fuzz.programs.expressions import add_to, condition, store, value
from polyopt.tools.fuzz.programs.loops import Bounds, loop
from polyopt.tools.fuzz.programs.memory import Array, Index, Iterator
from polyopt.tools.fuzz.programs.scalars import DOUBLE, FLOAT, INT, Scalar, draw_element
from polyopt.tools.fuzz.programs.values import element_value, tamed
from polyopt.tools.fuzz.programs.writer import Writer, shifted_index

RECURRENCES = table(
    "recurrence",
    prefix_sum=20,
    backward=10,
    second_order=8,
    scalar_carried=12,
    wavefront=20,
    wavefront_of_maxima=12,
    column=8,
    two_rows=10,
    diagonal=6,
)
STENCILS = table(
    "stencil", copied_back=20, swapped_pointers=12, planes_by_parity=12, in_place=14, one_sweep=20
)
ORDERS = table("order of product", ijk=1, ikj=1, jik=1, jki=1, kij=1, kji=1)
STORED = table("operand of product", straight=6, transposed=3)
SHAPES = table(
    "shape of product", full=30, lower=8, upper=8, matrix_by_vector=10, symmetric_update=6
)
SOLVERS = table(
    "solver", forward=10, backward=8, cholesky=6, lu=8, shortest_paths=8, triangular_update=6
)
SCATTERS = table(
    "scatter", histogram=20, scatter=12, scatter_add=10, gather=12, transposition=8, filter=10
)


def is_exact(scalar: Scalar) -> bool:
    return not scalar.floating


def small(writer: Writer, text: str, scalar: Scalar) -> str:
    """The element where it is floating point, else few bits of it."""
    if scalar.floating:
        return text
    return tamed(writer.choices, element_value(text, scalar), 6).text


# Recurrences


def recurrence(writer: Writer) -> None:
    choices = writer.choices
    scalar = draw_element(choices, choices.one(["float", "float", "any"]))
    match choices.pick(RECURRENCES):
        case "prefix sum":
            array = writer.array(scalar, 1, written=True)
            with loop(writer, border=1, form=choices.one(["for up", "for stride"])) as i:
                here, before = _at(writer, array, [i]), _at(writer, array, [shifted_index(i, -1)])
                text = value(writer, scalar, 1)
                if scalar.floating:
                    writer.line(f"{here} = 0.5 * {before} + 0.25 * {text.text};")
                else:
                    writer.line(f"{here} = {before} + {writer.grown(text, scalar)};")
        case "backward":
            array = writer.array(scalar, 1, written=True)
            with loop(writer, border=1, form="for down") as i:
                here, after = _at(writer, array, [i]), _at(writer, array, [shifted_index(i, 1)])
                writer.line(f"{here} = {_mean(writer, scalar, [here, after])};")
        case "second order":
            array = writer.array(scalar, 1, written=True)
            with loop(writer, border=2) as i:
                taps = [_at(writer, array, [shifted_index(i, k)]) for k in (0, -1, -2)]
                writer.line(f"{taps[0]} = {_mean(writer, scalar, taps)};")
        case "scalar carried":
            array = writer.array(scalar, 1, written=True)
            name = writer.fresh("y")
            writer.line(f"{scalar.c} {name} = 1;")
            with loop(writer):
                drawn = small(writer, value(writer, scalar, 1).text, scalar)
                if scalar.floating:
                    writer.line(f"{name} = 0.75 * {name} + 0.125 * {drawn};")
                else:
                    writer.line(f"{name} = ({name} * 3 + {drawn}) % 1021;")
                writer.line(f"{writer.element(array)} = {name};")
            writer.line(f"{writer.result(scalar)} = {name};")
        case "column":
            array = writer.array(scalar, 2, written=True)
            with loop(writer, border=1) as i, loop(writer) as j:
                self_, above = ([k, j] for k in (i, shifted_index(i, -1)))
                texts = [_at(writer, array, list(p)) for p in (self_, above)]
                writer.line(f"{texts[0]} = {_mean(writer, scalar, texts)};")
        case "two rows":
            array = writer.array(scalar, 2, written=True)
            t = writer.fresh("t")
            side = choices.one([-1, 1])
            with writer.block(f"for (int {t} = 0; {t} < {choices.number(2, 6)}; {t}++)"):
                with loop(writer, border=1) as i, loop(writer, border=1) as j:
                    rows = [shifted_index(i, side), i]
                    ahead = shifted_index(j, choices.one([-1, 0, 1]))
                    texts = [_at(writer, array, [rows[0], ahead]), _at(writer, array, [i, j])]
                    if choices.chance(0.6):
                        texts.append(_at(writer, array, [i, shifted_index(j, -side)]))
                    writer.line(f"{texts[1]} = {_mean(writer, scalar, texts)};")
        case "diagonal":
            array = writer.array(scalar, 2, written=True)
            with loop(writer, border=1) as i, loop(writer, border=1) as j:
                there = [shifted_index(i, -1), shifted_index(j, choices.one([-1, 1]))]
                texts = [_at(writer, array, list(p)) for p in ([i, j], there)]
                writer.line(f"{texts[0]} = {_mean(writer, scalar, texts)};")
        case name:
            array = writer.array(scalar, 2, written=True)
            with loop(writer, border=1) as i, loop(writer, border=1) as j:
                here = _at(writer, array, [i, j])
                near = [
                    _at(writer, array, [shifted_index(i, a), shifted_index(j, b)])
                    for a, b in ((-1, 0), (0, -1), (-1, -1))
                ]
                if name == "wavefront":
                    writer.line(f"{here} = {_mean(writer, scalar, [*near, here])};")
                    return
                own = small(writer, value(writer, scalar, 1).text, scalar)
                best = writer.fresh("best")
                writer.line(f"{scalar.c} {best} = {stored_sum(near[2], own, scalar)};")
                for one in near[:2]:
                    writer.line(f"if ({one} > {best}) {best} = {one};")
                writer.line(f"{here} = {best};")


def stored_sum(text: str, more: str, scalar: Scalar) -> str:
    if scalar.floating:
        return f"0.5 * {text} + {more}"
    return f"({text} % 4096 + {more})"


def _at(writer: Writer, array: Array, wanted: list[Index]) -> str:
    """The element there, where that is inside."""
    return array.element(
        [
            one.text if e.holds(one) else writer.index(e).text
            for one, e in zip(wanted, array.extents, strict=True)
        ]
    )


def _mean(writer: Writer, scalar: Scalar, texts: list[str]) -> str:
    """What smooths: a sum whose weights are at most 1, or of few bits for integers."""
    if scalar.floating:
        f = "f" if scalar == FLOAT else ""
        weight = {1: "0.5", 2: "0.5", 3: "0.25", 4: "0.25"}.get(len(texts), "0.125")
        if writer.choices.chance(0.3):
            return f"{weight}{f} * ({' + '.join(texts)})"
        return " + ".join(f"{weight}{f} * {one}" for one in texts)
    terms = " + ".join(small(writer, one, scalar) for one in texts)
    return f"({terms}) / {len(texts)}" if writer.choices.chance(0.4) else terms


# Stencils


def stencil(writer: Writer) -> None:
    choices = writer.choices
    scalar = draw_element(choices, choices.one(["float", "float", "float", "any"]))
    rank = choices.one([1, 1, 2, 2, 3]) if writer.most <= 48 else choices.one([1, 1, 2])
    steps = choices.number(2, 6)
    t = writer.fresh("t")
    match choices.pick(STENCILS):
        case "one sweep":
            source = writer.array(scalar, rank)
            target = writer.array(scalar, rank, written=True)
            _sweep(writer, target, source)
        case "in place":
            array = writer.array(scalar, rank, written=True)
            with writer.block(f"for (int {t} = 0; {t} < {steps}; {t}++)"):
                _sweep(writer, array, array)
        case "copied back":
            first = writer.array(scalar, rank, written=True)
            second = writer.array(scalar, rank, written=True, reuse=0.2)
            with writer.block(f"for (int {t} = 0; {t} < {steps}; {t}++)"):
                _sweep(writer, second, first)
                if choices.chance(0.5):
                    _sweep(writer, first, second)
                else:
                    _sweep(writer, first, second, copy=True)
        case "swapped pointers":
            first = writer.array(scalar, 1, written=True, fixed=True, reuse=0.1)
            second = writer.array(scalar, 1, written=True, fixed=True, reuse=0.1)
            if first.field or second.field:
                _sweep(writer, first, second)
                return
            p, q, swap = (writer.fresh(name) for name in ("p", "q", "swap"))
            writer.line(f"{scalar.c} *{p} = {first.name}, *{q} = {second.name};")
            extents = min(first.extents[0], second.extents[0], key=lambda e: e.most)
            with writer.block(f"for (int {t} = 0; {t} < {steps}; {t}++)"):
                _sweep(
                    writer,
                    Array(q, scalar, (extents,)),
                    Array(p, scalar, (extents,)),
                )
                writer.line(f"{scalar.c} *{swap} = {p};")
                writer.line(f"{p} = {q};")
                writer.line(f"{q} = {swap};")
        case _:
            array = writer.array(scalar, rank + 1, written=True, fixed=True, reuse=0.2)
            with writer.block(f"for (int {t} = 0; {t} < {steps}; {t}++)"):
                inner = array.extents[1:]
                now = Index(f"{t} % 2", 0, 1)
                then = Index(choices.one([f"({t} + 1) % 2", f"1 - {t} % 2", f"!({t} & 1)"]), 0, 1)
                _sweep_planes(writer, array, then, now, len(inner))


def _sweep(writer: Writer, target: Array, source: Array, *, copy: bool = False) -> None:
    loops = list[Iterator]()
    _sweep_level(writer, target, source, loops, copy, [])


def _sweep_planes(writer: Writer, array: Array, then: Index, now: Index, rank: int) -> None:
    """From one plane of the array to another."""

    def body(loops: list[Iterator]) -> None:
        if len(loops) < rank:
            with loop(writer, border=1) as i:
                body([*loops, i])
            return
        near = [_at(writer, array, [now, *one]) for one in _neighbours(writer, loops)]
        writer.line(f"{_at(writer, array, [then, *loops])} = {_mean(writer, array.scalar, near)};")

    body([])


def _sweep_level(
    writer: Writer,
    target: Array,
    source: Array,
    loops: list[Iterator],
    copy: bool,
    _: list[str],
) -> None:
    if len(loops) < len(target.extents):
        with loop(
            writer, border=1, form=writer.choices.one(["for up", "for up", "for up inclusive"])
        ) as i:
            _sweep_level(writer, target, source, [*loops, i], copy, _)
        return
    here = _at(writer, target, list(loops))
    if copy:
        writer.line(f"{here} = {_at(writer, source, list(loops))};")
        return
    near = [_at(writer, source, one) for one in _neighbours(writer, loops)]
    writer.line(f"{here} = {_mean(writer, source.scalar, near)};")


def _neighbours(writer: Writer, loops: list[Iterator]) -> list[list[Index]]:
    found: list[list[Index]] = [list(loops)] if writer.choices.chance(0.6) else []
    for place, one in enumerate(loops):
        for offset in (-1, 1):
            moved: list[Index] = list(loops)
            moved[place] = shifted_index(one, offset)
            found.append(moved)
    return found


# Products


def product(writer: Writer) -> None:
    choices = writer.choices
    scalar = draw_element(choices, choices.one(["float", "float", "float", "any"]))
    shape = choices.pick(SHAPES)
    if shape == "matrix by vector":
        _matrix_by_vector(writer, scalar)
        return
    names = {"i": writer.fresh("i"), "j": writer.fresh("j"), "k": writer.fresh("k")}
    order = choices.pick(ORDERS)
    sizes = {letter: choices.one(writer.sizes) for letter in "ijk"}
    result = writer.array(scalar, 2, written=True, fixed=True, reuse=0.2)
    left = writer.array(scalar, 2, fixed=True, reuse=0.3)
    right = left if shape == "symmetric update" else writer.array(scalar, 2, fixed=True, reuse=0.3)
    i, j, k = names["i"], names["j"], names["k"]
    a = left.element([i, k] if choices.pick(STORED) == "straight" else [k, i])
    b = right.element([k, j] if choices.pick(STORED) == "straight" else [j, k])
    c = result.element([i, j] if choices.pick(STORED) == "straight" else [j, i])
    uppers = {letter: sizes[letter].signed_text for letter in "ijk"}
    lowers = dict.fromkeys("ijk", "0")
    place = {letter: number for number, letter in enumerate(order)}
    if shape in ("lower", "upper", "symmetric update"):
        outer, inner = choices.one([("i", "j"), ("i", "k"), ("j", "k")])
        if place[outer] > place[inner]:
            outer, inner = inner, outer
        if shape == "upper":
            lowers[inner] = names[outer]
        else:
            uppers[inner] = f"{names[outer]} + 1"
    times = f"{small(writer, a, scalar)} * {small(writer, b, scalar)}"
    alpha = choices.one(["", "", "1.5 * ", "alpha * "]) if scalar.floating else ""
    if alpha.startswith("alpha"):
        writer.line(f"const {scalar.c} {(name := writer.fresh('alpha'))} = 0.75;")
        alpha = f"{name} * "
    if scalar.signed and not scalar.floating:
        writer.growth[min(64, max(32, scalar.bits))] += 4096 * writer.most**3
        if writer.growth[32] > 1 << 29:
            times = f"({times} & 3)"
    start = choices.number(0, 2) if place["k"] == 2 else 0
    heads = [
        f"for (int {names[x]} = {lowers[x]}; {names[x]} < {uppers[x]}; {names[x]}++)" for x in order
    ]
    with writer.block(heads[0]), writer.block(heads[1]):
        if start == 1:
            writer.line(f"{c} = 0;")
        if start == 2:
            writer.line(f"{scalar.c} sum = 0;")
        with writer.block(heads[2]):
            target = "sum" if start == 2 else c
            writer.line(f"{target} {choices.one(['+', '+', '+', '-'])}= {alpha}{times};")
        if start == 2:
            writer.line(f"{c} = {choices.one(['sum', f'{c} / 2 + sum'])};")


def _matrix_by_vector(writer: Writer, scalar: Scalar) -> None:
    choices = writer.choices
    matrix = writer.array(scalar, 2)
    vector, result = writer.array(scalar, 1), writer.array(scalar, 1, written=True, reuse=0.2)
    with loop(writer, simple=True) as i, loop(writer, simple=True) as j:
        rows = [i, j] if choices.chance(0.5) else [j, i]
        a, x = _at(writer, matrix, list(rows)), _at(writer, vector, [j])
        y = _at(writer, result, [i])
        if scalar.floating:
            writer.line(f"{y} += 0.5 * {a} * {x};")
        else:
            term = f"({small(writer, a, scalar)} * {small(writer, x, scalar)})"
            drawn = element_value(term, INT)
            writer.line(f"{y} += {writer.grown(drawn, scalar)};")


# Solvers


def solver(writer: Writer) -> None:
    """Eliminations and dynamic programming on whole matrices."""
    choices = writer.choices
    kind = choices.pick(SOLVERS)
    scalar = choices.one([DOUBLE, DOUBLE, FLOAT])
    if kind == "shortest paths":
        scalar = choices.one([DOUBLE, FLOAT, INT])
    a = writer.array(scalar, 2, written=True, fixed=True, reuse=0.2)
    x = writer.array(scalar, 1, written=True, fixed=True, reuse=0.2)
    n = choices.one(writer.sizes).signed_text
    i, j, k = (writer.fresh(name) for name in "ijk")
    e, v = a.element, x.element
    match kind:
        case "forward":
            with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
                with writer.block(f"for (int {j} = 0; {j} < {i}; {j}++)"):
                    writer.line(f"{v([i])} -= 0.0625 * {e([i, j])} * {v([j])};")
                writer.line(f"{v([i])} = {v([i])} / (2 + {e([i, i])} * {e([i, i])});")
        case "backward":
            with writer.block(f"for (int {i} = {n} - 1; {i} >= 0; {i}--)"):
                with writer.block(f"for (int {j} = {i} + 1; {j} < {n}; {j}++)"):
                    writer.line(f"{v([i])} -= 0.0625 * {e([i, j])} * {v([j])};")
                writer.line(f"{v([i])} *= 0.5;")
        case "cholesky":
            with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
                with writer.block(f"for (int {j} = 0; {j} < {i}; {j}++)"):
                    with writer.block(f"for (int {k} = 0; {k} < {j}; {k}++)"):
                        writer.line(f"{e([i, j])} -= 0.0625 * {e([i, k])} * {e([j, k])};")
                    writer.line(f"{e([i, j])} /= 4 + {e([j, j])} * {e([j, j])};")
                with writer.block(f"for (int {k} = 0; {k} < {i}; {k}++)"):
                    writer.line(f"{e([i, i])} -= 0.0625 * {e([i, k])} * {e([i, k])};")
        case "lu":
            with writer.block(f"for (int {k} = 0; {k} < {n}; {k}++)"):
                with writer.block(f"for (int {i} = {k} + 1; {i} < {n}; {i}++)"):
                    writer.line(f"{e([i, k])} /= 3 + {e([k, k])} * {e([k, k])};")
                with writer.block(f"for (int {i} = {k} + 1; {i} < {n}; {i}++)"):
                    with writer.block(f"for (int {j} = {k} + 1; {j} < {n}; {j}++)"):
                        writer.line(f"{e([i, j])} -= 0.0625 * {e([i, k])} * {e([k, j])};")
        case "shortest paths":
            p = f"{e([i, k])} + {e([k, j])}"
            if scalar == INT:
                p = f"{e([i, k])} % 1000 + {e([k, j])} % 1000 + 2000"
            with writer.block(f"for (int {k} = 0; {k} < {n}; {k}++)"):
                with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
                    with writer.block(f"for (int {j} = 0; {j} < {n}; {j}++)"):
                        if choices.chance(0.5):
                            writer.line(f"if ({p} < {e([i, j])}) {e([i, j])} = {p};")
                        else:
                            writer.line(f"{e([i, j])} = {p} < {e([i, j])} ? {p} : {e([i, j])};")
        case _:
            with writer.block(f"for (int {i} = 0; {i} < {n}; {i}++)"):
                with writer.block(f"for (int {j} = 0; {j} <= {i}; {j}++)"):
                    writer.line(f"{e([i, j])} = 0.5 * {e([i, j])} + 0.25 * {e([j, i])};")


# Scatters


def scatter(writer: Writer) -> None:
    choices = writer.choices
    match choices.pick(SCATTERS):
        case "histogram":
            counts = writer.array(
                draw_element(choices, choices.one(["any", "integer"])),
                1,
                written=True,
                fixed=True,
            )
            most = counts.extents[0].most
            bins = choices.one([b for b in (4, 8, 10, 16, 64) if b <= most])
            keys = writer.array(draw_element(choices, "integer"), choices.number(1, 2))
            with loop(writer), loop(writer):
                key = writer.element(keys)
                by = f"{key} & {_mask(bins)}"
                if not keys.scalar.signed and choices.chance(0.5):
                    by = f"{key} % {bins}"
                target = counts.element([by])
                if choices.chance(0.4):
                    add_to(writer, target, counts.scalar)
                else:
                    writer.growth[32] += writer.trips
                    writer.line(f"{target}{choices.one(['++', ' += 1'])};")
        case "scatter" | "scatter add" as name:
            target = writer.array(None, 1, written=True, fixed=True)
            extent = target.extents[0].most
            by = writer.subscript_array(min(extent, 120), permutation=choices.chance(0.5))
            with loop(writer):
                place = target.element([writer.element(by)])
                if name == "scatter":
                    store(writer, place, target.scalar)
                else:
                    add_to(writer, place, target.scalar)
        case "gather":
            source = writer.array(None, choices.number(1, 2), fixed=True)
            target = writer.array(source.scalar, 1, written=True)
            by = [writer.subscript_array(min(e.most, 120)) for e in source.extents]
            with loop(writer) as i:
                there = source.element([writer.element(one) for one in by])
                writer.line(f"{_at(writer, target, [i])} = {there};")
        case "transposition":
            source = writer.array(None, 2)
            target = writer.array(source.scalar, 2, written=True, reuse=0.2)
            with loop(writer) as i, loop(writer) as j:
                there = _at(writer, source, [j, i])
                writer.line(f"{_at(writer, target, [i, j])} = {there};")
        case _:
            _filter(writer)


def _mask(bins: int) -> int:
    return (1 << (bins.bit_length() - 1)) - 1


def _filter(writer: Writer) -> None:
    """What fulfils a condition is put in a row."""
    source = writer.array(None, 1)
    target = writer.array(source.scalar, 1, written=True, fixed=True, reuse=0.2)
    count = writer.fresh("count")
    writer.line(f"int {count} = 0;")
    size = writer.choices.one(writer.sizes)
    bounds = Bounds("0", size.signed_text, 0, size.most - 1, (size.name, -1))
    with loop(writer, bounds=bounds, form=writer.choices.one(["for up", "for down", "while"])) as i:
        with writer.block(f"if ({condition(writer)})"):
            writer.line(f"{target.element([f'{count}++'])} = {_at(writer, source, [i])};")
    writer.line(f"{writer.result(INT)} = {count};")
