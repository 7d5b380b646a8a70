"""MPI as the tests find it: who starts processes, and whether there is a library."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.driver.building.build import build
from polyopt.driver.building.inputs import input_of
from polyopt.driver.building.job import Job
from polyopt.driver.options.flags import read_settings
from polyopt.driver.runtimes.mpi_runtime import find_library

TOOLS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
MPIEXEC = shutil.which("mpiexec", path=TOOLS)
needs_mpi = pytest.mark.skipif(
    MPIEXEC is None or find_library() is None,
    reason="there is no MPI here: `pip install polyopt[mpi]`",
)


def compiled(source: Path, program: Path, *flags: str) -> Path:
    job = Job((input_of(str(source), "none"),), output=str(program), settings=read_settings(flags))
    assert build(job) == 0
    return program


def run_processes(
    processes: int, *command: str, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """The command in so many processes; the last line of standard error says what was sent."""
    assert MPIEXEC is not None
    return subprocess.run(
        [MPIEXEC, "-n", str(processes), *command],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, "POLYOPT_MPI_REPORT": "1"},
    )


def bytes_sent(said: str) -> tuple[int, int]:
    """Within SCoPs, and at their ends."""
    found = re.search(r"sent \d+ messages, (\d+) bytes, and \d+, (\d+) to tell", said)
    assert found is not None, said
    return int(found[1]), int(found[2])
