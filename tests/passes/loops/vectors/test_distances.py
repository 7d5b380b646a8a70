"""Recurrences at distances that are known when the loop runs: the same bits as gcc gives, at all
distances around those of vectors, to the left and to the right."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.told_programs import functions_around

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("distances.c")
TAKEN = {
    *("added", "downwards", "left", "combed", "doubled", "reached", "shorts", "packed", "changed"),
    *("read_behind", "both_sides", "near_too", "by_rows", "far_by_row"),
}
LEFT_ALONE = {"mirrored", "one_element", "at_three"}


def output(command: Sequence[str | Path]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    program = tmp_path_factory.mktemp("distances") / "wanted"
    output(["gcc", "-O0", "-w", "-ffp-contract=off", SOURCE, "-o", program])
    return output([program])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_iterations_depend_on_each_other_as_before(
    march: str, wanted: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    target = Target.named(march)
    if march != "native" and Target.host().vector_bits < target.vector_bits:
        pytest.skip("this machine does not run that")
    made = tmp_path / "made"
    common = ["-O3", f"-march={march}", "--remarks", "--skip-pass=keep-what-pays", "-w"]
    assert main([*common, "-ffp-contract=off", str(SOURCE), "-o", str(made)]) == 0
    assert output([made]) == wanted
    said = capfd.readouterr().err.splitlines()
    taken = functions_around(
        SOURCE, {int(o.split(":")[1]) for o in said if "what is carried goes" in o}
    )
    assert not taken & LEFT_ALONE
    assert taken >= TAKEN
