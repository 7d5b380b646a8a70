"""Iterations where subscripts bend, apart from the others: the results of C, and loops of which
nothing chooses its elements."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("edges.c")
STRAIGHT = {"ring", "down", "clamped", "torus", "cells", "two"}
"""Functions with an innermost loop in which no subscript is chosen."""
_CHOICE = re.compile(r"arith\.(select|maxsi|minsi) .*: index")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("flags", [[], ["--poly=identity"], ["--tile-sizes=8"]])
def test_results_are_those_of_c(tmp_path: Path, flags: list[str]):
    common = ["-ffp-contract=off", "-w", str(SOURCE), "-o"]
    subprocess.run(["gcc", "-O0", *common, tmp_path / "wanted"], check=True)
    made = ["-O3", "-march=native", "--skip-pass=keep-what-pays", *flags]
    assert main([*made, *common, str(tmp_path / "made")]) == 0
    wanted, found = (
        subprocess.run([tmp_path / one], capture_output=True, text=True, check=True).stdout
        for one in ("wanted", "made")
    )
    assert found.splitlines() == wanted.splitlines()


def test_inner_loops_choose_no_elements(capfd: pytest.CaptureFixture[str]):
    flags = ["-O3", "-march=x86-64-v4", "-ffp-contract=off", "-w", "--skip-pass=keep-what-pays"]
    assert main([*flags, "--emit=affine", "-o", "-", str(SOURCE)]) == 0
    functions = capfd.readouterr().out.split("func.func @")[1:]
    bodies = {one.partition("(")[0]: one for one in functions}
    for name in STRAIGHT:
        innermost = re.findall(
            r"affine\.for [^{]*\{\n((?:(?!affine\.for).)*?)\n *\} ", bodies[name], re.S
        )
        assert any("affine.load" in one and not _CHOICE.search(one) for one in innermost), name
