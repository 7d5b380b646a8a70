"""What a step has read and the next one reads again goes on in registers, rows begin where their
stores are aligned, and nothing beside the rows is touched."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.passes.loops.transfers.carry_reads import CarryReadsPass
from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("carried_rows.c")
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-w", "--skip-pass=keep-what-pays"]


def output(program: Path) -> str:
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "element",
    ["float", *(pytest.param(one, marks=pytest.mark.slow) for one in ("double", "int", "short"))],
)
def test_carried_rows_mean_what_gcc_says(element: str, tmp_path: Path):
    source = [f"-DT={element}", str(SOURCE), "-o"]
    plain = ["gcc", "-O0", "-w", "-ffp-contract=off", *source, tmp_path / "wanted"]
    subprocess.run(plain, check=True)
    assert main([*FLAGS, *source, str(tmp_path / "made")]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")


@pytest.mark.skipif(Target.host().vector_bits < 512, reason="vectors are shorter than lines")
def test_the_program_tests_it(capfd: pytest.CaptureFixture[str]):
    shown = [f"--print-after={CarryReadsPass.name}", "--print-only=nine"]
    assert main([*FLAGS, *shown, "-DT=float", "-c", str(SOURCE), "-o", "/dev/null"]) == 0
    _, text = capfd.readouterr()
    assert "vector.shuffle" in text
    assert "pvec.misalignment" in text
