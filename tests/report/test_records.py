"""Remarks for other programs: JSON, and the YAML that LLVM's viewers read."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from polyopt.report.records import as_json, as_yaml
from polyopt.support.diagnostics import Span
from polyopt.support.remarks import Remark, collect_remarks, know_functions, remark
from polyopt.tools.polyopt_cc import main

REMARKS = [
    Remark("applied", "affine-vectorize", "vectors of 4", Span("it's.c", 3, 7), "f"),
    Remark("missed", "scop-call", 'says: "no", isn\'t worth {it}\n', Span("a b.c", 2), None),
    Remark("analysis", "pays", "\u00e9t\u00e9: # 3", None, "g"),
]
SOURCE = """\
void twice(int n, double a[n]) { for (int i = 0; i < n; i++) a[i] *= 2; }
void early(int n, double *a) {
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
}
"""
CALLS = """\
void done(int);
void calls(int n) { for (int i = 0; i < n; i++) done(i); }
"""


def test_json_has_everything() -> None:
    found = json.loads(as_json(REMARKS))
    assert found["version"] == 1
    assert found["loops"] == []
    assert found["remarks"][0] == {
        "kind": "applied",
        "id": "affine-vectorize",
        "message": "vectors of 4",
        "function": "f",
        "file": "it's.c",
        "line": 3,
        "column": 7,
    }
    assert [one["message"] for one in found["remarks"]] == [one.message for one in REMARKS]
    assert found["remarks"][2]["line"] is None


def test_yaml_is_what_llvm_writes() -> None:
    """As in LLVM's own tests of opt-viewer: a tag, and these keys."""
    text = as_yaml(REMARKS[:1])
    assert text == (
        "--- !Passed\n"
        "Pass:            polyopt\n"
        "Name:            'affine-vectorize'\n"
        "DebugLoc:        { File: 'it''s.c', Line: 3, Column: 7 }\n"
        "Function:        'f'\n"
        "Args:\n"
        "  - String:          'vectors of 4'\n"
        "...\n"
    )


def test_yaml_is_read_again() -> None:
    yaml = pytest.importorskip("yaml")
    documents = list(yaml.compose_all(as_yaml(REMARKS), Loader=yaml.SafeLoader))
    assert [one.tag for one in documents] == ["!Passed", "!Missed", "!Analysis"]
    for node, expected in zip(documents, REMARKS, strict=True):
        keys = {key.value: value for key, value in node.value}
        assert keys["Args"].value[0].value[0][1].value == expected.message
        assert keys["Function"].value == expected.function or expected.function is None
        if expected.span is not None:
            place = {key.value: value.value for key, value in keys["DebugLoc"].value}
            assert (place["File"], place["Line"]) == (expected.span.file, str(expected.span.line))


def test_functions_are_those_around() -> None:
    with collect_remarks() as remarks:
        know_functions([(Span("x.c", 9, 1), "second"), (Span("x.c", 2, 5), "first")])
        for place in (Span("x.c", 1), Span("x.c", 2, 5), Span("x.c", 8), Span("x.c", 30), None):
            remark("analysis", "some", str(place), place)
        remark("analysis", "other-file", "", Span("y.h", 40))
        remark("analysis", "named", "", Span("x.c", 3), "inlined")
    found = [one.function for one in remarks.items]
    assert found == [None, "first", "first", "second", None, None, "inlined"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.c").write_text(SOURCE)
    return tmp_path


def test_records_lie_beside_what_is_made(folder: Path) -> None:
    words = ["--cache=off", "-O2", "x.c"]
    assert main([*words, "-fsave-optimization-record", "-c"]) == 0
    text = (folder / "x.opt.yaml").read_text()
    assert "Function:        'twice'" in text
    assert "Function:        'early'" in text
    assert text.count("--- !") == text.count("\n...\n")
    assert main([*words, "-fsave-optimization-record=yaml", "-S", "-o", "out.s"]) == 0
    assert (folder / "out.opt.yaml").read_text() == text
    assert main([*words, "-foptimization-record-file=here", "-c"]) == 0
    assert (folder / "here").read_text() == text
    (folder / "x.opt.yaml").unlink()
    last_wins = ["-fsave-optimization-record", "-fno-save-optimization-record"]
    assert main([*words, *last_wins, "-c"]) == 0
    assert not (folder / "x.opt.yaml").exists()


def test_json_on_the_command_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for cached in ("off", "here", "here"):
        words = ["-O2", "x.c", "-c", "--remarks=json", "--remarks=loops", f"--cache={cached}"]
        assert main(words) == 0
        found = json.loads(capfd.readouterr().err)
        assert {one["function"] for one in found["remarks"]} == {"twice", "early"}
        loops = {one["function"]: one for one in found["loops"]}
        assert (loops["early"]["line"], loops["early"]["last_line"]) == (3, 4)
        assert loops["early"]["status"] in ("held", "left")
        assert "line 4 at i = 2 needs" in " ".join(loops["early"]["details"])


def test_levels_say_more_and_more(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "x.c").write_text(SOURCE + CALLS)
    told: list[set[str]] = []
    for level in "1234":
        assert main(["-O2", "x.c", "-c", "--cache=off", f"--remarks={level}"]) == 0
        told.append(set(capfd.readouterr().err.splitlines()))
    assert all(before < after for before, after in pairwise(told))
    assert all(": applied: " in line for line in told[0])
    assert all(": missed: " in line for line in told[1] - told[0])


def test_what_goes_together(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", "x.c", "x.c", "-foptimization-record-file=x"]) == 1
    assert "names one file" in capfd.readouterr().err
    assert main(["-c", "x.c", "-fsave-optimization-record=bitstream"]) == 1
    assert "expected one of yaml" in capfd.readouterr().err
