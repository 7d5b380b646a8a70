"""affine-vectorize where a loop is almost of a kind that it knows: the same bits, or left alone."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from xdsl.dialects.builtin import VectorType

from polyopt.passes.loops.vectors.vectorize import AffineVectorizePass

PASS = AffineVectorizePass("x86-64-v3")
VECTOR, MATRIX = "memref<?xf64>", "memref<?x?xf64>"


def module_of(body: str, flags: str = "none") -> str:
    return f"""
    builtin.module attributes {{polyopt.fastmath = #arith.fastmath<{flags}>}} {{
      func.func @f(%n : index, %f : f64, %A : {MATRIX} {{llvm.noalias}},
                   %B : {MATRIX} {{llvm.noalias}}, %v : {VECTOR} {{llvm.noalias}}) {{
        {body}
        return
      }}
    }}"""


def loop(name: str, low: int, step: int, body: str, marks: str = "") -> str:
    return f"affine.for %{name} = {low} to %n step {step} {{ {body} }} {marks}\n"


def load(name: str, at: str, array: str = "%B") -> str:
    return f"%{name} = affine.load {array}[{at}] : {MATRIX}\n"


def store(value: str, at: str, array: str = "%A") -> str:
    return f"affine.store {value}, {array}[{at}] : {MATRIX}\n"


def double(name: str, of: str) -> str:
    return f"%{name} = arith.addf %{of}, %{of} : f64\n"


PARALLEL = "{poly.loop = #poly.loop<parallel>}"
ROW = load("x", "%i, %j") + load("y", "%i - 1, %j") + "%z = arith.addf %x, %y : f64\n"
BODIES = {
    "a constant at one place": loop("i", 0, 1, f"affine.store %f, %v[0] : {VECTOR}"),
    "a sum at one place": loop(
        "i",
        0,
        1,
        f"%x = affine.load %v[0] : {VECTOR}\n%y = arith.addf %x, %f : f64\n"
        f"affine.store %y, %v[0] : {VECTOR}",
    ),
    "rows by twos": loop("i", 1, 2, loop("j", 0, 1, ROW + store("%z", "%i, %j"))),
    "columns by twos": loop("i", 1, 1, loop("j", 0, 2, ROW + store("%z", "%i, %j"))),
    "two loops in a row": loop(
        "i",
        1,
        1,
        loop("j", 0, 1, ROW + store("%z", "%i, %j"))
        + loop("k", 0, 1, load("u", "%i, %k", "%A") + double("w", "u") + store("%w", "%i, %k")),
    ),
    "turned": loop(
        "i",
        0,
        1,
        loop("j", 0, 1, load("x", "%j, %i") + double("y", "x") + store("%y", "%i, %j"), PARALLEL),
        PARALLEL,
    ),
    "turned by twos": loop(
        "i",
        0,
        2,
        loop("j", 0, 1, load("x", "%j, %i") + double("y", "x") + store("%y", "%i, %j"), PARALLEL),
        PARALLEL,
    ),
    "an empty loop beside": loop(
        "i", 0, 1, "affine.for %j = 3 to 3 { }\n" + double("x", "y")
    ).replace("%y, %y", "%f, %f"),
}


@pytest.mark.parametrize("flags", ["none", "reassoc"])
@pytest.mark.parametrize("name", BODIES)
def test_the_same_bits(name: str, flags: str):
    """Small integers: sums are exact in every order."""
    text = module_of(BODIES[name], flags)
    wanted, found = compile_affine(text, march=PASS.march), compile_affine(text, [PASS])
    numbers = np.random.default_rng(1)
    for n in (0, 1, 2, 3, 4, 5, 7, 8, 9, 17):
        a, b = (numbers.integers(-9, 9, (n + 1, n + 1)).astype(np.float64) for _ in range(2))
        v = np.zeros(n + 1)
        results = [(a.copy(), b.copy(), v.copy()) for _ in range(2)]
        for native, arrays in zip((wanted, found), results, strict=True):
            native(n, 3.0, *arrays)
        for one, other in zip(*results, strict=True):
            np.testing.assert_array_equal(other, one, err_msg=f"{name} {n}")


@pytest.mark.parametrize("name", ["two loops in a row", "turned", "columns by twos"])
def test_some_of_them_are_vectors(name: str):
    module = apply(parse_affine(module_of(BODIES[name])), [PASS])
    values = [value for op in module.walk() for value in op.results]
    is_vector = any(isinstance(value.type, VectorType) for value in values)
    assert is_vector == (name != "columns by twos")
