"""Squares transposed in registers: the same bytes as gcc gives, for all sizes of elements."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("transposed_rows.c")
KERNELS = 10


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    ("element", "machine"),
    [
        ("uint8_t", "native"),
        ("int16_t", "x86-64"),
        pytest.param("uint8_t", "x86-64", marks=pytest.mark.slow),
        pytest.param("int32_t", "x86-64-v3", marks=pytest.mark.slow),
        pytest.param("float", "native", marks=pytest.mark.slow),
        pytest.param("double", "native", marks=pytest.mark.slow),
        pytest.param("double", "x86-64-v3", marks=pytest.mark.slow),
    ],
)
def test_squares_hold_what_gcc_says(
    element: str,
    machine: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
):
    flags = ["-w", f"-DT={element}", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    made = ["-O3", f"-march={machine}", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    said = capfd.readouterr().err
    assert said.count("elements, transposed [affine-vectorize]") == KERNELS
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted
