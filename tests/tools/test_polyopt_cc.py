"""polyopt-cc is used like every C compiler: what it makes, where it puts it, what it says."""

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

needs_cc = pytest.mark.skipif(
    shutil.which("cc") is None, reason="no system C compiler to link with"
)
as_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write anything")

MAIN = """\
#include <stdio.h>
int twice(int);
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
  printf("%d\\n", twice(21));
  return argc;
}
"""
TWICE = "int twice(int x) { return 2 * x; }\n"
WHOLE = "int twice(int);\n" + TWICE + MAIN.replace("int twice(int);\n", "")
DOUBTFUL = "int f(void) {\n  int unused;\n  return 1;\n}\n"
SUM = """\
double sum(int n, double a[n]) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
"""
FILES = {"main.c": MAIN, "twice.c": TWICE, "whole.c": WHOLE, "doubtful.c": DOUBTFUL, "sum.c": SUM}


class Compiler:
    """polyopt-cc in a folder of its own: status, standard output and standard error of a call."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]):
        self.folder = folder
        self._capture = capture

    def __call__(self, line: str) -> tuple[int, str, str]:
        self._capture.readouterr()
        status = polyopt_cc.main(line.split())
        captured = self._capture.readouterr()
        return status, captured.out, captured.err

    def made(self) -> set[str]:
        """The files that were not there at the beginning."""
        return set(os.listdir(self.folder)) - set(FILES)


@pytest.fixture
def cc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return Compiler(tmp_path, capfd)


def test_object_files(cc: Compiler):
    assert cc("-c main.c twice.c") == (0, "", "")
    assert cc.made() == {"main.o", "twice.o"}
    assert (cc.folder / "main.o").read_bytes().startswith(b"\x7fELF")


def test_assembly(cc: Compiler):
    assert cc("-S twice.c -O2") == (0, "", "")
    assert cc.made() == {"twice.s"}
    assert "twice:" in (cc.folder / "twice.s").read_text()


def test_llvm(cc: Compiler):
    assert cc("-S -emit-llvm twice.c -O2") == (0, "", "")
    assert "shl nsw i32 %x, 1" in (cc.folder / "twice.ll").read_text()


def test_named_output(cc: Compiler):
    assert cc("-c twice.c -o other") == (0, "", "")
    assert cc.made() == {"other"}


def test_output_to_standard_output(cc: Compiler):
    status, out, _ = cc("-S twice.c -o -")
    assert (status, cc.made()) == (0, set())
    assert "twice:" in out


def test_standard_input(cc: Compiler, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"int x = N;\nint y = z;\n")))
    status, _, err = cc("-DN=1 -S -")
    assert status == 1
    assert err.startswith("<stdin>:2:9: error: use of undeclared name 'z'\n  int y = z;\n")


def test_bytes_that_are_not_text_survive(cc: Compiler):
    (cc.folder / "latin.c").write_bytes(b'char *name = "caf\xe9"; /* caf\xe9 */\n')
    assert cc("-E latin.c -o latin.i") == (0, "", "")
    assert b'"caf\xe9"' in (cc.folder / "latin.i").read_bytes()
    assert cc("-S latin.c")[0] == 0
    assert '"caf\\351"' in (cc.folder / "latin.s").read_text()


def test_preprocessed(cc: Compiler):
    (cc.folder / "inner").mkdir()
    (cc.folder / "inner" / "header.h").write_text("int from_header = A + B;\n")
    (cc.folder / "outer.c").write_text('#include "header.h"\n')
    status, out, _ = cc("-E -I inner -DA=40 -D B=2 -DC -UC outer.c")
    assert status == 0
    assert "int from_header = 40 + 2;" in out


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("source", "memref.alloca"),
        ("prepared", "^bb"),
        ("poly", "poly.scop"),
        ("schedule", "poly.scop"),
        ("affine", "affine.for"),
        ("loops", "affine.for"),
        ("scf", "scf.for"),
        ("llvm", "double @sum("),
        ("optimised-llvm", "double @sum("),
        ("asm", "sum:"),
    ],
)
def test_every_level(cc: Compiler, level: str, expected: str):
    status, out, _ = cc(f"-O3 --skip-pass=keep-what-pays --verify-each --emit={level} sum.c")
    assert status == 0
    assert expected in out


def test_run(cc: Compiler):
    assert cc("--run whole.c one -O2") == (3, "[one][-O2]42\n", "")
    assert cc("whole.c --run one") == (2, "[one]42\n", "")
    assert cc("-O2 main.c twice.c --run") == (1, "42\n", "")


def test_run_with_object_file(cc: Compiler):
    assert cc("-c twice.c")[0] == 0
    assert cc("main.c twice.o -lm --run") == (1, "42\n", "")


def test_run_that_crashes(cc: Compiler):
    (cc.folder / "crash.c").write_text("int main(void) { return *(volatile int *)0; }\n")
    status, _, err = cc("--run crash.c")
    assert status == 128 + 11
    assert err == "polyopt-cc: the program was killed by SIGSEGV: invalid memory access\n"


@needs_cc
def test_executable(cc: Compiler):
    assert cc("main.c twice.c -O1 -lm") == (0, "", "")
    assert cc.made() == {"a.out"}
    ran = subprocess.run(["./a.out", "x"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "[x]42\n")


@needs_cc
def test_linking_made_and_foreign_objects(cc: Compiler):
    subprocess.run(["cc", "-c", "twice.c", "-o", "foreign.o"], check=True)
    subprocess.run(["ar", "rc", "libforeign.a", "foreign.o"], check=True)
    assert cc("main.c foreign.o -o one")[0] == 0
    assert cc("main.c libforeign.a -o two")[0] == 0
    shown = cc("main.c -L. -lforeign -v -o three")[2].partition("End of search list.\n")[2]
    assert shown.startswith("cc -L. /")
    for name in ("one", "two", "three"):
        assert subprocess.run([f"./{name}"], capture_output=True, check=False).stdout == b"42\n"


@needs_cc
def test_shared_library(cc: Compiler):
    import ctypes

    assert cc("-shared twice.c -o libtwice.so") == (0, "", "")
    assert ctypes.CDLL(str(cc.folder / "libtwice.so")).twice(21) == 42


def test_warnings(cc: Compiler):
    warning = (
        "doubtful.c:2:7: warning: unused variable 'unused' [-Wunused-variable]\n"
        "    int unused;\n"
        "        ^\n"
    )
    assert cc("-c doubtful.c") == (0, "", "")
    assert cc("-Wall -c doubtful.c") == (0, "", warning)
    assert cc("-Wall -w -c doubtful.c") == (0, "", "")
    assert cc("-Wall -Wno-unused-variable -c doubtful.c") == (0, "", "")
    (cc.folder / "doubtful.o").unlink()
    status, _, err = cc("-Wall -Werror -c doubtful.c")
    assert (status, cc.made()) == (1, set())
    assert err == (
        f"{warning}polyopt-cc: error: warnings are treated as errors\n"
        "  hint: -Wno-ID silences one kind\n"
    )


def test_remarks(cc: Compiler):
    status, _, err = cc("-O3 --remarks -c sum.c")
    assert status == 0
    assert err.startswith("sum.c:3:")


def test_statistics(cc: Compiler):
    """Totals, and how many remarks each pass made."""
    _, _, err = cc("-O3 --poly=isl --statistics -c sum.c")
    scops, _, head, *rows = [line.split() for line in err.splitlines()]
    assert scops[1:] == ["static", "control", "parts"]
    assert head == ["applied", "missed", "analysis"]
    assert [scops[0], "detect-scops"] in [[row[2], row[3]] for row in rows]


def test_looking_on(cc: Compiler):
    _, _, err = cc("-O2 --print-after=detect-scops --time-passes -c sum.c")
    assert err.count("// IR after") == 1
    assert "poly.scop" in err
    assert "detect-scops\n" in err
    assert err.rstrip().endswith("total")


def test_printed_pipeline_is_what_runs(cc: Compiler):
    """The pipeline's text, given to polyopt-opt, leads to the same module."""
    from polyopt.tools import polyopt_opt

    _, text, _ = cc("-O3 --print-pipeline")
    _, expected, _ = cc("-O3 --emit=scf sum.c")
    assert polyopt_opt.main(["sum.c", "-p", text.strip(), "-o", "module.mlir"]) == 0
    stated = ', polyopt.level = "scf"'
    assert stated in expected
    without = expected.replace(stated, "")
    assert (cc.folder / "module.mlir").read_text().rstrip() == without.rstrip()


