"""Filters of 16 bits, two taps at a time: gcc's numbers, and nothing behind the arrays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("tap_pairs.c")
IN_PAIRS = {"onward", "turned", "backward", "both_backward", "twelve", "two_rows"}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_the_outputs_of_filters(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], march: str
) -> None:
    flags = ["-w", str(SOURCE), "-o"]
    # The sums of some filters leave the range of int: what wraps is compared.
    made = ["-O3", "-fwrapv", f"-march={march}", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, "-fno-inline", *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE, "-fwrapv")
    if march == "native" and Target.host().vector_bits >= 512:
        assert _taken(capfd.readouterr().err) == IN_PAIRS


def _taken(remarks: str) -> set[str]:
    """The functions with a line that takes two taps."""
    lines = SOURCE.read_text().splitlines()
    found: set[str] = set()
    for one in remarks.splitlines():
        if "two taps" in one:
            number = int(one.split(":")[1])
            head = next(line for line in reversed(lines[:number]) if line.startswith("static void"))
            found.add(head.split("(")[0].split()[-1])
    return found
