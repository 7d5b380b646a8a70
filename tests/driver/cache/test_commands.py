"""A command whose work is known is answered from what was kept, and only then: files, words and
status are those of the compiler, and nothing that has changed is overlooked."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from polyopt.driver.cache.commands import answer
from polyopt.driver.cache.control import stats
from polyopt.tools import polyopt_cc

ROOT = Path(__file__).parents[3]

SUM = """\
#include "size.h"
double sum(const double a[SIZE]) {
  double s = 0;
  for (int i = 0; i < SIZE; i++)
    s += a[i];
  return s;
}
"""
DOUBTFUL = 'static int unused(void);\nint f(void) {\n  int nothing;\n  return "ab"[0];\n}\n'


class Compiler:
    """polyopt-cc in a folder of its own, as a build calls it."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]):
        self.folder = folder
        self._capture = capture

    def compile(self, line: str) -> tuple[int, str]:
        """The compiler itself: its status and standard error."""
        self._capture.readouterr()
        status = polyopt_cc.main(line.split())
        return status, self._capture.readouterr().err

    def answer(self, line: str) -> str | None:
        """What is said where the work is known; None where it is not."""
        self._capture.readouterr()
        known = answer(line.split())
        captured = self._capture.readouterr()
        assert captured.out == ""
        return captured.err if known else None

    def hits(self) -> int:
        return stats()["hits"]


@pytest.fixture
def cc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "inc").mkdir()
    (tmp_path / "late").mkdir()
    files = {"sum.c": SUM, "doubtful.c": DOUBTFUL, "late/size.h": "#define SIZE 100\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLYOPT_CACHE_DIR", str(tmp_path / "kept"))
    return Compiler(tmp_path, capfd)


COMMAND = "-c -O1 -Iinc -Ilate sum.c"


def test_answer_makes_the_same_files(cc: Compiler):
    assert cc.answer(COMMAND) is None
    assert cc.compile(COMMAND) == (0, "")
    made = (cc.folder / "sum.o").read_bytes()
    os.unlink(cc.folder / "sum.o")
    assert cc.answer(COMMAND) == ""
    assert (cc.folder / "sum.o").read_bytes() == made
    monkey = cc.compile(f"{COMMAND} --cache=off -o other.o")
    assert monkey == (0, "")
    assert (cc.folder / "other.o").read_bytes() == made


@pytest.mark.parametrize(
    "command",
    [
        "-S -O2 -Ilate sum.c",
        "-S -emit-llvm -O2 -Ilate sum.c",
        "-c -g -Ilate sum.c -o deep.o",
        "-c -Ilate sum.c doubtful.c",
        "-c -MD -Ilate sum.c",
        "-c -MMD -MF rule -MT one -MP -Ilate sum.c",
        "-fsyntax-only doubtful.c",
        "-c --remarks -O3 -Ilate sum.c",
        "-c -Wall doubtful.c",
        "-c -Wall -fdiagnostics-format=json doubtful.c",
        "-c -Wall -fdiagnostics-format=sarif doubtful.c",
        "-c -Wall -fdiagnostics-color=always doubtful.c",
        "-c -Wno-such-warning-at-all -Wnot-known doubtful.c",
        "-c -Werror -Wno-all doubtful.c",
        "-c -include late/size.h doubtful.c",
    ],
)
def test_files_and_words_are_the_same(cc: Compiler, command: str):
    before = set(os.listdir(cc.folder))
    status, said = cc.compile(command)
    assert status == 0
    names = set(os.listdir(cc.folder)) - before - {"kept"}
    made = {name: (cc.folder / name).read_bytes() for name in names}
    for name in names:
        os.unlink(cc.folder / name)
    assert cc.answer(command) == said
    assert {name: (cc.folder / name).read_bytes() for name in names} == made
    assert set(os.listdir(cc.folder)) - before - {"kept"} == names


