"""Programs that several processes run: the results of one, and an end whatever happens."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.processes import OPEN_MPI, bytes_sent, compiled, needs_mpi, run_processes
from oracles.virtual_processors import sent_by_program

from polyopt.driver.building.build import build
from polyopt.driver.building.inputs import input_of
from polyopt.driver.building.job import Job
from polyopt.driver.options.flags import read_settings
from polyopt.driver.runtimes import mpi_runtime
from polyopt.support.diagnostics import CompileError

PROGRAM = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void relax(int n, int steps, double A[n], double B[n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3.0;
    for (int i = 1; i < n - 1; i++) A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3.0;
  }
}

void seidel(int n, int steps, double A[n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;
}

#ifdef ALL
void product(int n, float C[n][n], float A[n][n], float B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}

void reach(int n, int path[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int around = path[i][k] + path[k][j];
        path[i][j] = path[i][j] < around ? path[i][j] : around;
      }
}

#endif

static void show(const char *name, const void *from, size_t bytes) {
  unsigned long hash = 7;
  for (size_t i = 0; i < bytes; i++) hash = hash * 31 + ((const unsigned char *)from)[i];
  printf("%s %016lx\\n", name, hash);
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  int n = atoi(argv[2]), steps = atoi(argv[3]);
  const char *given = getenv("OMPI_COMM_WORLD_RANK");
  if (!given) given = getenv("PMI_RANK");
  int rank = given ? atoi(given) : 0;
  double (*A)[n] = malloc(n * n * sizeof(double)), (*B)[n] = malloc(n * n * sizeof(double));
  float (*F)[n] = malloc(n * n * sizeof(float)), (*G)[n] = malloc(n * n * sizeof(float));
  int (*I)[n] = malloc(n * n * sizeof(int));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = B[i][j] = (i * (j + 2) % 17) / 7.0;
      F[i][j] = G[i][j] = (i * j % 13) / 3.0f;
      I[i][j] = i * j % 7 + (i + j) % 13;
    }
  if (!strcmp(what, "dies") && rank == 1) raise(SIGKILL);
  if (!strcmp(what, "fails") && rank == 1) exit(3);
  if (!strcmp(what, "differs") && rank == 1) steps++;
  if (!strcmp(what, "leaves") && rank == 1) return 0;
  relax(n, steps, A[0], B[0]);
  show("relax", A, n * n * sizeof(double));
  if (strcmp(what, "all")) return !strcmp(what, "status") ? 5 : 0;
  seidel(n, steps, A);
  show("seidel", A, n * n * sizeof(double));
#ifdef ALL
  product(n, F, G, G);
  show("product", F, n * n * sizeof(float));
  reach(n, I);
  show("reach", I, n * n * sizeof(int));
#endif
}
"""


def program_of(folder: Path, *flags: str) -> Path:
    source = folder / "program.c"
    source.write_text(PROGRAM)
    strict = ("-O1", "--poly=identity", "-ffp-contract=off")
    return compiled(source, folder / "program", *strict, *flags)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return program_of(tmp_path_factory.mktemp("mpi"), "--distribute=*")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return program_of(tmp_path_factory.mktemp("mpi"), "--poly=none")


