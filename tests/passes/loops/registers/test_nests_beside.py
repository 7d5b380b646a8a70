"""Nests beside one with register tiles: which go in, and that no bit of the results changes."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.passes.loops.registers.tile_registers import AffineTileRegistersPass

RNG = np.random.default_rng(41)
HOST = AffineTileRegistersPass()
NARROW = AffineTileRegistersPass(march="x86-64-v3")
MATRIX = "memref<?x?xf64>"


def nest(body: str, i: str = "0 to %n", j: str = "0 to %m") -> str:
    return f"affine.for %i = {i} {{ affine.for %j = {j} {{ {body} }} }}\n"


PRODUCT = f"""affine.for %p = 0 to %k {{
  %a = affine.load %A[%i, %p] : {MATRIX}
  %b = affine.load %B[%p, %j] : {MATRIX}
  %ab = arith.mulf %a, %b : f64
  %c = affine.load %C[%i, %j] : {MATRIX}
  %s = arith.addf %c, %ab : f64
  affine.store %s, %C[%i, %j] : {MATRIX}
}}"""
ZERO = f"affine.store %zero, %C[%i, %j] : {MATRIX}"
HALF = f"""%h = affine.load %C[%i, %j] : {MATRIX}
  %h2 = arith.mulf %h, %half : f64
  affine.store %h2, %C[%i, %j] : {MATRIX}"""


TIMES_T = f"""affine.for %q = 0 to 3 {{
  %a = affine.load %t[] : memref<f64>
  %b = affine.load %B[%q, %j] : {MATRIX}
  %ab = arith.mulf %a, %b : f64
  %c = affine.load %C[%i, %j] : {MATRIX}
  %s = arith.addf %c, %ab : f64
  affine.store %s, %C[%i, %j] : {MATRIX}
}}"""


def copy(source: str, target: str) -> str:
    return f"""%v = affine.load %{source} : {MATRIX}
  %w = arith.addf %v, %half : f64
  affine.store %w, %{target} : {MATRIX}"""


JOINED = {
    "begun": nest(ZERO) + nest(PRODUCT),
    "begun twice": nest(copy("D[%i, %j]", "C[%i, %j]")) + nest(HALF) + nest(PRODUCT),
    "begun by columns": "affine.for %j = 0 to %m { affine.for %i = 0 to %n {"
    + ZERO
    + "} }\n"
    + nest(PRODUCT),
    "finished": nest(PRODUCT) + nest(copy("C[%i, %j]", "D[%i, %j]")),
    "begun and finished": nest(ZERO) + nest(PRODUCT) + nest(HALF),
    "in a loop": f"affine.for %t = 0 to 2 {{ {nest(HALF)} {nest(PRODUCT)} }}",
}
APART = {
    "other iterations": nest(ZERO, i="1 to %n") + nest(PRODUCT),
    "another array": nest(copy("D[%i, %j]", "D[%i + 1, %j]")) + nest(PRODUCT),
    "an operand is made": nest(copy("C[%i, %j]", "B[%i, %j]")) + nest(PRODUCT),
    "another row is read": nest(copy("D[%i, %j]", "C[%i, %j]"))
    + nest(PRODUCT.replace("%B[%p, %j]", "%D[%p, %j]"))
    + nest(copy("C[%i + 1, %j]", "D[%i, %j]")),
    "another row is written": nest(PRODUCT) + nest(copy("C[%i, %j]", "C[%i + 1, %j]")),
    "an operand is overwritten": nest(PRODUCT) + nest(copy("C[%i, %j]", "B[%i, %j]")),
    "something between": nest(copy("D[%i, %j]", "C[%i, %j]"))
    + f"affine.store %half, %C[0, 0] : {MATRIX}\n"
    + nest(PRODUCT),
    "a scalar of the last iteration": "%t = memref.alloca() : memref<f64>\n"
    + nest(copy("D[%i, %j]", "C[%i, %j]") + "\naffine.store %w, %t[] : memref<f64>")
    + nest(PRODUCT.replace("%a = ", "%a0 = affine.load %t[] : memref<f64>\n%a = ")),
    "a scalar of the last iteration is a factor": "%t = memref.alloca() : memref<f64>\n"
    + nest(copy("D[%i, %j]", "C[%i, %j]") + "\naffine.store %w, %t[] : memref<f64>")
    + nest(TIMES_T),
    "a scalar of the last iteration, read in a loop": "%t = memref.alloca() : memref<f64>\n"
    + nest(copy("D[%i, %j]", "C[%i, %j]") + "\naffine.store %w, %t[] : memref<f64>\n" + TIMES_T)
    + nest(HALF + "\n" + TIMES_T),
}


def module_of(body: str) -> str:
    arrays = ", ".join(f"%{name} : {MATRIX} {{llvm.noalias}}" for name in "ABCD")
    return f"""func.func @f(%n : index, %m : index, %k : index, {arrays}) {{
      %zero = arith.constant 0.0 : f64
      %half = arith.constant 0.5 : f64
      {body}
      return
    }}"""


@pytest.mark.parametrize("name", [*JOINED, *APART])
def test_same_bits(name: str):
    text = module_of({**JOINED, **APART}[name])
    plain = compile_affine(text)
    variants = [compile_affine(text, [HOST]), compile_affine(text, [NARROW], march="x86-64-v3")]
    for n, m, k in (
        (0, 3, 3),
        (3, 0, 2),
        (1, 1, 0),
        (5, 9, 4),
        (7, 17, 1),
        (13, 33, 5),
        (2, 40, 0),
    ):
        arrays = [RNG.standard_normal((50, 50)) for _ in range(4)]
        want = [one.copy() for one in arrays]
        plain(n, m, k, *want)
        for variant in variants:
            got = [one.copy() for one in arrays]
            variant(n, m, k, *got)
            for one, other in zip(want, got, strict=True):
                assert np.array_equal(one, other), (n, m, k)


def nests_of(body: str) -> int:
    """How many nests are left that are no tiles."""
    module = apply(parse_affine(module_of(body)), [HOST])
    return sum(_is_plain(op) for op in module.walk())


def _is_plain(op: Operation) -> bool:
    """Is it a loop around a store of one element?"""
    stores = any(isinstance(inner, affine.StoreOp) for inner in op.walk())
    around = op.parent_op()
    is_outermost = not isinstance(around, affine.ForOp) or around.step.value.data != 1
    return isinstance(op, affine.ForOp) and stores and is_outermost


@pytest.mark.parametrize("name", [name for name in JOINED if name != "in a loop"])
def test_goes_in(name: str):
    assert nests_of(JOINED[name]) == 0


@pytest.mark.parametrize(
    "name", [name for name in APART if name != "a scalar of the last iteration"]
)
def test_stays_apart(name: str):
    assert nests_of(APART[name]) > 0
