"""Contractions in vector code against the loops that they were."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from oracles.contract_passes import contract_passes
from xdsl.dialects import affine, arith, memref
from xdsl.passes import ModulePass

from polyopt.support.target import Target

RNG = np.random.default_rng(7)
SIZES = [
    *[(1, 1, 1), (2, 3, 1), (8, 8, 8), (9, 17, 5), (16, 24, 11), (37, 25, 40), (40, 39, 38)],
    *[(int(n), int(m), int(p)) for n, m, p in RNG.integers(1, 41, (12, 3))],
]

MARCH = "x86-64-v3"
TINY = contract_passes(
    smallest=1, rows=2, vectors=1, depth=5, row_block=6, column_block=16, march=MARCH
)
"""Blocks so small that every size has several of each, whole and ragged."""


def update(
    x: str, p: str, q: str, operator: str = "addf", array: str = "%C", element: str = "f64"
) -> str:
    """`X[x] op= (alpha * P[p]) * Q[q]`"""
    type_ = f"memref<?x?x{element}>"
    mul = "mulf" if element.startswith("f") else "muli"
    return f"""
      %x = affine.load {array}[{x}] : {type_}
      %p = affine.load {p} : {type_}
      %q = affine.load {q} : {type_}
      %s = arith.{mul} %alpha, %p : {element}
      %t = arith.{mul} %s, %q : {element}
      %y = arith.{operator} %x, %t : {element}
      affine.store %y, {array}[{x}] : {type_}"""


def nest(bounds: list[tuple[str, str, str]], body: str) -> str:
    heads = "".join(f"affine.for %{v} = {low} to {high} {{ " for v, low, high in bounds)
    return heads + body + " }" * len(bounds)


def at(expression: str, *values: str) -> str:
    """A bound in terms of iterators: d0, d1, … are the values."""
    dims = ", ".join(f"d{n}" for n in range(len(values)))
    operands = ", ".join(f"%{value}" for value in values)
    return f"affine_map<({dims}) -> ({expression})>({operands})"


def module_of(body: str, element: str = "f64", flags: str = "none") -> str:
    type_ = f"memref<?x?x{element}> {{llvm.noalias}}"
    return f"""
    builtin.module attributes {{polyopt.fastmath = #arith.fastmath<{flags}>}} {{
      func.func @f(%n : index, %m : index, %d : index, %alpha : {element},
                   %C : {type_}, %A : {type_}, %B : {type_}) {{
        {body}
        return
      }}
    }}"""


ROW, COL, DEPTH = ("i", "0", "%n"), ("j", "0", "%m"), ("k", "0", "%d")
BOX = [ROW, COL, DEPTH]
PRODUCT = update("%i, %j", "%A[%i, %k]", "%B[%k, %j]")
SHAPES = {
    "product, k inside": nest(BOX, PRODUCT),
    "product, k outside": nest([DEPTH, ROW, COL], PRODUCT),
    "product of transposes": nest(
        [ROW, DEPTH, COL], update("%i, %j", "%A[%k, %i]", "%B[%j, %k]", "subf")
    ),
    "triangle below": nest(
        [ROW, DEPTH, ("j", "0", at("d0 + 1", "i"))], update("%i, %j", "%A[%i, %k]", "%A[%j, %k]")
    ),
    "triangle above": nest(
        [ROW, ("j", at("d0 + 1", "i"), "%m"), DEPTH], update("%i, %j", "%A[%k, %i]", "%A[%k, %j]")
    ),
    "k from the row on, in place": nest(
        [ROW, COL, ("k", at("d0 + 1", "i"), "%n")], update("%i, %j", "%A[%k, %i]", "%C[%k, %j]")
    ),
    "k up to the row": nest(
        [ROW, COL, ("k", "0", at("d0", "i"))], update("%k, %j", "%A[%i, %k]", "%B[%i, %j]")
    ),
    "k up to the column": nest([ROW, COL, ("k", "0", at("d0", "j"))], PRODUCT),
    "k between row and column": nest(
        [ROW, ("j", at("d0", "i"), "%m"), ("k", at("d0", "i"), at("d0 + 1", "j"))], PRODUCT
    ),
    "trapezoid": nest([ROW, ("j", "0", f"min {at('d0 + 3, d1', 'i', 'm')}"), DEPTH], PRODUCT),
    "shifted": nest(
        [("i", "2", "%n"), ("j", "3", at("d0 - 1", "m")), ("k", "1", "%d")],
        update("%i - 2, %j - 3", "%A[%i, %k - 1]", "%B[%k, %j]"),
    ),
    "inside another loop": nest([("r", "0", "3"), ROW, COL, DEPTH], PRODUCT),
}


def is_applied(text: str, each: list[ModulePass]) -> bool:
    module = apply(parse_affine(text), each)
    return any(isinstance(op, memref.AllocOp) for op in module.walk())


def check_equal(
    text: str, each: list[ModulePass], dtype: type[np.number] = np.float64, march: str = MARCH
) -> None:
    """Bit by bit the result of the loops as they were."""
    assert is_applied(text, each)
    wanted = compile_affine(text, march=march)
    got = compile_affine(text, each, march=march)
    alpha = 1.5 if np.issubdtype(dtype, np.floating) else 3
    for n, m, d in SIZES:
        shape = (max(n, m, d) + 1,) * 2
        a, b, c = ((RNG.random(shape) * 100 - 50).astype(dtype) for _ in range(3))
        expected, result = c.copy(), c.copy()
        wanted(n, m, d, alpha, expected, a, b)
        got(n, m, d, alpha, result, a, b)
        np.testing.assert_array_equal(result, expected, err_msg=str((n, m, d)))


@pytest.mark.parametrize("shape", SHAPES)
def test_small_blocks_give_the_same_bits(shape: str):
    check_equal(module_of(SHAPES[shape]), TINY)


@pytest.mark.parametrize("rows", [6, 7])
@pytest.mark.parametrize("shape", ["product, k inside", "product of transposes", "triangle above"])
def test_rows_that_are_no_whole_vectors(shape: str, rows: int):
    each = contract_passes(
        smallest=1, rows=rows, vectors=1, depth=9, row_block=2 * rows, march=MARCH
    )
    check_equal(module_of(SHAPES[shape]), each)


@pytest.mark.slow
@pytest.mark.parametrize("march", ["x86-64-v3", "native"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_models_blocks_give_the_same_bits(shape: str, march: str):
    check_equal(module_of(SHAPES[shape]), contract_passes(smallest=1, march=march), march=march)


@pytest.mark.parametrize(("element", "dtype"), [("i32", np.int32), ("i64", np.int64)])
def test_integers_wrap_as_they_did(element: str, dtype: type[np.number]):
    body = nest(BOX, update("%i, %j", "%A[%i, %k]", "%B[%k, %j]", "addi", element=element))
    check_equal(module_of(body, element), TINY, dtype)


def test_the_minimum_of_sums_is_a_contraction_too():
    body = nest(
        BOX,
        """
        %x = affine.load %C[%i, %j] : memref<?x?xf64>
        %p = affine.load %A[%i, %k] : memref<?x?xf64>
        %q = affine.load %B[%k, %j] : memref<?x?xf64>
        %s = arith.addf %p, %q : f64
        %y = arith.minnumf %x, %s : f64
        affine.store %y, %C[%i, %j] : memref<?x?xf64>""",
    )
    check_equal(module_of(body), TINY)


def test_floats_are_packed_in_their_own_type():
    """A float matrix summed in double: the panels hold the doubles."""
    text = """
    func.func @f(%n : index, %m : index, %d : index, %C : memref<?x?xf64> {llvm.noalias},
                 %A : memref<?x?xf32> {llvm.noalias}, %B : memref<?x?xf32> {llvm.noalias}) {
      affine.for %i = 0 to %n { affine.for %j = 0 to %m { affine.for %k = 0 to %d {
        %x = affine.load %C[%i, %j] : memref<?x?xf64>
        %p = affine.load %A[%i, %k] : memref<?x?xf32>
        %q = affine.load %B[%k, %j] : memref<?x?xf32>
        %s = arith.extf %p : f32 to f64
        %t = arith.extf %q : f32 to f64
        %u = arith.mulf %s, %t : f64
        %y = arith.addf %x, %u : f64
        affine.store %y, %C[%i, %j] : memref<?x?xf64>
      } } }
      return
    }"""
    a, b = (RNG.random((9, 9)).astype(np.float32) for _ in range(2))
    c = RNG.random((9, 9))
    expected, result = c.copy(), c.copy()
    compile_affine(text, march=MARCH)(9, 8, 7, expected, a, b)
    compile_affine(text, TINY, march=MARCH)(9, 8, 7, result, a, b)
    np.testing.assert_array_equal(result, expected)
    assert not np.array_equal(result, c)


def test_a_batch_shares_the_column_panels():
    text = """
    func.func @f(%n : index, %m : index, %d : index, %C : memref<?x?x?xf64> {llvm.noalias},
                 %A : memref<?x?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
      affine.for %r = 0 to 3 { affine.for %q = 0 to %n { affine.for %p = 0 to %m {
        affine.for %s = 0 to %d {
          %x = affine.load %C[%r, %q, %p] : memref<?x?x?xf64>
          %a = affine.load %A[%r, %q, %s] : memref<?x?x?xf64>
          %b = affine.load %B[%s, %p] : memref<?x?xf64>
          %t = arith.mulf %a, %b : f64
          %y = arith.addf %x, %t : f64
          affine.store %y, %C[%r, %q, %p] : memref<?x?x?xf64>
      } } } }
      return
    }"""
    native = compile_affine(text, TINY, march=MARCH)
    for n, m, d in SIZES:
        c, a, b = RNG.random((3, n, m)), RNG.random((3, n, d)), RNG.random((d, m))
        expected = c + a @ b
        native(n, m, d, c, a, b)
        np.testing.assert_allclose(c, expected, rtol=1e-12)


TWO_TERMS = nest(
    [ROW, DEPTH, ("j", "0", at("d0 + 1", "i"))],
    """
    %x = affine.load %C[%i, %j] : memref<?x?xf64>
    %aj = affine.load %A[%j, %k] : memref<?x?xf64>
    %bi = affine.load %B[%i, %k] : memref<?x?xf64>
    %bj = affine.load %B[%j, %k] : memref<?x?xf64>
    %ai = affine.load %A[%i, %k] : memref<?x?xf64>
    %p = arith.mulf %aj, %alpha : f64
    %q = arith.mulf %p, %bi : f64
    %r = arith.mulf %bj, %alpha : f64
    %s = arith.mulf %r, %ai : f64
    %t = arith.addf %q, %s : f64
    %y = arith.addf %x, %t : f64
    affine.store %y, %C[%i, %j] : memref<?x?xf64>""",
)


def innermost_count(text: str, op_type: type) -> int:
    """Operations of this type on vectors, for each row and vector of the tile."""
    module = apply(parse_affine(text), TINY)
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp) and op.inits]
    (loop,) = loops
    return sum(isinstance(op, op_type) for op in loop.body.block.ops) // 2


def test_two_terms_in_strict_order():
    check_equal(module_of(TWO_TERMS), TINY)
    assert innermost_count(module_of(TWO_TERMS), arith.AddfOp) == 2


def test_terms_are_accumulated_one_by_one_where_that_is_permitted():
    text = module_of(TWO_TERMS, flags="reassoc")
    assert innermost_count(text, arith.AddfOp) == 2
    module = apply(parse_affine(text), TINY)
    (loop,) = [op for op in module.walk() if isinstance(op, affine.ForOp) and op.inits]
    first = loop.body.block.args[1]
    (user,) = [use.operation for use in first.uses]
    (second,) = [use.operation for use in user.results[0].uses]
    assert isinstance(second, arith.AddfOp)
    native = compile_affine(text, TINY, march=MARCH)
    for n, _, d in SIZES:
        c, a, b = (RNG.random((n + d, n + d)) for _ in range(3))
        full = c[:n, :n] + 1.5 * (b[:n, :d] @ a[:n, :d].T + a[:n, :d] @ b[:n, :d].T)
        expected = c.copy()
        expected[:n, :n] = np.where(np.tri(n, dtype=bool), full, c[:n, :n])
        native(n, 0, d, 1.5, c, a, b)
        np.testing.assert_allclose(c, expected, rtol=1e-12)


def test_a_factor_of_the_whole_term_is_packed_where_that_is_permitted():
    body = PRODUCT.replace("%alpha, %p", "%p, %q").replace("%s, %q", "%alpha, %s")
    assert innermost_count(module_of(nest(BOX, body)), arith.MulfOp) == 2
    assert innermost_count(module_of(nest(BOX, body), flags="fast"), arith.MulfOp) == 1


def many_products(count: int) -> str:
    """A sum of so many products, as over a filter's window: all that they take overlaps."""
    matrix = "memref<?x?xf64>"
    lines = [f"%x = affine.load %C[%i, %j] : {matrix}"]
    total = "%x"
    for n in range(count):
        lines += [
            f"%p{n} = affine.load %A[%i, %k + {n}] : {matrix}",
            f"%q{n} = affine.load %B[%k + {n}, %j] : {matrix}",
            f"%t{n} = arith.mulf %p{n}, %q{n} : f64",
            f"%y{n} = arith.addf {total}, %t{n} : f64",
        ]
        total = f"%y{n}"
    return "\n".join([*lines, f"affine.store {total}, %C[%i, %j] : {matrix}"])


