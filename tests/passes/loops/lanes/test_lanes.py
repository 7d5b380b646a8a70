"""affine-lanes against the loops that it replaces: bit by bit, for no order changes."""

import random

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine

from polyopt.passes.loops.lanes.lanes import AffineLanesPass

RNG = np.random.default_rng(13)
SIZES = [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 26, 33]
MARGIN = 4
"""Arrays have so many elements more on each side than the loops run over."""

MATRIX = "memref<?x?xf64>"
SMALL = AffineLanesPass(march="x86-64-v3", vectors=2, force=True)
SINGLE = AffineLanesPass(march="x86-64-v3", vectors=1, force=True)


def module_of(body: str) -> str:
    return f"""
    func.func @f(%n : index, %m : index, %c : f64, %A : {MATRIX} {{llvm.noalias}},
                 %B : {MATRIX} {{llvm.noalias}}, %C : {MATRIX} {{llvm.noalias}}) {{
      {body}
      return
    }}"""


def update(store: str, loads: list[str], prefix: str = "") -> str:
    """`store = (load + load + …) * c`; a place is "A[%i, %j]"."""
    p = f"%{prefix}"
    lines = [f"{p}x{k} = affine.load %{load} : {MATRIX}" for k, load in enumerate(loads)]
    total = f"{p}x0"
    for k in range(1, len(loads)):
        lines.append(f"{p}s{k} = arith.addf {total}, {p}x{k} : f64")
        total = f"{p}s{k}"
    lines.append(f"{p}y = arith.mulf {total}, %c : f64")
    lines.append(f"affine.store {p}y, %{store} : {MATRIX}")
    return "\n".join(lines)


def inner(low: str, high: str, *updates: str) -> str:
    return f"affine.for %j = {low} to {high} {{ {' '.join(updates)} }}"


def rows(*groups: str, parallel: bool = False) -> str:
    mark = "{poly.loop = #poly.loop<parallel>}" if parallel else ""
    return f"affine.for %i = 2 to %n {{ {' '.join(groups)} }} {mark}"


def by_row(text: str) -> str:
    return f"affine_map<(d0) -> ({text})>(%i)"


def with_iterators(store: str, loads: list[str]) -> str:
    """`store = (load + …) * c` with both iterators added to the first load."""
    text = update(store, loads, "w")
    first, rest = text.split("\n", 1)
    first += """
    %iw = arith.index_cast %i : index to i64
    %jw = arith.index_cast %j : index to i64
    %both = arith.muli %iw, %jw : i64
    %number = arith.sitofp %both : i64 to f64
    %wx = arith.addf %wx0, %number : f64"""
    return first + "\n" + rest.replace("%wx0,", "%wx,")


def called(store: str, load: str) -> str:
    """`store = exp(load)`, which has no lanes here."""
    return f"""
    %before = affine.load %{load} : {MATRIX}
    %called = math.exp %before : f64
    affine.store %called, %{store} : {MATRIX}"""


