"""Loops that floating-point variables lead run as often, over the same values, as gcc says."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import functions_with, remarks_on

SOURCE = Path(__file__).with_name("float_counters.c")
COUNTED = {"eighths", "tenths", "down", "halves", "two_ends", "rounded_bound", "not_at_all"}
UNDERSTOOD = {"eighths", "tenths", "down", "halves", "rounded_bound"}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    assert functions_with(SOURCE, remarks, "[count-float-loops]") == COUNTED
    assert functions_with(SOURCE, remarks, "static control part") >= UNDERSTOOD
