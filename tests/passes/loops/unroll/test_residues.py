"""Loops taken apart by the remainders of their iterators compute what gcc says, for all lengths."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("residues.c")
TAKEN_APART = {"bytes_out[x] = bytes[x / 2]", "out[x] = in[x / 3]", "out[x] = (1 - f)", "(x & 3)"}


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_all_lengths(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    flags = ["-ffp-contract=off", "-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    made = ["-O3", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted
    said = [one for one in capfd.readouterr().err.splitlines() if "[affine-split-residues]" in one]
    lines = SOURCE.read_text().splitlines()
    places = {lines[int(one.split(":")[1]) - 1] for one in said}
    assert all(any(text in place for place in places) for text in TAKEN_APART)