def test_words_from_a_file(cc: Compiler):
    (cc.folder / "words").write_text("-c 'twice.c'\n-o named.o\n")
    assert cc("@words") == (0, "", "")
    assert cc.made() == {"words", "named.o"}


def test_unused_link_input(cc: Compiler):
    cc("-c twice.c")
    assert cc("-c main.c twice.o") == (
        0,
        "",
        "polyopt-cc: warning: twice.o: not used, as nothing is linked\n",
    )


def test_version_and_help(cc: Compiler):
    assert cc("--version")[1].startswith("polyopt-cc 0.")
    status, out, _ = cc("--help")
    assert (status, out.splitlines()[0]) == (0, "usage: polyopt-cc [option]... file...")
    assert max(map(len, out.splitlines())) <= 100


def test_python_module():
    ran = subprocess.run(
        [sys.executable, "-m", "polyopt", "--version"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout[:13]) == (0, "polyopt-cc 0.")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "polyopt-cc: error: no input files\n"),
        ("-lm", "polyopt-cc: error: no input files\n"),
        ("-c none.c", "polyopt-cc: error: none.c: No such file or directory\n"),
        ("-c folder.c", "polyopt-cc: error: folder.c: Is a directory\n"),
        (
            "-c notes.txt",
            "polyopt-cc: error: notes.txt: not a kind of file that polyopt-cc knows\n"
            "  hint: C files end in .c or .i, modules in .mlir, assembly in .s or .S, files to "
            "link in .o, .a, .so; "
            "-x c is for C under another name\n",
        ),
        (
            "-c main.c twice.c -o both.o",
            "polyopt-cc: error: -o names one file, but there are several to make\n",
        ),
        (
            "-S twice.c -o twice.c",
            "polyopt-cc: error: twice.c: input file is the same as the output file\n",
        ),
        ("-c twice.c -o no/twice.o", "polyopt-cc: error: no/twice.o: No such file or directory\n"),
        ("-c twice.c -o folder.c", "polyopt-cc: error: folder.c: Is a directory\n"),
        ("main.c twice.c -o folder.c", "polyopt-cc: error: folder.c: Is a directory\n"),
        ("twice.c -emit-llvm", "polyopt-cc: error: -emit-llvm goes with -S\n"),
        ("-o", "polyopt-cc: error: option '-o' needs a value: -o FILE\n"),
        (
            "-c twice.c -fast-math",
            "polyopt-cc: error: unknown option '-fast-math'\n  hint: did you mean '-ffast-math'?\n",
        ),
        (
            "-c twice.c -std=c90000",
            "polyopt-cc: error: bad value 'c90000' for '-std=': expected one of "
            "c99, c11, c17, c23, gnu99, gnu11, gnu17, gnu23\n",
        ),
        (
            "-c twice.c -march=x86-64-v9",
            "polyopt-cc: error: unknown CPU 'x86-64-v9' for -march\n"
            "  hint: 'native', an x86-64 level or a CPU name such as "
            "x86-64-v4, x86-64-v3, x86-64-v2\n",
        ),
        (
            "-c twice.c --skip-pass=poly-tiles",
            "polyopt-cc: error: unknown pass 'poly-tiles'\n  hint: did you mean 'poly-tile'?\n",
        ),
        (
            "-c twice.c --print-after=poly-tiles",
            "polyopt-cc: error: unknown pass 'poly-tiles'\n  hint: did you mean 'poly-tile'?\n",
        ),
        (
            "--emit=dreams twice.c",
            "polyopt-cc: error: bad value 'dreams' for '--emit=': expected one of "
            "nothing, preprocessed, source, prepared, poly, schedule, affine, structured, blocked, "
            "packed, transfers, loops, scf, llvm, optimised-llvm, asm, obj\n",
        ),
        (
            "twice.c --run",
            "polyopt-cc: error: there is no function 'main' to run\n",
        ),
        (
            "main.c --run",
            "polyopt-cc: error: 'twice': used, but defined nowhere\n"
            "  hint: add the file that defines it, or its library by -l\n",
        ),
        (
            "main.c twice.c libtwice.a --run",
            "polyopt-cc: error: libtwice.a: cannot be used with --run\n"
            "  hint: without a linker, only C files, object files and -l libraries can\n",
        ),
        (
            "whole.c -L. --run",
            "polyopt-cc: error: -L.: cannot be used with --run, which does not link\n",
        ),
        (
            "whole.c -o whole --run",
            "polyopt-cc: error: -o: cannot be used with --run, which does not link\n",
        ),
        ("@none", "polyopt-cc: error: none: No such file or directory\n"),
        ("@quotes", "polyopt-cc: error: quotes: No closing quotation\n"),
        (
            "-c wrong.c -o wrong.o",
            "wrong.c:1:24: error: use of undeclared name 'y'\n"
            "  int f(int x) { return (y); }\n"
            "                         ^\n",
        ),
    ],
)
def test_mistake(cc: Compiler, line: str, message: str):
    """One exact message, status 1, and nothing left behind."""
    (cc.folder / "folder.c").mkdir()
    (cc.folder / "notes.txt").write_text("")
    (cc.folder / "quotes").write_text("'")
    (cc.folder / "wrong.c").write_text("int f(int x) { return (y); }\n")
    before = sorted(os.listdir(cc.folder))
    assert cc(line) == (1, "", message)
    assert sorted(os.listdir(cc.folder)) == before


@as_user
def test_file_that_may_not_be_read(cc: Compiler):
    (cc.folder / "twice.c").chmod(0)
    assert cc("-c twice.c") == (1, "", "polyopt-cc: error: twice.c: Permission denied\n")


@as_user
def test_folder_that_may_not_be_written(cc: Compiler):
    cc.folder.chmod(0o500)
    assert cc("-c twice.c") == (1, "", "polyopt-cc: error: twice.o: Permission denied\n")


def test_no_linker(cc: Compiler, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(cc.folder))
    monkeypatch.delenv("CC", raising=False)
    assert cc("whole.c") == (
        1,
        "",
        "polyopt-cc: error: no system linker: none of cc, gcc, clang is on the PATH\n"
        "  hint: -c makes object files and --run runs the program in process, both without a "
        "linker\n",
    )
    assert cc.made() == set()
