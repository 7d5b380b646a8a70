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


OPEN_MPI = shutil.which(os.environ.get("POLYOPT_OPEN_MPI", "mpiexec.openmpi"))
"""Open MPI's mpiexec, 4 or 5: where the system's package puts it, or what the variable says."""
_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def compiled(source: Path, program: Path, *flags: str) -> Path:
    job = Job((input_of(str(source), "none"),), output=str(program), settings=read_settings(flags))
    assert build(job) == 0
    return program


def run_processes(
    processes: int, *command: str, timeout: float = 60, by: str | None = MPIEXEC
) -> subprocess.CompletedProcess[str]:
    """The command in so many processes; the last line of standard error says what was sent."""
    assert by is not None
    more = ["--oversubscribe"] if by == OPEN_MPI else []
    return subprocess.run(
        [by, *more, "-n", str(processes), *command],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, **_AS_ROOT, "POLYOPT_MPI_REPORT": "1"},
    )


def bytes_sent(said: str) -> tuple[int, int]:
    """Within SCoPs, and at their ends."""
    found = re.search(r"sent \d+ messages, (\d+) bytes, and \d+, (\d+) to tell", said)
    assert found is not None, said
    return int(found[1]), int(found[2])
