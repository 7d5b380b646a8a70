"""Arrays of which each process has its part: who owns what, and what functions make of them."""

from __future__ import annotations

import sys
from itertools import product
from math import prod
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from oracles.processes import needs_mpi, run_processes

import polyopt
from polyopt.driver.options.flag_values import distribution
from polyopt.driver.programs.parts import Parts
from polyopt.support.diagnostics import CompileError


class Group:
    """As much of a communicator as says who somebody is."""

    def __init__(self, size: int, rank: int = 0):
        self.size, self.rank = size, rank

    def Get_size(self) -> int:
        return self.size

    def Get_rank(self) -> int:
        return self.rank

    def bcast(self, value: object, root: int) -> object:
        return value


def owner(subscripts: tuple[int, ...], shape: tuple[int, ...], counts: list[int], way: str) -> int:
    """By definition: of n rows the process c of p has those from floor(c n / p) on, or blocks of
    so many in turns; what has no such subscript is on the first one."""
    rank = 0
    for axis, count in enumerate(counts):
        place = 0
        if axis < len(shape):
            at, extent = subscripts[axis], shape[axis]
            if way.startswith("block,"):
                place = max(c for c in range(count) if c * extent // count <= at)
            else:
                place = at // int(way.partition(":")[2] or 1) % count
        rank = rank * count + place
    return rank


@pytest.mark.parametrize("shape", [(7,), (12,), (5, 6), (2, 3, 4), (1, 1)])
@pytest.mark.parametrize(
    ("grid", "way", "counts"),
    [
        ("*", "block,", [3]),
        ("5", "block,", [5]),
        ("2x*", "block,", [2, 2]),
        ("3", "cyclic,", [3]),
        ("2x2", "block-cyclic:2,", [2, 2]),
    ],
)
def test_each_element_is_owned_once(grid: str, way: str, counts: list[int], shape: tuple[int, ...]):
    parts = Parts(Group(prod(counts)), distribution(f"{grid},{way}owned"))
    for rank in range(prod(counts)):
        mine = set(product(*(one.tolist() for one in parts.rows(shape, rank))))
        every = product(*map(range, shape))
        way = way.removesuffix(",") if ":" in way else way
        assert mine == {at for at in every if owner(at, shape, counts, way) == rank}


def test_zeros_take_memory_where_they_are_written():
    parts = Parts(Group(1), distribution("*,owned"))
    array = parts.zeros((1 << 20, 1 << 16), np.uint8)
    array[5, 7] = 3
    assert array[5].sum() == 3
    assert array[-1, -1] == 0
    assert parts.zeros((0, 4)).shape == (0, 4)


def test_what_is_refused_of_parts():
    with pytest.raises(ValueError, match="3 processes do not fill a grid of 2x2"):
        Parts(Group(3), distribution("2x2,owned"))
    parts = Parts(Group(1), distribution("*,owned"))
    with pytest.raises(TypeError, match="objects of Python have no part in C"):
        parts.zeros(3, object)
    with pytest.raises(ValueError, match="process 0 has no array to scatter"):
        parts.scatter(None)
    whole = polyopt.compile("void f(int n) {}", ["--distribute=*"])
    with pytest.raises(ValueError, match="each process has arrays whole"):
        whole.parts(Group(1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "void f(int n, int at[n], double A[restrict n], double B[restrict n])"
            "{ for (int i = 1; i < n; i++) A[at[i]] = B[i - 1]; }",
            "cannot share 'f'.*: which element of 'A' is written depends on data",
        ),
        (
            "double f(int n, double A[n]) { return A[n / 2]; }",
            "'A' is accessed in no loops that processes could share",
        ),
        (
            "double f(int n, double A[restrict n], double B[restrict n])"
            "{ for (int i = 1; i < n; i++) A[i] = B[i - 1]; return A[3]; }",
            "is accessed outside of the loops that they share",
        ),
        (
            "void f(int n, double A[restrict n * n], double B[restrict n])"
            "{ for (int i = 1; i < n; i++) A[i] = B[i - 1]; }",
            r"the extent 'n \* n' is no sum of parameters and numbers",
        ),
    ],
)
def test_what_no_process_can_do_alone_is_an_error(text: str, said: str):
    with pytest.raises(CompileError, match=said):
        polyopt.compile(text, ["-O2", "--distribute=*,owned"])


def test_loops_over_what_everybody_has_are_left_to_each_process():
    text = """
    int rand(void);
    int f(int n, double A[restrict n], const int *restrict at, double *restrict w) {
      for (int i = 0; i < n; i++) w[at[i]] += 1;
      int drawn = rand();
      for (int t = 0; t < 9; t++)
        for (int i = 1; i < n; i++) A[i] += A[i - 1];
      return drawn;
    }"""
    program = polyopt.compile(text, ["-O2", "--distribute=*,owned"])
    told = [one.id for one in program.remarks]
    assert "distributed" in told
    assert "not-distributed" in told


