"""Kernels driven by hand compute what C says, to the last bit."""

import shutil
from pathlib import Path

import pytest
from oracles.kernel_runs import PROGRAMS, KernelRuns

from polyopt.support.remarks import collect_remarks
from polyopt.tools.bench.outputs import difference

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")

SCRIPTS = {
    "gemm": """
        distribute S0.i
        tile S1.i S1.k S1.j 8 16 32
        unroll S1.i 4
    """,
    "2mm": """
        fuse S0 S2                      # a row of tmp is used as soon as it is there
        distribute S2.l
        interchange S3.l S3.j
    """,
    "jacobi-2d": """
        fuse S0 S1; shift S1.i 1
        fuse S0 S1; shift S1.j 1
        skew S0.i S0.t 2
        skew S0.j S0.t 2
        tile S0.t S0.i S0.j 4 8 16
    """,
    "seidel-2d": """
        skew S0.i S0.t
        skew S0.j S0.t
        skew S0.j S0.i
        tile S0.t S0.i S0.j 4 8 16
        skew S0.t_tile S0.i_tile        # the wavefront of tiles
    """,
    "floyd-warshall": """
        split S0.j where j < k
        split S0:2.j where j = k
        strip S0:1.j 8
        unroll S0:3.j 2
        reverse S0:2.j
    """,
    "gramschmidt": """
        distribute S4.j
        interchange S5.j S5.i           # along rows
        interchange S6.j S6.i
        tile S6.i S6.j 4 8
    """,
    "doitgen": """
        distribute S0.p
        interchange S1.p S1.s
        unroll S1.s 4
        peel S2.p last 1
    """,
    "lu": """
        peel S0.i first 1
        unroll S2:2.j 4
        strip S0.k 4
    """,
    "trisolv": """
        scale S0.i 2
        shift S2.i 1
        unroll S1.j 2
    """,
}

TWO_LEVELS = """
        distribute S0.i
        tile S1.i S1.k S1.j 64 64 32
        tile S1.i S1.k S1.j 16 16 32
    """
FINISHED = [
    ("gemm", "affine-tile-registers", "distribute S0.i; tile S1.i S1.k S1.j 32 32 32"),
    ("gemm", "affine-tile-registers", TWO_LEVELS),
    ("gemm", "affine-vectorize", "distribute S0.i; unroll S1.i 4; unroll S1.k 2"),
    ("gemm", "affine-vectorize", "distribute S0.i; tile S1.k S1.j 32 64; unroll S1.i 16"),
    ("jacobi-2d", "affine-vectorize", "tile S0.i S0.j 32 64; unroll S1.i 4"),
    ("mvt", "affine-vectorize", "interchange S1.i S1.j; unroll S1.j 4"),
    ("mvt", "affine-lanes", "strip S0.i 32; strip S1.i 64"),
    (
        "seidel-2d",
        "affine-lanes",
        "skew S0.i S0.t; skew S0.j S0.t; skew S0.j S0.i; tile S0.t S0.i S0.j 8 16 64",
    ),
    ("syrk", "contract-block", "distribute S0.i; permute S1.i S1.j S1.k; strip S1.i 32"),
    ("trmm", "affine-vectorize", "distribute S0.j; interchange S0.j S0.k; unroll S0.k 4"),
    ("heat-3d", "affine-vectorize", "tile S0.i S0.j S0.k 4 8 32; tile S1.i S1.j 8 8"),
]
"""Scripts after which the pass named takes the loops."""


def compile_and_compare(folder: Path, kernel: str, size: str, steps: str) -> None:
    script = folder / "steps.txt"
    script.write_text(f"scop {PROGRAMS[kernel].function}\n{steps}", encoding="utf-8")
    runs = KernelRuns(folder)
    flags = ("-O3", "-march=native", "-ffp-contract=off", f"--schedule={script}")
    actual = runs.by_polyopt(kernel, size, flags)
    assert difference(runs.expected(kernel, size), actual, exact=True) is None


@pytest.mark.slow
@pytest.mark.parametrize("kernel", SCRIPTS)
def test_results(tmp_path: Path, kernel: str):
    compile_and_compare(tmp_path, kernel, "MINI", SCRIPTS[kernel])


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "by", "steps"), FINISHED)
def test_the_loop_stage_finishes_them(tmp_path: Path, kernel: str, by: str, steps: str):
    with collect_remarks() as remarks:
        compile_and_compare(tmp_path, kernel, "SMALL", steps)
    inside = lines_of_kernel(kernel)
    done = [one for one in remarks.items if one.kind == "applied" and one.id == by]
    assert any(one.span is not None and one.span.line in inside for one in done)


def lines_of_kernel(kernel: str) -> range:
    lines = PROGRAMS[kernel].source.read_text(encoding="utf-8").splitlines()
    first = next(k for k, line in enumerate(lines, 1) if f" {PROGRAMS[kernel].function}(" in line)
    return range(first, first + lines[first - 1 :].index("}"))
