"""Tables of bytes in registers: the same bytes as gcc gives, for tables of all sizes, places that
are computed in many ways, and stores in groups."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.told_programs import functions_around

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("tables.c")
IN_REGISTERS = {"of_all", "of_16", "of_17", "of_65", "of_128", "of_129", "by_sign", "two_steps"}
IN_GROUPS = {"hex", "threes", "encode", "incomplete"}
IN_HALVES = {"of_16", "of_17", "hex", "encode"}
LEFT_ALONE = {"table_of_its_own"}


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_bytes_are_those_of_the_table(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    flags = ["-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    made = ["-O3", "-march=native", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted
    said = capfd.readouterr().err.splitlines()
    places = {int(one.split(":")[1]) for one in said if "[affine-vectorize]" in one}
    taken = functions_around(SOURCE, places)
    if Target.host().shuffles_bytes:
        assert taken >= IN_REGISTERS | IN_GROUPS
    elif Target.host().table_bytes:
        assert taken >= IN_HALVES
    assert not taken & LEFT_ALONE


def test_of_halves_only_what_four_hold_is_looked_up():
    assert Target.named("x86-64-v3").table_bytes == 64
    assert Target.named("x86-64-v4+avx512vbmi").table_bytes == 256
    assert Target.named("x86-64-v4").table_bytes == 0
    assert Target.named("x86-64-v2").table_bytes == 0


def test_which_machines_shuffle_bytes():
    assert Target.named("sapphirerapids+avx512dq").shuffles_bytes
    assert Target.named("x86-64-v4+avx512vbmi").shuffles_bytes
    assert not Target.named("x86-64-v4").shuffles_bytes
    assert not Target.named("x86-64-v3").shuffles_bytes
    assert not Target.named("x86-64-v4+avx512vbmi~avx512f").shuffles_bytes
