"""What is done with the loops around a contraction and beside it."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from oracles.contract_passes import contract_passes
from xdsl.dialects import affine, memref

RNG = np.random.default_rng(11)
SIZES = [
    *[(1, 1, 1), (2, 3, 1), (8, 8, 8), (9, 17, 5), (16, 24, 11), (37, 25, 40), (40, 39, 38)],
    *[(int(n), int(m), int(d)) for n, m, d in RNG.integers(1, 41, (8, 3))],
]
MARCH = "x86-64-v3"
BLOCKS = {
    "several of each": contract_passes(
        smallest=1, rows=2, vectors=1, depth=5, row_block=6, column_block=16, march=MARCH
    ),
    "one of columns": contract_passes(
        smallest=1, rows=4, vectors=2, depth=7, row_block=8, column_block=64, march=MARCH
    ),
    "one": contract_passes(smallest=1, march=MARCH),
}

M = "memref<?x?xf64>"
M3 = "memref<?x?x?xf64>"
ZERO = f"""
    %zero = arith.constant 0.0 : f64
    affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{
      affine.store %zero, %X[%i, %j] : {M}
    }} }}"""
SCALED = f"""
    affine.for %j = 0 to %m {{ affine.for %i = 0 to %n {{
      %x = affine.load %X[%i, %j] : {M}
      %y = arith.mulf %x, %beta : f64
      affine.store %y, %X[%i, %j] : {M}
    }} }}"""
COPIED = f"""
    affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{
      %x = affine.load %X[%i, %j] : {M}
      %y = arith.addf %x, %beta : f64
      affine.store %y, %A[%r, %i, %j] : {M3}
    }} }}"""

SQUARED = f"""
    affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{
      %x = affine.load %X[%i, %j] : {M}
      %c = arith.subf %x, %beta : f64
      %y = arith.mulf %c, %c : f64
      affine.store %y, %X[%i, %j] : {M}
    }} }}"""


def product(p: str = "%A[%r, %i, %k]") -> str:
    return f"""
    affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{ affine.for %k = 0 to %d {{
      %x = affine.load %X[%i, %j] : {M}
      %p = affine.load {p} : {M3}
      %q = affine.load %B[%k, %j] : {M}
      %t = arith.mulf %p, %q : f64
      %y = arith.addf %x, %t : f64
      affine.store %y, %X[%i, %j] : {M}
    }} }} }}"""


def module_of(body: str, head: str = "") -> str:
    """Three steps of a loop around `body`."""
    return f"""
    func.func @f(%n : index, %m : index, %d : index, %beta : f64, %X : {M} {{llvm.noalias}},
                 %A : {M3} {{llvm.noalias}}, %B : {M} {{llvm.noalias}}) {{
      affine.for %r = 0 to 3 {{ {head} {body} }}
      return
    }}"""


BOTH = module_of(ZERO + product() + COPIED)
STORE_OF_B = f"affine.store %beta, %B[%r, 0] : {M}"
SHAPES = {
    "zero and copied": BOTH,
    "zero": module_of(ZERO + product()),
    "scaled": module_of(SCALED + product()),
    "copied": module_of(product() + COPIED),
    "scaled and copied": module_of(SCALED + product() + COPIED),
    "in place": module_of(product() + SQUARED),
    "zero and in place": module_of(ZERO + product() + SQUARED),
    "copied, then in place": module_of(product() + COPIED + SQUARED),
    "in place, then copied": module_of(product() + SQUARED + COPIED),
    "in place twice": module_of(product() + SQUARED + SQUARED),
    "in place in another order of places": module_of(
        product() + SQUARED.replace("store %y, %X[%i, %j]", "store %y, %X[%n - %i - 1, %j]")
    ),
    "a panel that changes": module_of(ZERO + product() + COPIED, STORE_OF_B),
    "bounds that change": BOTH.replace("%k = 0 to %d", "%k = affine_map<(r) -> (r)>(%r) to %d"),
    "copied from another row": module_of(product("%A[%r, %n - %i, %k]") + COPIED),
    "copied over what other rows read": module_of(product("%A[%r, %k, %i]") + COPIED),
    "copied to the columns": module_of(
        product() + COPIED.replace("%A[%r, %i, %j]", "%B[%i, %j]").replace(M3, M)
    ),
    "zero but for a column": BOTH.replace("%j = 0 to", "%j = 1 to", 1),
    "zero, then touched": module_of(
        ZERO + f"affine.store %beta, %X[0, 0] : {M}" + product() + COPIED
    ),
    "touched, then copied": module_of(
        ZERO + product() + f"affine.store %beta, %X[0, 0] : {M}" + COPIED
    ),
    "copied with what comes between": module_of(
        product()
        + f"%late = affine.load %B[0, 0] : {M}"
        + COPIED.replace("arith.addf %x, %beta", "arith.addf %x, %late")
    ),
    "in steps of a triangle": module_of(
        ZERO + product().replace("%k = 0 to %d", "%k = affine_map<(i) -> (i)>(%i) to %d") + COPIED
    ),
}


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_bits(shape: str, blocks: str):
    text, each = SHAPES[shape], BLOCKS[blocks]
    wanted = compile_affine(text, march=MARCH)
    got = compile_affine(text, each, march=MARCH)
    for n, m, d in SIZES:
        size = max(n, m, d) + 1
        data = [RNG.random((size, size)), RNG.random((4, size, size)), RNG.random((size, size))]
        results = [[one.copy() for one in data] for _ in range(2)]
        wanted(n, m, d, 0.75, *results[0])
        got(n, m, d, 0.75, *results[1])
        for expected, result in zip(*results, strict=True):
            np.testing.assert_array_equal(result, expected, err_msg=str((n, m, d)))


def scalar_nests(text: str) -> int:
    """Loops around an element's store, for any sizes that are large."""
    module = apply(parse_affine(text), BLOCKS["one"])
    (around,) = [op for op in module.walk() if isinstance(op, affine.ForOp)][:1]
    return sum(isinstance(op, affine.ForOp) for op in around.body.block.ops)


