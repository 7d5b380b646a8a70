"""Numbers that are taken for their bits and bits for numbers are the same bits, as gcc has them."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import functions_with, remarks_on

SOURCE = Path(__file__).with_name("unify_types.c")
USED_AGAIN = Path(__file__).with_name("used_again.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    assert functions_with(SOURCE, remarks, "static control part") >= {"magnitudes", "exponents"}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_who_sees_the_memory_as_it_was_before_sees_what_gcc_says(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    remarks = remarks_on(USED_AGAIN, tmp_path, capfd)
    assert functions_with(USED_AGAIN, remarks, "static control part") >= {"reused"}
