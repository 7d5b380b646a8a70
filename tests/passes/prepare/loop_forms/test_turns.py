"""Time loops in which pointers change places are unrolled, and compute what gcc says."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import functions_with, remarks_on

SOURCE = Path(__file__).with_name("turns.c")
UNROLLED = {"stencil", "which", "three", "planes", "waves"}
UNDERSTOOD = {"stencil", "which", "three", "planes"}
"""As a whole, with their time loop."""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    assert functions_with(SOURCE, remarks, "[unroll-turns]") == UNROLLED
    deep = [one for one in remarks if " nested 1 " not in one]
    assert functions_with(SOURCE, deep, "static control part") >= UNDERSTOOD
