"""Sums in lanes that loops around go on with: what gcc gives."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("carried_sums.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_the_sums_are_those_of_c(march: str, tmp_path: Path):
    subprocess.run(["gcc", "-O0", "-w", SOURCE, "-o", tmp_path / "wanted"], check=True)
    flags = ["-O3", f"-march={march}", "-w", "--skip-pass=keep-what-pays"]
    assert main([*flags, str(SOURCE), "-o", str(tmp_path / "made")]) == 0
    results = [
        subprocess.run([tmp_path / name], capture_output=True, text=True, check=True).stdout
        for name in ("wanted", "made")
    ]
    assert results[0] == results[1]
