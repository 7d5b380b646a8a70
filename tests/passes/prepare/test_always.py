"""Branches that loops decide are dropped, others are not, and programs compute what gcc says."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import remarks_on

SOURCE = Path(__file__).with_name("always.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    said = [one for one in remarks if "[drop-conditions]" in one]
    lines = SOURCE.read_text().splitlines()
    decided = {lines[int(one.split(":")[1]) - 1].strip() for one in said}
    assert decided >= {
        "if (i >= n)",
        "if (i < 0)",
        "if (2 * i + 1 == 2 * j)",
        "if (i < m + 2)",
        "if (i == m)",
        "if (k < i)",
        "if (k - i > n)",
        "if (i > n)",
    }
    assert not decided & {"if (i < m) {", "if (i >= m - 1)", "if (k > n - 2)", "if (i > n - 3)"}
