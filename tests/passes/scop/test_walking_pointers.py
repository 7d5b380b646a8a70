"""Pointers that walk through loops and are used behind them, and sums and choices under several
conditions: the same as gcc gives, for all short sizes, apart and overlapping."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.told_programs import functions_around

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("walking_pointers.c")
IN_VECTORS = {"backwards", "read_back", "counted", "swapped"}
LOOKED_UP = {"written"}
"""In vectors where the machine looks bytes up in registers."""


def output(command: Sequence[str | Path]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    program = tmp_path_factory.mktemp("walking") / "wanted"
    output(["gcc", "-O0", "-w", SOURCE, "-o", program])
    return output([program])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "judge", [["--skip-pass=keep-what-pays"], pytest.param([], marks=pytest.mark.slow)]
)
def test_loops_leave_what_they_left_before(
    judge: list[str], wanted: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    made = tmp_path / "made"
    assert (
        main(["-O3", "-march=native", "--remarks", *judge, "-w", str(SOURCE), "-o", str(made)]) == 0
    )
    assert output([made]) == wanted
    if judge:
        said = capfd.readouterr().err.splitlines()
        lines = {int(one.split(":")[1]) for one in said if "applied: vectors of" in one}
        found = functions_around(SOURCE, lines)
        assert found >= IN_VECTORS
        assert found >= LOOKED_UP or not Target.host().shuffles_bytes