@pytest.mark.parametrize("extra", ["", " -o again.o", " -fdiagnostics-format=json"])
def test_compiler_finds_what_another_command_made(cc: Compiler, extra: str):
    """The same work under other words: the object is found, what is said is said anew."""
    command = "-c -O2 -Wall doubtful.c"
    cc.compile(command)
    known = cc.hits()
    found = cc.compile(command + extra)
    assert cc.hits() == known + 1
    assert found == cc.compile(command + extra + " --cache=off")


def test_remarks_are_found_by_who_asks_for_them(cc: Compiler):
    """They are only made where somebody reads them."""
    command = "-c -O2 doubtful.c"
    cc.compile(command)
    known = cc.hits()
    told = cc.compile(command + " --remarks")
    assert cc.hits() == known
    assert cc.compile(command + " --remarks=json -o again.o") != told
    assert cc.compile(command + " --remarks") == told
    assert cc.hits() == known + 2


def test_words_that_are_meant_are_kept(cc: Compiler):
    """The hint is a fix, too, where another form of messages finds what was made."""
    (cc.folder / "meant.c").write_text("int longer; int f(void) { return longr(1); }\n")
    said = cc.compile("-c meant.c")
    assert "did you mean 'longer'?" in said[1]
    assert cc.answer("-c meant.c") == said[1]
    known = cc.hits()
    found = cc.compile("-c -fdiagnostics-format=json meant.c")
    assert cc.hits() == known + 1
    assert found == cc.compile("-c -fdiagnostics-format=json meant.c --cache=off")
    assert "fixits" in found[1]


def test_rule_of_found_object(cc: Compiler):
    cc.compile("-c -Ilate sum.c")
    cc.compile("-c -MD -Ilate sum.c")
    assert cc.hits() == 1
    assert (cc.folder / "sum.d").read_text() == "sum.o: sum.c late/size.h\n"


def edit(path: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / path).write_text(text)


