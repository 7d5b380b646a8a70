"""Loops through the bits of an integer leave behind what gcc says, and only they are counts."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import functions_with, remarks_on

SOURCE = Path(__file__).with_name("bit_loops.c")
COUNTS = set(
    """ones ones_of_long ones_of_byte ones_signed ones_at_least_one length length_halved
    length_at_least_one length_of_short length_positive length_by_division sum_of_bits sum_of_rests
    parity parity_flipped flipped zeros_below zeros_below_signed zeros_by_division steps narrow
    two_sums distance each each_signed each_if each_down each_of_byte middle equal_to_one truths
    parity_of_places last_place last_down of_two narrow_places hamming""".split()
)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    assert functions_with(SOURCE, remarks, "[count-bits]") == COUNTS
    assert "distance" in functions_with(SOURCE, remarks, "static control part")
