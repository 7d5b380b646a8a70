"""Tables along two words, in lanes along the wavefront: the same bits as gcc gives."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("wavefronts.c")
IN_LANES = 18
"""At least: which ones pay depends on the machine."""


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "machine",
    ["native", pytest.param("x86-64-v3", marks=pytest.mark.slow)],
)
def test_tables_are_those_of_gcc(machine: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    flags = ["-ffp-contract=off", "-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    made = ["-O3", f"-march={machine}", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert capfd.readouterr().err.count("[affine-lanes]") >= IN_LANES
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted
