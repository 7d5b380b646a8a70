"""In programs of -ffast-math numbers too small to be normal are zeros, as with gcc and clang;
-mdaz-ftz and -mno-daz-ftz say so of any program."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

TELLS = """\
#include <stdio.h>
volatile double tiny = 4e-310, least = 3e-308, one = 1.0;
volatile float small = 1e-40f;
int main(void) {
  double taken = tiny * one, given = least / 4;
  printf("%d %d %d\\n", taken == 0, given == 0, small * (float)one == 0);
  return 0;
}
"""
FLUSHED, KEPT = "1 1 1\n", "0 0 0\n"
CASES = [
    ("-O2", KEPT),
    ("-O2 -ffast-math", FLUSHED),
    ("-Ofast", FLUSHED),
    ("-O2 -funsafe-math-optimizations", FLUSHED),
    ("-O2 -fassociative-math -ffinite-math-only", KEPT),
    ("-O2 -ffast-math -fno-fast-math", KEPT),
    ("-O2 -funsafe-math-optimizations -fno-unsafe-math-optimizations", KEPT),
    ("-O2 -mno-daz-ftz -ffast-math", KEPT),
    ("-O2 -mdaz-ftz", FLUSHED),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "tells.c"
    path.write_text(TELLS)
    return path


@pytest.mark.parametrize(("options", "expected"), CASES)
def test_in_process(options: str, expected: str, source: Path, capfd: pytest.CaptureFixture[str]):
    assert polyopt_cc.main([*options.split(), "--run", str(source)]) == 0
    assert capfd.readouterr().out == expected


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc with its crtfastmath.o")
@pytest.mark.parametrize(("options", "expected"), CASES)
def test_linked(
    options: str, expected: str, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CC", "gcc")
    program = tmp_path / "tells"
    assert polyopt_cc.main([*options.split(), str(source), "-o", str(program)]) == 0
    assert subprocess.run([program], capture_output=True, text=True).stdout == expected


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc with its crtfastmath.o")
def test_library_leaves_its_programs_alone(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CC", "gcc")
    source.write_text("double quarter(volatile double x) { return x / 4; }\n")
    library = tmp_path / "quarter.so"
    words = ["-O2", "-ffast-math", "-shared", str(source), "-o", str(library)]
    assert polyopt_cc.main(words) == 0
    quarter = ctypes.CDLL(str(library)).quarter
    quarter.restype, quarter.argtypes = ctypes.c_double, [ctypes.c_double]
    assert quarter(3e-308) == 3e-308 / 4 != 0


def test_this_process_is_left_alone(source: Path):
    assert polyopt_cc.main(["-O2", "-ffast-math", "--run", str(source)]) == 0
    least = 3e-308
    assert least / 4 != 0
