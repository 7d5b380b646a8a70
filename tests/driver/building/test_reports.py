"""Messages as data and in colours, and all errors of all files at once."""

import json
from pathlib import Path

import pytest

from polyopt.driver.building.reports import coloured
from polyopt.tools import polyopt_cc

WRONG = """\
int first = unknown;
struct point { int x, y; };
int f(struct point *p) {
  int lost = missing + 1;
  lost = lost + 2;
  p->z = 3;
  missing = 4;
  for (int i = 0; i < 3; i++) { { struct nothing s; } break; wanting = 1; }
  continue;
  goto nowhere;
  return f(p, p) + first;
}
double g(void) { return f(0, 0, 0); }
"""
EXPECTED = [(1, 13), (4, 14), (6, 3), (8, 50), (8, 62), (9, 3), (10, 3), (11, 10), (13, 25)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.c").write_text(WRONG)
    (tmp_path / "doubtful.c").write_text(
        "#warning beware\nint f(void) { int x; return 1 << 40; }\n"
    )
    return tmp_path


def places(capture: pytest.CaptureFixture[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for line in capture.readouterr().err.splitlines():
        if ": error: " in line:
            _, row, column, *_ = line.split(":")
            found.append((int(row), int(column)))
    return found


def test_every_error_is_told_once(capfd: pytest.CaptureFixture[str]):
    """But `lost`, `first` and the second use of `missing`: what is wrong there follows."""
    assert polyopt_cc.main(["-c", "wrong.c"]) == 1
    assert [row for row, _ in places(capfd)] == [row for row, _ in EXPECTED]


def test_every_syntax_error_is_told(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "t.c").write_text(
        "struct a { int x; int y };\n"
        "int f(void) { return 1 }\n"
        "int g(void) { if (1 { return 2; } return 3; }\n"
        "int right(void) { return 4; }\n"
        "int h(int) { for (;;) { x = ; } }\n"
    )
    assert polyopt_cc.main(["-c", "t.c"]) == 1
    assert [row for row, _ in places(capfd)] == [1, 2, 3, 5]


def test_one_wrong_file_does_not_hide_another(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "other.c").write_text("int x = y;\n")
    (folder / "right.c").write_text("int z;\n")
    assert polyopt_cc.main(["-c", "wrong.c", "right.c", "other.c"]) == 1
    assert "other.c:1:" in capfd.readouterr().err
    assert (folder / "right.o").exists()


def test_json(capfd: pytest.CaptureFixture[str]):
    assert polyopt_cc.main(["-fdiagnostics-format=json", "-Wall", "-c", "doubtful.c"]) == 0
    found = json.loads(capfd.readouterr().err)
    assert [(d["kind"], d["option"]) for d in found] == [
        ("warning", "-Wcpp"),
        ("warning", "-Wshift-count"),
        ("warning", "-Wunused-variable"),
    ] or {d["option"] for d in found} == {"-Wcpp", "-Wshift-count", "-Wunused-variable"}
    assert found[0]["locations"][0]["caret"]["file"] == "doubtful.c"
    assert polyopt_cc.main(["-fdiagnostics-format=json", "-c", "wrong.c"]) == 1
    found = json.loads(capfd.readouterr().err)
    assert [d["locations"][0]["caret"]["line"] for d in found] == [row for row, _ in EXPECTED]


MISTAKEN = """\
int length(void) { return 3 }
#define SIX lenth() * 2
int twice(void) { return lenth() + length() + SIX; }
"""


def test_what_makes_it_right_is_data(folder: Path, capfd: pytest.CaptureFixture[str]):
    """A word in place of another, or one that is missing; where both are in a macro, neither."""
    (folder / "m.c").write_text(MISTAKEN)
    polyopt_cc.main(["-fdiagnostics-format=json", "-std=gnu23", "-c", "m.c"])
    found = json.loads(capfd.readouterr().err)
    fixes = [(d["fixits"][0], d["children"]) for d in found if "fixits" in d]
    place = {"file": "m.c", "line": 1, "column": 28}
    assert fixes[0] == ({"start": place, "next": place, "string": ";"}, [])
    (folder / "m.c").write_text(MISTAKEN.replace(" 3 }", " 3; }"))
    polyopt_cc.main(["-fdiagnostics-format=json", "-std=gnu23", "-c", "m.c"])
    found = json.loads(capfd.readouterr().err)
    start = {"file": "m.c", "line": 3, "column": 26}
    wanted = {"start": start, "next": start | {"column": 31}, "string": "length"}
    assert [d["fixits"] for d in found if "fixits" in d] == [[wanted]]
    polyopt_cc.main(["-fdiagnostics-format=sarif", "-std=gnu23", "-c", "m.c"])
    results = json.loads(capfd.readouterr().err)["runs"][0]["results"]
    (change,) = next(r["fixes"] for r in results if "fixes" in r)[0]["artifactChanges"]
    region = {"startLine": 3, "startColumn": 26, "endColumn": 31}
    assert change["replacements"] == [
        {"deletedRegion": region, "insertedContent": {"text": "length"}}
    ]


def test_sarif(capfd: pytest.CaptureFixture[str]):
    assert polyopt_cc.main(["-fdiagnostics-format=sarif", "-c", "wrong.c", "missing.c"]) == 1
    log = json.loads(capfd.readouterr().err)
    assert log["version"] == "2.1.0"
    results = log["runs"][0]["results"]
    regions = [
        result["locations"][0]["physicalLocation"]["region"]["startLine"]
        for result in results
        if "locations" in result
    ]
    assert regions == [row for row, _ in EXPECTED]
    assert {result["level"] for result in results} == {"error"}


def test_right_files_are_an_empty_array(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "right.c").write_text("int z;\n")
    assert polyopt_cc.main(["-fdiagnostics-format=json", "-c", "right.c"]) == 0
    assert json.loads(capfd.readouterr().err) == []


def test_colours_when_asked_for(capfd: pytest.CaptureFixture[str]):
    polyopt_cc.main(["-c", "wrong.c"])
    plain = capfd.readouterr().err
    polyopt_cc.main(["-fdiagnostics-color=always", "-c", "wrong.c"])
    coloured_text = capfd.readouterr().err
    assert "\033[" not in plain
    assert coloured_text == coloured(plain)
    assert "\033[1;31merror:" in coloured_text


def test_colours_on_a_terminal_unless_unwanted(monkeypatch: pytest.MonkeyPatch):
    import os
    import pty
    import subprocess
    import sys

    def told(**environment: str) -> bytes:
        master, slave = pty.openpty()
        command = [sys.executable, "-m", "polyopt", "-c", "wrong.c"]
        subprocess.run(command, stderr=slave, check=False, env={**os.environ, **environment})
        os.close(slave)
        text = os.read(master, 100_000)
        os.close(master)
        return text

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert b"\033[1;31m" in told(TERM="xterm")
    assert b"\033[" not in told(TERM="xterm", NO_COLOR="1")
    assert b"\033[" not in told(TERM="dumb")


def test_text_that_is_no_message_keeps_its_look():
    for text in ("plain", "a: b: c", "    x = 1;"):
        assert coloured(text) == text


@pytest.mark.parametrize(
    ("options", "status", "count"),
    [
        ("-Werror=cpp", 1, 1),
        ("-Werror -Wno-error=cpp -Wno-shift-count", 0, 0),
        ("-Werror", 1, 1),
        ("-Wall -Wno-error=cpp -Werror", 1, 1),
        ("-Wunused -Werror=unused-variable", 1, 1),
        ("-Wunused", 0, 0),
        ("-Werror=sign-compare", 0, 0),
    ],
)
def test_warnings_that_are_errors(
    folder: Path, options: str, status: int, count: int, capfd: pytest.CaptureFixture[str]
):
    assert polyopt_cc.main([*options.split(), "-c", "doubtful.c"]) == status
    text = capfd.readouterr().err
    assert text.count("error: ") == count
    assert (folder / "doubtful.o").exists() is (status == 0)


RACING = """\
void f(int n, double *a) {
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
}
"""


def test_places_that_belong_to_a_warning_go_with_it(
    folder: Path, capfd: pytest.CaptureFixture[str]
):
    (folder / "racing.c").write_text(RACING)
    words = ["-fopenmp", "-fsyntax-only", "racing.c"]
    assert polyopt_cc.main(["-fdiagnostics-format=json", *words]) == 0
    (warning,) = json.loads(capfd.readouterr().err)
    assert (warning["kind"], warning["option"]) == ("warning", "-Wopenmp-races")
    hint, *notes = warning["children"]
    assert hint["locations"] == []
    assert [note["locations"][0]["caret"]["column"] for note in notes] == [5, 12]
    assert polyopt_cc.main(["-fdiagnostics-format=sarif", *words]) == 0
    (result,) = json.loads(capfd.readouterr().err)["runs"][0]["results"]
    related = [one["physicalLocation"]["region"] for one in result["relatedLocations"]]
    assert related == [{"startLine": 4, "startColumn": 5}, {"startLine": 4, "startColumn": 12}]
    assert polyopt_cc.main(["-Werror", "-Wno-error=openmp-races", *words]) == 0
    assert polyopt_cc.main(["-Werror", *words]) == 1


def test_no_warnings_beside_errors_where_none_are_wanted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    source = tmp_path / "t.c"
    source.write_text("char *p = 5;\nint f(void) { return x; }\n")
    words = ["-c", str(source), "-o", str(tmp_path / "t.o")]
    assert polyopt_cc.main(words) == 1
    assert "warning: initialisation makes pointer" in capfd.readouterr().err
    assert polyopt_cc.main(["-w", *words]) == 1
    told = capfd.readouterr().err
    assert "undeclared name 'x'" in told
    assert "warning:" not in told
