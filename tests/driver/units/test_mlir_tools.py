"""Modules do what they do by MLIR's own tools: `mlir-opt`, `mlir-translate` and `clang` of LLVM 19
make one library of `mlir_programs.mlir`, polyopt the others, and every function is called on the
same arrays. Floating-point operations say nothing that permits another order, so that results are
equal bit by bit.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polyopt.tools.polyopt_cc import main as polyopt_cc

TOOLS = ("mlir-opt-19", "mlir-translate-19", "clang-19", "cc")
pytestmark = pytest.mark.skipif(
    not all(shutil.which(tool) for tool in TOOLS), reason="MLIR's tools of LLVM 19 are not here"
)

PROGRAMS = Path(__file__).with_name("mlir_programs.mlir")
PASSES = (
    *("convert-linalg-to-loops", "expand-strided-metadata", "lower-affine", "convert-scf-to-cf"),
    *("convert-arith-to-llvm", "finalize-memref-to-llvm", "convert-func-to-llvm"),
    *("convert-cf-to-llvm", "reconcile-unrealized-casts"),
)

Array = NDArray[np.generic]
Value = Array | int

N = -1
"""A size that a memref's type leaves open."""

SIGNATURES: dict[str, tuple[tuple[str, tuple[int, ...]] | int, ...]] = {
    "product": (("f8", (12, 20)), ("f8", (20, 17)), ("f8", (12, 17))),
    "largest_of_rows": (("i4", (N, N)), ("i4", (N,))),
    "blurred": (("f4", (2, 1, 14, 19)), ("f4", (3, 1, 3, 3)), ("f4", (2, 3, 12, 17))),
    "turned_and_shifted": (("f8", (9, 13)), ("f8", (13,)), ("f8", (13, 9))),
    "triangle": (("f8", (N, N)), ("f8", (N,))),
    "remainders": (("i8", (40,)), ("i8", (40,))),
    "window": (("f8", (N,)), ("f8", (N,)), 3, 17),
    "clipped": (("i4", (N,)), 67),
    "by_parts": (("f8", (16, 16)), ("f8", (16, 16))),
    "smoothed_twice": (("f8", (30,)),),
    "dot": (("i8", (25,)), ("i8", (25,)), ("i8", (1,))),
}
OPEN = 67
"""What an open size is in the calls."""


def mlir(*command: str | Path) -> None:
    subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("mlir")
    options = [f"--{name}" for name in PASSES]
    mlir("mlir-opt-19", PROGRAMS, *options, "-o", folder / "lowered.mlir")
    mlir("mlir-translate-19", "--mlir-to-llvmir", folder / "lowered.mlir", "-o", folder / "m.ll")
    mlir("clang-19", "-w", "-O1", "-shared", "-fPIC", folder / "m.ll", "-o", folder / "m.so")
    return ctypes.CDLL(str(folder / "m.so"))


OPTIONS = [
    "-O3",
    pytest.param("-O3 --assume-distinct", marks=pytest.mark.slow),
    pytest.param("-O0 -fno-poly", marks=pytest.mark.slow),
]


@pytest.fixture(scope="module", params=OPTIONS)
def ours(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Of the generic form, in which xDSL reads all of them."""
    folder = tmp_path_factory.mktemp("polyopt")
    mlir("mlir-opt-19", "--mlir-print-op-generic", PROGRAMS, "-o", folder / "generic.mlir")
    words = [*str(request.param).split(), "--cache=off", "-fPIC", "-c"]
    assert polyopt_cc([*words, str(folder / "generic.mlir"), "-o", str(folder / "m.o")]) == 0
    mlir("cc", "-shared", folder / "m.o", "-o", folder / "m.so", "-lm")
    return ctypes.CDLL(str(folder / "m.so"))


def arguments(name: str) -> list[Value]:
    random = np.random.default_rng(len(name))
    values: list[Value] = []
    for one in SIGNATURES[name]:
        if isinstance(one, int):
            values.append(one)
            continue
        kind, shape = one
        sizes = [OPEN if size == N else size for size in shape]
        whole = random.integers(-50, 50, sizes)
        values.append((whole / 7 if kind[0] == "f" else whole).astype(kind))
    return values


def by_descriptors(function: Callable[..., object], values: list[Value]) -> None:
    """As MLIR calls it: two pointers, an offset, sizes, strides."""
    words: list[object] = []
    for value in values:
        if isinstance(value, int):
            words.append(ctypes.c_int64(value))
            continue
        place = ctypes.c_void_p(value.ctypes.data)
        steps = [step // value.itemsize for step in value.strides]
        words += [place, place, *map(ctypes.c_int64, (0, *value.shape, *steps))]
    function(*words)


def by_pointers(name: str, function: Callable[..., object], values: list[Value]) -> None:
    """As C does: a pointer, and the sizes that are open."""
    words: list[object] = []
    for value, one in zip(values, SIGNATURES[name], strict=True):
        if isinstance(value, int) or isinstance(one, int):
            words.append(value)
            continue
        sizes = zip(value.shape, one[1], strict=True)
        words.append(ctypes.c_void_p(value.ctypes.data))
        words += [ctypes.c_int64(size) for size, said in sizes if said == N]
    function(*words)


@pytest.mark.parametrize("name", SIGNATURES)
def test_results_are_those_of_mlir(name: str, theirs: ctypes.CDLL, ours: ctypes.CDLL):
    want, got = arguments(name), arguments(name)
    by_descriptors(theirs[name], want)
    by_pointers(name, ours[name], got)
    changed = False
    for one, other, before in zip(want, got, arguments(name), strict=True):
        if not isinstance(one, int):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
            changed |= not np.array_equal(np.asarray(one), np.asarray(before))
    assert changed, "the function does something"
