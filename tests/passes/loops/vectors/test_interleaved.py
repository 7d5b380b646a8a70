"""Structures and pairs changed in place: the bytes that gcc's program leaves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("interleaved.c")
IN_GROUPS = {"turn", "kick", "drift", "two_of_three", "rows", "around", "around_backward"} | {
    "half_sweep",
    "third_sweep",
    "wide_sweep",
}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_the_bytes_of_structures(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], march: str
) -> None:
    flags = ["-w", "-ffp-contract=off", str(SOURCE), "-o"]
    made = ["-O3", f"-march={march}", "--remarks", "--skip-pass=keep-what-pays", "-fno-inline"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE, "-ffp-contract=off")
    if march == "native" and Target.host().vector_bits >= 512:
        assert _taken(capfd.readouterr().err) >= IN_GROUPS


def _taken(remarks: str) -> set[str]:
    """The functions with a line that became vectors."""
    lines = SOURCE.read_text().splitlines()
    found: set[str] = set()
    for one in remarks.splitlines():
        if "[affine-vectorize]" in one:
            number = int(one.split(":")[1])
            head = next(line for line in reversed(lines[:number]) if line.startswith("static void"))
            found.add(head.split("(")[0].split()[-1])
    return found
