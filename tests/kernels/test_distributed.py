"""Kernels on several processes: the bits of one, and the traffic that their shape says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from oracles.processes import bytes_sent, compiled, needs_mpi, run_processes

from polyopt.tools.bench.programs import suite_directory

KERNELS = (
    "jacobi-1d jacobi-2d heat-3d fdtd-2d seidel-2d gemm 2mm covariance lu floyd-warshall".split()
)
SILENT = {"gemm", "2mm"}
"""By rows, nothing that one process makes is read by another."""

STRICT = ("-O3", "-ffp-contract=off", "-DMINI_DATASET")


def outputs(name: str, folder: Path, grid: str, *processes: int) -> list[tuple[int, int]]:
    """What was sent by so many processes each, once all have printed what one prints."""
    source = suite_directory("kernels") / f"{name}.c"
    alone = compiled(source, folder / "alone", *STRICT, "--poly=none")
    expected = subprocess.run([str(alone), "-d"], capture_output=True, text=True, check=True)
    program = compiled(source, folder / "shared", *STRICT, f"--distribute={grid}")
    traffic = list[tuple[int, int]]()
    for count in processes:
        ran = run_processes(count, str(program), "-d", timeout=120)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout == expected.stdout, f"{count} processes"
        traffic.append(bytes_sent(ran.stderr))
    return traffic


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_by_rows(name: str, tmp_path: Path):
    traffic = outputs(name, tmp_path, "*", 1, 2, 3, 4, 6)
    within, results = zip(*traffic, strict=True)
    assert (within[0], results[0]) == (0, 0)
    assert list(within) == sorted(within)
    assert list(results) == sorted(results)
    assert results[1] > 0
    assert (within[-1] == 0) == (name in SILENT)


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("name", ["jacobi-2d", "2mm", "floyd-warshall"])
def test_on_a_grid(name: str, tmp_path: Path):
    (sent, _), (_, _) = outputs(name, tmp_path, "2x*", 4, 6)
    assert sent > 0


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("name", ["lu", "covariance"])
def test_rows_in_turns(name: str, tmp_path: Path):
    [(sent, _)] = outputs(name, tmp_path, "3,cyclic", 3)
    assert sent > 0
