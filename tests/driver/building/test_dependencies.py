"""Rules for make are those of gcc: which files, under which names, in which file."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

FILES = {
    "main.c": '#include "near.h"\n#include <own.h>\n#include <foreign.h>\nint x = ONE + SIX;\n',
    "near.h": '#include "deep/inner.h"\n',
    "deep/inner.h": '#include "innermost.h"\n#include "../near2.h"\n',
    "deep/innermost.h": "#define ONE 1\n",
    "near2.h": '#pragma once\n#include "near2.h"\n',
    "own/own.h": "#define SIX 6\n",
    "foreign/foreign.h": "#include <other.h>\n",
    "foreign/other.h": "",
    "forced.h": "#define FORCED 1\n",
    "quote/near3.h": "",
    "a b$c#.c": "int y;\n",
    "two.c": "int two;\n",
    "made.c": '#include "later.h"\n#include <sub/later2.h>\n#include "near.h"\nint x = LATER;\n',
    "program.c": '#include "near2.h"\nint main(void) { return 0; }\n',
}
FOLDERS = "-Iown -isystem foreign -iquote quote"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def rules(text: str) -> list[tuple[list[str], list[str]]]:
    """Targets and prerequisites of each rule."""
    found: list[tuple[list[str], list[str]]] = []
    for line in text.replace("\\\n", " ").splitlines():
        targets, _, names = line.partition(":")
        found.append((_words(targets), _words(names)))
    return found


def _words(text: str) -> list[str]:
    """Without the header that glibc has gcc read before every file."""
    return [word for word in re.findall(r"(?:\\.|\S)+", text) if "stdc-predef.h" not in word]


needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compare with")


@needs_gcc
@pytest.mark.parametrize(
    ("options", "file"),
    [
        ("-M main.c -MF rule", "rule"),
        ("-MM main.c -MF rule", "rule"),
        ("-MM main.c -o rule", "rule"),
        ("-M -MG made.c -MF rule", "rule"),
        ("-MM -MG made.c -MF rule", "rule"),
        ("-MM -MG -MP made.c -o rule", "rule"),
        ("-MMD -c main.c", "main.d"),
        ("-MD -c main.c -o deep/out.o", "deep/out.d"),
        ("-MD -S main.c", "main.d"),
        ("-MMD -MP -c main.c -o out.o", "out.d"),
        ("-MMD -MF named -c main.c", "named"),
        ("-MMD -MT x -MT y.o -MF named -c main.c", "named"),
        ("-MMD -MQ x$y -MF named -c main.c", "named"),
        ("-include forced.h -MMD -c main.c", "main.d"),
        ("-Wp,-MMD,named -MT main.o -c main.c", "named"),
        ("-MMD program.c -o deep/program", "deep/program.d"),
        ("-MMD program.c", "a-program.d"),
        ("-MMD -E main.c -o out.i -MF named -MT t", "named"),
    ],
)
def test_rule_is_that_of_gcc(folder: Path, options: str, file: str):
    words = [*FOLDERS.split(), *options.split()]
    subprocess.run(["gcc", *words], check=True)
    expected = rules((folder / file).read_text())
    (folder / file).unlink()
    assert polyopt_cc.main(words) == 0
    assert rules((folder / file).read_text()) == expected


def test_headers_to_be_made_are_for_rules_only(folder: Path, capfd: pytest.CaptureFixture[str]):
    for words in (["-MG", "-c"], ["-MG", "-MMD", "-c"]):
        assert polyopt_cc.main([*words, "made.c"]) == 1
        assert "-MG goes with -M or -MM" in capfd.readouterr().err
    assert polyopt_cc.main(["-MM", "made.c"]) == 1
    assert "'later.h' file not found" in capfd.readouterr().err


@needs_gcc
def test_names_are_quoted_as_by_gcc(folder: Path, capfd: pytest.CaptureFixture[str]):
    subprocess.run(["gcc", "-MM", "a b$c#.c"], check=True)
    expected = capfd.readouterr().out
    assert polyopt_cc.main(["-MM", "a b$c#.c"]) == 0
    assert capfd.readouterr().out == expected


def test_headers_of_the_library_are_the_systems(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "t.c").write_text("#include <stdio.h>\n")
    assert polyopt_cc.main(["-MM", "t.c"]) == 0
    assert capfd.readouterr().out == "t.o: t.c\n"
    assert polyopt_cc.main(["-M", "t.c"]) == 0
    assert "stdio.h" in capfd.readouterr().out


def test_long_rules_go_over_several_lines(folder: Path, capfd: pytest.CaptureFixture[str]):
    names = [f"a-rather-long-name-{number}.h" for number in range(9)]
    for name in names:
        (folder / name).write_text("")
    (folder / "t.c").write_text("".join(f'#include "{name}"\n' for name in names))
    assert polyopt_cc.main(["-MM", "t.c"]) == 0
    text = capfd.readouterr().out
    assert rules(text) == [(["t.o"], ["t.c", *names])]
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_is_written_where_the_source_is_wrong(folder: Path):
    (folder / "t.c").write_text("int x = y;\n")
    assert polyopt_cc.main(["-MMD", "-c", "t.c"]) == 1
    assert not (folder / "t.o").exists()
