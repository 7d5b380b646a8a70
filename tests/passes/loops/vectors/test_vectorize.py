"""affine-vectorize against the loops that it replaces: bit by bit where the order is not free."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from xdsl.dialects import affine, scf, vector
from xdsl.passes import ModulePass

from polyopt.dialects import pvec
from polyopt.dialects.pvec_group_transfers import SquareOp, WriteInTurnsOp
from polyopt.dialects.pvec_transfers import WriteOp
from polyopt.ir.affine.subscripts import GREATEST_STRIDE
from polyopt.passes.loops.interleave.interleave_rows import AffineInterleaveRowsPass
from polyopt.passes.loops.vectors.vectorize import AffineVectorizePass
from polyopt.support.record import record


@record
class Vectors:
    """The vectoriser and, behind it, `rows` of its loops together, or as many as the model says."""

    march: str = "native"
    rows: int = 0

    @property
    def passes(self) -> list[ModulePass]:
        rows = AffineInterleaveRowsPass(self.march, self.rows)
        return [AffineVectorizePass(self.march), rows]


RNG = np.random.default_rng(11)
SIZES = [*range(1, 12), 15, 16, 17, 24, 25, 31, 33, 40]
MARGIN = 3
"""Arrays have so many elements more on each side than the loops run over."""
BESIDE = 9
"""A band beside the diagonal is so many elements wide."""
BACK = 52
"""Rows that run backward begin here."""

ROWS = [1, 2, 3, 4]
MATRIX = "memref<?x?xf64>"


def module_of(body: str, flags: str = "none") -> str:
    return f"""
    builtin.module attributes {{polyopt.fastmath = #arith.fastmath<{flags}>}} {{
      func.func @f(%n : index, %m : index, %c : f64, %A : {MATRIX} {{llvm.noalias}},
                   %B : {MATRIX} {{llvm.noalias}}) {{
        {body}
        return
      }}
    }}"""


def nest(i: tuple[str, str], j: tuple[str, str], body: str) -> str:
    return f"""
    affine.for %i = {i[0]} to {i[1]} {{
      affine.for %j = {j[0]} to {j[1]} {{ {body} }}
    }}"""


def sum_of(store: str, loads: list[str]) -> str:
    """`store = (load + load + …) * c`; a place is "A[%i, %j]"."""
    lines = [f"%x{k} = affine.load %{load} : {MATRIX}" for k, load in enumerate(loads)]
    total = "%x0"
    for k in range(1, len(loads)):
        lines.append(f"%s{k} = arith.addf {total}, %x{k} : f64")
        total = f"%s{k}"
    lines.append(f"%y = arith.mulf {total}, %c : f64")
    lines.append(f"affine.store %y, %{store} : {MATRIX}")
    return "\n".join(lines)


def polynomial(store: str, load: str) -> str:
    """`store = x^4 + x^3 + c x^2 + x` of one load."""
    return f"""
    %x = affine.load %{load} : {MATRIX}
    %x2 = arith.mulf %x, %x : f64
    %x3 = arith.mulf %x2, %x : f64
    %x4 = arith.mulf %x3, %x : f64
    %cx = arith.mulf %c, %x2 : f64
    %s1 = arith.addf %x4, %x3 : f64
    %s2 = arith.addf %s1, %cx : f64
    %s3 = arith.addf %s2, %x : f64
    affine.store %s3, %{store} : {MATRIX}"""


def is_applied(text: str, each: Vectors) -> bool:
    module = apply(parse_affine(text), each.passes)
    vectors = (WriteOp, WriteInTurnsOp, vector.ReductionOp)
    return any(isinstance(op, vectors) for op in module.walk())


def is_jammed(text: str, each: Vectors) -> bool:
    module = apply(parse_affine(text), each.passes)
    return any(
        op.step.value.data == each.rows and op.body.block.args[0].name_hint == "i"
        for op in module.walk()
        if isinstance(op, affine.ForOp)
    )


def check_equal(text: str, each: Vectors, tolerance: float = 0.0, sizes: list[int] = SIZES) -> None:
    wanted = compile_affine(text, march=each.march)
    got = compile_affine(text, each.passes, march=each.march)
    for n in sizes:
        m = int(RNG.integers(1, 40))
        shape = (GREATEST_STRIDE * max(n + BESIDE, m, BACK) + 2 * MARGIN,) * 2
        a, b = (RNG.random(shape) * 100 - 50 for _ in range(2))
        results = [(a.copy(), b.copy()) for _ in range(2)]
        wanted(n, m, 0.25, *results[0])
        got(n, m, 0.25, *results[1])
        for expected, result in zip(*results, strict=True):
            if tolerance:
                np.testing.assert_allclose(result, expected, rtol=tolerance, err_msg=str((n, m)))
            elif not np.array_equal(result, expected):  # else seen ten times as fast
                np.testing.assert_array_equal(result, expected, err_msg=str((n, m)))


def low(text: str) -> str:
    return f"affine_map<(d0) -> ({text})>(%i)"


DOWN, ACROSS = ("1", "%n"), ("1", "%m")
SHAPES = {
    "rows share loads": nest(
        DOWN, ACROSS, sum_of("B[%i, %j]", ["A[%i - 1, %j]", "A[%i, %j + 1]", "A[%i + 1, %j]"])
    ),
    "a row takes what the one before stored": nest(
        DOWN, ACROSS, sum_of("A[%i, %j]", ["A[%i - 1, %j]", "A[%i, %j]"])
    ),
    "above the diagonal": nest(
        DOWN, (low("d0 + 1"), "%m"), sum_of("B[%i, %j]", ["A[%i - 1, %j]", "A[%i, %j]"])
    ),
    "below the diagonal": nest(
        DOWN, ("0", low("d0")), sum_of("B[%i, %j]", ["A[%i - 1, %j]", "A[%i, %j]"])
    ),
    "a parallelogram": nest(
        DOWN, (low("d0"), low("d0 + 13")), sum_of("B[%i, %j - %i]", ["A[%i, %j - %i]"] * 2)
    ),
    "one row is also read by all": nest(
        DOWN, ACROSS, sum_of("A[%i, %j]", ["A[4, %j]", "A[%i, %j]", "B[%i, %j]"])
    ),
    "one element is read by all": nest(
        DOWN, ACROSS, sum_of("B[%i, %j]", ["A[%i, 0]", "A[%i, %j]"])
    ),
    "backward": nest(
        DOWN, ACROSS, sum_of(f"B[%i, %j * -1 + {BACK}]", [f"A[%i, %j * -1 + {BACK}]", "A[%i, %j]"])
    ),
    "turned round in place": nest(
        DOWN,
        ("0", "min affine_map<(d0) -> (d0, 20)>(%m)"),
        sum_of("A[%i, %j]", [f"A[%i, %j * -1 + {BACK}]", "A[%i, %j]", "A[%i, %j * -2 + 110]"]),
    ),
    "pairs": nest(
        DOWN, ACROSS, sum_of("B[%i, %j]", ["A[%i, %j * 2 + 1]", "A[%i, %j * 2]", "A[%i, %j]"])
    ),
    "triples, backward": nest(
        DOWN,
        ACROSS,
        sum_of("B[%i, %j]", ["A[%i, %j * -3 + 160]", "A[%i, %j * -3 + 162]", "A[%i, %j + 1]"]),
    ),
    "one of four": nest(DOWN, ACROSS, sum_of("B[%i, %j]", ["A[%i, %j * 4 + 3]", "B[%i, %j]"])),
    "two loops in a row": f"""
    affine.for %i = 1 to %n {{
      affine.for %j = 1 to %m {{ {sum_of("B[%i, %j]", ["A[%i - 1, %j]", "A[%i, %j]"])} }}
      affine.for %j = 2 to %m {{ {sum_of("A[%i, %j]", ["B[%i, %j]", "B[%i, %j - 1]"])} }}
    }}""",
}


APART = {
    "a stride of five": nest(
        DOWN,
        ("1", "min affine_map<(d0) -> (d0, 30)>(%m)"),
        polynomial("B[%i, %j]", "A[%i, %j * 5 + 2]"),
    ),
    "stores with gaps": nest(DOWN, ACROSS, polynomial("B[%i, %j * 5]", "A[%i, %j]")),
    "along the column": nest(DOWN, ACROSS, polynomial("B[%j, %i]", "A[%j, %i]")),
    "along the diagonal": nest(DOWN, ACROSS, polynomial("B[%i, %j]", "A[%j, %j * -1 + 50]")),
    "in place": nest(DOWN, ACROSS, polynomial("A[%j, %i + 1]", "A[%j, %i + 1]")),
}
"""Polynomials of one element: enough to do for vectors of elements that lie apart."""


@pytest.mark.parametrize("march", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("shape", APART)
def test_the_same_bits_of_elements_that_lie_apart(shape: str, march: str):
    text = module_of(APART[shape])
    each = Vectors(march)
    assert is_applied(text, each)
    wanted, got = compile_affine(text), compile_affine(text, each.passes)
    for n in SIZES:
        m = int(RNG.integers(1, 40))
        a, b = (RNG.random((260, 260)) * 4 - 2 for _ in range(2))
        results = [(a.copy(), b.copy()) for _ in range(2)]
        wanted(n, m, 0.25, *results[0])
        got(n, m, 0.25, *results[1])
        np.testing.assert_array_equal(results[1], results[0], err_msg=str((n, m)))


def marked(text: str) -> str:
    """Both loops of a nest said to be parallel."""
    fact = "{poly.loop = #poly.loop<parallel>}"
    return text.replace("}\n    }", f"}} {fact} }} {fact}")


TRANSPOSED = {
    "transposed": (DOWN, ACROSS, sum_of("B[%j, %i]", ["A[%i, %j]"])),
    "loads down a column": (DOWN, ACROSS, sum_of("B[%i, %j]", ["A[%j, %i + 1]", "B[%i, %j]"])),
    "both": (DOWN, ACROSS, sum_of("B[%j * 2, %i]", ["A[%j + 3, %i]", "A[%i, 2]"])),
    "above the diagonal": (DOWN, (low("d0"), "%m"), sum_of("B[%j, %i]", ["A[%i, %j]"])),
    "below the diagonal": (DOWN, ("0", low("d0 + 2")), sum_of("B[%i, %j]", ["A[%j, %i]"])),
}


@pytest.mark.parametrize("march", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("shape", TRANSPOSED)
def test_squares_are_transposed(shape: str, march: str):
    text = module_of(marked(nest(*TRANSPOSED[shape])))
    each = Vectors(march)
    module = apply(parse_affine(text), each.passes)
    assert any(isinstance(op, SquareOp) for op in module.walk())
    wanted, got = compile_affine(text), compile_affine(text, each.passes)
    for n in [*SIZES, 70, 131]:
        m = int(RNG.integers(1, 140))
        a, b = (RNG.random((290, 290)) for _ in range(2))
        results = [(a.copy(), b.copy()) for _ in range(2)]
        wanted(n, m, 0.25, *results[0])
        got(n, m, 0.25, *results[1])
        for expected, result in zip(*results, strict=True):
            np.testing.assert_array_equal(result, expected, err_msg=str((n, m)))


def channels(outer: str, start: str = "0", columns: int = 5) -> str:
    """`B[i, j] += A[5 c, j] + … + A[5 c + 4, j]`, times what changes with i and c."""
    loads = [
        f"%x{k} = affine.load %A[%k * 5 + {k}, %j + {k % 2}] : {MATRIX}" for k in range(columns)
    ]
    factors = [f"%f{k} = affine.load %A[%i + {k}, %k] : {MATRIX}" for k in range(columns)]
    steps = [
        f"%p{k} = arith.mulf %x{k}, %f{k} : f64\n%s{k + 1} = arith.addf %s{k}, %p{k} : f64"
        for k in range(columns)
    ]
    return f"""
    affine.for %i = 1 to %n {{
      affine.for %k = {start} to 7 {{
        affine.for %j = 1 to %m {{
          %s0 = affine.load %B[%i, %j] : {MATRIX}
          {" ".join([*loads, *factors, *steps])}
          affine.store %s{columns}, %B[%i, %j] : {MATRIX}
        }} {{poly.loop = #poly.loop<parallel>}}
      }}
    }} {outer}"""


@pytest.mark.parametrize(
    ("outer", "start", "jammed"),
    [
        ("{poly.loop = #poly.loop<parallel>}", "0", "i"),
        ("", "0", "k"),
        ("{poly.loop = #poly.loop<parallel>}", low("d0 - d0"), "i"),
        ("{poly.loop = #poly.loop<parallel>}", "max affine_map<(d0) -> (d0 - 20, 0)>(%i)", "k"),
    ],
)
def test_rows_of_a_loop_further_out_share_more(outer: str, start: str, jammed: str):
    """But only if it is parallel and the nest is a box."""
    text = module_of(channels(outer, start))
    each = Vectors("x86-64-v3", rows=4)
    module = apply(parse_affine(text), each.passes)
    stepped = {
        op.body.block.args[0].name_hint
        for op in module.walk()
        if isinstance(op, affine.ForOp) and op.step.value.data == 4
    }
    assert stepped == {jammed, "v"}
    wanted, got = compile_affine(text), compile_affine(text, each.passes)
    for n in [1, 2, 5, 6, 23, 40]:
        m = int(RNG.integers(1, 40))
        a, b = (RNG.random((60, 60)) for _ in range(2))
        results = [b.copy(), b.copy()]
        wanted(n, m, 0.25, a, results[0])
        got(n, m, 0.25, a, results[1])
        np.testing.assert_array_equal(results[1], results[0], err_msg=str((n, m)))


NOT_TURNED = {
    "what was stored is loaded": marked(
        nest(
            DOWN,
            (low("d0"), "%m"),
            f"""%x = affine.load %A[%j, %i] : {MATRIX}
            affine.store %x, %A[%i, %j] : {MATRIX}
            {sum_of("B[%i, %j]", ["A[%i, %j]", "A[%j, %i]"])}""",
        )
    ),
    "a loop is not parallel": nest(DOWN, ACROSS, sum_of("B[%j, %i]", ["A[%i, %j]"])),
    "along the diagonal": marked(nest(DOWN, ACROSS, sum_of("B[%i, %j]", ["A[%j, %i + %j]"]))),
    "a step of two": marked(nest(DOWN, ACROSS, sum_of("B[%i, %j * 2]", ["A[%j, %i]"]))),
    "known to be less than a square": marked(
        nest(DOWN, ("1", "4"), sum_of("B[%i, %j]", ["A[%j, %i]"]))
    ),
}


@pytest.mark.parametrize("reason", NOT_TURNED)
def test_squares_are_not_transposed(reason: str):
    module = apply(parse_affine(module_of(NOT_TURNED[reason])), Vectors("x86-64-v3").passes)
    assert not any(isinstance(op, SquareOp) for op in module.walk())


def lookup(element: str, number: str, place: str) -> str:
    """`y[i] = f(x[p, q])` for places that `place` computes from %k, what K holds."""
    return f"""
    func.func @f(%n : index, %K : memref<?x{number}> {{llvm.noalias}},
                 %X : memref<?x?x{element}> {{llvm.noalias}},
                 %Y : memref<?x{element}> {{llvm.noalias}}) {{
      affine.for %i = 2 to %n {{
        %k = affine.load %K[%i] : memref<?x{number}>
        {place}
        %x = memref.load %X[%p, %q] : memref<?x?x{element}>
        %s = arith.mulf %x, %x : {element}
        %t = arith.addf %s, %x : {element}
        %u = arith.mulf %t, %s : {element}
        %v = arith.addf %u, %t : {element}
        affine.store %v, %Y[%i] : memref<?x{element}>
      }}
      return
    }}"""


LOOKUPS: dict[str, tuple[str, Callable[[int, int], tuple[int, int]]]] = {
    "as an array says": (
        "%p = arith.index_cast %k : i32 to index\n%q = arith.constant 3 : index",
        lambda k, i: (k, 3),
    ),
    "in a row": (
        "%p = affine.apply affine_map<(d0) -> (d0 - 2)>(%i)\n"
        "%q = arith.index_cast %k : i32 to index",
        lambda k, i: (i - 2, k),
    ),
    "computed": (
        """%r = arith.index_cast %k : i32 to index
        %c4 = arith.constant 4 : index
        %p = arith.floordivsi %r, %c4 : index
        %s4 = arith.muli %p, %c4 : index
        %d = arith.subi %r, %s4 : index
        %q = arith.addi %d, %i : index""",
        lambda k, i: (k // 4, k % 4 + i),
    ),
}


@pytest.mark.parametrize(("element", "type_"), [("f64", np.float64), ("f32", np.float32)])
@pytest.mark.parametrize("places", LOOKUPS)
def test_the_same_bits_of_elements_that_are_looked_up(
    places: str, element: str, type_: type[np.floating[Any]]
):
    place, wanted = LOOKUPS[places]
    text, each = lookup(element, "i32", place), Vectors("x86-64-v4")
    module = apply(parse_affine(text), each.passes)
    assert any(isinstance(op, pvec.GatherOp) for op in module.walk())
    native = compile_affine(text, each.passes)
    for n in SIZES:
        k = RNG.integers(0, n + 1, n).astype(np.int32)
        x = RNG.integers(-9, 9, (n + 1, n + 5)).astype(type_)
        y = np.zeros(n, type_)
        native(n, k, x, y)
        for i in range(2, n):
            one = x[wanted(int(k[i]), i)]
            assert y[i] == one**4 + one**3 + one**2 + one, (n, i)
        assert not y[:2].any()


def test_sums_of_what_is_looked_up():
    """Rows of few elements are added up one by one, others in vectors."""
    text = """
    builtin.module attributes {polyopt.fastmath = #arith.fastmath<reassoc>} {
      func.func @f(%n : index, %K : memref<?xi32> {llvm.noalias},
                   %X : memref<?xf64> {llvm.noalias}, %S : memref<f64> {llvm.noalias}) {
        affine.for %i = 0 to %n {
          %k = affine.load %K[%i] : memref<?xi32>
          %p = arith.index_cast %k : i32 to index
          %x = memref.load %X[%p] : memref<?xf64>
          %s = affine.load %S[] : memref<f64>
          %t = arith.addf %s, %x : f64
          affine.store %t, %S[] : memref<f64>
        }
        return
      }
    }"""
    each = Vectors("x86-64-v4")
    module = apply(parse_affine(text), each.passes)
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    assert {op.step.value.data for op in loops} == {1, 8}
    native = compile_affine(text, each.passes)
    for n in SIZES:
        k, x = RNG.integers(0, n, n).astype(np.int32), RNG.integers(-50, 50, n).astype(np.float64)
        s = np.ones(())
        native(n, k, x, s)
        assert s == 1 + x[k].sum(), n


def test_refuses_what_is_looked_up_where_it_is_written():
    """Another iteration may have stored what an index finds."""
    text = (
        lookup("f64", "i32", LOOKUPS["in a row"][0])
        .replace("%X : memref<?x?xf64> {llvm.noalias}", "%X : memref<?x?xf64>")
        .replace("%Y : memref<?xf64> {llvm.noalias}", "%Y : memref<?xf64>")
    )
    assert not is_applied(text, Vectors())


CONDITIONALS = {
    "one arm": """
      scf.if %c {
        %y = affine.load %Y[%i] : memref<?xf64>
        %s = arith.addf %x, %y : f64
        affine.store %s, %Y[%i] : memref<?xf64>
      }""",
    "two arms": """
      scf.if %c {
        %s = arith.addf %x, %x : f64
        affine.store %s, %Y[%i] : memref<?xf64>
      } else {
        %y = affine.load %Y[%i] : memref<?xf64>
        %s = arith.mulf %x, %y : f64
        affine.store %s, %Y[%i] : memref<?xf64>
      }""",
    "one in another, and what comes behind": """
      scf.if %c {
        %y = affine.load %Y[%i] : memref<?xf64>
        %d = arith.cmpf olt, %y, %x : f64
        scf.if %d {
          affine.store %x, %Y[%i] : memref<?xf64>
        } else {
          affine.store %zero, %Z[%i * 6] : memref<?xf64>
        }
      } else {
      }
      %v = affine.load %Y[%i] : memref<?xf64>
      %w = arith.mulf %v, %v : f64
      affine.store %w, %Y[%i] : memref<?xf64>""",
    "a place that is none where the condition does not hold": """
      scf.if %c {
        %p = arith.index_cast %k : i64 to index
        %y = memref.load %X[%p] : memref<?xf64>
        %s = arith.addf %x, %y : f64
        affine.store %s, %Y[%i] : memref<?xf64>
      }""",
}
"""Of x, which is X[i], k, which is K[i], and c: is x positive? Else K holds no index."""


@pytest.mark.parametrize("arms", CONDITIONALS)
def test_conditionals_are_masks(arms: str):
    array = "memref<?xf64> {llvm.noalias}"
    text = f"""
    func.func @f(%n : index, %X : {array}, %Y : {array}, %Z : {array},
                 %K : memref<?xi64> {{llvm.noalias}}) {{
      %zero = arith.constant 0.0 : f64
      affine.for %i = 0 to %n {{
        %x = affine.load %X[%i] : memref<?xf64>
        %k = affine.load %K[%i] : memref<?xi64>
        %c = arith.cmpf ogt, %x, %zero : f64
        {CONDITIONALS[arms]}
      }} {{poly.loop = #poly.loop<parallel>}}
      return
    }}"""
    each = Vectors("x86-64-v4")
    module = apply(parse_affine(text), each.passes)
    assert not any(isinstance(op, scf.IfOp) for op in module.walk())
    wanted, got = compile_affine(text), compile_affine(text, each.passes)
    for n in [*SIZES, 100]:
        x = RNG.integers(-3, 4, n).astype(np.float64)
        k = np.where(x > 0, RNG.integers(0, n, n), -(2**40))
        y, z = RNG.integers(-3, 4, n).astype(np.float64), np.ones(6 * n)
        results = [(x.copy(), y.copy(), z.copy()) for _ in range(2)]
        wanted(n, *results[0], k)
        got(n, *results[1], k)
        for expected, result in zip(*results, strict=True):
            np.testing.assert_array_equal(result, expected, err_msg=str(n))


def test_refuses_conditionals_with_sums_or_divisions():
    """Of longer integers than floating-point numbers hold."""
    for body in (
        "%y = affine.load %Y[0] : memref<?xi64> %s = arith.addi %x, %y : i64 "
        "affine.store %s, %Y[0] : memref<?xi64>",
        "%s = arith.divsi %x, %x : i64 affine.store %s, %Y[%i] : memref<?xi64>",
    ):
        array = "memref<?xi64> {llvm.noalias}"
        text = f"""
        func.func @f(%n : index, %X : {array}, %Y : {array}) {{
          %zero = arith.constant 0 : i64
          affine.for %i = 0 to %n {{
            %x = affine.load %X[%i] : memref<?xi64>
            %c = arith.cmpi ne, %x, %zero : i64
            scf.if %c {{ {body} }}
          }}
          return
        }}"""
        assert not is_applied(text, Vectors("x86-64-v4"))


def test_iterators_are_numbers():
    body = """
    affine.for %i = 3 to %n {
      %j = affine.apply affine_map<(d0) -> (d0 * 5 - 7)>(%i)
      %k = arith.index_cast %j : index to i32
      %x = affine.load %X[%i * 6] : memref<?xi32>
      %y = arith.muli %x, %k : i32
      %z = arith.addi %y, %y : i32
      affine.store %z, %Y[%i] : memref<?xi32>
    }"""
    type_ = "memref<?xi32> {llvm.noalias}"
    text = f"func.func @f(%n : index, %X : {type_}, %Y : {type_}) {{ {body} return }}"
    each = Vectors("x86-64-v4")
    assert is_applied(text, each)
    native = compile_affine(text, each.passes)
    for n in SIZES:
        x, y = (RNG.integers(-1000, 1000, 6 * n).astype(np.int32) for _ in range(2))
        expected = y.copy()
        expected[3:n] = [2 * x[6 * i] * (5 * i - 7) for i in range(3, n)]
        native(n, x, y)
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_bits(shape: str):
    text = module_of(SHAPES[shape])
    for each in (Vectors(march="x86-64-v3"), Vectors("native", rows=3)):
        assert is_applied(text, each)
        check_equal(text, each)


JAMMED = {
    "rows share loads": True,
    "a row takes what the one before stored": True,
    "above the diagonal": True,
    "one row is also read by all": True,
    "two loops in a row": False,
}
"""The second loop of a row writes what the first one of the next row reads."""


@pytest.mark.parametrize("shape", JAMMED)
def test_rows_run_together_only_where_that_is_legal(shape: str):
    assert is_jammed(module_of(SHAPES[shape]), Vectors(rows=4)) == JAMMED[shape]


REFUSED = {
    "each iteration needs the one before": nest(
        DOWN, ACROSS, sum_of("A[%i, %j]", ["A[%i, %j - 1]", "B[%i, %j]"])
    ),
    "all there is to do is to load and store with gaps": nest(
        DOWN, ACROSS, sum_of("B[%i, %j * 6]", ["A[%i, %j * 5]"])
    ),
    "rows of an extent that may be one": nest(DOWN, ACROSS, polynomial("B[%i, %j]", "A[%j, 0]")),
    "backward into what comes later": nest(
        DOWN, ACROSS, sum_of("A[%i, %j]", ["A[%i, %j * -1 + 30]"])
    ),
    "the last iteration's value is kept": nest(DOWN, ACROSS, sum_of("B[%i, 0]", ["A[%i, %j]"])),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_refuses(reason: str):
    assert not is_applied(module_of(REFUSED[reason]), Vectors())


def test_a_store_to_every_other_element_is_a_stretch_under_a_mask():
    """Where masks are as cheap as moves."""
    text = module_of(nest(DOWN, ACROSS, polynomial("B[%i, %j * 2]", "A[%i, %j]")))
    assert not is_applied(text, Vectors(march="x86-64-v3"))
    assert is_applied(text, Vectors(march="x86-64-v4"))
    check_equal(text, Vectors())


def test_refuses_arrays_that_may_overlap():
    text = module_of(SHAPES["rows share loads"]).replace("{llvm.noalias}", "")
    assert not is_applied(text, Vectors())


def accumulation(operator: str) -> str:
    return nest(
        DOWN,
        ACROSS,
        f"""
        %x = affine.load %B[%i, 0] : {MATRIX}
        %a = affine.load %A[%i, %j] : {MATRIX}
        %t = arith.mulf %a, %c : f64
        %y = arith.{operator} %x, %t : f64
        affine.store %y, %B[%i, 0] : {MATRIX}""",
    )


@pytest.mark.parametrize("operator", ["addf", "subf", "mulf"])
def test_accumulations_only_where_their_order_is_free(operator: str):
    each = Vectors(rows=2)
    assert not is_applied(module_of(accumulation(operator)), each)
    text = module_of(accumulation(operator), flags="reassoc")
    assert is_applied(text, each)
    check_equal(text, each, tolerance=1e-9)


@pytest.mark.parametrize("flags", ["none", "fast"])
@pytest.mark.parametrize("operator", ["maxnumf", "minnumf"])
def test_the_greatest_is_the_same_in_any_order(operator: str, flags: str):
    text = module_of(accumulation(operator), flags)
    assert is_applied(text, Vectors())
    check_equal(text, Vectors())


def test_integers_and_comparisons_lane_by_lane():
    body = """
    affine.for %i = 1 to %n {
      %p = affine.load %X[%i] : memref<?xi32>
      %q = affine.load %Y[%i + 1] : memref<?xi32>
      %less = arith.cmpi slt, %p, %q : i32
      %s = arith.select %less, %p, %q : i32
      %t = arith.muli %s, %s : i32
      affine.store %t, %X[%i] : memref<?xi32>
    }"""
    type_ = "memref<?xi32> {llvm.noalias}"
    text = f"func.func @f(%n : index, %X : {type_}, %Y : {type_}) {{ {body} return }}"
    assert is_applied(text, Vectors())
    native = compile_affine(text, Vectors().passes)
    for n in SIZES:
        x, y = (RNG.integers(-1000, 1000, n + 2).astype(np.int32) for _ in range(2))
        expected = x.copy()
        expected[1:n] = np.minimum(x[1:n], y[2 : n + 1]) ** 2
        native(n, x, y)
        np.testing.assert_array_equal(x, expected)


def _random_place(choose: random.Random) -> str:
    array = choose.choice("AB")
    row = choose.choice(["%i", "%i", "%i - 1", "%i + 1", "%i + 2", "2", "%j - %j + 5"])
    columns = ["%j", "%j", "%j - 1", "%j + 1", "3"]
    columns += [f"%j * -1 + {BACK}", "%j * 2", "%j * 2 + 1", "%j * 3", "%j * -4 + 208"]
    if choose.random() < 0.2:
        return f"{array}[%j, %i + 1]"
    column = choose.choice(columns if choose.random() < 0.5 else columns[:5])
    return f"{array}[{row}, {column}]"


def _random_nest(choose: random.Random) -> str:
    bounds = [
        ("1", "%m"),
        (low("d0"), "%m"),
        ("1", low("d0")),
        (low("d0"), low(f"d0 + {BESIDE}")),
        ("2", "11"),
    ]
    loops: list[str] = []
    for _ in range(choose.randint(1, 2)):
        start, end = choose.choice(bounds)
        stores = ["A[%i, %j]", "B[%i, %j]", "B[%i + 1, %j]", "A[%i, %j + 1]"]
        store = choose.choice([*stores, f"A[%i, %j * -1 + {BACK}]"])
        loads = [_random_place(choose) for _ in range(choose.randint(1, 3))]
        loops.append(f"affine.for %j = {start} to {end} {{ {sum_of(store, loads)} }}")
    return f"affine.for %i = 1 to %n {{ {' '.join(loops)} }}"


def check_random(seeds: range) -> int:
    applied = 0
    for seed in seeds:
        choose = random.Random(seed)
        text = module_of(_random_nest(choose))
        each = Vectors(rows=choose.choice(ROWS), march=choose.choice(["x86-64-v3"]))
        if is_applied(text, each):
            applied += 1
            check_equal(text, each, sizes=[1, 2, 5, 9, 18, 30])
    return applied


def test_random_nests():
    assert check_random(range(12)) >= 4


@pytest.mark.slow
def test_many_random_nests():
    assert check_random(range(100, 400)) >= 80
