"""affine-tile-registers against the loops that it replaces: bit by bit, for no order changes."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine

from polyopt.passes.loops.registers.tile_registers import AffineTileRegistersPass

RNG = np.random.default_rng(31)
SIZES = [0, 1, 6, 8, 17, 33]
ELEMENTS = {"f64": np.float64, "f32": np.float32, "i32": np.int32}
NARROW = AffineTileRegistersPass(march="x86-64-v3")
HOST = AffineTileRegistersPass()


def module_of(body: str, element: str = "f64") -> str:
    matrix = f"memref<?x?x{element}>"
    arrays = ", ".join(f"%{name} : {matrix} {{llvm.noalias}}" for name in "ABC")
    text = f"""
    func.func @f(%n : index, %m : index, %k : index, {arrays}) {{
      {body}
      return
    }}"""
    kind = "i" if element == "i32" else "f"
    return (
        text.replace("MATRIX", matrix)
        .replace("MUL", f"arith.mul{kind}")
        .replace("ADD", f"arith.add{kind}")
        .replace("ELEMENT", element)
    )


def product(a: str, b: str, c: str, prefix: str = "") -> str:
    """`c = c + a * b`; a place is "A[%i, %p]"."""
    p = f"%{prefix}"
    return f"""
      {p}a = affine.load %{a} : MATRIX
      {p}b = affine.load %{b} : MATRIX
      {p}ab = MUL {p}a, {p}b : ELEMENT
      {p}c = affine.load %{c} : MATRIX
      {p}s = ADD {p}c, {p}ab : ELEMENT
      affine.store {p}s, %{c} : MATRIX"""


def loops(*headers: str, body: str) -> str:
    """`headers` are "i = 0 to %n", outermost first."""
    opening = "\n".join(f"affine.for %{header} {{" for header in headers)
    return f"{opening} {body} {'}' * len(headers)}"


def by_column(low: str, high: str) -> str:
    """A sum of products in a variable, over a range that moves with the column."""
    body = VARIABLE.replace("affine.for %p = 0 to %k", f"affine.for %p = {low} to {high}")
    nest = loops("i = 0 to %n", "j = 0 to %m", body=body)
    return f"%t = memref.alloca() : memref<ELEMENT>\n{nest}"


PRODUCT = product("A[%i, %p]", "B[%p, %j]", "C[%i, %j]")
VARIABLE = """
  %s0 = affine.load %C[%i, %j] : MATRIX
  affine.store %s0, %t[] : memref<ELEMENT>
  affine.for %p = 0 to %k {
    %a = affine.load %A[%i + %p, 0] : MATRIX
    %b = affine.load %B[%p, %j] : MATRIX
    %ab = MUL %a, %b : ELEMENT
    %s1 = affine.load %t[] : memref<ELEMENT>
    %s2 = ADD %s1, %ab : ELEMENT
    affine.store %s2, %t[] : memref<ELEMENT>
  }
  %s3 = affine.load %t[] : memref<ELEMENT>
  %s4 = MUL %s3, %s3 : ELEMENT
  affine.store %s4, %C[%i, %j] : MATRIX"""
BY_COLUMN = VARIABLE.replace("%t[]", "%t[%j]").replace("memref<E", "memref<?xE")
TWO_SUMS = loops(
    "p = 0 to %k",
    body=PRODUCT + product("A[%i, %p]", "B[%i, %p]", "C[%i + 40, %j]", "x"),
)
SHAPES = {
    "a product": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        "p = 0 to %k",
        body=PRODUCT,
    ),
    "of known sizes": loops(
        "i = 0 to 7",
        "j = 0 to 13",
        "p = 0 to %k",
        body=PRODUCT,
    ),
    "rows inside of columns": loops(
        "j = 1 to %m",
        "i = 2 to %n",
        "p = 0 to %k",
        body=PRODUCT,
    ),
    "two windows": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        "p = 0 to 3",
        "q = 0 to 2",
        body=product("A[%i + %p, %j + %q]", "B[%p, %q]", "C[%i, %j]"),
    ),
    "a triangle of serial loops": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        "p = 0 to 4",
        "q = affine_map<(d0) -> (d0)>(%p) to 5",
        body=product("A[%i + %p, %q]", "B[%q, %j]", "C[%i, %j]"),
    ),
    "a variable of an iteration": "%t = memref.alloca() : memref<ELEMENT>\n"
    + loops("i = 0 to %n", "j = 0 to %m", body=VARIABLE),
    "a variable with an element for each column": "%t = memref.alloca(%m) : memref<?xELEMENT>\n"
    + loops(
        "i = 0 to %n",
        "j = 0 to %m",
        body=BY_COLUMN,
    ),
    "columns of every second and every third element": loops(
        "i = 0 to %n",
        "j = 0 to 11",
        "p = 0 to %k",
        body=product("A[%i, %j * 2 + %p]", "B[%p, %j * 3 + 1]", "C[%i, %j]"),
    ),
    "columns of every fourth element, four steps together": loops(
        "i = 0 to %n",
        "j = 0 to 10",
        "p = 0 to min affine_map<(d0) -> (d0, 9)>(%k)",
        body=product("A[%i, %j * 4 + %p + 2]", "B[%p, %j]", "C[%i, %j]"),
    ),
    "columns of every second and every fourth element": loops(
        "i = 0 to %n",
        "j = 0 to 9",
        "p = 0 to 7",
        body=product("A[%i, %j * 4 - %p + 6]", "B[0, %j * 2 + %p]", "C[%i, %j]"),
    ),
    "columns of every fourth element, steps of two": loops(
        "i = 0 to %n",
        "j = 0 to 6",
        "p = 1 to 9",
        body=product("A[%i, %j * 4 + %p * 2]", "B[%p, %j]", "C[%i, %j]"),
    ),
    "columns of every third element, steps of two": loops(
        "i = 0 to %n",
        "j = 0 to 8",
        "p = 1 to 9",
        body=product("A[%i, %j * 3 + %p * 2]", "B[%p, %j]", "C[%i, %j]"),
    ),
    "columns from the last one on": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        "p = 0 to %k",
        body=product("A[%i, %j * -1 + %p + 36]", "B[%p, %j]", "C[%i, %j]"),
    ),
    "every second element of a row that ends somewhere": loops(
        "i = 0 to %n",
        "j = 0 to min affine_map<(d0) -> (d0, 20)>(%m)",
        "p = 0 to %k",
        body=product("A[%i, %j * 2 + %p]", "B[%p, %j]", "C[%i, %j]"),
    ),
    "columns that lie apart": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        "p = 0 to %k",
        body=product("A[%i, %p]", "B[%j, %p]", "C[%i, %j]"),
    ),
    "columns that lie apart both ways": loops(
        "i = 0 to %n",
        "j = 0 to 11",
        "p = 0 to %k",
        body=product("A[%i + %j, %p]", "B[%p - %j + 11, %j * 5 - %i + 40]", "C[%i, %j]"),
    ),
    "columns that lie apart, one row, two serial loops": loops(
        "j = 0 to %m",
        "p = 0 to %k",
        "q = 0 to 5",
        body=product("A[%j, %p]", "B[%j + %p, %q]", "C[0, %j]"),
    ),
    "sums up to the column": by_column("0", "affine_map<(d0) -> (d0)>(%j)"),
    "sums from the column on": by_column("affine_map<(d0) -> (d0 + 1)>(%j)", "%k"),
    "sums that end earlier in later columns": by_column(
        "0", "min affine_map<(d0)[s0] -> (s0 - d0, 9)>(%j)[%k]"
    ),
    "sums that begin earlier in later columns": by_column(
        "max affine_map<(d0) -> (12 - d0, 1)>(%j)", "%k"
    ),
    "tiles of rows": loops(
        "t = 0 to %n step 4",
        "i = max affine_map<(d0) -> (1, d0)>(%t)"
        " to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%t)[%n]",
        "j = 0 to %m",
        "p = 0 to %k",
        body=PRODUCT,
    ),
    "two sums": loops("i = 0 to %n", "j = 0 to %m", body=TWO_SUMS),
    "rows that depend on rows before": loops(
        "i = 1 to %n",
        "j = 0 to %m",
        "p = 0 to %k",
        body=product("A[%i, %p]", "C[%i - 1, %j + 1]", "C[%i, %j]"),
    ),
    "columns of one element": loops(
        "i = 0 to %n",
        "j = 0 to 1",
        "p = 0 to %k",
        body=PRODUCT,
    ),
    "short rows": loops(
        "i = 0 to %n", "j = 0 to 3", body=product("A[%i, 0]", "B[0, %j]", "C[%i, %j]")
    ),
}


def data(element: str) -> list[np.ndarray]:
    shape = (96, 48)
    if element == "i32":
        return [RNG.integers(-(2**31), 2**31, shape, dtype=np.int32) for _ in range(3)]
    return [RNG.standard_normal(shape).astype(ELEMENTS[element]) for _ in range(3)]


@pytest.mark.parametrize(
    ("name", "element"),
    [
        *((name, "f64") for name in SHAPES),
        *((name, element) for name in ("two windows", "two sums") for element in ("f32", "i32")),
    ],
)
def test_same_bits(name: str, element: str):
    text = module_of(SHAPES[name], element)
    plain = compile_affine(text)
    variants = [compile_affine(text, [HOST]), compile_affine(text, [NARROW], march="x86-64-v3")]
    for n in SIZES:
        for m, k in ((n, 3), (5, n), (33 - n, 1), (n, 0)):
            arrays = data(element)
            want = [one.copy() for one in arrays]
            plain(n, m, k, *want)
            for variant in variants:
                got = [one.copy() for one in arrays]
                variant(n, m, k, *got)
                for one, other in zip(want, got, strict=True):
                    assert np.array_equal(one, other), (n, m, k)


def is_taken(body: str) -> bool:
    module = apply(parse_affine(module_of(body)), [HOST])
    return any(op.name.startswith(("pvec.", "vector.")) for op in module.walk())


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "columns of one element"])
def test_is_taken(name: str):
    assert is_taken(SHAPES[name])


REFUSED = {
    "columns that depend on columns": loops(
        "i = 0 to %n",
        "j = 1 to %m",
        "p = 0 to %k",
        body=product("A[%i, %p]", "C[%i, %j - 1]", "C[%i, %j]"),
    ),
    "a store that moves with the serial loop": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        body="%z = affine.load %C[%i, %j] : MATRIX\n"
        + loops("p = 0 to %k", body="affine.store %z, %A[%i + %p, %j] : MATRIX"),
    ),
    "an operand that the nest writes": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        "p = 0 to %k",
        body=product("A[%i, %p]", "C[%i, %j + %p]", "C[%i, %j]"),
    ),
    "columns that lie apart, of one row": loops(
        "j = 0 to %m",
        "p = 0 to %k",
        body=product("A[0, %p]", "B[%j, %p]", "C[0, %j]"),
    ),
    "columns that lie apart where no serial loop runs": loops(
        "i = 0 to %n", "j = 0 to 7", body=product("A[%i, 0]", "B[%j, 0]", "C[%i, %j]")
    ),
    "results that not every column has": loops(
        "i = 0 to %n",
        "j = 0 to %m",
        body="affine.for %p = 0 to affine_map<(d0) -> (d0)>(%j) {" + PRODUCT + "}",
    ),
    "ranges that move at both ends": by_column(
        "affine_map<(d0) -> (d0)>(%j)", "affine_map<(d0) -> (d0 + 3)>(%j)"
    ),
    "ranges that move by two": by_column("0", "affine_map<(d0) -> (d0 * 2)>(%j)"),
    "a variable that is read behind the nest": "%t = memref.alloca() : memref<ELEMENT>\n"
    + loops("i = 0 to %n", "j = 0 to %m", body=VARIABLE)
    + "\n%last = affine.load %t[] : memref<ELEMENT>\n affine.store %last, %A[0, 0] : MATRIX",
    "a variable whose address somebody has taken": "%t = memref.alloca() : memref<ELEMENT>\n"
    + '%u = "memref.cast"(%t) : (memref<ELEMENT>) -> memref<ELEMENT>\n'
    + loops("i = 0 to %n", "j = 0 to %m", body=VARIABLE)
    + "\n%last = affine.load %u[] : memref<ELEMENT>\n affine.store %last, %A[0, 0] : MATRIX",
    "nothing but vectors": loops(
        "i = 0 to %n", "j = 0 to %m", body=product("A[%i, %j]", "B[%i, %j]", "C[%i, %j]")
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(name: str):
    assert not is_taken(REFUSED[name])


def test_touches_nothing_where_no_serial_loop_runs():
    """The rows beyond the first page are not there: with no iteration of `p`, nobody asks."""
    text = module_of(SHAPES["a product"])
    run = compile_affine(text, [HOST])
    none = np.zeros((0, 0))
    run(64, 64, 0, none, none, none)
