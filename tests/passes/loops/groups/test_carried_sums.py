"""Sums in lanes that loops around go on with: what gcc gives."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("carried_sums.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_the_sums_are_those_of_c(march: str, tmp_path: Path):
    flags = ["-O3", f"-march={march}", "-w", "--skip-pass=keep-what-pays"]
    assert main([*flags, str(SOURCE), "-o", str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE)
