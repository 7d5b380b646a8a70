"""What files say to each other by way of the linker, and other languages through them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

ONE = """
#include <stdio.h>
int number;
double row[10];
int own __attribute__((nocommon));
const int fixed;
_Thread_local int each;
extern int shared(void);
int main(void) {
  int got = shared();
  for (int i = 0; i < 10; i++) row[i] *= 2;
  printf("%d %d %d %g\\n", got, number, own, row[9]);
}
"""
OTHER = """
int number = 5;
double row[20];
extern int own;
int shared(void) { row[9] = 3; own = 7; return number; }
"""


def test_what_several_files_define_is_one_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("one.c").write_text(ONE)
    Path("other.c").write_text(OTHER)
    assert main("-O2 -fcommon one.c other.c -o both".split()) == 0
    assert subprocess.check_output("./both", text=True) == "5 5 7 6\n"
    assert main("-O2 one.c other.c -o both".split()) == 1
    assert main("-O2 -fcommon -fno-common one.c other.c -o both".split()) == 1


THROUGH = """
int seen;
void each(int n, void (*call)(int)) {
  seen = -1;
  for (int i = 0; i < n; i++) { seen = i; call(i); }
  seen = n;
}
"""
CATCHES = """
#include <cstdio>
extern "C" { extern int seen; void each(int, void (*)(int)); }
int main() {
  try { each(10, [](int i) { if (i == 3) throw i; }); }
  catch (int i) { std::printf("%d %d\\n", i, seen); }
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler of C++")
def test_what_cpp_throws_passes_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("through.c").write_text(THROUGH)
    Path("catches.cc").write_text(CATCHES)
    assert main("-O2 -fexceptions -c through.c -o through.o".split()) == 0
    subprocess.run("g++ -o both catches.cc through.o".split(), check=True)
    assert subprocess.check_output("./both", text=True) == "3 3\n"
