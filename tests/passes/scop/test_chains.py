"""Loops that count in turns, one iteration late, by masks and by powers are static control parts,
and compute what gcc says."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("chains.c")
UNDERSTOOD = {
    "flip": 2,
    "flop": 2,
    "around": 2,
    "wrap_around": 1,
    "twice_around": 1,
    "exchanged": 1,
    "equal_arms": 1,
    "masked": 1,
    "masked_unsigned": 1,
    "differences": 1,
    "doubled": 2,
    "halved": 2,
    "tripled": 2,
    "triangular": 2,
    "saturating": 1,
}
"""How deep the nests are that are taken as a whole."""


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
    assert _depths(capfd.readouterr().err) == UNDERSTOOD


def _depths(remarks: str) -> dict[str, int]:
    """The nests of each function that are static control parts, by the depth."""
    lines = SOURCE.read_text().splitlines()
    found: dict[str, int] = {}
    for remark in remarks.splitlines():
        if "static control part" not in remark:
            continue
        above = lines[: int(remark.split(":")[1])]
        head = next(line for line in reversed(above) if line.startswith(("static", "int")))
        name = head.partition("(")[0].rpartition(" ")[2]
        depth = int(remark.partition("nested ")[2].split()[0])
        if name in UNDERSTOOD:
            found[name] = max(depth, found.get(name, 0))
    return found
