"""Arrays that meet in a loop are so far apart that no load seems to want what was just stored."""

import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

KERNEL = """
#include <stdio.h>
double x[1001], y[1001], z[1012];
void kernel(int n, double q, double r, double t) {
  for (int k = 0; k < n; k++) x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}
int main(void) {
  kernel(1001, 1, 2, 3);
  printf("%ld %ld\\n", ((char *)y - (char *)x) & 4095, ((char *)z - (char *)x) & 4095);
}
"""


def text_of(tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, *flags: str) -> str:
    path = tmp_path / "p.c"
    path.write_text(source)
    assert main([str(path), "-O2", *flags, "--emit=llvm"]) == 0
    return capsys.readouterr().out


def test_what_is_loaded_is_in_front_of_what_is_stored(tmp_path: Path):
    path = tmp_path / "p.c"
    path.write_text(KERNEL)
    assert main([str(path), "-O2", "-o", str(tmp_path / "p")]) == 0
    ran = subprocess.run([str(tmp_path / "p")], capture_output=True, text=True, check=True)
    for distance in map(int, ran.stdout.split()):
        assert distance <= 2048, "else the loads are less than half a page behind the stores"


WAYS = {
    "passed on": (
        "double x[1001], y[1001];"
        "void f(double *a, const double *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }"
        "void g(void) { f(x, y, 1001); }",
        True,
    ),
    "not together": (
        "double x[1001], y[1001];"
        "void f(int n) { for (int i = 0; i < n; i++) x[i] = i; }"
        "double g(int n) { double s = 0; for (int i = 0; i < n; i++) s += y[i]; return s; }",
        False,
    ),
    "only loaded": (
        "double x[1001], y[1001];"
        "double f(int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }",
        False,
    ),
    "with values": (
        "double x[1001] = {1}, y[1001] = {2};"
        "void f(int n) { for (int i = 0; i < n; i++) x[i] = y[i]; }",
        False,
    ),
    "small": (
        "double x[101], y[101]; void f(int n) { for (int i = 0; i < n; i++) x[i] = y[i]; }",
        False,
    ),
    "both ways": (
        "double x[2048], y[2048]; void f(int n) {"
        "for (int i = 0; i < n; i++) x[i] = y[i]; for (int i = 0; i < n; i++) y[i] = x[i] / 2; }",
        False,
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_only_what_meets_is_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str):
    source, is_moved = WAYS[way]
    assert ("@.before.y" in text_of(tmp_path, capsys, source)) == is_moved


def test_of_other_cpus_the_same_bytes_of_a_page_are_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    def gap(source: str, cpu: str) -> bool:
        return "@.before.y" in text_of(tmp_path, capsys, source, f"-march={cpu}")

    at_pages, _ = WAYS["both ways"]
    at_a_quarter = (
        "double x[2048 + 128], y[2048];"
        "void f(int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i + 1]; }"
    )
    assert gap(at_pages, "icelake-server")
    assert not gap(at_a_quarter, "icelake-server")
    for cpu in ("znver4", "x86-64-v3"):
        assert not gap(at_pages, cpu)
        assert gap(at_a_quarter, cpu)


PLANES = """
#include <stdio.h>
double g[5][90][90], h[5][90][90];
void step(int n) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      h[0][i][j] = g[1][i][j - 1] + g[2][i][j];
      h[1][i][j] = g[0][i][j] - g[3][i - 1][j];
      h[2][i][j] = g[4][i][j] * g[1][i][j];
      h[3][i][j] = g[2][i][j] * 2;
      h[4][i][j] = g[3][i][j] + 1;
    }
}
int main(void) { step(90); printf("%ld\\n", ((char *)h - (char *)g) & 4095); }
"""


def test_planes_are_kept_off_each_other(tmp_path: Path):
    """A load of each plane waits for the store to each other one; the mean of the longest waits,
    found by hand here, is near the least that any distance has."""
    path = tmp_path / "p.c"
    path.write_text(PLANES)
    assert main([str(path), "-O2", "-march=x86-64-v3", "-o", str(tmp_path / "p")]) == 0
    ran = subprocess.run([str(tmp_path / "p")], capture_output=True, text=True, check=True)

    def wait(apart: int) -> float:
        within = apart % 4096
        return 0.15 if within < 128 else min(1, max(0, 1 - (4096 - within - 256) / 2048))

    def mean(distance: int) -> float:
        planes = range(5)
        return sum(max(wait(64800 * (p - q) - distance) for q in planes) for p in planes) / 5

    least = min(map(mean, range(0, 4096, 64)))
    assert mean(324032) > least + 0.1, "where h is without a gap"
    assert mean(int(ran.stdout)) < least + 0.02


@pytest.mark.parametrize("flag", ["-Os", "-O1", "-fdata-sections"])
def test_no_room_is_spent_for_size_or_in_sections(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str
):
    assert ".before." not in text_of(tmp_path, capsys, KERNEL, flag)
