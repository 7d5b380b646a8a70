"""affine-stream and the vector code behind it: the same bits, wherever a row begins in memory."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from xdsl.dialects import scf
from xdsl.passes import ModulePass

from polyopt.dialects.pvec_transfers import WriteOp
from polyopt.passes.loops.interleave.peel_masks import AffinePeelMasksPass
from polyopt.passes.loops.memory.stream import AffineStreamPass
from polyopt.passes.loops.vectors.vectorize import AffineVectorizePass

RNG = np.random.default_rng(5)
GUARD = 16


def nest(element: str, operation: str) -> str:
    matrix = f"memref<?x?x{element}>"
    return f"""
    func.func @f(%n : index, %m : index, %A : {matrix} {{llvm.noalias}},
                 %B : {matrix} {{llvm.noalias}}) {{
      affine.for %i = 0 to %n {{
        affine.for %j = 1 to %m {{
          %b = affine.load %B[%i, %j - 1] : {matrix}
          %x = arith.{operation} %b, %b : {element}
          affine.store %x, %A[%i, %j] : {matrix}
        }}
      }}
      return
    }}"""


def passes(march: str, bytes: int = 1) -> list[ModulePass]:
    stream = AffineStreamPass(march, bytes, row=8)
    return [stream, AffineVectorizePass(march), AffinePeelMasksPass(march)]


@pytest.mark.parametrize("march", ["x86-64-v3", "native"])
@pytest.mark.parametrize(
    ("element", "operation"), [("f64", "addf"), ("f32", "addf"), ("i8", "addi")]
)
def test_the_same_bits_wherever_rows_begin(march: str, element: str, operation: str):
    text = nest(element, operation)
    module = apply(parse_affine(text), passes(march))
    writes = [op for op in module.walk() if isinstance(op, WriteOp)]
    assert [op.mask is None for op in writes if op.nontemporal is not None] == [True]
    native = compile_affine(text, passes(march), march=march)
    types = {"f64": np.float64, "f32": np.float32, "i8": np.int8}
    for n, m in [(1, 1), (1, 2), (3, 7), (5, 33), (4, 64), (3, 131), (2, 200), (0, 9)]:
        for offset in range(5):
            memory = RNG.integers(0, 50, n * m + 2 * GUARD).astype(types[element])
            before = memory.copy()
            a = memory[GUARD + offset : GUARD + offset + n * m].reshape(n, m)
            b = RNG.integers(0, 50, (n, m)).astype(types[element])
            native(n, m, a, b)
            expected = before
            row = expected[GUARD + offset : GUARD + offset + n * m].reshape(n, m)
            row[:, 1:] = b[:, :-1] * 2
            np.testing.assert_array_equal(memory, expected, err_msg=str((n, m, offset)))


@pytest.mark.parametrize(("bytes", "large"), [(16 * 5 * 19, True), (16 * 5 * 19 + 1, False)])
def test_the_version_for_much_runs_where_there_is_much(bytes: int, large: bool):
    """16 bytes are touched in each of 5 x 19 iterations. The version is seen by what it does when
    its stores are taken away."""
    text = nest("f64", "addf")
    module = apply(parse_affine(text), [AffineStreamPass("native", bytes, row=8)])
    (choice,) = [op for op in module.walk() if isinstance(op, scf.IfOp)]
    stores = [op for op in choice.true_region.walk() if op.name == "affine.store"]
    for store in stores:
        store.detach()
        store.erase()
    native = compile_affine(str(module))
    a, b = np.zeros((5, 20)), np.ones((5, 20))
    native(5, 20, a, b)
    assert a.any() != large


def test_recurrences_down_columns_have_the_same_bits():
    """What the iteration has just stored is a value; the next row finds it in a row of its own."""
    text = """
    func.func @f(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias},
                 %B : memref<?x?xf64> {llvm.noalias}, %s : memref<?xf64> {llvm.noalias}) {
      affine.for %i = 0 to %n {
        affine.for %j = 0 to %m {
          %b = affine.load %B[%i, %j] : memref<?x?xf64>
          %before = affine.load %s[%j] : memref<?xf64>
          %x = arith.addf %b, %before : f64
          affine.store %x, %A[%i, %j] : memref<?x?xf64>
          %y = affine.load %A[%i, %j] : memref<?x?xf64>
          affine.store %y, %s[%j] : memref<?xf64>
        } {poly.loop = #poly.loop<parallel>}
      }
      return
    }"""
    module = apply(parse_affine(text), passes("native"))
    assert any(isinstance(op, WriteOp) and op.nontemporal is not None for op in module.walk())
    native = compile_affine(text, passes("native"), march="native")
    for n, m in [(1, 1), (5, 33), (4, 64), (3, 131), (0, 9)]:
        b, a, s = RNG.integers(0, 50, (n, m)).astype(float), np.zeros((n, m)), np.zeros(m)
        native(n, m, a, b, s)
        np.testing.assert_array_equal(a, np.cumsum(b, axis=0), err_msg=str((n, m)))
        np.testing.assert_array_equal(s, b.sum(axis=0))
