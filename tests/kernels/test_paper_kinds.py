"""--poly=poly+ast: the kinds of parallelism that kernels have in table III of the paper."""

from __future__ import annotations

import subprocess
import sys

import pytest
from doc_pages import ROOT

KERNELS = ROOT / "benchmarks" / "kernels"


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["fdtd-2d", "trisolv", "cholesky"])
@pytest.mark.parametrize("flags", [(), ("-ffast-math",)], ids=["strict", "fast"])
def test_pipelines(kernel: str, flags: tuple[str, ...]):
    """Skewed tiles of three dimensions, too, whatever order sums may have."""
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O3", "--poly=poly+ast"]
    words = [*flags, "-fparallel", "--remarks", "-c", str(KERNELS / f"{kernel}.c")]
    made = subprocess.run(
        [*command, *words, "-o", "/dev/null"],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    said = [line for line in made.stderr.splitlines() if f"{kernel}.c" in line]
    assert any("in threads: pipeline along" in line for line in said), said