LEFT = update("A[%i, %j]", ["A[%i, %j - 1]", "B[%i, %j]"])
NINE = [f"A[%i + {a}, %j + {b}]" for a in (-1, 0, 1) for b in (-1, 0, 1)]
SHAPES = {
    "sums of rows and of columns that need each other": rows(
        inner(
            "0",
            "%m",
            update("B[%i, 40]", ["B[%i, 40]", "C[3, %j]"], "u"),
            update("C[3, %j]", ["C[3, %j]", "A[%i, %j]"], "v"),
        ),
    ),
    "sums of rows, which are added up": rows(
        update("A[%i, 0]", ["B[%i, 0]"], "b"),
        inner("1", "%m", update("A[%i, 0]", ["A[%i, 0]", "B[%i, %j]"])),
        update("C[0, 0]", ["C[0, 0]", "A[%i, 0]"], "e"),
    ),
    "all rows store to one": rows(inner("1", "%m", update("A[0, %j]", ["A[0, %j - 1]"]))),
    "one row over and over": rows(
        inner("1", "%m", update("A[0, %j]", ["A[0, %j]", "A[0, %j - 1]", "B[%i, %j]"]))
    ),
    "one row, and the next element of the one before": rows(
        inner("1", "%m", update("A[0, %j]", ["A[0, %j + 1]", "A[0, %j]", "A[0, %j - 1]"]))
    ),
    "one row that begins with a product": rows(
        update("A[0, 0]", ["B[%i, 0]"], "b"),
        inner("1", "%m", update("A[0, %j]", ["A[0, %j]", "A[0, %j - 1]", "B[%i, %j]"])),
    ),
    "two rows, each from the other": rows(
        inner(
            "1",
            "%m",
            update("A[0, %j]", ["A[0, %j]", "A[0, %j - 1]", "B[%i, %j]"], "u"),
            update("C[0, %j]", ["C[0, %j]", "C[0, %j - 1]", "A[0, %j - 1]"], "v"),
        )
    ),
    "a loop goes on with the row before": rows(
        inner("1", "%m", LEFT),
        inner("1", "%m", update("A[%i - 1, %j]", ["A[%i - 1, %j - 1]"], "v")),
    ),
    "what stands in front of a row is read by the next one": rows(
        update("A[%i, 0]", ["B[%i, 0]"], "b"),
        inner("1", "%m", update("A[%i, %j]", ["A[%i - 1, %j - 1]", "A[%i, %j - 1]"])),
    ),
    "each row for itself": rows(inner("1", "%m", LEFT)),
    "each column for itself": rows(
        inner("1", "%m", update("A[%j, %i]", ["A[%j - 1, %i]", "B[%j, %i]"]))
    ),
    "two iterations back": rows(
        inner("2", "%m", update("A[%i, %j]", ["A[%i, %j - 2]", "A[%i, %j - 1]", "A[%i, %j]"]))
    ),
    "backwards": rows(
        inner("0", "%m", update("A[%i, %j * -1 + 40]", ["A[%i, %j * -1 + 41]", "B[%i, %j]"]))
    ),
    "a wavefront": rows(inner("1", "%m", update("A[%i, %j]", NINE))),
    "a wavefront of a parallelogram": rows(
        inner(by_row("d0"), by_row("d0 + 19"), update("A[%i, %j]", NINE))
    ),
    "above the diagonal": rows(
        inner(by_row("d0"), "%m", update("A[%i, %j]", ["A[%i - 1, %j]", "A[%i, %j - 1]"]))
    ),
    "tiles of a wavefront": rows(
        inner(
            f"max {by_row('d0 * -1 + 9, 1')}",
            f"min {by_row('d0 * -1 + 30, 25')}",
            update("A[%i, %j]", NINE),
        )
    ),
    "several loops": rows(
        update("B[%i, 0]", ["A[%i, 1]"], "u"),
        inner("1", "%m", update("B[%i, %j]", ["B[%i, %j - 1]", "A[%i, %j]"])),
        update("A[%i, 0]", ["B[%i, 3]"], "v"),
        inner("1", "%m", update("A[%i, %j]", ["A[%i, %j - 1]", "B[%i, %j + 1]"])),
    ),
    "a variable for each row, and what the last one leaves in it": f"""
    %t = memref.alloca() : memref<f64>
    %u = memref.alloca() : memref<f64>
    affine.store %c, %t[] : memref<f64>
    affine.store %c, %u[] : memref<f64>
    affine.for %i = 1 to %n {{
      affine.store %c, %t[] : memref<f64>
      %first = affine.load %B[%i, 0] : {MATRIX}
      affine.store %first, %u[] : memref<f64>
      affine.for %j = 1 to %m {{
        %x = affine.load %t[] : memref<f64>
        %y = affine.load %A[%i, %j] : {MATRIX}
        %z = affine.load %u[] : memref<f64>
        %s = arith.mulf %x, %y : f64
        %v = arith.addf %s, %z : f64
        affine.store %v, %A[%i, %j] : {MATRIX}
        affine.store %x, %u[] : memref<f64>
        affine.store %v, %t[] : memref<f64>
      }}
    }}
    %last = affine.load %t[] : memref<f64>
    %last_but_one = affine.load %u[] : memref<f64>
    affine.store %last, %A[0, 0] : {MATRIX}
    affine.store %last_but_one, %A[0, 1] : {MATRIX}""",
    "rows by their sums": rows(
        inner("0", "%m", update("B[%i, 0]", ["B[%i, 0]", "A[%i, %j]"], "u")),
        inner("0", "%m", update("A[%i, %j]", ["A[%i, %j]", "B[%i, 0]"], "v")),
        parallel=True,
    ),
    "two sums, backwards, with one that moves": rows(
        update("B[%i, 3]", ["A[%i, 2]"], "r"),
        inner(
            "1",
            "%m",
            update("B[%i, 0]", ["B[%i, 0]", "A[%i, %j * -1 + 40]", "A[%i, %j]"], "u"),
            update("B[%i, 1]", ["B[%i, 1]", "B[%i, 0]", "A[%j, 3]"], "v"),
            update("B[%i, %j + 2]", ["B[%i, %j + 1]", "A[%i, %j * -1 + 40]"], "w"),
        ),
        parallel=True,
    ),
    "a sum that the row itself feeds": rows(
        inner(
            "1",
            "%m",
            update("B[%i, 5]", ["B[%i, 5]", "B[%i, %j]"], "u"),
            update("B[%i, %j]", ["B[%i, %j - 1]", "A[%i, %j]"], "v"),
        ),
        parallel=True,
    ),
    "a state in members side by side": rows(
        inner(
            "1",
            "%m",
            update("B[%i, 0]", ["B[%i, 0]", "B[%i, 1]"], "u"),
            update("B[%i, 1]", ["B[%i, 1]", "B[%i, 0]", "B[%i, 2]"], "v"),
            update("B[%i, 0]", ["B[%i, 0]", "A[%i, %j]"], "w"),
        ),
        parallel=True,
    ),
    "sums of rows, added to the columns": rows(
        update("B[%i, 40]", ["A[%i, 40]"], "r"),
        inner("0", "%m", update("B[%i, 40]", ["B[%i, 40]", "A[%i, %j]"], "u")),
        inner("0", "%m", update("C[3, %j]", ["C[3, %j]", "A[%i, %j]", "B[%i, 40]"], "v")),
    ),
    "a call between sums of rows and what is added to the columns": rows(
        update("B[%i, 40]", ["A[%i, 40]"], "r"),
        inner("0", "%m", update("B[%i, 40]", ["B[%i, 40]", "A[%i, %j]"], "u")),
        called("B[%i, 41]", "B[%i, 40]"),
        inner("0", "%m", update("C[3, %j]", ["C[3, %j]", "A[%i, %j]", "B[%i, 41]"], "v")),
    ),
    "calls between two sums of rows": rows(
        inner("0", "%m", update("B[%i, 40]", ["B[%i, 40]", "A[%i, %j]"], "u")),
        called("B[%i, 41]", "B[%i, 40]"),
        inner("0", "%m", update("B[%i, 42]", ["B[%i, 42]", "A[%i, %j]", "B[%i, 41]"], "v")),
        parallel=True,
    ),
    "a call of a variable, and what is added to the columns": f"""
    %t = memref.alloca() : memref<f64>
    affine.store %c, %t[] : memref<f64>
    affine.for %i = 1 to %n {{
      affine.store %c, %t[] : memref<f64>
      affine.for %j = 1 to %m {{
        %x = affine.load %t[] : memref<f64>
        %y = affine.load %A[%i, %j] : {MATRIX}
        %s = arith.mulf %x, %y : f64
        %v = arith.addf %s, %y : f64
        affine.store %v, %t[] : memref<f64>
      }}
      %z = affine.load %t[] : memref<f64>
      %called = math.exp %z : f64
      affine.store %called, %t[] : memref<f64>
      affine.store %called, %B[%i, 0] : {MATRIX}
      {inner("0", "%m", update("C[3, %j]", ["C[3, %j]", "A[%i, %j]", "B[%i, 0]"], "v"))}
    }}
    %last = affine.load %t[] : memref<f64>
    affine.store %last, %B[0, 1] : {MATRIX}""",
    "sums of rows, which are added up, and added to the columns": rows(
        update("B[%i, 40]", ["A[%i, 40]"], "r"),
        inner("0", "%m", update("B[%i, 40]", ["B[%i, 40]", "A[%i, %j]"], "u")),
        update("C[0, 0]", ["C[0, 0]", "B[%i, 40]"], "e"),
        inner("0", "%m", update("C[3, %j]", ["C[3, %j]", "A[%i, %j]", "B[%i, 40]"], "v")),
    ),
    "sums of rows and of columns in one loop": rows(
        update("B[%i, 40]", ["A[%i, 40]"], "r"),
        inner(
            "0",
            "%m",
            update("B[%i, 40]", ["B[%i, 40]", "A[%i, %j]"], "u"),
            update("C[3, %j]", ["C[3, %j]", "A[%i, %j]"], "v"),
        ),
    ),
    "iterators as numbers": rows(
        inner("1", "%m", with_iterators("A[%i, %j]", ["A[%i, %j - 1]", "B[%i, %j]"]))
    ),
    "iterators as numbers along the wavefront": rows(
        inner("1", "%m", with_iterators("A[%i, %j]", ["A[%i - 1, %j]", "A[%i, %j - 1]"]))
    ),
    "what is stored ahead is read later": rows(
        inner(
            "1",
            "%m",
            update("B[%i, %j + 2]", ["A[%i, %j]", "A[%i, %j - 1]"], "u"),
            update("A[%i, %j]", ["A[%i, %j - 1]", "B[%i, %j]", "B[%i, %j * -1 + 40]"], "v"),
        ),
        parallel=True,
    ),
    "one statement feeds the next": rows(
        inner(
            "1",
            "%m",
            update("B[%i, %j]", ["B[%i, %j - 1]", "A[%i, %j]"], "u"),
            update("A[%i, %j]", ["A[%i, %j - 1]", "B[%i, %j]", "B[%i, %j - 1]"], "v"),
        ),
        parallel=True,
    ),
}


