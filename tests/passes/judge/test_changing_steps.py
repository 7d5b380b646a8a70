"""Loads by steps that change give what they gave, whether LLVM sees the steps or not."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("changing_steps.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_changing_steps_give_what_gcc_says(tmp_path: Path):
    wanted, made = str(tmp_path / "wanted"), str(tmp_path / "made")
    flags = [str(SOURCE), "-ffp-contract=off", "-o"]
    subprocess.run(["gcc", "-O0", *flags, wanted], check=True)
    assert main(["-O3", "-march=native", *flags, made]) == 0
    results = [
        subprocess.run([program], capture_output=True, text=True, check=True).stdout
        for program in (wanted, made)
    ]
    assert results[0].count("\n") == 9
    assert results[1] == results[0]
