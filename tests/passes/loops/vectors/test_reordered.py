"""Loops that carry something, in vectors where operations can be put in order: the bytes that gcc's
program leaves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("reordered.c")
IN_ORDER = {"read_ahead", "node_split", "written_ahead", "arms_ahead", "two_stores"}
"""What each iteration carries goes from one operation to one that can stand behind it."""
LEFT_OUT = {"every_second", "one_of_three", "packed_first"}
NOT_IN_ORDER = {"arms_in_a_ring", "ring", "far_ring", "crossing", "read_behind", "both_ways"}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_the_bytes_that_are_left(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], march: str
) -> None:
    flags = ["-w", "-ffp-contract=off", str(SOURCE), "-o"]
    made = ["-O3", f"-march={march}", "--remarks", "--skip-pass=keep-what-pays", "-fno-inline"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE, "-ffp-contract=off")
    taken = _taken(capfd.readouterr().err)
    assert not taken & NOT_IN_ORDER
    if march == "native" and Target.host().vector_bits >= 512:
        assert taken >= IN_ORDER | LEFT_OUT


def _taken(remarks: str) -> set[str]:
    """The functions with a line that became vectors."""
    lines = SOURCE.read_text().splitlines()
    numbers = [
        int(one.split(":")[1]) for one in remarks.splitlines() if "[affine-vectorize]" in one
    ]
    return {lines[number - 1].split("(")[0].split()[-1] for number in numbers}
