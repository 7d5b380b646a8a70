"""Rows that a loop around looks up: gcc's bits, in vectors whose lanes lie side by side."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("looked_up_rows.c")
FLAGS = ["-O3", "-ffp-contract=off", "-w", "--skip-pass=keep-what-pays"]
MACHINES = ["native", "x86-64-v3"]
SIDE_BY_SIDE = ["scaled", "of_two", "computed", "turned", "around", "of_bytes"]
"""Whose lookups are along rows that the loop does not change."""


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> str:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is the oracle")
    made = tmp_path_factory.mktemp("gcc") / "wanted"
    output(["gcc", "-O0", "-ffp-contract=off", "-w", str(SOURCE), "-o", made])
    return output([made])


@pytest.mark.parametrize("march", MACHINES)
def test_elements_are_those_of_the_rows(tmp_path: Path, wanted: str, march: str):
    made = tmp_path / "made"
    assert main([*FLAGS, f"-march={march}", str(SOURCE), "-o", str(made)]) == 0
    assert output([made]) == wanted


@pytest.mark.parametrize("march", ["x86-64-v4", "x86-64-v3"])
def test_lanes_lie_side_by_side(capfd: pytest.CaptureFixture[str], march: str):
    assert main([*FLAGS, f"-march={march}", "--emit=transfers", "-o", "-", str(SOURCE)]) == 0
    functions = capfd.readouterr().out.split("func.func @")[1:]
    texts = {one.partition("(")[0]: one for one in functions}
    for name in SIDE_BY_SIDE:
        assert "pvec.gather" not in texts[name], name
        assert re.search(r"pvec\.read|vector_load", texts[name]), name
