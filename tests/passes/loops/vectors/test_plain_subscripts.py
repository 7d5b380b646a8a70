"""Rows that begin where a quotient says: gcc's bits, in vectors."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("plain_subscripts.c")
FLAGS = ["-O3", "-ffp-contract=off", "-w", "--skip-pass=keep-what-pays"]


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_elements_are_those_of_the_rows(tmp_path: Path, march: str):
    wanted, made = tmp_path / "wanted", tmp_path / "made"
    output(["gcc", "-O0", "-ffp-contract=off", "-w", str(SOURCE), "-o", wanted])
    assert main([*FLAGS, f"-march={march}", str(SOURCE), "-o", str(made)]) == 0
    assert output([made]) == output([wanted])


def test_a_sweep_of_one_colour_has_vectors(capfd: pytest.CaptureFixture[str]):
    assert main([*FLAGS, "-march=x86-64-v4", "--emit=loops", "-o", "-", str(SOURCE)]) == 0
    functions = capfd.readouterr().out.split("func.func @")[1:]
    texts = {one.partition("(")[0]: one for one in functions}
    for name in ("red_black", "red_alone", "coarse_rows"):
        assert "vector<8xf64>" in texts[name], name
