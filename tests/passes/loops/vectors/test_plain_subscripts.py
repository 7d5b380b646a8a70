"""Rows that begin where a quotient says: gcc's bits, in vectors."""

import shutil
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("plain_subscripts.c")
FLAGS = ["-O3", "-ffp-contract=off", "-w", "--skip-pass=keep-what-pays"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_elements_are_those_of_the_rows(tmp_path: Path, march: str):
    made = tmp_path / "made"
    assert main([*FLAGS, f"-march={march}", str(SOURCE), "-o", str(made)]) == 0
    assert output([made]) == wanted(SOURCE, "-ffp-contract=off")


def test_a_sweep_of_one_colour_has_vectors(capfd: pytest.CaptureFixture[str]):
    assert main([*FLAGS, "-march=x86-64-v4", "--emit=loops", "-o", "-", str(SOURCE)]) == 0
    functions = capfd.readouterr().out.split("func.func @")[1:]
    texts = {one.partition("(")[0]: one for one in functions}
    for name in ("red_black", "red_alone", "coarse_rows"):
        assert "vector<8xf64>" in texts[name], name
