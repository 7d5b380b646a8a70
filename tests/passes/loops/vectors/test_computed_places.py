"""Elements at places that are computed in the loop: gcc's bits, in vectors of which the indices
are no longer than they need be."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("computed_places.c")
IN_WORDS = {
    *("apart", "products", "with_sign", "clamped", "window", "by_size", "smaller"),
    *("backwards", "with_counter", "on_the_way"),
}
"""Whose indices fit 32 bits, so that a vector has as many of them as of floats: because of what
they are computed from, or because there are no more elements."""


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_elements_are_those_of_the_places(tmp_path: Path):
    flags = ["-ffp-contract=off", "-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    made = ["-O3", "-march=native", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == output([tmp_path / "wanted"])


def test_indices_are_as_long_as_need_be(capfd: pytest.CaptureFixture[str]):
    flags = ["-O3", "-march=x86-64-v4", "-ffp-contract=off", "-w", "--skip-pass=keep-what-pays"]
    assert main([*flags, "--emit=transfers", "-o", "-", str(SOURCE)]) == 0
    functions = capfd.readouterr().out.split("func.func @")[1:]
    gathers = {one.partition("(")[0]: re.findall(r"pvec\.gather .*", one) for one in functions}
    for name in IN_WORDS:
        assert gathers[name]
        assert all("vector<16xi32> -> vector<16xf32>" in one for one in gathers[name]), name
    assert any("xi64>" in one for one in gathers["long_words"])
