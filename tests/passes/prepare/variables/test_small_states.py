"""Small states in local arrays become variables, and compute what gcc says."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import functions_with, output, remarks_on, wanted

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("small_states.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    assert functions_with(SOURCE, remarks, "[unroll-windows]") >= {"columns", "rows", "matrices"}
    judged = tmp_path / "judged"
    assert main(["-O3", "-ffp-contract=off", "-w", str(SOURCE), "-o", str(judged)]) == 0
    assert output([judged]) == wanted(SOURCE, "-ffp-contract=off")
