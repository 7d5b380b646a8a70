"""Integers divided in lanes, through floating-point numbers: exactly what C says, whatever is
permitted of these."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("quotients.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("mode", ["-ffp-contract=off", "-ffast-math"])
def test_quotients_are_exact(tmp_path: Path, mode: str) -> None:
    made = ["-O3", "-w", "-march=native", mode, "--skip-pass=keep-what-pays", "-fno-inline"]
    assert main([*made, str(SOURCE), "-o", str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE)
