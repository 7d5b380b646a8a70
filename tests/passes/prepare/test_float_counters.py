"""Loops that floating-point variables lead run as often, over the same values, as gcc says."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("float_counters.c")
COUNTED = {"eighths", "tenths", "down", "halves", "two_ends", "rounded_bound", "not_at_all"}
UNDERSTOOD = {"eighths", "tenths", "down", "halves", "rounded_bound"}


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
    assert _functions(remarks, "[count-float-loops]") == COUNTED
    assert _functions(remarks, "static control part") >= UNDERSTOOD


def _functions(remarks: str, text: str) -> set[str]:
    """Those with a remark of this text."""
    lines = SOURCE.read_text().splitlines()
    places = [int(r.split(":")[1]) for r in remarks.splitlines() if text in r]
    above = (reversed(lines[:n]) for n in places)
    heads = (next(x for x in one if x.startswith(("static", "int"))) for one in above)
    return {head.partition("(")[0].rpartition(" ")[2].lstrip("*") for head in heads}
