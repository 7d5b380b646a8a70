"""What whole vectors leave of rows that are read again is done in ever fewer lanes, each iteration
once, and nothing beside the row is touched."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("halved_rests.c")


def output(program: Path) -> str:
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "march", ["native", pytest.param("x86-64-v3", marks=pytest.mark.slow), "x86-64-v2"]
)
def test_rows_mean_what_gcc_says(march: str, tmp_path: Path):
    flags = ["-ffp-contract=off", str(SOURCE), "-o"]
    subprocess.run(["gcc", "-O0", *flags, tmp_path / "wanted"], check=True)
    assert main(["-O3", f"-march={march}", *flags, str(tmp_path / "made")]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")