def is_applied(text: str, each: AffineLanesPass) -> bool:
    return "vector<" in str(apply(parse_affine(text), [each]))


def check_equal(text: str, each: AffineLanesPass, sizes: list[int] = SIZES) -> None:
    wanted = compile_affine(text, march=each.march)
    got = compile_affine(text, [each], march=each.march)
    for n in sizes:
        m = int(RNG.integers(1, 36))
        shape = (max(n, m, 45) + 2 * MARGIN,) * 2
        arrays = [RNG.random(shape) for _ in range(3)]
        results = [[array.copy() for array in arrays] for _ in range(2)]
        wanted(n, m, 0.25, *results[0])
        got(n, m, 0.25, *results[1])
        for expected, result in zip(*results, strict=True):
            np.testing.assert_array_equal(result, expected, err_msg=str((n, m)))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_bits(shape: str):
    text = module_of(SHAPES[shape])
    for each in (SMALL, SINGLE):
        assert is_applied(text, each)
        check_equal(text, each)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_bits_on_this_machine(shape: str):
    check_equal(module_of(SHAPES[shape]), AffineLanesPass(force=True), [*range(1, 40)])


REFUSED = {
    "a call of what the columns of the row before were added to": rows(
        inner("0", "%m", update("B[%i, 40]", ["B[%i, 40]", "A[%i, %j]"], "u")),
        called("B[%i, 41]", "C[3, 0]"),
        inner("0", "%m", update("C[3, %j]", ["C[3, %j]", "A[%i, %j]", "B[%i, 41]"], "v")),
    ),
    "sums of rows and of those before, which are added up": rows(
        inner("1", "%m", update("A[%i, 0]", ["A[%i, 0]", "A[%i - 1, 0]", "B[%i, %j]"])),
        update("C[0, 0]", ["C[0, 0]", "A[%i, 0]"], "e"),
    ),
    "sums of rows, every one a summand of the next": rows(
        update("A[%i, 0]", ["A[%i - 1, 0]"], "b"),
        inner("1", "%m", update("A[%i, 0]", ["A[%i, 0]", "B[%i, %j]"])),
        update("C[0, 0]", ["C[0, 0]", "A[%i, 0]"], "e"),
    ),
    "iterations are independent": rows(inner("1", "%m", update("A[%i, %j]", ["B[%i, %j]"]))),
    "a row needs the end of the one before": rows(
        inner("1", "%m", update("A[%i, %j]", ["A[%i - 1, %j + 9]", "A[%i, %j - 1]"]))
    ),
    "rows meet anywhere": rows(
        inner("1", "%m", update("A[%i, %j]", ["A[%j, %i]", "A[%i, %j - 1]"]))
    ),
    "all rows read one element of the one that they store to": rows(
        inner("1", "%m", update("A[0, %j]", ["A[0, %j - 1]", "A[0, 3]"]))
    ),
    "a loop takes up the next row before its own loop does": rows(
        inner("1", "%m", LEFT), inner("1", "%m", update("A[%i + 1, %j]", ["A[%i + 1, %j - 1]"]))
    ),
    "what stands in front of a row is read by the row before": rows(
        update("A[%i, 0]", ["B[%i, 0]"], "b"),
        inner("1", "%m", update("A[%i, %j]", ["A[%i, %j - 1]", "A[%i + 1, 0]"])),
    ),
    "sums of what a vector loop of the row before has stored": rows(
        inner("0", "%m", update("B[%i, 40]", ["B[%i, 40]", "C[3, %j]"], "u")),
        inner("0", "%m", update("C[3, %j]", ["C[3, %j]", "A[%i, %j]"], "v")),
    ),
    "a variable that a row takes over from the one before": f"""
    %t = memref.alloca() : memref<f64>
    affine.store %c, %t[] : memref<f64>
    affine.for %i = 1 to %n {{
      affine.for %j = 1 to %m {{
        %x = affine.load %t[] : memref<f64>
        %y = affine.load %A[%i, %j] : {MATRIX}
        %v = arith.addf %x, %y : f64
        affine.store %v, %A[%i, %j] : {MATRIX}
        affine.store %v, %t[] : memref<f64>
      }}
    }}""",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_refuses(reason: str):
    assert not is_applied(module_of(REFUSED[reason]), SMALL)


def test_refuses_arrays_that_may_overlap():
    text = module_of(SHAPES["each row for itself"]).replace("{llvm.noalias}", "")
    assert not is_applied(text, SMALL)


def _random_nest(choose: random.Random) -> str:
    """One inner loop with one or two statements and any neighbours, or rows for themselves."""
    bounds = [
        ("2", "%m"),
        ("3", "28"),
        (by_row("d0"), by_row("d0 + 21")),
        (by_row("d0 * -1 + 35"), "37"),
        ("2", f"min {by_row('d0 + 3, 24')}"),
    ]
    is_alone = choose.random() < 0.3
    updates: list[str] = []
    for number in range(choose.randint(1, 2)):
        column = choose.choice(["%j", "%j", "%j + 1"])
        loads: list[str] = []
        for _ in range(choose.randint(1, 4)):
            row = "%i" if is_alone else choose.choice(["%i", "%i", "%i - 1", "%i + 1", "%i - 2"])
            near = choose.choice(["%j", "%j - 1", "%j + 1", "%j - 2", "%j + 2"])
            loads.append(f"{choose.choice('AAB')}[{row}, {near}]")
        updates.append(update(f"{choose.choice('AAB')}[%i, {column}]", loads, f"p{number}"))
    groups = [inner(*choose.choice(bounds), *updates)]
    if is_alone and choose.random() < 0.5:
        total = choose.choice(["A[%i, 1]", "B[%i, 39]"])
        moves = choose.choice(["A[%i, %j]", "B[%i, %j - 1]", "A[%i, %j * -1 + 38]"])
        row = choose.choice(["A[%i, %j]", "C[%i, %j]"])
        column = choose.choice(["C[4, %j]", "C[%i, %j]"])
        more = [update(total, [total, moves], "q"), update(row, [row, total], "r")]
        more.append(update(column, [column, "A[%i, %j]"], "s"))
        if choose.random() < 0.5:
            groups.append(inner("2", "%m", *more))
        else:
            groups += [inner("2", "%m", one) for one in more]
    return rows(*groups, parallel=is_alone and not any("C[4" in one for one in groups))


def check_random(seeds: range) -> int:
    applied = 0
    for seed in seeds:
        choose = random.Random(seed)
        text = module_of(_random_nest(choose))
        each = choose.choice([SMALL, SINGLE])
        if is_applied(text, each):
            applied += 1
            check_equal(text, each, sizes=[1, 4, 9, 18, 30])
    return applied


def test_random_nests():
    assert check_random(range(10)) >= 4


@pytest.mark.slow
def test_many_random_nests():
    assert check_random(range(100, 250)) >= 60
