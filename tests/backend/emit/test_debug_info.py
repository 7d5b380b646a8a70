"""-g: what debuggers and profilers read of a program's lines is the C source."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

pytestmark = pytest.mark.skipif(shutil.which("objdump") is None, reason="no objdump")

PROGRAM = """\
#include "scale.h"
void product(int n, double C[n][n], double A[n][n], double B[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
int twice(int x)
{
  int y = scaled(x);
  if (x > 3)
    y +=
      7;
  return y;
}
"""
HEADER = "static inline int scaled(int x)\n{\n  return 2 * x;\n}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.c").write_text(PROGRAM)
    (tmp_path / "scale.h").write_text(HEADER)
    return tmp_path


def lines_of(options: str) -> set[tuple[str, int]]:
    """The files and lines that the object file's line table names."""
    assert polyopt_cc.main([*options.split(), "-c", "t.c"]) == 0
    table = subprocess.run(
        ["objdump", "--dwarf=decodedline", "t.o"], capture_output=True, text=True, check=True
    ).stdout
    return {(name, int(line)) for name, line in re.findall(r"^(\S+)\s+(\d+)\s+0x", table, re.M)}


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2 -ffp-contract=off", "-O3 -ffast-math"])
def test_statements_have_their_lines(folder: Path, level: str):
    lines = lines_of(f"-g {level}")
    assert ("t.c", 7) in lines
    assert {("t.c", 11), ("t.c", 13), ("t.c", 15)} & lines
    assert ("scale.h", 3) in lines
    # Nothing comes from lines on which there is nothing to do.
    assert not {("t.c", 1), ("t.c", 3), ("t.c", 17), ("scale.h", 2)} & lines


def test_every_line_that_does_something_is_there_where_nothing_is_optimised(folder: Path):
    assert {("t.c", line) for line in (2, 4, 5, 6, 7, 9, 11, 12, 13, 15)} <= lines_of("-g -O0")


@pytest.mark.parametrize("options", ["", "-g0", "-ggdb0", "-g -g0", "-gz"])
def test_no_debug_information(folder: Path, options: str):
    assert lines_of(options) == set()


@pytest.mark.parametrize("options", ["-g1", "-g3", "-ggdb", "-ggdb3", "-gdwarf-4", "-g0 -g"])
def test_every_kind_is_line_tables(folder: Path, options: str):
    assert ("t.c", 7) in lines_of(options)


def test_code_is_the_same_with_and_without(folder: Path):
    def code() -> bytes:
        subprocess.run(["objcopy", "-O", "binary", "-j", ".text", "t.o", "t.bin"], check=True)
        return Path("t.bin").read_bytes()

    lines_of("-O3")
    without = code()
    lines_of("-O3 -g")
    assert code() == without
