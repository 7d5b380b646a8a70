"""Loops that count in turns, one iteration late, by masks and by powers are static control parts,
and compute what gcc says."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import function_of, remarks_on

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


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_they_compute_what_gcc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    remarks = remarks_on(SOURCE, tmp_path, capfd)
    assert _depths(remarks) == UNDERSTOOD


def _depths(remarks: list[str]) -> dict[str, int]:
    """The nests of each function that are static control parts, by the depth."""
    found: dict[str, int] = {}
    for remark in remarks:
        name = function_of(SOURCE, remark) if "static control part" in remark else None
        if name in UNDERSTOOD:
            depth = int(remark.partition("nested ")[2].split()[0])
            found[name] = max(depth, found.get(name, 0))
    return found
