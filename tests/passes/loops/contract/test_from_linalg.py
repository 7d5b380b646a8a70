"""Products that other compilers hand over as linalg: the same code as from C, the same results."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from oracles.contract_passes import contract_passes
from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.dialects.contract import NestOp
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.passes.loops.contract.from_linalg import LinalgToContractPass
from polyopt.support.diagnostics import SourceMap

MARCH = "x86-64-v3"
PASSES = [LinalgToContractPass(), *contract_passes(march=MARCH)]

C_TEXT = """
void f(double C[restrict 600][600], double A[restrict 600][600], double B[restrict 600][600]) {
  for (int i = 0; i < 600; i++)
    for (int j = 0; j < 600; j++)
      for (int k = 0; k < 600; k++)
        C[i][j] = A[i][k] * B[k][j] + C[i][j];
}"""
SQUARE = "memref<600x600xf64>"
MATMUL = f"""
  linalg.matmul ins(%A, %B : {SQUARE}, {SQUARE}) outs(%C : {SQUARE})"""
GENERIC = f"""
  linalg.generic {{
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                     affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  }} ins(%A, %B : {SQUARE}, {SQUARE}) outs(%C : {SQUARE}) {{
  ^bb0(%p : f64, %q : f64, %x : f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %t, %x : f64
    linalg.yield %y : f64
  }}"""


def module_of(body: str, array: str = SQUARE) -> str:
    return f"""
    func.func @f(%C : {array} {{llvm.noalias}}, %A : {array} {{llvm.noalias}},
                 %B : {array} {{llvm.noalias}}) {{ {body}
      func.return
    }}"""


def shape_of(root: Operation) -> list[tuple[str, str, str]]:
    """What the blocked nest below is made of, but for names and types of arrays."""
    (blocks,) = [
        op
        for op in root.walk()
        if isinstance(op, affine.ForOp) and op.body.block.args[0].name_hint == "kb"
    ]
    return [
        (op.name, ", ".join(str(type_) for type_ in op.result_types), str(op.properties))
        for op in blocks.walk()
    ]


def from_c() -> Operation:
    settings = read_settings(["-O3", f"-march={MARCH}", "-ffp-contract=off", "--poly=isl+tile"])
    unit = parse(Source("f.c", C_TEXT), settings, SourceMap())
    lower(unit, "loops")
    return unit.module


@pytest.mark.parametrize("body", [MATMUL, GENERIC])
def test_the_same_code_as_from_c(body: str):
    module = apply(parse_affine(module_of(body)), PASSES)
    assert shape_of(module) == shape_of(from_c())


ANY = "memref<?x?xf64>"
SCALED = f"""
  %alpha = arith.constant 0.5 : f64
  linalg.generic {{
    indexing_maps = [affine_map<(k, i, j) -> (i, k)>, affine_map<(k, i, j) -> (j, k)>,
                     affine_map<(k, i, j) -> ()>, affine_map<(k, i, j) -> (i, j)>],
    iterator_types = ["reduction", "parallel", "parallel"]
  }} ins(%A, %B, %alpha : {ANY}, {ANY}, f64) outs(%C : {ANY}) {{
  ^bb0(%p : f64, %q : f64, %s : f64, %x : f64):
    %u = arith.mulf %s, %p : f64
    %t = arith.mulf %u, %q : f64
    %y = arith.addf %x, %t : f64
    linalg.yield %y : f64
  }}"""


def test_any_order_and_any_sizes():
    """The reduction outside, columns along rows of the second factor, a scalar operand."""
    native = compile_affine(module_of(SCALED, ANY), PASSES, march=MARCH)
    random = np.random.default_rng(3)
    for n, m, d in ((1, 1, 1), (3, 2, 9), (16, 16, 16), (37, 25, 40), (9, 41, 17)):
        c, a, b = random.random((n, m)), random.random((n, d)), random.random((m, d))
        expected = c.copy()
        for k in range(d):
            expected += np.outer(0.5 * a[:, k], b[:, k])
        native(c, a, b)
        np.testing.assert_array_equal(c, expected, err_msg=str((n, m, d)))


def test_one_array_on_both_sides():
    square = GENERIC.replace("ins(%A, %B", "ins(%A, %A")
    assert has_nest(module_of(square))


def has_nest(text: str) -> bool:
    module = apply(parse_affine(text), [LinalgToContractPass()])
    return any(isinstance(op, NestOp) for op in module.walk())


APART = "memref<600x600xf64, strided<[700, 1]>>"
SMALL = "memref<6x6xf64>"


@pytest.mark.parametrize(
    "body",
    [
        GENERIC.replace("(i, j, k) -> (k, j)>", "(i, j, k) -> (i, j)>"),
        GENERIC.replace("(i, j, k) -> (k, j)>", "(i, j, k) -> (k, k)>"),
        GENERIC.replace('"reduction"', '"window"'),
        GENERIC.replace('"parallel", "reduction"', '"reduction", "reduction"'),
        GENERIC.replace(SQUARE, APART),
        GENERIC.replace("arith.addf %t, %x : f64", "math.exp %t : f64"),
        MATMUL.replace(SQUARE, SMALL),
    ],
    ids=[
        *("an operand of rows and columns", "none of columns", "a window"),
        *("two reductions", "rows apart", "no lanes", "too small"),
    ],
)
def test_what_is_no_contraction_stays(body: str):
    array = next(one for one in (SQUARE, APART, SMALL) if one in body)
    assert not has_nest(module_of(body, array))
