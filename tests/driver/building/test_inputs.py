"""Files in other languages than C, and files that polyopt leaves to the system's compiler."""

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.driver.options.flags import FLAGS
from polyopt.tools import polyopt_cc

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")

MAIN = """\
#include <stdio.h>
#include <string.h>
#ifndef VALUE
#define VALUE 41
#endif
int next(int);
int main(void) { printf("%d %zu\\n", next(VALUE), strlen("four")); return 0; }
"""
NEXT = """\
#define STEP 1
.globl next
next:
  lea STEP(%rdi), %eax
  ret
.section .note.GNU-stack,"",@progbits
"""
UNREADABLE = """\
#include "step.h"
int next(int x) { int step(int y) { return y + STEP; } return step(x); }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CC", raising=False)
    files = {"main.c": MAIN, "next.S": NEXT, "unreadable.c": UNREADABLE, "step.h": "#define STEP 1"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def cc(line: str) -> int:
    return polyopt_cc.main(line.split())


def output(program: str = "./a.out") -> str:
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def test_assembly_goes_to_the_systems_assembler():
    assert cc("main.c next.S") == 0
    assert output() == "42 4\n"


def test_own_assembly_is_read_back():
    assert cc("-S -O2 main.c") == 0
    assert cc("-Wa,--noexecstack main.s next.S -o program") == 0
    assert output("./program") == "42 4\n"


@pytest.mark.parametrize("maker", ["gcc", "polyopt-cc"])
def test_preprocessed_text_of_either_compiler(maker: str):
    words = ["-E", "main.c", "-DVALUE=7", "-o", "main.i"]
    if maker == "gcc":
        subprocess.run(["gcc", *words], check=True)
    else:
        assert polyopt_cc.main(words) == 0
    assert cc("main.i next.S -DVALUE=100") == 0
    assert output() == "8 4\n"


def test_our_preprocessed_text_is_read_by_gcc():
    assert cc("-E main.c -o main.i") == 0
    subprocess.run(["gcc", "main.i", "next.S"], check=True)
    assert output() == "42 4\n"


def test_language_by_option(folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "main.txt").write_text(MAIN)
    assert cc("-x c main.txt -x none next.S") == 0
    assert output() == "42 4\n"
    (folder / "a.out").unlink()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MAIN.encode())))
    assert cc("-x c - -x none next.S") == 0
    assert output() == "42 4\n"


def test_fallback_tells_what_it_could_not_read(folder: Path, capfd: pytest.CaptureFixture[str]):
    assert cc("--fallback=cc -O2 --poly=auto -MMD main.c unreadable.c") == 0
    assert capfd.readouterr().err.startswith("unreadable.c:2:35: warning: ")
    assert output() == "42 4\n"
    assert (folder / "a-unreadable.d").read_text() == "unreadable.o: unreadable.c step.h\n"


def test_no_fallback_unless_asked_for(folder: Path, capfd: pytest.CaptureFixture[str]):
    for options in ("", "--fallback=cc --fallback=none"):
        assert cc(f"{options} -c unreadable.c") == 1
        assert ": error: " in capfd.readouterr().err
        assert not (folder / "unreadable.o").exists()


def test_what_is_wrong_in_both_is_an_error(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "wrong.c").write_text("int f(void) { return y; }\n")
    assert cc("--fallback=cc -c wrong.c") == 1
    assert capfd.readouterr().err.count("error: ") >= 1
    assert not (folder / "wrong.o").exists()


def test_fallback_gets_the_options(folder: Path):
    """The macro, the folder and the level are the same for the other compiler."""
    (folder / "inner").mkdir()
    (folder / "inner" / "in.h").write_text("#define FROM_HEADER 2\n")
    (folder / "t.c").write_text(
        "#include <in.h>\n"
        "int main(void) { int g(void) { return 0; } "
        "return FROM_HEADER * OPTION - __OPTIMIZE__ + g(); }\n"
    )
    assert cc("--fallback=cc -Iinner -DOPTION=3 -O2 -fno-poly -ftree-vectorize t.c") == 0
    assert subprocess.run(["./a.out"], check=False).returncode == 5


def test_another_compiler_gets_no_option_that_it_lacks(folder: Path):
    """Of those that it may be given all without a value, and those with one that it has not."""
    plain = [
        flag.spelling
        for heading in ("Code", "Threads")
        for flag in FLAGS[heading]
        if flag.shape in ("alone", "optional") and flag.treatment == "honoured"
    ]
    ours = "-fgnuc-version=4.2.1 -fparallel=2 -fparallel-threshold=1000 -fopenmp=libgomp"
    options = [*plain, *ours.split(), "-O2", "-g0", "-fcf-protection=none"]
    (folder / "next.S").write_text(".globl level\nlevel = __OPTIMIZE__\n")
    assert polyopt_cc.main([*options, "-c", "next.S"]) == 0
    assert polyopt_cc.main([*options, "--fallback=cc", "-w", "-c", "unreadable.c"]) == 0


def test_temporary_files_are_kept(folder: Path):
    assert cc("-save-temps -c main.c") == 0
    assert "strlen" in (folder / "main.i").read_text()
    assert "main:" in (folder / "main.s").read_text()


def test_words_of_the_linkers_options_are_no_files(folder: Path):
    """Also where they look like nothing that is linked."""
    (folder / "main.c").write_text("int main(void) { return 0; }\nint begin(void) { return 0; }\n")
    words = "-O0 -Xlinker -z -Xlinker now -z relro -u main -e begin main.c -o program"
    assert polyopt_cc.main(words.split()) == 0
    entry = subprocess.run(["readelf", "-h", "program"], capture_output=True, text=True, check=True)
    symbols = subprocess.run(["nm", "program"], capture_output=True, text=True, check=True)
    place = next(line.split()[0] for line in symbols.stdout.splitlines() if line.endswith(" begin"))
    assert f"0x{int(place, 16):x}" in entry.stdout
    flags = subprocess.run(["readelf", "-d", "program"], capture_output=True, text=True, check=True)
    assert "NOW" in flags.stdout
