"""What is doubtful is told by its name, on its line and nowhere else, as gcc tells it.

`doubts.txt` holds a text for each warning, in which `told` marks the lines where it is to be.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.frontend.messages.warning_names import ALWAYS, BY_NAME, WALL, WEXTRA
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.support.diagnostics import Diagnostic, SourceMap

CASES = {
    block.partition("\n")[0]: block.partition("\n")[2]
    for block in (Path(__file__).parent / "doubts.txt").read_text().split("=== ")[1:]
}


def marked(text: str) -> list[int]:
    lines = text.splitlines()
    return [number for number, line in enumerate(lines, 1) if "/* told */" in line]


def told(text: str, options: CFrontendOptions) -> list[tuple[str | None, int]]:
    found: list[Diagnostic] = []
    sources = SourceMap()
    sources.add("t.c", text)
    parse_c(text, "t.c", options, sources, found)
    return [(one.id, one.span.line) for one in found if one.span is not None]


@pytest.mark.parametrize("id", CASES)
def test_what_is_marked_is_told(id: str) -> None:
    lines = [
        line
        for each, line in told(CASES[id], CFrontendOptions(wanted=frozenset({id})))
        if each == id
    ]
    assert lines == marked(CASES[id])


@pytest.mark.parametrize("id", CASES)
def test_each_belongs_to_its_group(id: str) -> None:
    def is_told(options: CFrontendOptions) -> bool:
        return any(each == id for each, _ in told(CASES[id], options))

    assert is_told(CFrontendOptions()) == (id in ALWAYS)
    assert is_told(CFrontendOptions(warnings=True)) == (id in ALWAYS or id in WALL)
    assert is_told(CFrontendOptions(extra_warnings=True)) == (id in ALWAYS or id in WEXTRA)


def test_formats_of_functions_that_headers_rename() -> None:
    """glibc's headers make a macro of scanf, which so stands in attributes too."""
    text = """
    int __isoc99_sscanf(const char *, const char *, ...);
    #define scanf __isoc99_scanf
    int note(const char *, const char *, ...) __attribute__((format(scanf, 2, 3)));
    void f(long l, const char *s) {
        __isoc99_sscanf(s, "%d", &l); /* told */
        note(s, "%d", &l); /* told */
        note(s, "%ld", &l);
    }
    """
    lines = [line for _, line in told(text, CFrontendOptions(warnings=True))]
    assert lines == marked(text)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is who says it")
@pytest.mark.parametrize("id", CASES)
def test_gcc_tells_the_same_lines(id: str, tmp_path: Path) -> None:
    if id == "missing-variable-declarations":
        pytest.skip("gcc 12 has it not")
    if id == "maybe-uninitialized":
        pytest.skip("gcc is silent where it has folded the variable into its only value")
    if id == "multistatement-macros":
        pytest.skip("gcc names the place in the macro")
    source = tmp_path / "t.c"
    source.write_text(CASES[id])
    words = ["gcc", "-O2", "-S", "-o", "/dev/null"]
    needs = ["-Wformat"] if id.startswith("format") else []
    ran = subprocess.run(
        [*words, *needs, f"-W{id}", str(source)], capture_output=True, text=True, check=False
    )
    name = {"write-strings": "discarded-qualifiers"}.get(id, id)
    named = re.compile(rf":(\d+):\d+: warning: .*\[-W{name}=?\d*\]")
    assert sorted({int(line) for line in named.findall(ran.stderr)}) == marked(CASES[id])


def test_every_warning_of_the_tables_that_names_a_doubt_has_a_case() -> None:
    elsewhere = {"unknown-pragmas", "unused-function", "unused-label"}
    assert {*WALL, *WEXTRA, *BY_NAME} - elsewhere <= CASES.keys()
