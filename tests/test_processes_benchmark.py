"""benchmarks/processes.py: a row for each number of processes, with what has to be sent."""

import importlib.util
from types import ModuleType

import pytest
from doc_pages import ROOT
from oracles.processes import needs_mpi


@pytest.fixture
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("processes", ROOT / "benchmarks" / "processes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs_mpi
def test_a_row_for_each(benchmark: ModuleType, capsys: pytest.CaptureFixture[str]):
    words = ["--kernels", "gemm", "--dataset", "MINI", "--turns", "1", "--processes", "1,2"]
    assert benchmark.main(words) == 0
    _, alone, one, two = capsys.readouterr().out.splitlines()
    assert alone.split()[:3] == ["gemm", "without", "MPI"]
    assert [line.split()[1] for line in (one, two)] == ["1", "2"]
    assert one.split()[-2:] == ["0", "0"]
    assert two.split()[-2:] == ["0", f"{20 * 25 * 8:,}"]  # each tells the other its half of C


def test_what_is_counted_goes_on_as_it_does(benchmark: ModuleType):
    """Of P processes: neighbours, everybody to everybody."""
    few = (1, 2, 3)
    assert benchmark.through({p: 7 * (p - 1) for p in few}, 1000) == pytest.approx(7 * 999)
    assert benchmark.through({p: p * (p - 1) for p in few}, 1000) == pytest.approx(999_000)


def test_no_mpiexec(benchmark: ModuleType, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        benchmark.main(["--mpiexec", "there-is-none"])
    assert "pip install polyopt[mpi]" in capsys.readouterr().err
