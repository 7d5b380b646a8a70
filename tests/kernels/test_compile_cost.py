"""What compiling takes in memory; `polyopt-bench --compile-time` measures seconds."""

from pathlib import Path

import pytest
from oracles.kernel_runs import PROGRAMS

from polyopt.tools.bench.cost import MEGABYTES, compile_cost

# The kernels whose schedules and loops take isl longest, and an easy one.
DEMANDING = ("adi", "deriche", "fdtd-2d", "heat-3d", "gemm")


def cases() -> list[object]:
    return [
        kernel if kernel in DEMANDING else pytest.param(kernel, marks=pytest.mark.slow)
        for kernel in PROGRAMS
    ]


@pytest.mark.parametrize("kernel", cases())
def test_memory(kernel: str, tmp_path: Path):
    flags = ("-O3", "-ffast-math", "-march=native", "--poly=isl+tile")
    cost = compile_cost(PROGRAMS[kernel], flags, tmp_path / "kernel.o")
    assert cost.megabytes < MEGABYTES