REFUSED = {
    "reads what it has written": nest(BOX, update("%i, %j", "%A[%i, %k]", "%C[%k, %j]")),
    "reads above and below in place": nest(
        [ROW, COL, ("k", "0", at("d0", "i"))], update("%i, %j", "%A[%i, %k]", "%C[%k, %j]")
    ),
    "no loop is left out of the subscripts": nest(
        [ROW, COL], update("%i, %j", "%A[%i, %j]", "%B[%i, %j]")
    ),
    "an operand of all three loops": nest(BOX, update("%i, %j", "%A[%i + %j, %k]", "%B[%k, %j]")),
    "no unit stride": nest(BOX, update("%i * 2, %j * 2", "%A[%i, %k]", "%B[%k, %j]")),
    "more operands than panels pay": nest(BOX, many_products(4)),
    "too small": nest([("i", "0", "4"), COL, DEPTH], PRODUCT),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_refuses(reason: str):
    text = module_of(REFUSED[reason])
    module = parse_affine(text)
    before = str(module)
    assert str(apply(module, contract_passes(march=MARCH))) == before


def test_refuses_arrays_that_may_overlap():
    text = module_of(nest(BOX, PRODUCT)).replace("{llvm.noalias}", "")
    assert not is_applied(text, TINY)


def test_small_sizes_keep_the_original_loops():
    module = apply(parse_affine(module_of(nest(BOX, PRODUCT))), contract_passes())
    (choice,) = [op for op in module.walk() if isinstance(op, affine.IfOp)][:1]
    (kept,) = [op for op in choice.else_region.walk() if isinstance(op, arith.MulfOp)][:1]
    assert kept.result.type == kept.lhs.type
    loops = [op for op in choice.else_region.walk() if isinstance(op, affine.ForOp)]
    assert len(loops) == 3


@pytest.mark.slow
def test_odd_sizes_with_the_machines_registers():
    text = module_of(nest([ROW, DEPTH, COL], PRODUCT), flags="contract")
    march = "native" if Target.host().vector_bits == 512 else "x86-64-v3"
    native = compile_affine(text, contract_passes(march=march, smallest=1), march=march)
    for n in range(1, 41):
        for m, d in ((n, n), (41 - n, 7), (33, n)):
            c, a, b = RNG.random((n, m)), RNG.random((n, d)), RNG.random((d, m))
            expected = c + 1.5 * a @ b
            native(n, m, d, 1.5, c, a, b)
            np.testing.assert_allclose(c, expected, rtol=1e-12)
