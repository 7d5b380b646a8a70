"""Tail recursion made loops, and locals taken apart, compute what gcc says."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import functions_with, remarks_on

SOURCE = Path(__file__).with_name("frames.c")
LOOPS = {"scale", "gcd", "sum", "turns", "walk"}
UNDERSTOOD = {"scale", "by_members", "through_pointers", "members_change"}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    assert functions_with(SOURCE, remarks, "[tail-calls]") == LOOPS
    assert functions_with(SOURCE, remarks, "static control part") >= UNDERSTOOD
