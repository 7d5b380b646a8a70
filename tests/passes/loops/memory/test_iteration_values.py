"""Variables of an iteration mean what buffers did that they stand for, at each length of rows."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("iteration_values.c")


def output(program: Path) -> str:
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_rows_mean_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    subprocess.run(["gcc", "-O0", str(SOURCE), "-o", tmp_path / "wanted"], check=True)
    flags = ["-O3", "-march=native", "-ffast-math", str(SOURCE)]
    assert main([*flags, "-o", str(tmp_path / "made")]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")
    assert main([*flags, "--emit=loops"]) == 0
    loops = capfd.readouterr().out
    assert "memref.alloc(" not in loops
    assert "memref.alloca() : memref<f64>" in loops
