"""Copies as loops, of objects that are accessed as of other types as well."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("bytes_of_other_types.c")


def output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("options", ["-O2", "-O3", "-O3 --skip-pass=keep-what-pays"])
def test_accesses_of_other_types_are_not_moved_across(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], options: str
) -> None:
    wanted, made = tmp_path / "wanted", tmp_path / "made"
    output("gcc", "-O0", str(SOURCE), "-o", wanted)
    assert main([*options.split(), "--remarks", str(SOURCE), "-o", str(made)]) == 0
    assert capfd.readouterr().err.count("[spread-copies]") >= 2
    assert output(made) == output(wanted)
