"""Branches that loops decide are dropped, others are not, and programs compute what gcc says."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("always.c")


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    flags = ["-ffp-contract=off", "-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    made = ["-O3", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted
    said = [r for r in capfd.readouterr().err.splitlines() if "[drop-conditions]" in r]
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
