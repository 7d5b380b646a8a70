"""Recurrences taken together in vectors: the same bits as gcc gives, for all lengths around those
of vectors, whether integers or, where their order is free, floating-point numbers."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.told_programs import functions_around

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("scans.c")
EXACT = {
    *("sums", "sums_before", "differences", "alternating", "in_place", "from_the_third"),
    *("greatest", "bits", "hashed", "twice", "summed_areas", "by_two_rows"),
}
IN_ANY_ORDER = {"real_sums", "with_factor", "eliminated", "divided"}
LEFT_ALONE = {
    "fibonacci",
    "squared",
    "two_back",
    "and_forth",
    "shadowed",
    "through_a_row",
    "second_order",
    "filter",
}

wanted_of_gcc: dict[str, list[str]] = {}


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def wanted(folder: Path) -> list[str]:
    if "all" not in wanted_of_gcc:
        output(["gcc", "-O0", "-w", SOURCE, "-o", folder / "wanted"])
        wanted_of_gcc["all"] = output([folder / "wanted"]).splitlines()
    return wanted_of_gcc["all"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    ("flags", "march"),
    [(("-ffast-math",), "native"), ((), "native"), (("-ffast-math",), "x86-64-v3")],
)
def test_each_iteration_leaves_the_same(
    flags: tuple[str, ...], march: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    if march != "native" and Target.host().vector_bits < Target.named(march).vector_bits:
        pytest.skip("this machine does not run that")
    made = tmp_path / "made"
    common = ["-O3", f"-march={march}", "--remarks", "--skip-pass=keep-what-pays", "-w"]
    assert main([*common, *flags, str(SOURCE), "-o", str(made)]) == 0
    assert output([made]).splitlines() == wanted(tmp_path)
    said = capfd.readouterr().err.splitlines()
    places = {int(one.split(":")[1]) for one in said if "taken together" in one}
    taken = functions_around(SOURCE, places)
    assert not taken & LEFT_ALONE
    if not flags:
        assert not taken & IN_ANY_ORDER
    elif Target.named(march).vector_bits >= 512:
        assert taken >= IN_ANY_ORDER
    if Target.named(march).vector_bits >= 512:
        assert taken >= EXACT
