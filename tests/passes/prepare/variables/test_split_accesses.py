"""Memory as elements of two sizes: the same bytes as gcc, and what the source's accesses are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import affine, func

from polyopt.passes.judge.whole_elements import forget_parts

PROGRAM = Path(__file__).parent / "two_sizes.c"
STRICT = ["-ffp-contract=off", "-fno-strict-aliasing"]


@pytest.fixture(scope="module")
def by_gcc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("gcc") / "program"
    subprocess.run(["gcc", "-O1", *STRICT, str(PROGRAM), "-o", str(program)], check=True)
    return program


@pytest.mark.parametrize("flags", [("-O3",), ("-O3", "--poly=isl+tile"), ("-O3", "-fparallel=2")])
def test_the_same_bytes_as_gcc(by_gcc: Path, flags: tuple[str, ...], tmp_path: Path):
    program = tmp_path / "program"
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", *flags, *STRICT]
    subprocess.run([*command, str(PROGRAM), "-o", str(program)], timeout=300, check=True)
    for size in ("1", "2", "7", "16", "50", "301"):
        ours, theirs = (
            subprocess.run([str(one), size], capture_output=True, timeout=60, check=True).stdout
            for one in (program, by_gcc)
        )
        assert ours == theirs, size


SPLIT = """
func.func @f(%w : memref<?xi16>) {
  affine.for %i = 0 to 10 {
    %low = affine.load %w[2 * %i] : memref<?xi16>
    %high = affine.load %w[2 * %i + 1] : memref<?xi16>
    %a = arith.extui %low : i16 to i32
    %b = arith.extui %high : i16 to i32
    %by = arith.constant 16 : i32
    %c = arith.shli %b, %by : i32
    %x = arith.ori %a, %c {cmem.part} : i32
    %y = arith.addi %x, %x : i32
    %first = arith.trunci %y : i32 to i16
    affine.store %first, %w[2 * %i] : memref<?xi16>
    %up = arith.shrui %y, %by : i32
    %second = arith.trunci %up {cmem.part} : i32 to i16
    affine.store %second, %w[2 * %i + 1] : memref<?xi16>
  }
  func.return
}"""


def test_the_source_has_one_access_for_each_element():
    module = parse_affine(SPLIT)
    (function,) = [op for op in module.ops if isinstance(op, func.FuncOp)]
    forget_parts(function.body.block)
    module.verify()
    left = [op for op in function.walk() if isinstance(op, affine.LoadOp | affine.StoreOp)]
    assert len(left) == 2
    names = [op.name for op in function.walk()]
    assert not {"arith.ori", "arith.shli", "arith.shrui"} & set(names)
