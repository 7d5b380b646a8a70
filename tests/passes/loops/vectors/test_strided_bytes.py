"""Bytes that lie in turns, taken apart and put together in registers, and elements that are there
for some lanes only: what gcc's program leaves, and nothing beside is touched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCES = ["strided_bytes", "byte_groups", "given_values"]
NARROWER = ["native+prefer256"] if Target.host().vector_bits > 256 else []
"""Elsewhere that asks for what `native` is."""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", *NARROWER, "x86-64-v3"])
@pytest.mark.parametrize("name", SOURCES)
def test_nothing_beside_is_touched(tmp_path: Path, name: str, march: str) -> None:
    source = Path(__file__).with_name(f"{name}.c")
    flags = ["-w", "-ffp-contract=off", str(source), "-o"]
    cpu, _, wish = march.partition("+prefer")
    asked = [f"-mprefer-vector-width={wish}"] if wish else []
    made = ["-O3", f"-march={cpu}", *asked, "--skip-pass=keep-what-pays", "-fno-inline"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(source, "-ffp-contract=off")
