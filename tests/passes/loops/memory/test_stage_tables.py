"""Bytes looked up behind a pointer: the same as gcc gives, and nothing is read that C does not."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.told_programs import functions_around

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("staged_tables.c")
STAGED = {
    *("plain", "in_front", "masked", "inverse", "average", "of_words", "backwards", "with_a_sign"),
    *("added", "rows", "itself", "limited", "quarters"),
}


def output(command: Sequence[str | Path]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    program = tmp_path_factory.mktemp("staged") / "wanted"
    output(["gcc", "-O0", "-w", SOURCE, "-o", program])
    return output([program])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "options",
    [
        ["-march=native", "--skip-pass=keep-what-pays"],
        pytest.param(["-march=haswell"], marks=pytest.mark.slow),
        pytest.param(["-march=native", "-ffast-math"], marks=pytest.mark.slow),
    ],
)
def test_loops_leave_what_they_left_before(
    options: list[str], wanted: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    made = tmp_path / "made"
    command = ["-O3", *options, "-fno-strict-aliasing", "--remarks", "-w", str(SOURCE)]
    assert main([*command, "-o", str(made)]) == 0
    assert output([made]) == wanted
    said = capfd.readouterr().err.splitlines()
    if "--skip-pass=keep-what-pays" in options and Target.host().shuffles_bytes:
        lines = {int(one.split(":")[1]) for one in said if "applied: vectors of" in one}
        assert functions_around(SOURCE, lines) >= STAGED