CHANGES: dict[str, Callable[[Path], object]] = {
    "the source": edit("sum.c", SUM.replace("s = 0", "s = 1")),
    "a header": edit("late/size.h", "#define SIZE 200\n"),
    "a header, but not its time": lambda folder: (
        edit("late/size.h", "#define SIZE 300\n")(folder),
        os.utime(folder / "late/size.h", ns=(0, 0)),
    ),
    "a header that stands before it": edit("inc/size.h", "#define SIZE 400\n"),
    "a header beside the source": edit("size.h", "#define SIZE 500\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_is_seen(cc: Compiler, change: str):
    cc.compile(COMMAND)
    CHANGES[change](cc.folder)
    assert cc.answer(COMMAND) is None
    assert cc.compile(COMMAND) == (0, "")
    made = (cc.folder / "sum.o").read_bytes()
    assert cc.compile(f"{COMMAND} --cache=off -o new.o") == (0, "")
    assert (cc.folder / "new.o").read_bytes() == made
    assert cc.answer(COMMAND) == ""


def test_header_that_is_gone(cc: Compiler):
    cc.compile(COMMAND)
    os.unlink(cc.folder / "late/size.h")
    assert cc.answer(COMMAND) is None
    status, said = cc.compile(COMMAND)
    assert status == 1
    assert "'size.h' file not found" in said


def test_question_whether_a_header_is_there(cc: Compiler):
    (cc.folder / "asks.c").write_text(
        '#if __has_include("new.h")\nint there = 1;\n#else\nint there = 0;\n#endif\n'
    )
    cc.compile("-S asks.c")
    (cc.folder / "new.h").write_text("")
    assert cc.answer("-S asks.c") is None
    cc.compile("-S asks.c")
    assert r'"\001\000\000"' in (cc.folder / "asks.s").read_text()


@pytest.mark.parametrize(
    "other",
    [
        "-c -O2 -Iinc -Ilate sum.c",
        "-c -O1 -Iinc -Ilate -DSIZE=3 sum.c",
        "-c -O1 -Iinc -Ilate -march=x86-64-v2 sum.c",
        "-c -O1 -Ilate -Iinc sum.c",
    ],
)
def test_other_words(cc: Compiler, other: str):
    cc.compile(COMMAND)
    assert cc.answer(other) is None


@pytest.mark.parametrize(
    ("name", "value"), [("CPATH", "inc"), ("C_INCLUDE_PATH", "inc"), ("NO_COLOR", "1")]
)
def test_other_environment(cc: Compiler, name: str, value: str, monkeypatch: pytest.MonkeyPatch):
    cc.compile(COMMAND)
    monkeypatch.setenv(name, value)
    assert cc.answer(COMMAND) is None


def test_other_folder(cc: Compiler, monkeypatch: pytest.MonkeyPatch):
    cc.compile(COMMAND)
    shutil.copytree(cc.folder, cc.folder / "copy")
    monkeypatch.chdir(cc.folder / "copy")
    assert cc.answer(COMMAND) is None


def test_folder_in_the_object(cc: Compiler, monkeypatch: pytest.MonkeyPatch):
    """Debug information says where the compiler ran: elsewhere, the object is another."""
    source = cc.folder / "doubtful.c"
    cc.compile(f"-c -g {source} -o one.o")
    monkeypatch.chdir(cc.folder / "inc")
    known = cc.hits()
    cc.compile(f"-c -g {source} -o one.o")
    assert cc.hits() == known
    cc.compile(f"-c {source} -o two.o")
    monkeypatch.chdir(cc.folder)
    cc.compile(f"-c {source} -o two.o")
    assert cc.hits() == known + 1


@pytest.mark.parametrize("text", ["__DATE__", "__TIME__", "WHEN", "JOIN(__DA, TE__)"])
def test_time_in_the_text(cc: Compiler, text: str):
    macros = "#define WHEN __TIME__\n#define JOIN(a, b) PASTE(a, b)\n#define PASTE(a, b) a##b\n"
    (cc.folder / "when.c").write_text(f"{macros}const char *when = {text};\n")
    assert cc.compile("-c when.c") == (0, "")
    assert cc.answer("-c when.c") is None
    assert cc.compile("-c when.c -o other.o") == (0, "")
    assert cc.hits() == 0


def test_time_that_is_only_mentioned(cc: Compiler):
    (cc.folder / "when.c").write_text("#ifdef __DATE__\nint when; /* __TIME__ */\n#endif\n")
    cc.compile("-c when.c")
    assert cc.answer("-c when.c") == ""


@pytest.mark.parametrize(
    "command",
    [
        "-c -O2 --print-after=all -Ilate sum.c",
        "-c --time-passes -Ilate sum.c",
        "-c -save-temps -Ilate sum.c",
        "-c -O2 --remarks=loops -Ilate sum.c",
        "-c -O2 --export=schedule:. -Ilate sum.c",
        "-c -Ilate sum.c -o -",
        "-S -Ilate sum.c -MD -MF -",
        "-c -### -Ilate sum.c",
        "-shared -Ilate sum.c",
    ],
)
def test_what_is_to_be_seen_is_done(cc: Compiler, command: str):
    assert cc.compile(command)[0] == 0
    assert cc.answer(command) is None


def test_steps_of_a_file(cc: Compiler):
    (cc.folder / "steps").write_text("reverse S0.i\n")
    (cc.folder / "fill.c").write_text(
        "void fill(double a[100]) { for (int i = 0; i < 100; i++) a[i] = i; }\n"
    )
    command = "-c --schedule=steps fill.c"
    assert cc.compile(command) == (0, "")
    assert cc.answer(command) == ""
    (cc.folder / "steps").write_text("strip-mine S0.i 4\n")
    assert cc.answer(command) is None
    (cc.folder / "steps").write_text("print\n")
    status, said = cc.compile(command)
    assert status == 0
    assert "S0" in said
    assert cc.answer(command) is None


@pytest.mark.parametrize("line", ["-c wrong.c", "-c -Werror -Wall doubtful.c", "-c -Wunknown="])
def test_failure_is_not_kept(cc: Compiler, line: str):
    (cc.folder / "wrong.c").write_text("int f( {\n")
    first = cc.compile(line)
    assert first[0] == 1
    assert cc.answer(line) is None
    assert cc.compile(line) == first


def test_options_in_a_file(cc: Compiler):
    (cc.folder / "options").write_text("-O1 -Ilate sum.c")
    cc.compile("-c @options")
    assert cc.answer("-c @options") == ""
    (cc.folder / "options").write_text("-O2 -Ilate sum.c")
    assert cc.answer("-c @options") is None


def test_output_that_has_become_a_name_of_the_source(cc: Compiler):
    command = "-c -Ilate sum.c -o made.o"
    cc.compile(command)
    os.unlink(cc.folder / "made.o")
    (cc.folder / "made.o").symlink_to("sum.c")
    assert cc.answer(command) is None
    assert cc.compile(command)[0] == 1
    assert (cc.folder / "sum.c").read_text() == SUM


def test_output_that_cannot_be_written(cc: Compiler):
    command = "-c -Ilate sum.c -o inc/made.o"
    cc.compile(command)
    shutil.rmtree(cc.folder / "inc")
    assert cc.answer(command) is None
    status, said = cc.compile(command)
    assert status == 1
    assert "inc/made.o" in said


@pytest.mark.parametrize("suffix", [".blob", ".cases"])
def test_damaged_files(cc: Compiler, suffix: str):
    cc.compile(COMMAND)
    for path in (cc.folder / "kept").rglob(f"*{suffix}"):
        path.write_bytes(path.read_bytes()[:-3] + b"abc")
    assert cc.answer(COMMAND) is None
    assert cc.compile(COMMAND) == (0, "")
    assert cc.answer(COMMAND) == ""


# Where it is


def test_off(cc: Compiler, monkeypatch: pytest.MonkeyPatch):
    cc.compile(f"{COMMAND} --cache=off")
    assert cc.answer(f"{COMMAND} --cache=off") is None
    assert not (cc.folder / "kept").exists()
    monkeypatch.setenv("POLYOPT_CACHE_DIR", "off")
    cc.compile(COMMAND)
    assert not (cc.folder / "kept").exists()


def test_folder_by_the_command_line(cc: Compiler):
    command = f"{COMMAND} --cache={cc.folder}/here"
    cc.compile(command)
    assert cc.answer(command) == ""
    assert (cc.folder / "here").is_dir()
    assert not (cc.folder / "kept").exists()


def test_folder_that_cannot_be_used(cc: Compiler):
    status, said = cc.compile(f"{COMMAND} --cache=sum.c")
    assert status == 0
    assert "warning: --cache=sum.c: not used" in said


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/polyopt"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/polyopt"),
        ({"HOME": "/h"}, "/h/.cache/polyopt"),
        ({"POLYOPT_CACHE_DIR": "/p", "XDG_CACHE_HOME": "/x"}, "/p"),
        ({}, None),
    ],
)
def test_default_folder(
    variables: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
):
    from polyopt.driver.cache.folder import chosen_folder

    for name in ("XDG_CACHE_HOME", "HOME", "POLYOPT_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert chosen_folder() == expected
    assert chosen_folder("off") is None
    assert chosen_folder("/word") == "/word"


@pytest.mark.parametrize(
    ("text", "size"), [("200M", 200 << 20), ("2G", 2 << 30), ("5000", 5000), ("no", 512 << 20)]
)
def test_bound(text: str, size: int, monkeypatch: pytest.MonkeyPatch):
    from polyopt.driver.cache.folder import chosen_bound

    monkeypatch.setenv("POLYOPT_CACHE_SIZE", text)
    assert chosen_bound() == size


def test_statistics_and_clearing(cc: Compiler, capfd: pytest.CaptureFixture[str]):
    cc.compile(COMMAND)
    cc.answer(COMMAND)
    capfd.readouterr()
    assert polyopt_cc.main(["--cache-stats"]) == 0
    shown = capfd.readouterr().out
    assert f"{cc.folder}/kept: 3 files" in shown
    assert "found 1 times, not found 1 times" in shown
    assert polyopt_cc.main(["--cache-clear"]) == 0
    capfd.readouterr()
    assert cc.answer(COMMAND) is None
    assert polyopt_cc.main(["--cache-stats", "--cache=off"]) == 1
    assert "there is no cache: it is off" in capfd.readouterr().err


# Processes

ALONE = {"PATH": os.environ["PATH"], "HOME": "/nowhere"}


def run(folder: Path, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**ALONE, "POLYOPT_CACHE_DIR": str(folder / "kept"), **variables}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )


