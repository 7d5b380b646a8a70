"""Loops leave what gcc's do, whether numbers from before them are the sums that they are written
as, or have wrapped around."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("parameter_sums.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "judge", [["--skip-pass=keep-what-pays"], pytest.param([], marks=pytest.mark.slow)]
)
def test_loops_leave_what_they_leave_one_by_one(judge: list[str], tmp_path: Path):
    wanted, made = tmp_path / "wanted", tmp_path / "made"
    gcc = ["gcc", "-O0", "-ffp-contract=off", "-w", SOURCE, "-o", wanted]
    subprocess.run(gcc, check=True)
    options = ["-O3", "-march=native", "-ffp-contract=off", "-w", "-fno-inline", *judge]
    assert main([*options, str(SOURCE), "-o", str(made)]) == 0
    said = [subprocess.run([one], capture_output=True, check=True).stdout for one in (wanted, made)]
    assert said[0] == said[1]
