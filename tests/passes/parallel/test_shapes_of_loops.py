"""Loops of shapes that are easily got wrong, in threads whatever they are worth: the bits of C.

No iterations and one, loops that are left early, temporaries that somebody reads later, calls,
phases of a step that need each other, tables over intervals. The reference is the same text by the
system's compiler, which does not optimise it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime

pytestmark = [
    pytest.mark.usefixtures("tools_on_path"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle"),
    pytest.mark.skipif(chosen_runtime(Settings(openmp=True)) is None, reason="no runtime"),
]
PROGRAMS = Path(__file__).parent / "programs"
SLOW = ("calls", "in_place", "intervals", "phases", "temporaries")
NAMES = ["exits", *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]


def _run(program: Path, threads: int) -> str:
    environment = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
    command = [str(program)]
    known = {**os.environ, **environment}
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, env=known
    )
    return ran.stdout


@pytest.mark.parametrize("name", NAMES)
def test_any_number_of_threads_gives_the_bits_of_c(name: str, tmp_path: Path):
    source, program, reference = PROGRAMS / f"{name}.c", tmp_path / name, tmp_path / "reference"
    strict = ["-ffp-contract=off", str(source), "-lm"]
    subprocess.run(["gcc", "-O0", *strict, "-o", str(reference)], timeout=60, check=True)
    threads = ["-fparallel", "-fparallel-threshold=0"]
    command = ["polyopt-cc", "-O3", *threads, *strict, "-o", str(program)]
    subprocess.run(command, timeout=300, check=True)
    expected = _run(reference, 1)
    for count in (1, 2, 3, 7):
        assert _run(program, count) == expected
