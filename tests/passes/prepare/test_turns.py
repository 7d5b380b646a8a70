"""Time loops in which pointers change places are unrolled, and compute what gcc says."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("turns.c")
UNROLLED = {"stencil", "which", "three", "planes"}
UNDERSTOOD = {"stencil", "which", "three", "planes"}
"""As a whole, with their time loop."""


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
    remarks = capfd.readouterr().err
    assert _functions(remarks, "[unroll-turns]") == UNROLLED
    deep = [r for r in remarks.splitlines() if "static control part" in r and " nested 1 " not in r]
    assert _functions("\n".join(deep), "static") >= UNDERSTOOD


def _functions(remarks: str, text: str) -> set[str]:
    """Those with a remark of this text."""
    lines = SOURCE.read_text().splitlines()
    places = [int(r.split(":")[1]) for r in remarks.splitlines() if text in r]
    above = (reversed(lines[:n]) for n in places)
    heads = (next(x for x in one if x.startswith(("static", "int"))) for one in above)
    return {head.partition("(")[0].rpartition(" ")[2].lstrip("*") for head in heads}
