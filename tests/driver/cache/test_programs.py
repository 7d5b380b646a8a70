"""`polyopt.compile` finds what it compiled before, in this process or another."""

import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import polyopt
from polyopt.driver.programs.program import Program

TEXT = """\
#include <math.h>
struct pair { double a; int b[2]; };
static int calls;
int counted(void) { return ++calls; }
double root(double x) { return sqrt(x) + fabs(x); }
void scale(int n, double x[n], const struct pair *p) {
  for (int i = 0; i < n; i++) x[i] *= p->a;
}
void fill(int n, int m, float a[n][m], unsigned char *_Nullable mask) {
  int unused;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i + j;
}
"""


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLYOPT_CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path / "kept"


def compiled(options: str = "-O3", text: str = TEXT) -> tuple[Program, list[str]]:
    """The program and the warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        program = polyopt.compile(text, options)
    assert {each.filename for each in said} <= {__file__}
    return program, [str(each.message) for each in said]


def counts() -> tuple[int, int]:
    found = polyopt.cache.stats()
    return found["hits"], found["misses"]


def test_found_program_is_the_same():
    first, said = compiled("-O3 -Wall")
    assert counts() == (0, 1)
    second, again = compiled("-O3 -Wall")
    assert counts() == (1, 1)
    assert "unused variable 'unused'" in said[0]
    assert "  int unused;" in said[0]
    assert again == said
    assert [first[name].signature for name in first] == [second[name].signature for name in second]
    assert first.remarks == second.remarks
    assert repr(first) == repr(second)
    assert first.stubs() == second.stubs()
    assert first.ir("asm") == second.ir("asm")


def test_found_functions_work():
    compiled()
    program, _ = compiled()
    assert program.root(4.0) == 6.0
    a = np.zeros((2, 3), np.float32)
    program.fill(2, 3, a, None)
    assert a.tolist() == [[0, 1, 2], [1, 2, 3]]
    pair = np.zeros(1, np.dtype([("a", "f8"), ("b", "i4", 2)], align=True))
    pair["a"] = 3
    x = np.ones(4)
    program.scale(4, x, pair)
    assert x.tolist() == [3, 3, 3, 3]
    with pytest.raises(ValueError, match="expected the shape"):
        program.fill(3, 3, a, None)


def test_each_program_has_its_own_variables():
    first, second = compiled()[0], compiled()[0]
    assert [first.counted(), first.counted(), second.counted()] == [1, 2, 1]


@pytest.mark.parametrize("options", ["-O2", "-O3 -DX=1", "-O3 -march=x86-64-v2", "-O3 -g"])
def test_other_options(options: str):
    compiled()
    compiled(options)
    assert counts() == (0, 2)


def test_other_text():
    compiled()
    compiled(text=TEXT.replace("x[i] *=", "x[i] +="))
    assert counts() == (0, 2)


def test_file_and_its_header(tmp_path: Path):
    source, header = tmp_path / "a.c", tmp_path / "a.h"
    source.write_text('#include "a.h"\nint f(void) { return N; }\n')
    values: list[int] = []
    for number in (1, 2, 1):
        header.write_text(f"#define N {number}\n")
        values.append(polyopt.compile(source).f())
    assert values == [1, 2, 1]
    assert counts() == (1, 2)


def test_warnings_that_are_errors():
    compiled("-O3 -Wall")
    for _ in range(2):
        with pytest.raises(polyopt.driver.programs.program.CompileError, match="unused"):
            polyopt.compile(TEXT, "-O3 -Wall -Werror")


def test_check_is_not_kept():
    """But for what is beside every program that is checked, which is made once."""
    for _ in range(2):
        polyopt.compile(TEXT, "-O3", check=True)
    assert counts() == (0, 1)


def test_off_and_elsewhere(kept: Path, tmp_path: Path):
    polyopt.compile(TEXT, cache="off")
    assert not kept.exists()
    polyopt.compile(TEXT, cache=str(tmp_path / "other"))
    assert not kept.exists()
    assert (tmp_path / "other").exists()


def test_clear(kept: Path):
    compiled()
    assert polyopt.cache.folder() == str(kept)
    assert polyopt.cache.stats()["files"] == 2
    polyopt.cache.clear()
    assert polyopt.cache.stats()["files"] == 0
    compiled()
    assert counts() == (0, 1)


SECOND = """
import sys, time
import numpy as np
import polyopt
begin = time.process_time()
f = polyopt.compile(open("text.c").read(), "-O3").fill
a = np.zeros((2, 3), np.float32)
f(2, 3, a, None)
taken = time.process_time() - begin
assert a[1, 2] == 3
compiler = ("polyopt.frontend.tree", "polyopt.frontend.language", "polyopt.driver.units.unit")
engines = ("xdsl", "islpy", "llvmlite", "pcpp", "pycparser")
print(taken, [n for n in sys.modules if n in engines or n.startswith(compiler)])
"""


def test_second_process(tmp_path: Path):
    """It has its function without the compiler. How long that takes is measured, and shown where
    it is too much for any machine."""
    (tmp_path / "text.c").write_text(TEXT)
    said: list[str] = []
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", SECOND],
            cwd=tmp_path,
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(ran.stdout)
    assert said[1].endswith("[]\n")
    assert float(said[1].split()[0]) < 0.5
    assert time.process_time() > 0