SCRIPT = """
    import sys
    import numpy as np
    import polyopt
    from mpi4py import MPI

    comm, options = MPI.COMM_WORLD, ["-O2", "-ffp-contract=off"]
    _, text, grid, cache = sys.argv
    kernels = polyopt.compile(text, [*options, "--distribute=" + grid], cache=cache)
    serial = polyopt.compile(text, [*options, "-fno-poly"], cache=cache)
    parts = kernels.parts(comm)
    rng = np.random.default_rng(1)

    def compare(name, *arguments):
        mine = [parts.scatter(one) if isinstance(one, np.ndarray) else one for one in arguments]
        result = getattr(kernels, name)(comm, *mine)
        arrays = [parts.gather(one) for one in mine if isinstance(one, np.ndarray)]
        expected = getattr(serial, name)(*arguments)
        assert result == expected, (name, comm.rank, result, expected)
        if comm.rank == 0:
            for got, want in zip(arrays, (one for one in arguments if isinstance(one, np.ndarray))):
                np.testing.assert_array_equal(got, want, err_msg=name)

    n, m = 21, 13
    compare("relax", n, m, 5, rng.random((n, m)), rng.random((n, m)))
    compare("product", n, rng.random((n, n)), rng.random((n, n)), rng.random((n, n)))
    compare("staggered", n, 4, rng.random(n), rng.random(n + 1))
    compare("dot", n, rng.random(n), rng.random(n))
    compare("scaled", n, rng.random((n, 3)), 2.5)
    compare("scaled", 2, rng.random((2, 3)), 2.5)
    columns = rng.integers(0, n, (n, 4), dtype=np.int32)
    compare("elliptic", n, 3, rng.random((n, 4)), columns, rng.random(n), rng.random(n))
    compare("exchanged", n, m, rng.random((n, m)), rng.random((n, m)), columns[:, 0].copy())
    print("equal")
"""
KERNELS = """
void relax(int n, int m, int steps, double A[restrict n][m], double B[restrict n][m]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        B[i][j] = (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) / 5;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) A[i][j] = B[i][j];
  }
}
void product(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
void staggered(int n, int steps, double E[restrict n], double H[restrict n + 1]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) E[i] += 0.5 * (H[i + 1] - H[i]);
    for (int i = 1; i < n; i++) H[i] += 0.5 * (E[i] - E[i - 1]);
  }
}
double dot(int n, double x[n], double y[n]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
void elliptic(int n, int steps, double V[restrict n][4], int at[restrict n][4],
              double x[restrict n], double y[restrict n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int k = 0; k < 4; k++) y[i] += V[i][k] * x[at[i][k]];
    }
    for (int i = 0; i < n; i++) x[i] = 0.25 * y[i];
  }
}
void exchanged(int n, int m, double A[restrict n][m], double B[restrict n][m], int at[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) B[i][j] += A[at[i]][j];
}
void scaled(int n, double A[n][3], double by) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) A[i][k] *= by;
}
"""


@needs_mpi
@pytest.mark.parametrize(("grid", "count"), [("*", 3), ("2x2", 4), ("3,cyclic", 3)])
def test_results_are_those_of_one_process(tmp_path: Path, grid: str, count: int):
    script, cache = tmp_path / "script.py", str(tmp_path / "cache")
    script.write_text(dedent(SCRIPT))
    options = ["-O2", "-ffp-contract=off", f"--distribute={grid},owned"]
    for made in (options, [*options[:2], "-fno-poly"]):
        polyopt.compile(KERNELS, made, cache=cache)  # once, and not in each process
    done = run_processes(count, sys.executable, str(script), KERNELS, f"{grid},owned", cache)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("equal") == count


@needs_mpi
def test_memory_per_process_shrinks(tmp_path: Path):
    """Of 64 MB in two arrays each of four processes touches a quarter, and a row on each side."""
    script, cache = tmp_path / "script.py", str(tmp_path / "cache")
    text, options = KERNELS.partition("void product")[0], ["-O2", "--distribute=*,owned"]
    polyopt.compile(text, options, cache=cache)  # once, and not in each process
    script.write_text(
        dedent("""
        import sys
        import polyopt
        from mpi4py import MPI

        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * 4096

        _, text, cache, *options = sys.argv
        kernels = polyopt.compile(text, options, cache=cache)
        parts, n = kernels.parts(MPI.COMM_WORLD), 2048
        before = resident()
        A, B = parts.zeros((n, n)), parts.zeros((n, n))
        for row in parts.rows(A.shape)[0]:
            A[row] = B[row] = row
        kernels.relax(MPI.COMM_WORLD, n, n, 2, A, B)
        print("took", (resident() - before) / (2 * n * n * 8), flush=True)
    """)
    )
    for count in (1, 4):
        done = run_processes(count, sys.executable, str(script), text, cache, *options)
        assert done.returncode == 0, done.stderr
        shares = [float(word) for word in done.stdout.replace("took", " ").split()]
        assert len(shares) == count
        assert max(shares) < 1 / count + 0.1


@needs_mpi
def test_loops_left_to_each_process_end_the_program(tmp_path: Path):
    """Where the arrays overlap, the loops of the source would run: on elements that others have."""
    script = tmp_path / "script.py"
    script.write_text(
        dedent('''
        import numpy as np
        import polyopt
        from mpi4py import MPI

        text = """void f(int n, double A[n], double B[n]) {
          for (int t = 0; t < 5; t++)
            for (int i = 1; i < n; i++) { A[i] = B[i - 1]; B[i] = A[i]; }
        }"""
        kernels = polyopt.compile(text, ["-O2", "--distribute=*,owned"])
        array = np.ones(30)
        kernels.f(MPI.COMM_WORLD, 20, array[:20], array[20:].copy().repeat(2))
        print("apart", flush=True)
        kernels.f(MPI.COMM_WORLD, 20, array[:20], array[1:21])
        print("never")
    ''')
    )
    done = run_processes(2, sys.executable, str(script))
    assert done.returncode != 0
    assert "apart" in done.stdout
    assert "never" not in done.stdout
    assert "polyopt: line 3 accesses an array of which each process has its part" in done.stderr
