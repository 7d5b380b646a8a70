"""A row's length is not known to be more than nothing because it is one."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("empty_rows.c")


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("more", [[], ["--skip-pass=keep-what-pays"]])
def test_nothing_is_stored_in_empty_rows(more: list[str], tmp_path: Path):
    flags = ["-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    assert main(["-O2", *more, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == output([tmp_path / "wanted"])
