"""Products of narrow integers, several steps of depth at once: the same numbers as one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from oracles.contract_passes import contract_passes

from polyopt.dialects.contract import NestOp
from polyopt.dialects.inside import operations_in

EXTENDING = {"i": "arith.extsi", "u": "arith.extui"}


def text(lhs: str, rhs: str, layout: str, bits: int = 8, less: int = 0) -> str:
    """C += (A - less) * B; `lhs` and `rhs` say whether elements have signs, `layout` whether A and
    B are as they are read ("n") or transposed ("t")."""
    t = f"memref<?x?xi{bits}>"
    a = "%i, %k" if layout[0] == "n" else "%k, %i"
    b = "%k, %j" if layout[1] == "n" else "%j, %k"
    return f"""
func.func @f(%n : index, %m : index, %d : index, %C : memref<?x?xi32> {{llvm.noalias}},
             %A : {t} {{llvm.noalias}}, %B : {t} {{llvm.noalias}}) {{
  %less = arith.constant {less} : i32
  affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{ affine.for %k = 0 to %d {{
    %x = affine.load %C[%i, %j] : memref<?x?xi32>
    %p = affine.load %A[{a}] : {t}
    %q = affine.load %B[{b}] : {t}
    %u = {EXTENDING[lhs]} %p : i{bits} to i32
    %s = arith.subi %u, %less : i32
    %v = {EXTENDING[rhs]} %q : i{bits} to i32
    %t = arith.muli %s, %v : i32
    %y = arith.addi %x, %t : i32
    affine.store %y, %C[%i, %j] : memref<?x?xi32>
  }} }} }}
  func.return
}}"""


def groups(source: str, march: str) -> list[int]:
    """Of the nests that are planned."""
    passes = contract_passes(smallest=1, march=march)
    module = apply(parse_affine(source), passes[:2])
    nests = list(operations_in(module, NestOp))
    return [one.blocking.data.group for one in nests if one.blocking is not None]


@pytest.mark.parametrize(
    ("lhs", "rhs", "bits", "less", "march", "steps"),
    [
        ("u", "i", 8, 0, "x86-64-v3", 2),
        ("u", "i", 8, 0, "icelake-server", 4),
        ("u", "u", 8, 0, "icelake-server", 4),
        ("u", "i", 8, 128, "icelake-server", 4),  # -128 to 127 is a byte with a sign
        ("u", "i", 8, 100, "icelake-server", 2),  # -100 to 155 is none
        ("i", "i", 16, 0, "icelake-server", 2),
        ("i", "i", 16, 1, "icelake-server", 1),  # -32769
        ("u", "i", 16, 0, "icelake-server", 1),
    ],
)
def test_as_many_steps_as_the_factors_bits_permit(
    lhs: str, rhs: str, bits: int, less: int, march: str, steps: int
):
    assert groups(text(lhs, rhs, "nn", bits, less), march) == [steps]


def test_steps_that_depend_on_the_row_stay_apart():
    source = text("u", "i", "nn").replace("0 to %d", "0 to affine_map<(d0) -> (d0 + 1)>(%i)")
    assert groups(source, "icelake-server") == [1]


def numbers(shape: tuple[int, int], kind: str, bits: int, layout: str) -> np.ndarray:
    """The extremes among them."""
    type_ = np.dtype(f"{kind.replace('i', 'int').replace('u', 'uint')}{bits}")
    limits = np.iinfo(type_)
    found = np.random.default_rng(shape[0]).integers(limits.min, limits.max + 1, shape, type_)
    found[: shape[0] // 2] = limits.min
    return np.ascontiguousarray(found if layout == "n" else found.T)


@pytest.mark.parametrize("march", ["x86-64-v3", "native"])
@pytest.mark.parametrize(
    ("lhs", "rhs", "bits", "less"),
    [("u", "i", 8, 0), ("i", "i", 8, 0), ("u", "u", 8, 100), ("i", "i", 16, 0)],
)
@pytest.mark.parametrize("layout", ["nn", "nt", "tn"])
def test_the_same_numbers(march: str, lhs: str, rhs: str, bits: int, less: int, layout: str):
    """In tiles of four rows, and of five, which no squares fit. Depth is cut where a group is not
    yet whole, rows and columns where a tile is not."""
    source = text(lhs, rhs, layout, bits, less)
    for rows in (4, 5):
        passes = contract_passes(
            smallest=1, rows=rows, vectors=1, depth=12, row_block=20, column_block=16, march=march
        )
        ours = compile_affine(source, passes, march=march)
        for n, m, d in product((1, 4, 23), (3, 16, 35), (0, 1, 7, 8, 31)):
            a, b = numbers((n, d), lhs, bits, layout[0]), numbers((d, m), rhs, bits, layout[1])
            c = np.arange(n * m, dtype=np.int32).reshape(n, m)
            wide_a = (a if layout[0] == "n" else a.T).astype(np.int64) - less
            wide_b = (b if layout[1] == "n" else b.T).astype(np.int64)
            wanted = (c + wide_a @ wide_b).astype(np.int32)  # modulo 2^32
            ours(n, m, d, c, a.view(f"int{bits}"), b.view(f"int{bits}"))
            np.testing.assert_array_equal(c, wanted, err_msg=f"{n} {m} {d}")