def run(program: Path, processes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_processes(processes, str(program), *arguments)


def expected(alone: Path, *arguments: str) -> str:
    ran = subprocess.run([str(alone), *arguments], capture_output=True, text=True, check=True)
    return ran.stdout


@needs_mpi
@pytest.mark.parametrize(("processes", "size"), [(1, 9), (2, 11), (3, 16), (4, 7), (6, 5), (6, 30)])
def test_the_same_bits_as_one_process(shared: Path, alone: Path, processes: int, size: int):
    ran = run(shared, processes, "all", str(size), "3")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == expected(alone, "all", str(size), "3")


@needs_mpi
@pytest.mark.parametrize(("size", "steps"), [("2", "3"), ("9", "0")])
def test_where_nothing_is_to_be_done(shared: Path, alone: Path, size: str, steps: str):
    ran = run(shared, 2, "relax", size, steps)
    assert (ran.returncode, ran.stdout) == (0, expected(alone, "relax", size, steps))


@pytest.mark.skipif(OPEN_MPI is None, reason="there is no Open MPI here")
@pytest.mark.parametrize("processes", [1, 3])
def test_open_mpi_runs_it(shared: Path, alone: Path, processes: int):
    ran = run_processes(processes, str(shared), "all", "16", "3", by=OPEN_MPI)
    assert (ran.returncode, ran.stdout) == (0, expected(alone, "all", "16", "3")), ran.stderr
    assert processes == 1 or min(bytes_sent(ran.stderr)) > 0
    needed, results = sent_by_program(RELAX, {"n": 14, "steps": 4}, (processes,))
    ran = run_processes(processes, str(shared), "relax", "14", "4", by=OPEN_MPI)
    assert bytes_sent(ran.stderr) == (8 * needed, 8 * results)


@pytest.mark.skipif(OPEN_MPI is None, reason="there is no Open MPI here")
@pytest.mark.parametrize(
    ("what", "status", "message"),
    [
        ("dies", None, "signal 9|9"),
        ("fails", 3, "process 1 ends with status 3, and others go on"),
        ("differs", 1, r"run the loops at line 8 with different sizes"),
        ("leaves", 1, r"are at lines 0 and 8 of the program"),
        ("status", 5, ""),
    ],
)
def test_open_mpi_ends(shared: Path, what: str, status: int | None, message: str):
    ran = run_processes(2, str(shared), what, "12", "2", by=OPEN_MPI)
    assert ran.returncode == status if status is not None else ran.returncode != 0
    assert re.search(message, ran.stdout + ran.stderr), ran.stderr


HOST = """
#include <mpi.h>
#include <stdio.h>
void relax(int n, int steps, double *A, double *B);
int main(int count, char **words) {
  static double A[500], B[500];
  for (int i = 0; i < 500; i++) A[i] = B[i] = i % 7;
  MPI_Init(&count, &words);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  relax(500, 10, A, B);
  double sum = 0, all = 0;
  for (int i = 0; i < 500; i++) sum += A[i] * (i % 5);
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.3f\\n", all - 2 * sum);
  MPI_Finalize();
}
"""


@pytest.mark.skipif(
    OPEN_MPI is None or shutil.which("mpicc.openmpi") is None, reason="there is no Open MPI here"
)
def test_a_library_in_a_program_that_open_mpi_has_compiled(tmp_path: Path):
    """Such a program has Open MPI's objects in itself (they are copied when it starts)."""
    (tmp_path / "relax.c").write_text(PROGRAM[PROGRAM.index("void relax") :].partition("void s")[0])
    (tmp_path / "host.c").write_text(HOST)
    compiler = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O2", "--distribute=*"]
    words = ["-shared", "-fPIC", "relax.c", "-o", "librelax.so"]
    subprocess.run([*compiler, *words], cwd=tmp_path, check=True)
    words = ["host.c", "-o", "host", "-L.", "-lrelax", f"-Wl,-rpath,{tmp_path}"]
    subprocess.run(["mpicc.openmpi", *words], cwd=tmp_path, check=True)
    ran = run_processes(2, str(tmp_path / "host"), by=OPEN_MPI)
    assert (ran.returncode, ran.stdout) == (0, "0.000\n"), ran.stderr


@needs_mpi
def test_the_library_of_another_mpiexec(shared: Path):
    """Without it each process would be the only one, and run all of the program."""
    ran = subprocess.run(
        [str(shared), "relax", "12", "2"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "LD_LIBRARY_PATH": ""},
    )
    assert ran.returncode != 0
    assert "mpiexec has started 2 processes" in ran.stderr


RELAX = """
[n, steps]
for t : 0 <= t < steps
  for i : 1 <= i < n - 1
    S0: B[i] = A[i - 1] A[i] A[i + 1]
  for i : 1 <= i < n - 1
    S1: A[i] = B[i - 1] B[i] B[i + 1]
"""


@needs_mpi
def test_what_is_sent_is_what_has_to_be(shared: Path):
    ran = run(shared, 3, "relax", "14", "4")
    needed, results = sent_by_program(RELAX, {"n": 14, "steps": 4}, (3,))
    assert bytes_sent(ran.stderr) == (8 * needed, 8 * results)


@needs_mpi
@pytest.mark.parametrize(
    ("what", "status", "message"),
    [
        ("dies", None, "KILLED BY SIGNAL: 9|EXIT CODE: 9"),
        ("fails", 3, "process 1 ends with status 3, and others go on"),
        ("differs", 1, r"run the loops at line 8 with different sizes"),
        ("leaves", 1, r"are at lines 0 and 8 of the program \(0: its end\)"),
        ("status", 5, ""),
    ],
)
def test_a_process_that_goes_its_own_way(shared: Path, what: str, status: int | None, message: str):
    ran = run(shared, 2, what, "12", "2")
    assert ran.returncode == status if status is not None else ran.returncode != 0
    assert re.search(message, ran.stdout + ran.stderr), ran.stderr


@needs_mpi
def test_processes_that_do_not_fill_the_grid(tmp_path: Path, alone: Path):
    program = program_of(tmp_path, "--distribute=2,cyclic")
    ran = run(program, 3, "all", "9", "2")
    assert ran.returncode == 1
    assert (
        ran.stderr.count("was compiled for 2 processes, and 3 run it: start it with mpiexec") == 1
    )
    ran = run(program, 2, "all", "11", "2")
    assert (ran.returncode, ran.stdout) == (0, expected(alone, "all", "11", "2"))


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "processes"),
    [
        (["--distribute=*"], 3),
        (["--distribute=2x2,block-cyclic:3"], 4),
        (["--distribute=*,lattice:1:1:0:3/2"], 3),
        (["--distribute=*", "-fparallel=2", "-fparallel-threshold=0"], 2),
    ],
)
def test_more_kinds_of_loops(
    tmp_path: Path, flags: list[str], processes: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")
    arguments = "all", "14", "2"
    (tmp_path / "one").mkdir()
    alone = program_of(tmp_path / "one", "--poly=none", "-DALL")
    ran = run(program_of(tmp_path, "-DALL", *flags), processes, *arguments)
    assert (ran.returncode, ran.stdout) == (0, expected(alone, *arguments))


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "one.c"
    path.write_text("int main(void) { return 0; }\n")
    return str(path)


def job_of(source: str, *flags: str, product: str = "executable") -> Job:
    settings = read_settings(["-O3", "--distribute=2", *flags])
    return Job((input_of(source, "none"),), product=product, settings=settings)


def test_no_library(source: str, monkeypatch: pytest.MonkeyPatch):
    def find_none(names: Sequence[str] = ()) -> None:
        del names

    monkeypatch.setattr(mpi_runtime, "find_library", find_none)
    with pytest.raises(CompileError, match=r"no libmpi_abi\.so") as caught:
        build(job_of(source))
    assert "pip install polyopt[mpi]" in str(caught.value.diagnostic.hint)


def test_one_process_is_none(source: str):
    with pytest.raises(CompileError, match="--run is one process") as caught:
        build(job_of(source, product="run"))
    assert "mpiexec -n 4 ./prog" in str(caught.value.diagnostic.hint)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("two", "a grid of processes such as 4, 2x2 or *"),
        ("0", "a grid of processes such as 4, 2x2 or *"),
        ("2x", "a grid of processes such as 4, 2x2 or *"),
        ("*x*", "of one dimension only"),
        ("1024x1025", "no more than 1048576 processes"),
        ("2,diagonal", "expected block, cyclic, block-cyclic"),
        ("*,cyclic", "cyclic is for a number of processes that is known"),
        ("2,cyclic:3", "a size is a positive number, of block-cyclic only"),
        ("2,block-cyclic:0", "a size is a positive number, of block-cyclic only"),
        ("*,lattice", "the vectors of a lattice"),
        ("*,lattice:1:2:3", "as many vectors as they have numbers"),
        ("*,lattice:1:2:2:4", "for 0 processes"),
        ("4,lattice:1:2:0:5", "for 5 processes, its determinant, not 4"),
        ("*,lattice:1:2:0:5/0", "a size is a positive number, as in"),
        ("*,lattice:3,owned", "nobody can own them"),
    ],
)
def test_what_is_no_distribution(value: str, message: str):
    with pytest.raises(CompileError, match=re.escape(message)):
        read_settings([f"--distribute={value}"])


@pytest.mark.parametrize("flag", ["--check", "--steps=tile i 4", "-fopenmp", "--import=jscop"])
def test_what_does_not_go_together(source: str, flag: str, capsys: pytest.CaptureFixture[str]):
    assert build(job_of(source, flag)) == 1
    name = flag.partition("=")[0] + "=" * ("=" in flag)
    assert f"{name} and --distribute= do not go together" in capsys.readouterr().err