@pytest.mark.parametrize(
    ("shape", "left"),
    [
        ("zero and copied", 0),
        ("scaled and copied", 0),
        ("in place", 0),
        ("zero and in place", 0),
        ("copied, then in place", 1),
        ("in place, then copied", 1),
        ("in place twice", 1),
        ("in place in another order of places", 1),
        ("copied from another row", 1),
        ("copied over what other rows read", 1),
        ("zero but for a column", 1),
        ("zero, then touched", 1),
        ("touched, then copied", 1),
        ("copied with what comes between", 1),
        ("in steps of a triangle", 2),
    ],
)
def test_what_stays_beside(shape: str, left: int):
    assert scalar_nests(SHAPES[shape]) == left


@pytest.mark.parametrize(
    ("shape", "kept"),
    [("zero and copied", 1), ("a panel that changes", 0), ("bounds that change", 0)],
)
def test_what_the_loop_keeps(shape: str, kept: int):
    module = apply(parse_affine(SHAPES[shape]), BLOCKS["one"])
    (around,) = [op for op in module.walk() if isinstance(op, affine.ForOp)][:1]
    block = around.parent
    assert block is not None
    assert sum(isinstance(op, memref.AllocOp) for op in block.ops) == kept
    assert sum(isinstance(op, memref.DeallocOp) for op in block.ops) == kept


@pytest.mark.parametrize("blocks", BLOCKS)
def test_the_nests_beside_a_batch(blocks: str):
    text = f"""
    func.func @f(%n : index, %m : index, %d : index, %X : {M3} {{llvm.noalias}},
                 %A : {M3} {{llvm.noalias}}, %B : {M} {{llvm.noalias}},
                 %Y : {M3} {{llvm.noalias}}) {{
      %zero = arith.constant 0.0 : f64
      affine.for %i = 0 to %n {{ affine.for %r = 0 to 3 {{ affine.for %j = 0 to %m {{
        affine.store %zero, %X[%r, %i, %j] : {M3}
      }} }} }}
      affine.for %r = 0 to 3 {{ affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{
        affine.for %k = 0 to %d {{
          %x = affine.load %X[%r, %i, %j] : {M3}
          %p = affine.load %A[%r, %i, %k] : {M3}
          %q = affine.load %B[%k, %j] : {M}
          %t = arith.mulf %p, %q : f64
          %y = arith.addf %x, %t : f64
          affine.store %y, %X[%r, %i, %j] : {M3}
      }} }} }} }}
      affine.for %r = 0 to 3 {{ affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{
        %x = affine.load %X[%r, %i, %j] : {M3}
        affine.store %x, %Y[%r, %i, %j] : {M3}
      }} }} }}
      return
    }}"""
    native = compile_affine(text, BLOCKS[blocks], march=MARCH)
    for n, m, d in SIZES:
        x, a, b = RNG.random((3, n, m)), RNG.random((3, n, d)), RNG.random((d, m))
        y = np.zeros_like(x)
        native(n, m, d, x, a, b, y)
        np.testing.assert_allclose(x, a @ b, rtol=1e-12)
        np.testing.assert_array_equal(y, x)
