"""Sums under conditions become sums of what is chosen, in lanes too, and are what gcc says."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import functions_with, remarks_on

SOURCE = Path(__file__).with_name("sunk_updates.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    sums = functions_with(SOURCE, remarks, "reduction of")
    assert "looked_up" in sums
    assert "filtered" in sums
