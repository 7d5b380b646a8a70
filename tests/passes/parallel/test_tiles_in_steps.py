"""Factorisations whose tiles threads take together compute what C says, however many there are: as
many as are asked for, fewer, one; with rows and columns that tiles divide and that they do not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime

pytestmark = [
    pytest.mark.usefixtures("tools_on_path"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle"),
]

PROGRAM = Path(__file__).parent / "programs" / "factors.c"


@pytest.mark.parametrize("family", ["libgomp", "libomp"])
def test_factors_are_those_of_c(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    if found is None or not found.path:
        pytest.skip(f"there is no {family}")
    program, plain = tmp_path / "factors", tmp_path / "plain"
    options = ["-O3", "-ffp-contract=off", "-fparallel", "-fparallel-threshold=0"]
    command = ["polyopt-cc", *options, f"-fopenmp={family}", "-fno-openmp", "--remarks"]
    built = subprocess.run(
        [*command, str(PROGRAM), "-o", str(program), "-lm"],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert built.stderr.count("in threads: in steps of") == 3, built.stderr
    subprocess.run(
        ["gcc", "-O1", "-ffp-contract=off", str(PROGRAM), "-o", str(plain), "-lm"],
        check=True,
        timeout=60,
    )
    expected = subprocess.run([plain], capture_output=True, timeout=60, check=True).stdout
    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")
    for threads, limit in [("1", "9"), ("2", "9"), ("3", "9"), ("7", "9"), ("7", "2")]:
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        monkeypatch.setenv("OMP_THREAD_LIMIT", limit)
        got = subprocess.run([program], capture_output=True, timeout=120, check=True).stdout
        assert got == expected, (threads, limit)
