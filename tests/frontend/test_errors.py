"""What is wrong with a program is said once, in the right place, in these words.

`errors.txt` and `warnings.txt` hold a C text and all that is said of it, case by case.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap

FOLDER = Path(__file__).parent


def read_cases(name: str) -> list[pytest.ParameterSet]:
    cases: list[pytest.ParameterSet] = []
    for block in (FOLDER / name).read_text().split("=== ")[1:]:
        title, _, rest = block.partition("\n")
        text, expected = rest.split("---\n")
        cases.append(pytest.param(text, expected, id=title.replace(" ", "-")))
    return cases


def refusal(text: str, filename: str = "t.c", options: CFrontendOptions | None = None) -> str:
    """What is said of a text that is refused."""
    sources = SourceMap()
    with pytest.raises(CompileError) as caught:
        parse_c(text, filename, options or CFrontendOptions(), sources)
    return caught.value.render(sources) + "\n"


@pytest.mark.parametrize(("text", "expected"), read_cases("errors.txt"))
def test_error(text: str, expected: str) -> None:
    assert refusal(text) == expected


def test_a_call_of_an_undeclared_function_is_an_error_in_c23() -> None:
    text = 'int main(void) { printf("hello"); }'
    assert "call of undeclared function 'printf'" in refusal(
        text, options=CFrontendOptions(std="gnu23")
    )


def test_an_empty_initialiser_of_a_scalar_is_zero_in_c23() -> None:
    text = """static double s = {};
    int f(void) { int x = {}, *p = {}, a[2][2] = {{}, {{}, 1}}; struct { float y; } r = {{}};
      return x + !p + a[0][0] + a[1][1] + (int)r.y + (int)s + (int){}; }"""
    parse_c(text, "t.c", CFrontendOptions(std="c23"), SourceMap())
    assert "empty initialiser of a scalar" in refusal(text)


def test_headers_of_c23() -> None:
    text = """#include <stdckdint.h>
    #include <stddef.h>
    static_assert(sizeof(nullptr_t) == sizeof(void *));
    int f(int a, int *r) { if (a > 9) unreachable(); nullptr_t p = nullptr; (void)p;
      return ckd_add(r, a, 1) || ckd_mul(r, *r, 3) || ckd_sub(r, 3, *r); }"""
    parse_c(text, "t.c", CFrontendOptions(std="c23"), SourceMap())
    assert "call of undeclared function" not in refusal("#include <stddef.h>\nnullptr_t x;")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("constexpr int n;", "constexpr 'n' has no value"),
        ("constexpr unsigned char c = 300;", "constexpr 'c' cannot hold 300"),
        ("constexpr float f = 0.1;", "constexpr 'f' cannot hold 0.1"),
        ("extern int e; constexpr int n = e;", "initialiser is not a constant"),
        ("int f(int k) { constexpr int z = k; return z; }", "initialiser is not a constant"),
        ("int f(int k) { constexpr int z[k] = {}; return 0; }", "'int [k]' cannot be constexpr"),
        ("constexpr volatile int v = 3;", "'volatile int' cannot be constexpr"),
        ("void f(void) { constexpr int b = 2; b = 3; }", "assignment to const object 'b'"),
    ],
)
def test_what_is_no_constant_in_c23(text: str, said: str) -> None:
    assert said in refusal(text, options=CFrontendOptions(std="c23"))


@pytest.mark.parametrize(("text", "expected"), read_cases("warnings.txt"))
def test_warnings(text: str, expected: str) -> None:
    sources = SourceMap()
    found: list[Diagnostic] = []
    parse_c(text, "t.c", CFrontendOptions(warnings=True), sources, found)
    assert "".join(warning.render(sources) + "\n" for warning in found) == expected


@pytest.mark.parametrize(("text", "expected"), read_cases("warnings.txt"))
def test_warnings_can_be_silenced(text: str, expected: str) -> None:
    ids = frozenset(part.split("]")[0] for part in expected.split("[-W")[1:])
    found: list[Diagnostic] = []
    options = CFrontendOptions(warnings=True, silenced=ids)
    parse_c(text, "t.c", options, SourceMap(), found)
    assert found == []


def test_without_wall_harmless_things_are_not_mentioned() -> None:
    found: list[Diagnostic] = []
    text = "static int f(void) { int x; return 0; }"
    parse_c(text, "t.c", CFrontendOptions(), SourceMap(), found)
    assert found == []


def test_error_in_a_header_says_who_includes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "outer.h").write_text('\n#include "inner.h"\n')
    (tmp_path / "inner.h").write_text("int f(void) {\n    return 1\n}\n")
    assert refusal('#include "outer.h"\n', "main.c") == (
        "inner.h:2:13: error: expected ';' before '}'\n"
        "      return 1\n"
        "              ^\n"
        "  hint: included from outer.h:2, from main.c:1\n"
    )


def test_missing_header_in_a_header_says_who_includes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "outer.h").write_text("#include <inner.h>\n")
    options = CFrontendOptions(include_dirs=("include",))
    assert refusal("#include <outer.h>\n", "main.c", options) == (
        "include/outer.h:1:2: error: 'inner.h' file not found\n"
        "  #include <inner.h>\n"
        "   ^\n"
        "  hint: add its folder with -I; included from main.c:1\n"
    )


def test_header_that_includes_itself_ends_in_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.h").write_text('#include "loop.h"\n')
    assert refusal('#include "loop.h"\n', "main.c").startswith(
        "loop.h:1:2: error: #include nested too deeply\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "int x = " + "(" * 20000 + "1" + ")" * 20000 + ";",
        "void f(void) " + "{" * 20000 + "}" * 20000,
        "int x = " + "-" * 30000 + "1;",
    ],
    ids=["brackets", "blocks", "signs"],
)
def test_nesting_without_end_is_an_error(text: str) -> None:
    assert "the program is nested too deeply" in refusal(text)
