"""What a program says of its static control parts when it has run, and the work in their sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyopt.driver.observed.nest_measures import Countable, Work, work_of
from polyopt.driver.observed.nest_times import read_times
from polyopt.poly.notation import parse_scop
from polyopt.report.contents import Execution
from polyopt.tools import polyopt_cc

PROGRAM = """
static double a[300][300], x[300], y[300];
static void product(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i] += a[i][j] * x[j];
}
int main(void) {
  for (int r = 0; r < 3; r++) product(200);
  product(300);
  return y[7] == 0 ? 5 : 6;
}
"""


def test_work_in_sets():
    """A triangle: n(n+1)/2 instances; all of x, y twice, the triangle of a."""
    scop = parse_scop(
        "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j <= i\n    S: y[i] = y[i] + a[i, j] * x[j]\n"
    )
    part = Countable(scop, {"S": 2})
    assert work_of(part, [100]) == Work(5050, 10100, 8 * (5050 + 3 * 100))


def test_what_a_program_has_written(tmp_path: Path):
    path = tmp_path / "times"
    path.write_text("3\t0.250000000\t200,7\tk.c\tf\n1\t0.5\t\ta%09k.c\tg\n")
    found = read_times(str(path))
    assert found["k.c", "f"] == [Execution((200, 7), 3, 0.25)]
    assert found["a\tk.c", "g"] == [Execution((), 1, 0.5)]
    assert read_times(str(tmp_path / "none")) == {}


def test_a_program_that_is_run_and_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    source, page = tmp_path / "k.c", tmp_path / "k.html"
    source.write_text(PROGRAM)
    flags = ["-O3", "--cache=off", "--run", f"--report={page}", "--remarks=loops"]
    assert polyopt_cc.main([*flags, str(source)]) == 5
    said = capfd.readouterr().err
    assert "altogether, it ran 4 times." in said
    text = page.read_text(encoding="utf-8")
    assert "How fast it ran" in text
    assert "The program ran, and its loops were measured: product" in text


SHARED = """
static double x[4000];
int main(void) {
  int mine = 0;
  for (int r = 0; r < 3; r++) {
#pragma omp parallel for schedule(static) num_threads(4)
    for (int i = 0; i < 4000; i++) x[i] = x[i] * 2 + i;
  }
  return mine;
}
"""


@pytest.mark.parametrize("flag", ["-fopenmp", "-fparallel"])
def test_loops_in_threads(flag: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """Of threads that the program starts the first is measured, with what it runs of the loop."""
    source, page = tmp_path / "k.c", tmp_path / "k.html"
    source.write_text(SHARED)
    flags = ["-O3", "--cache=off", flag, "--run", f"--report={page}", "--remarks=loops"]
    assert polyopt_cc.main([*flags, str(source)]) == 0
    said = capfd.readouterr().err
    assert ("altogether, it ran 3 times in the first thread." in said) == (flag == "-fopenmp")
    assert "altogether, it ran " in said
    assert "How fast it ran" in page.read_text(encoding="utf-8")


def test_a_program_that_is_checked_is_not_measured(tmp_path: Path):
    source, page = tmp_path / "k.c", tmp_path / "k.html"
    source.write_text(PROGRAM)
    flags = ["-O3", "--cache=off", "--check", "--run", f"--report={page}"]
    assert polyopt_cc.main([*flags, str(source)]) == 5
    assert "How fast it ran" not in page.read_text(encoding="utf-8")
