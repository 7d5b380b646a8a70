"""Sources made side by side: nothing can be told from those made one after the other."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polyopt.driver.building.reports import Reporter
from polyopt.driver.building.side_by_side import made_side_by_side
from polyopt.driver.units import unit as stages
from polyopt.driver.units import unit_parts
from polyopt.driver.units.unit import Unit
from polyopt.frontend.parse_c import CFrontendOptions, parse_c
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.remarks import collect_remarks, count, remark
from polyopt.tools import polyopt_cc

SOURCES = {
    "sum.c": "double f(int n, double *a) {\n"
    "  double s = 0;\n  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}\n",
    "doubtful.c": "int g(void) { return 1 << 40; }\n",
    "wrong.c": "int h(void) { return missing; }\n",
    "scale.c": "void k(int n, float *a) { for (int i = 0; i < n; i++) a[i] *= 2; }\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("wrong", [False, True], ids=["right", "wrong"])
@pytest.mark.parametrize("flags", ["--remarks", "-Wall -fdiagnostics-format=json", "-MMD"])
def test_the_same_is_said_and_made(
    flags: str, wrong: bool, folder: Path, capfd: pytest.CaptureFixture[str]
):
    names = [name for name in SOURCES if wrong or name != "wrong.c"]

    def outcome(jobs: str) -> tuple[int, str, str, dict[str, bytes]]:
        words = [jobs, *flags.split(), "-O2", "--cache=off", "-c", *names]
        status = polyopt_cc.main(words)
        made = {one.name: one.read_bytes() for one in folder.glob("*.[od]")}
        for name in made:
            (folder / name).unlink()
        captured = capfd.readouterr()
        return status, captured.out, captured.err, made

    found = outcome("-j3")
    assert found == outcome("-j1")
    assert found[0] == int(wrong)
    objects = {Path(name).with_suffix(".o").name for name in names if name != "wrong.c"}
    assert {name for name in found[3] if name.endswith(".o")} == objects


def test_programs_are_linked_from_all(folder: Path):
    (folder / "main.c").write_text(
        "#include <stdio.h>\ndouble f(int, double *);\nint main(void) {\n"
        '  double a[3] = {1, 2, 4};\n  printf("%g\\n", f(3, a));\n}\n'
    )
    assert polyopt_cc.main(["-j", "2", "--cache=off", "main.c", "sum.c", "-o", "prog"]) == 0
    assert subprocess.run(["./prog"], capture_output=True, check=True).stdout == b"7\n"


def test_as_many_as_are_asked_for_work_at_a_time(folder: Path):
    def meet(item: int, _: Reporter) -> list[str | bytes]:
        """Two that wait for each other, then two more; so many have begun and not ended."""
        (folder / f"begun{item}").touch()
        late = time.monotonic() + 60
        while not (folder / f"begun{item ^ 1}").exists() and time.monotonic() < late:
            time.sleep(0.001)
        assert (folder / f"begun{item ^ 1}").exists()
        begun, ended = (len(list(folder.glob(f"{word}*"))) for word in ("begun", "ended"))
        (folder / f"ended{item}").touch()
        return [str(begun - ended)]

    found = list(made_side_by_side(range(4), 2, meet, Reporter()))
    assert max(int(one) for (one,) in found if isinstance(one, str)) == 2


def test_what_is_said_comes_in_order(capfd: pytest.CaptureFixture[str]):
    def make(item: int, reporter: Reporter) -> list[str | bytes]:
        time.sleep(0.05 * (3 - item))
        print(f"about {item}", file=sys.stderr)
        remark("missed", "id", f"remark {item}")
        count("scops", item)
        if item == 1:
            reporter.error(CompileError("one is wrong"))
        return [f"{item}" * 100_000]

    reporter = Reporter()
    with collect_remarks() as remarks:
        made = list(made_side_by_side(range(4), 4, make, reporter))
    assert made == [[f"{item}" * 100_000] for item in range(4)]
    said = [line for line in capfd.readouterr().err.splitlines() if line.startswith("about")]
    assert said == [f"about {item}" for item in range(4)]
    assert [item.message for item in remarks.items] == [f"remark {item}" for item in range(4)]
    assert remarks.counters == {"scops": 6}
    assert reporter.failed


@pytest.mark.parametrize("way", ["dies", "raises"])
def test_a_defect_is_told_as_ever(way: str, capfd: pytest.CaptureFixture[str]):
    here = os.getpid()

    def make(item: int, _: Reporter) -> list[str | bytes]:
        if item == 1 and way == "raises":
            raise AssertionError("impossible")
        if item == 1 and os.getpid() != here:
            os._exit(7)
        return [str(item)]

    made = made_side_by_side(range(3), 3, make, Reporter())
    if way == "dies":
        assert list(made) == [["0"], ["1"], ["2"]]
    else:
        assert next(made) == ["0"]
        with pytest.raises(AssertionError, match="impossible"):
            next(made)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("word", ["-j0", "-jfew", "-j-1"])
def test_no_number_of_processes(word: str, capfd: pytest.CaptureFixture[str]):
    assert polyopt_cc.main([word, "-c", "sum.c"]) == 1
    assert "a number of processes" in capfd.readouterr().err


PARTS = """#include <stdio.h>
static int calls;
int first;
extern int last __attribute__((alias("first")));
static double twice(double x) { calls++; return 2 * x; }
void sum(int n, double *a, double *s) { for (int i = 0; i < n; i++) *s += a[i]; puts("same"); }
void scale(int n, double *a) { for (int i = 0; i < n; i++) a[i] = twice(a[i]); puts("same"); }
int how_many(void) { return calls; }
__attribute__((constructor)) void begin(void) { puts("begin"); }
void set(int x) { first = x; }
__attribute__((constructor)) void go_on(void) { puts("go on"); }
int get(void) { return last; }
"""


def test_what_is_joined_by_names_is_one_part(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(unit_parts, "LEAST", (1,))
    module = parse_c(PARTS, "parts.c", CFrontendOptions(), SourceMap())

    def parts(most: int) -> set[frozenset[str]]:
        found = unit_parts.parts_of(module, most, 0)
        return {frozenset(str(op.properties["sym_name"])[1:-1] for op in one) for one in found}

    pieces = (
        {"sum"},
        {"scale", "twice", "calls", "how_many"},
        {"begin", "go_on"},
        {"first", "last", "set", "get"},
    )
    assert parts(9) == {frozenset(piece) for piece in pieces}
    assert len(parts(2)) == 2
    assert not parts(1)


@pytest.mark.parametrize(("level", "count"), [(0, 0), (1, 0), (2, 2), (3, 2)])
def test_as_many_operations_are_worth_a_process_as_the_level_is_slow(level: int, count: int):
    loop = "void f{}(int n, double *a) {{ for (int i = 0; i < n; i++) a[i] += {}; }}\n"
    text = "".join(loop.format(number, number) for number in range(20))
    module = parse_c(text, "loops.c", CFrontendOptions(), SourceMap())
    assert 300 < sum(1 for _ in module.walk()) < 800
    assert len(unit_parts.parts_of(module, 2, level)) == count


@pytest.mark.parametrize("way", ["made", "dies"])
def test_one_source_is_made_in_parts(
    way: str, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    (folder / "parts.c").write_text(PARTS)
    (folder / "main.c").write_text(
        "#include <stdio.h>\nvoid sum(), scale(), set(); int how_many(), get();\n"
        "int main(void) { double a[2] = {1, 2}, s = 0; scale(2, a); sum(2, a, &s); set(5);\n"
        '  printf("%g %d %d\\n", s, how_many(), get()); }\n'
    )
    monkeypatch.setattr(unit_parts, "LEAST", (1,))
    here, object_code = os.getpid(), stages.object_code
    made: list[Unit] = []

    def in_one_piece(unit: Unit) -> bytes:
        if os.getpid() != here and way == "dies":
            os._exit(7)
        made.append(unit)
        return object_code(unit)

    monkeypatch.setattr(stages, "object_code", in_one_piece)
    said: list[str] = []
    for jobs in ("-j1", "-j3"):
        assert polyopt_cc.main([jobs, "-O1", "--remarks", "--cache=off", "-c", "parts.c"]) == 0
        said.append(capfd.readouterr().err)
    assert len(made) == (1 if way == "made" else 2)
    assert said[0] == said[1]
    subprocess.run(["cc", "main.c", "parts.o", "-o", "prog"], check=True)
    printed = subprocess.run(["./prog"], capture_output=True, check=True).stdout
    assert printed == b"begin\ngo on\nsame\nsame\n6 2 5\n"
