"""Groups of `#if`: which part is read, and that nothing is made of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocess_c import preprocess_c
from polyopt.frontend.preprocessing.preprocess import CPreprocessor, preprocess
from polyopt.frontend.tokens.conditional_groups import next_parts
from polyopt.frontend.tokens.token_lines import SourceToken
from polyopt.support.diagnostics import CompileError, SourceMap


def read(text: str, file: str = "a.c") -> list[str]:
    written = preprocess_c(text, file, CFrontendOptions(), SourceMap(), with_markers=False)
    return written.split()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne", "b e"),
        ("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c"),
        ("#ifdef A\na\n#elifndef A\nb\n#endif", "b"),
        ("#ifdef A\na\n#elifdef __linux__\nb\n#endif", "b"),
        ("#if 0\n/*\n#endif\n*/ a\n#else\nb\n#endif", "b"),
        ("#if 0\n// \\\n#endif\na\n#else\nb\n#endif", "b"),
        ("#if 0\n#define A \\\n#endif\na\n#else\nb\n#endif", "b"),
        ("#if 0\ndon't \"/*\" 'a\n#else\nb\n#endif", "b"),
        ("/* c */ # /* d */ if 0\na\n /* c\n */ #\telse // e\nb\n#endif /*", "b"),
        ("#if 0\n#define\n#ifdef\n#endif\n#include <none.h>\n#nonsense\n#endif\nb", "b"),
        ("#if 1\na\n#elif 1 / 0\nb\n#endif", "a"),
        ("f(x,\n#if 0\ny\n#else\nz\n#endif\n)", "f(x, z )"),
        ("#define F(a, b) [a|b]\nF(x,\n#if 0\ny\n#else\nz\n#endif\n)", "[x | z]"),
        ("#if 0\n\n\n#endif\n__LINE__\n", "5"),
        ("#line 40\n#if 0\n\n#endif\n__LINE__\n", "43"),
    ],
)
def test_parts_that_are_read(text: str, meant: str) -> None:
    assert read(text) == meant.split()


@pytest.mark.parametrize(
    ("header", "read_twice"),
    [
        ("#ifndef H\n#define H\nx\n#endif", "x"),
        ("// c\n#if !defined(H)\n#define H\nx\n#endif\n/* d */", "x"),
        ("#ifndef H\n#define H\nx\n#else\ny\n#endif", "x y"),
        ("#ifndef H\n#define H\nx\n#endif\ny", "x y y"),
        ("y\n#ifndef H\n#define H\nx\n#endif", "y x y"),
        ("#ifndef H\n#define H\nx\n#endif\n#ifdef K\ny\n#endif\n#define K", "x y"),
        ("#ifndef H\n#define H\nx\n#endif\n#undef H", "x x"),
        ("#pragma once\nx", "x"),
    ],
)
def test_files_that_are_read_again(tmp_path: Path, header: str, read_twice: str) -> None:
    (tmp_path / "h.h").write_text(header)
    text = '#include "h.h"\n#include "h.h"\n'
    assert read(text, str(tmp_path / "a.c")) == read_twice.split()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#if 1\n#else\n#else\n#endif", "#else after #else"),
        ("#if 0\n#else\n#elif 1\n#endif", "#elif after #else"),
        ("#if 0\n#elif\n#endif", "#if without an expression"),
        ("#if 0\n#if 1\n#endif\n", "unterminated #if 0"),
        ("#else", "misplaced #else"),
    ],
)
def test_groups_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(CompileError) as refused:
        read(text)
    assert refused.value.diagnostic.message == message


def test_parts_follow_each_other() -> None:
    text = "#if A\n#if B\n#endif\n#elif C\n/*\n#else\n*/\n#endif\n#else\n#if D\n"
    meant = {"#if A": "#elif C", "#if B": "#endif", "#elif C": "#endif\n#else"}
    assert next_parts(text) == {text.index(a): text.index(b) for a, b in meant.items()}


def test_no_tokens_are_made_of_what_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A header that includes itself for each type has each part once: the rest is not read."""
    parts = "".join(f"#if N == {n}\n{'long text; ' * 50}\n#endif\n" for n in range(60))
    text = f"#if 1\n{parts}#endif\n#if 0\n{'more of it; ' * 5000}\n#endif\n"
    preprocessor = CPreprocessor(
        CFrontendOptions(defines=("N=7",)), SourceMap(), Warnings(CFrontendOptions()), {}
    )
    made: list[SourceToken] = []
    usual = SourceToken.__new__

    def counted(cls: type[SourceToken]) -> SourceToken:
        made.append(usual(cls))
        return made[-1]

    monkeypatch.setattr(SourceToken, "__new__", counted)
    found = preprocess(preprocessor, text, "a.c").tokens
    assert sum(token.value == "long" for token in found) == 50
    assert len(made) < 2500
