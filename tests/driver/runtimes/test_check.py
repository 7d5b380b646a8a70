"""`--check`: what is right is not complained about, what is wrong is, with its place and values.

Faults are planted where no pass looks for them any more: an access of a statement reads another
element than C says, or an instance is left out, after the schedules have been checked.
"""

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from oracles.kernel_runs import CONFIGURATIONS, MODES, PROGRAMS, size_flag
from xdsl.dialects import affine
from xdsl.ir import Operation

import polyopt
from polyopt.backend.loaded.run import run_main
from polyopt.dialects.poly import MapAttr, ReadOp, ScopOp, WriteOp
from polyopt.driver.building.build import build
from polyopt.driver.building.inputs import input_of
from polyopt.driver.building.job import Job
from polyopt.driver.options.flags import read_settings
from polyopt.driver.runtimes.check_runtime import runtime_object
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, object_code, parse
from polyopt.passes.parallel import arms
from polyopt.support.diagnostics import SourceMap

STRICT = ("-O3", "-ffp-contract=off")
FAST = ("-O3", "-ffast-math")


def run_checked(
    path: Path, flags: Sequence[str], plant: Callable[[ScopOp], None] = lambda _: None
) -> int:
    """The exit status of the program in the file, in whose SCoPs `plant` may put faults."""
    settings = read_settings([*flags, "--check"])
    unit = parse(Source(str(path), path.read_text()), settings, SourceMap())
    lower(unit, "schedule")
    for op in list(unit.module.walk()):
        if isinstance(op, ScopOp):
            plant(op)
    lower(unit)
    objects = [object_code(unit), runtime_object(for_program=True)]
    threads = chosen_runtime(settings)
    if threads is not None:
        threads.load()
    return run_main(objects, ("program",)).shell_status


def instead(old: str, new: str, kind: type[ReadOp | WriteOp] = ReadOp) -> Callable[[ScopOp], None]:
    """The fault that an access goes to element `new` where C says `old`."""

    def plant(scop: ScopOp) -> None:
        for op in scop.walk():
            if isinstance(op, kind) and old in op.relation.data:
                text = op.relation.data.replace(old, new)
                op.properties["relation"] = MapAttr.from_text(text)

    return plant


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "program.c"
    path.write_text(text)
    return path


RECURRENCE = """\
#include <stdio.h>
double A[20];
int main(void) {
  for (int i = 0; i < 20; i++)
    A[i] = i;
  for (int i = 1; i < 20; i++)
    A[i] = A[i] + 0.5 * A[i - 1];
  printf("%.6f\\n", A[19]);
  return 7;
}
"""
LAST = "36.000004"
"""What C prints: A[19] is 19 + A[18]/2 and so on, 2*19 - 2 + 2/2^19."""


