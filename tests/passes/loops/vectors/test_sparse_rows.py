"""Rows whose length data say: short ones, long ones, and what fills no vector."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("sparse_rows.c")


def output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_rows_of_all_lengths(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    output("gcc", "-O0", "-w", str(SOURCE), "-o", tmp_path / "wanted")
    made = ["-O3", "-march=native", "-ffast-math", "--remarks", "--skip-pass=keep-what-pays"]
    flags = ["-fno-inline", "-w", str(SOURCE), "-o", str(tmp_path / "made")]
    assert main([*made, *flags]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")
    if Target.host().vector_bits >= 512:
        assert capfd.readouterr().err.count("[affine-vectorize]") >= 4
