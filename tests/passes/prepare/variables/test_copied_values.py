"""Copies of the bytes of numbers, of memory that is accessed as of other types as well."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("copied_values.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("options", ["-O3", "-O3 -march=native --skip-pass=keep-what-pays"])
def test_numbers_have_the_bits_that_c_copies(tmp_path: Path, options: str) -> None:
    flags = [*options.split(), "-ffp-contract=off", "-w"]
    assert main([*flags, str(SOURCE), "-o", str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE)
