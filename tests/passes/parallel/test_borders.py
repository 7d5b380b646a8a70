"""What threads add up in copies touches no more of an array than the loop does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "borders.c"
REASSOCIATED = ["-ffast-math", "-fparallel=3", "-fparallel-threshold=0", "--remarks"]
ENVIRONMENT = {**os.environ, "OMP_WAIT_POLICY": "passive"}


def _output(program: Path, size: int) -> str:
    ran = subprocess.run(
        [str(program), str(size)],
        capture_output=True,
        text=True,
        timeout=60,
        env=ENVIRONMENT,
        check=True,
    )
    return ran.stdout


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("borders")
    serial, shared = folder / "serial", folder / "shared"
    subprocess.run(["cc", "-O1", str(PROGRAM), "-o", str(serial)], timeout=60, check=True)
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O3", *REASSOCIATED]
    made = subprocess.run(
        [*command, str(PROGRAM), "-o", str(shared)],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert made.stderr.count("in threads: reduction of y") >= 5, made.stderr
    return serial, shared


@pytest.mark.parametrize("size", [0, 1, 4, 7, 33, 200])
def test_nothing_around_an_array_is_touched(programs: tuple[Path, Path], size: int):
    serial, shared = programs
    assert _output(shared, size) == _output(serial, size)