def test_known_work_loads_no_compiler(cc: Compiler):
    """Neither the compiler nor what it is made of: the whole answer takes as long as Python."""
    command = ["-m", "polyopt.tools.polyopt_cc", "-c", "-O1", "-Ilate", "sum.c"]
    run(cc.folder, [sys.executable, *command])
    os.unlink(cc.folder / "sum.o")
    ran = run(cc.folder, [sys.executable, "-X", "importtime", *command])
    assert (cc.folder / "sum.o").exists()
    modules = {line.split("|")[-1].strip() for line in ran.stderr.splitlines()}
    assert "polyopt.driver.cache.commands" in modules
    heavy = {"xdsl", "pcpp", "pycparser", "islpy", "llvmlite", "numpy"}
    heavy |= {"dataclasses", "inspect", "argparse", "json", "ctypes", "hashlib"}
    assert not heavy & {name.partition(".")[0] for name in modules}
    own = {name for name in modules if name.startswith("polyopt")}
    assert len(own) < 20
    assert not {name for name in own if "frontend" in name or "pipeline" in name}


def test_changed_compiler_is_another_compiler(cc: Compiler):
    """In a checkout the compiler's own files change: what the old one made is not the new one's."""
    package = cc.folder / "lib" / "polyopt"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "compiler", package, ignore=ignored)
    for room in ("dialects", "passes", "tools"):
        shutil.copytree(ROOT / room, package / room, ignore=ignored)
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-c", "doubtful.c"]
    path = str(cc.folder / "lib")

    def misses() -> int:
        run(cc.folder, command, PYTHONPATH=path)
        return stats()["misses"]

    assert [misses(), misses()] == [1, 1]
    changed = package / "passes" / "lower" / "__init__.py"
    changed.write_text(changed.read_text() + "# changed\n")
    assert [misses(), misses()] == [2, 2]
    (package / "frontend" / "include" / "new.h").write_text("")
    assert [misses(), misses()] == [3, 3]


def test_many_builds_at_once(cc: Compiler):
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-c", "-O1", "-Ilate", "sum.c"]
    environment = {**ALONE, "POLYOPT_CACHE_DIR": str(cc.folder / "kept")}
    workers = [
        subprocess.Popen([*command, "-o", f"{number % 2}.o"], cwd=cc.folder, env=environment)
        for number in range(4)
    ]
    assert [worker.wait() for worker in workers] == [0] * 4
    assert (cc.folder / "0.o").read_bytes() == (cc.folder / "1.o").read_bytes()


def test_words_as_data(cc: Compiler):
    command = "-c -Wall -fdiagnostics-format=json doubtful.c"
    cc.compile(command)
    said = cc.answer(command)
    assert said is not None
    options = [one["option"] for one in json.loads(said)]
    assert options == ["-Wunused-function", "-Wunused-variable"]
