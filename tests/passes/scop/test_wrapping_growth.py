"""Loops whose variable is multiplied until it wraps do what gcc's do."""

import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("wrapping_growth.c")


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
def test_growth_that_wraps(tmp_path: Path, level: str):
    program = tmp_path / "program"
    assert main([level, str(SOURCE), "-o", str(program)]) == 0
    ran = subprocess.run([program], capture_output=True, text=True, check=True, timeout=20)
    assert ran.stdout == "715827864 3431430677\n"