@pytest.mark.parametrize("mode", [STRICT, ("-O3",), FAST])
def test_a_fault_is_told_with_line_element_and_values(
    mode: Sequence[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    path = write(tmp_path, RECURRENCE)
    assert run_checked(path, mode, instead("A[-1 + i]", "A[i]")) == 3
    out, err = capfd.readouterr()
    assert out.strip() == LAST  # the program goes on with what C says
    told = err.splitlines()
    place, rest = told[0].split(": check: ")
    assert place == f"{path}:7:5"
    assert rest.startswith("array A[1]: 1 in the source's order, 1.5 as optimised")
    assert "[main; lines 5 write it too]" in rest
    assert told[1:3] == ["      A[i] = A[i] + 0.5 * A[i - 1];", "      ^"]
    assert sum(" check: array" in line for line in told) == 5
    assert told[-2:] == [
        "polyopt: check: 19 elements differ in main",
        "polyopt: check: 1 SCoP compared, 1 execution: 19 differences in 1 of them",
    ]


def test_no_fault_leaves_status_and_output_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = write(tmp_path, RECURRENCE)
    assert run_checked(path, STRICT) == 7
    out, err = capfd.readouterr()
    assert out.strip() == LAST
    assert err == "polyopt: check: 1 SCoP compared, 1 execution: no difference\n"


def test_sizes_of_local_arrays_that_inlining_made_constants(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    text = """\
#include <stdio.h>
static double sum(int n, int m, int l) {
  float v[n][m][l];
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        v[i][j][k] = i * 100 + j * 10 + k;
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        s += v[i][j][k] * (k + 1);
  return s;
}
int main(void) {
  for (int n = 0; n < 4; n++)
    printf("%g ", sum(n, 3, n + 1));
}
"""
    assert run_checked(write(tmp_path, text), STRICT) == 0
    out, err = capfd.readouterr()
    assert out == "0 96 2208 10080 "
    assert err.endswith("no difference\n")


def test_a_nest_that_is_called_from_another_is_left_out_and_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    text = """\
#include <stdio.h>
__attribute__((noinline)) static double trace(int n, double (*a)[n]) {
  double t = 0;
  for (int i = 0; i < n; i++)
    t += a[i][i];
  return t;
}
int main(int argc, char **argv) {
  int n = 6 + argc;
  double a[n][n], s[3];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = i + j;
  for (int i = 0; i < 3; i++)
    s[i] = trace(n, a) + i;
  printf("%g %g\\n", s[0], s[2]);
}
"""
    assert run_checked(write(tmp_path, text), STRICT) == 0
    out, err = capfd.readouterr()
    assert out == "42 44\n"
    assert "another was under way, in another thread or around a call\n" in err


MANY_KINDS = """\
#include <stdio.h>
#include <stdlib.h>
struct v { double x, y; };
int count;
__attribute__((noinline)) static int f(int n, int m, double a[restrict n][m], float *restrict p,
                                       struct v *restrict q, const int *restrict index,
                                       int *restrict bins, unsigned char *restrict bytes) {
  double x = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i && j < m; j++)
      a[i][j] = x = i + 0.125 * j + (j > 0 ? a[i][j - 1] : 0);
  for (int i = n - 1; i >= 1; i -= 2)
    p[i] = p[i] + p[i - 1];
  for (int i = 0; i < n; i++)
    q[i].y = q[i].y + i;
  for (int i = 0; i < n; i++)
    bins[index[i]] += i;
  int last = -1;
  for (int i = 0; i < n; i++) {
    if (bytes[i] > 3)
      bytes[i] = bytes[i] - 3;
    if (bytes[i] == 2)
      last = i;
  }
  for (int i = 0; i < n; i++)
    count += index[i] > 1;
  return last + (int)x;
}
int main(int argc, char **argv) {
  int n = 11 + argc, m = 6 + argc, index[12], *bins = calloc(4, sizeof(int));
  double (*a)[m] = calloc(n * m, sizeof(double)), sum = 0;
  float p[12];
  struct v q[12];
  unsigned char bytes[12];
  for (int i = 0; i < n; i++) {
    p[i] = i;
    q[i].x = q[i].y = 2 * i;
    index[i] = i * i % 4;
    bytes[i] = i;
  }
  int last = 0;
  for (int t = 0; t < 3; t++)
    last += f(n, m, a, p, q, index, bins, bytes);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      sum += a[i][j] * (j + 1);
    sum += p[i] + q[i].x + q[i].y * i + bytes[i] * i;
  }
  printf("%.6f %d %d %d %d %d %d\\n", sum, bins[0], bins[1], bins[2], bins[3], last, count);
  free(a);
  free(bins);
}
"""
"""Variable-length arrays, structures, strides below zero, scatters, accesses that data decide on,
scalars, values that are used behind the loops; each function runs three times."""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the unoptimised compiler of the system makes of it."""
    folder = tmp_path_factory.mktemp("gcc")
    (folder / "many.c").write_text(MANY_KINDS)
    program = folder / "many"
    command = ["gcc", "-O0", "-ffp-contract=off", folder / "many.c", "-o", program]
    subprocess.run(command, check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("mode", [STRICT, FAST])
def test_every_kind_of_memory(
    mode: Sequence[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    assert run_checked(write(tmp_path, MANY_KINDS), mode) == 0
    out, err = capfd.readouterr()
    assert out == said
    assert re.search(r"compared, \d+ executions: no difference$", err.strip())


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (instead("a[i, -1 + j]", "a[i, j]"), r":11:\d+: check: array a\[1\]\[1\]: 2.125 in"),
        (instead("p[-2 + n - 2i]", "p[-1 + n - 2i]"), r":13:\d+: check: array p\[1\]: 1 in"),
        (instead("q[1 + 2i]", "q[2i]", WriteOp), r":15:\d+: check: array q\["),
        (instead("index[i]", "index[0]"), r":17:\d+: check: array bins\[0\]: 30 in .* 66 as"),
        (instead("bytes[i]", "bytes[0]"), r": check: array bytes\[4\]: 1 in .* 4 as"),
    ],
)
def test_faults_of_every_kind_of_memory(
    fault: Callable[[ScopOp], None],
    told: str,
    said: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
):
    assert run_checked(write(tmp_path, MANY_KINDS), (*STRICT, "--poly=identity"), fault) == 3
    out, err = capfd.readouterr()
    assert out == said
    assert re.search(told, err)


OVERLAPPING = """\
#include <stdio.h>
static int f(int n, int m, double *p, double *q) {
  double a[n][m];
  int i;
  for (i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] = q[j] + i;
      p[j] += a[i][j];
    }
  return i + (int)a[n - 1][m - 1];
}
int main(void) {
  double x[20];
  for (int i = 0; i < 20; i++)
    x[i] = i;
  int apart = f(3, 8, x, x + 10), over = f(4, 8, x, x + 1);
  printf("%d %d %g %g\\n", apart, over, x[0], x[7]);
}
"""


def test_where_a_run_time_check_fails_the_original_code_runs_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    path = write(tmp_path, OVERLAPPING)
    command = ["gcc", "-O0", "-ffp-contract=off", path, "-o", tmp_path / "said"]
    subprocess.run(command, check=True)
    said = subprocess.run([tmp_path / "said"], capture_output=True, text=True, check=True).stdout
    assert run_checked(path, (*STRICT, "--verify-each")) == 0
    out, err = capfd.readouterr()
    assert out == said
    assert "polyopt: check: 2 SCoPs compared, 2 executions: no difference" in err


ROUNDING = """\
#include <stdio.h>
double big[1000], sum, noise[100];
int above;
int main(void) {
  for (int i = 0; i < 1000; i++)
    big[i] = (i % 2 ? -1.0 : 1.0) * (1e10 + i * 0.37);
  for (int i = 0; i < 1000; i++)
    sum += big[i] * big[i % 10];
  noise[0] = 0.3;
  for (int i = 1; i < 100; i++)
    noise[i] = 4 * noise[i - 1] * (1 - noise[i - 1]);
  for (int i = 0; i < 100; i++)
    above += noise[i] > 0.5;
  printf("%d\\n", sum < 1e20);
}
"""
"""A sum that cancels to nearly nothing, and a map that doubles each error: the same order, rounded
otherwise, gives other numbers."""


COUNTED = """\
#include <stdio.h>
void count(int **rows, int *done, int n, int width) {
  for (int i = 0; i < n; i++) {
    done[0]++;
    for (int j = 0; j < width; j++)
      rows[i][j] += j + 1;
  }
}
int main(int argc, char **argv) {
  int row[4] = {0}, *rows[1] = {row}, done = 4;
  count(rows, &done, argc, argc * 4);
  printf("%d: %d %d %d %d\\n", done, row[0], row[1], row[2], row[3]);
  return 0;
}
"""


def has_no_loops(op: Operation) -> bool:
    return not any(isinstance(one, affine.ForOp) for one in op.walk())


@pytest.mark.parametrize("is_broken", [False, True])
def test_what_is_run_twice_beside_threads_is_told(
    is_broken: bool,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    """Few rows take one thread, which is asked for the source's order: with what stands in front
    of the loops left in front of that choice, as it was once, a counter is counted twice."""
    if is_broken:
        monkeypatch.setattr(arms, "_changes_nothing", has_no_loops)
    path = write(tmp_path, COUNTED)
    status = run_checked(path, ["-O3", "-fparallel=3", "-fno-strict-aliasing"])
    out, err = capfd.readouterr()
    assert out == "5: 1 2 3 4\n"
    assert status == (3 if is_broken else 0)
    assert ("done[0]: 5 in the source's order, 6 as optimised" in err) == is_broken


def test_rounding_that_the_order_decides_on_is_no_difference(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    assert run_checked(write(tmp_path, ROUNDING), FAST) == 0
    assert "no difference" in capfd.readouterr().err


def test_a_missing_term_is_more_than_rounding(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    fault = instead("x[i]", "x[0]")
    text = (
        "float x[1000], sum; int main(void) {\n"
        "for (int i = 0; i < 1000; i++) x[i] = i == 0 ? 1.0f : 1.01f;\n"
        "for (int i = 0; i < 1000; i++) sum += x[i];\n"
        "return 0; }\n"
    )
    assert run_checked(write(tmp_path, text), FAST) == 0
    assert run_checked(write(tmp_path, text), FAST, fault) == 3
    assert re.search(
        r":3:\d+: check: variable sum: 1009\.\d+ in the source's order, 1000 as",
        capfd.readouterr().err,
    )


def test_nan_equals_nan_but_signs_of_zero_differ(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    text = (
        "double x[8], y[8]; int main(void) {\n"
        "for (int i = 0; i < 8; i++) x[i] = i ? -0.0 : 0.0;\n"
        "for (int i = 0; i < 8; i++) y[i] = x[i] + (x[i] / x[i]);\n"
        "return y[1] == y[1]; }\n"
    )
    assert run_checked(write(tmp_path, text), STRICT) == 0
    text = text.replace("(x[i] / x[i])", "-0.0")
    assert run_checked(write(tmp_path, text), STRICT, instead("x[i]", "x[0]")) == 3
    assert "y[1]: -0 in the source's order, 0 as optimised" in capfd.readouterr().err


@pytest.mark.parametrize(
    "flags",
    [
        ("-O3", "--poly=poly-ast+tile"),
        ("-O3", "--poly=matrix"),
        ("-O1", "--poly=tile-simd"),
        ("-O0", "--poly=feautrier"),
        ("-O3", "--schedule={steps}"),
    ],
)
def test_every_way_to_a_schedule(
    flags: Sequence[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "steps").write_text("reverse S0.i\n")
    words = [flag.format(steps=tmp_path / "steps") for flag in flags]
    path = write(tmp_path, RECURRENCE)
    job = Job(
        (input_of(str(path), "none"),), product="run", settings=read_settings([*words, "--check"])
    )
    assert build(job) == 7
    out, err = capfd.readouterr()
    assert (out.strip(), "no difference" in err) == (LAST, True)


def test_executables_check_themselves(tmp_path: Path):
    path = write(tmp_path, RECURRENCE.replace("return 7", "return 0"))
    settings = read_settings([*STRICT, "--check"])
    assert (
        build(
            Job((input_of(str(path), "none"),), output=str(tmp_path / "program"), settings=settings)
        )
        == 0
    )
    ran = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == LAST
    assert ran.stderr == "polyopt: check: 1 SCoP compared, 1 execution: no difference\n"


def test_there_is_something_to_compare(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = write(tmp_path, "int main(void) { return 0; }")
    for flags in (["--check"], ["-O1", "--check"], ["-O3", "--poly=none", "--check"]):
        settings = read_settings(flags)
        assert build(Job((input_of(str(path), "none"),), product="run", settings=settings)) == 1
        assert "error: --check compares optimised loops" in capfd.readouterr().err
    job = Job(
        (input_of(str(path), "none"),), product="run", settings=read_settings(["-O3", "--check"])
    )
    assert build(job) == 0
    assert "--check: no optimised loop here can be compared" in capfd.readouterr().err


def test_from_python():
    text = (
        "int f(int n, double a[restrict n], const double b[restrict n]) {\n"
        "  for (int i = 1; i < n; i++)\n    a[i] = 0.5 * a[i - 1] + b[i];\n  return n; }"
    )
    program = polyopt.compile(text, "-O3 -ffp-contract=off", check=True)
    a, b = np.arange(10.0), np.ones(10)
    assert program.f(10, a, b) == 10
    np.testing.assert_array_equal(a, [0, *(2 - 0.5**k for k in range(9))])


def test_a_fault_is_an_exception_in_python(monkeypatch: pytest.MonkeyPatch):
    from polyopt.passes.schedule.keep_small import PolyKeepSmallPass

    def plant(_: PolyKeepSmallPass, __: object, module: object) -> None:
        for op in module.walk():  # pyright: ignore
            if isinstance(op, ScopOp):
                instead("a[i]", "a[0]")(op)

    monkeypatch.setattr(PolyKeepSmallPass, "apply", plant)
    text = (
        "void f(int n, int a[restrict n], int b[restrict n]) {\n"
        "  for (int i = 0; i < n; i++)\n    b[i] = a[i]; }"
    )
    program = polyopt.compile(text, check=True)
    for _ in range(2):
        a, b = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
        with pytest.raises(polyopt.CheckFailed, match="3 elements differ") as caught:
            program.f(4, a, b)
        assert "<string>:3:5: check: array b[1]: 1 in the source's order, 0 as" in str(caught.value)
        assert "    b[i] = a[i]; }\n" in str(caught.value)
        np.testing.assert_array_equal(b, a)


QUICK = (("atax", "auto"), ("durbin", "isl+tile"))
"""A kernel and a configuration each; the slow part of the suite has all kernels in one
configuration, and some in all."""

RUNS = dict.fromkeys(
    [
        *QUICK,
        *((kernel, "auto") for kernel in sorted(PROGRAMS)),
        *(
            (kernel, configuration)
            for kernel in ("lu", "nussinov", "seidel-2d")
            for configuration in CONFIGURATIONS
            if configuration != "none"
        ),
    ]
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("kernel", "configuration"),
    [run if run in QUICK else pytest.param(*run, marks=pytest.mark.slow) for run in RUNS],
)
def test_kernels(kernel: str, configuration: str, mode: str, capfd: pytest.CaptureFixture[str]):
    flags = ["-O3", "-march=native", f"--poly={configuration}", *MODES[mode], size_flag("MINI")]
    source = PROGRAMS[kernel].source
    job = Job(
        (input_of(str(source), "none"),), product="run", settings=read_settings([*flags, "--check"])
    )
    assert build(job) == 0
    assert "no difference" in capfd.readouterr().err
