"""What processes tell each other is of arrays, and of nothing around them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from oracles.processes import compiled, needs_mpi, run_processes

PROGRAM = Path(__file__).with_name("shared_borders.c")


@needs_mpi
def test_nothing_around_an_array_is_touched(tmp_path: Path):
    alone = tmp_path / "alone"
    subprocess.run(["gcc", "-O1", str(PROGRAM), "-o", str(alone)], check=True)
    expected = subprocess.run([str(alone)], capture_output=True, text=True, check=True).stdout
    flags = ("-O2", "-ffp-contract=off", "--distribute=*")
    shared = compiled(PROGRAM, tmp_path / "shared", *flags)
    for processes in (2, 3, 5):
        ran = run_processes(processes, str(shared))
        assert (ran.returncode, ran.stdout) == (0, expected), ran.stderr
        assert "sent 0 messages, 0 bytes, and 0, 0" not in ran.stderr
