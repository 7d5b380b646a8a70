"""Rows that nests look up hold what they held, whatever the sizes are, none included."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("looked_up_rows.c")


def output(program: Path) -> str:
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_rows_mean_what_gcc_says(tmp_path: Path):
    subprocess.run(["gcc", "-O0", str(SOURCE), "-o", tmp_path / "wanted"], check=True)
    flags = ["-O3", "-march=native", "-ffast-math"]
    assert main([*flags, str(SOURCE), "-o", str(tmp_path / "made")]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")
