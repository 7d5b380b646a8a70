"""Searches for the best value in lanes: what gcc's program finds, and where."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

HOST = Target.host()
IS_OTHER = HOST.vector_bits >= 512 and HOST.halves_lines
"""Has it vectors of its own? Elsewhere the code for x86-64-v4 is that for `native`."""
MACHINES = ["native", "x86-64-v3", *(["x86-64-v4"] if IS_OTHER else [])]
SOURCE = Path(__file__).with_name("bests.c")
IN_LANES = {
    *("greatest_allowed", "least_allowed", "of_doubles", "of_floats", "with_an_element"),
    *(
        "number_only",
        "place_only",
        "of_words",
        "two_at_once",
        "over_the_middle",
        "left_by_continue",
    ),
}
NOT_IN_LANES = {
    "last_one": "the later of two equal ones is wanted",
    "counts_records": "what goes with it depends on what was there before",
    "further_back": "what goes with it does not grow with the iterations",
    "zeros_have_signs": "which of two equal zeros came first is not known",
    "by_another_value": "a condition depends on the best value",
    "other_conditions": "what goes with it changes less often",
    "seen_by_others": "nothing is stored where nothing is found",
    "where_it_is_read": "the best value may be an element",
    "sum_of_reals": "NaN is neither greater nor less",
}
UPDATES = {"with_a_sum", "least_of_some"}
"""The best of all, of nothing where the condition does not hold: beside sums too."""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", MACHINES)
def test_what_is_found(tmp_path: Path, capfd: pytest.CaptureFixture[str], march: str) -> None:
    flags = ["-w", "-ffp-contract=off", str(SOURCE), "-o"]
    made = ["-O3", f"-march={march}", "--remarks", "--skip-pass=keep-what-pays", "-fno-inline"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE, "-ffp-contract=off")
    remarks = capfd.readouterr().err
    taken = _taken(remarks)
    assert taken >= IN_LANES
    assert not taken & NOT_IN_LANES.keys()
    assert _taken(remarks, "applied: vectors of") >= UPDATES


def _taken(remarks: str, what: str = "each lane with") -> set[str]:
    """The functions with a line that became vectors, of searches."""
    lines = SOURCE.read_text().splitlines()
    numbers = [int(one.split(":")[1]) for one in remarks.splitlines() if what in one]
    return {lines[number - 1].split("(")[0].split()[-1] for number in numbers}
