"""Rows of recurrences that all add to the same variables, in lanes, against gcc at -O0."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("row_sums.c")


def numbers(program: Path) -> list[list[float]]:
    text = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return [[float(word) for word in line.split()] for line in text.splitlines()]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    ("march", "math"),
    [
        ("native", ["-ffast-math"]),
        ("x86-64-v3", []),
        pytest.param("x86-64-v2", ["-ffast-math"], marks=pytest.mark.slow),
    ],
)
def test_rows_add_up_to_what_gcc_says(
    march: str, math: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    common = ["-ffp-contract=off", str(SOURCE), "-o"]
    subprocess.run(["gcc", "-O0", *common, tmp_path / "wanted"], check=True)
    words = ["-O3", f"-march={march}", *math, "--remarks=nests"]
    assert main([*words, *common, str(tmp_path / "made")]) == 0
    said = capsys.readouterr().err
    assert said.count("[affine-lanes]") >= (3 if math else 2)
    wanted, made = numbers(tmp_path / "wanted"), numbers(tmp_path / "made")
    assert [row[:-1] for row in made] == [row[:-1] for row in wanted]
    assert [row[-1] for row in made] == pytest.approx([row[-1] for row in wanted], rel=1e-7)
