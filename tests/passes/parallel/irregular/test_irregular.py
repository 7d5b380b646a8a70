"""Loops around loops that data end, in threads: the same bits as in one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime

pytestmark = pytest.mark.usefixtures("tools_on_path")

PROGRAMS = Path(__file__).parents[1] / "programs"


def _output(program: Path, threads: int, size: int) -> str:
    environment = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
    ran = subprocess.run(
        [str(program), str(size)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, **environment},
    )
    return ran.stdout


@pytest.mark.parametrize("family", ["libgomp", "libomp"])
def test_threads_give_the_bits_of_one(family: str, tmp_path: Path):
    """The reference is the same text by the system's compiler, which knows of no threads."""
    found = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    if found is None or not found.path:
        pytest.skip(f"there is no {family}")
    source, program, reference = PROGRAMS / "rows.c", tmp_path / "rows", tmp_path / "reference"
    subprocess.run(
        ["gcc", "-O0", "-ffp-contract=off", str(source), "-o", str(reference)],
        timeout=60,
        check=True,
    )
    compiler = ["polyopt-cc", "--remarks", "--verify-each"]
    options = ["-O3", "-ffp-contract=off", "-fparallel", f"-fopenmp={family}"]
    options += ["-fparallel-threshold=0"]
    command = [*compiler, *options, str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    told = [line for line in built.stderr.splitlines() if "dealt out by the chunk" in line]
    assert len({line.split(":")[1] for line in told}) == 6, built.stderr
    for size in (3000, 1):
        expected = _output(reference, 1, size)
        for threads in (1, 2, 3, 7, 40):
            assert _output(program, threads, size) == expected


@pytest.mark.parametrize(
    "flags",
    [
        (),
        pytest.param(("-ffast-math",), marks=pytest.mark.slow),
        ("-ffast-math", "-fparallel-deterministic"),
    ],
)
def test_what_all_iterations_update(flags: tuple[str, ...], tmp_path: Path):
    """Bins, sums and extremes: of whole numbers, so that all orders give the same bits."""
    if chosen_runtime(Settings(openmp=True)) is None:
        pytest.skip("there is no runtime")
    source, program, reference = PROGRAMS / "updates.c", tmp_path / "bins", tmp_path / "reference"
    command = ["gcc", "-O0", "-ffp-contract=off", str(source), "-o", str(reference)]
    subprocess.run(command, timeout=60, check=True)
    command = ["polyopt-cc", "--remarks"]
    command += ["--verify-each"] * (len(flags) == 2)  # what the others do is part of that
    command += ["-O3", *flags, "-ffp-contract=off", "-fparallel", "-fparallel-threshold=0"]
    command += [str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    told = [line for line in built.stderr.splitlines() if "[parallelize-irregular]" in line]
    applied = {line.split(":")[1] for line in told if "applied" in line}
    assert len(applied) == (18 if flags else 13), built.stderr
    for size in (0, 1, 65, 9000):
        expected = _output(reference, 1, size)
        for threads in (1, 2, 7):
            assert _output(program, threads, size) == expected
