"""Kernels driven by hand compute what C says, to the last bit."""

import shutil
from pathlib import Path

import pytest
from oracles.kernel_runs import PROGRAMS, KernelRuns

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


@pytest.mark.slow
@pytest.mark.parametrize("kernel", SCRIPTS)
def test_results(tmp_path: Path, kernel: str):
    script = tmp_path / "steps.txt"
    script.write_text(f"scop {PROGRAMS[kernel].function}\n{SCRIPTS[kernel]}", encoding="utf-8")
    runs = KernelRuns(tmp_path)
    flags = ("-O3", "-march=native", "-ffp-contract=off", f"--schedule={script}")
    actual = runs.by_polyopt(kernel, "MINI", flags)
    assert difference(runs.expected(kernel, "MINI"), actual, exact=True) is None
