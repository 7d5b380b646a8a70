"""Numbers that all calls pass are numbers in a function: programs give what gcc's give."""

import shutil
import subprocess
from pathlib import Path

import pytest
from oracles.told_programs import remarks_on

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("known_arguments.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_programs_give_what_they_gave(tmp_path: Path):
    wanted, made = tmp_path / "wanted", tmp_path / "made"
    subprocess.run(["gcc", "-O0", "-w", SOURCE, "-o", wanted], check=True)
    assert main(["-O3", "-w", "--cache=off", str(SOURCE), "-o", str(made)]) == 0
    outputs = [subprocess.run([one], capture_output=True, check=True) for one in (wanted, made)]
    assert outputs[0].stdout == outputs[1].stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_copies_for_numbers_give_what_the_functions_give(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    remarks = remarks_on(SOURCE.with_name("copies_for_numbers.c"), tmp_path, capfd)
    copied = {one.split("a copy of ")[1].split()[0] for one in remarks if "a copy of " in one}
    assert copied == {"t0", "t1", "t2", "t3", "ring", "two", "shrinking", "block"}
