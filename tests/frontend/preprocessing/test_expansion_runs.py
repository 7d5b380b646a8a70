"""Macros are expanded in runs of tokens, which end where no macro waits for its arguments."""

from __future__ import annotations

import pytest
from pcpp.parser import LexToken

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import preprocess_c
from polyopt.frontend.preprocessing.expansion_runs import expand_in_runs, names_no_macro
from polyopt.support.diagnostics import SourceMap

MACROS = "#define F(a, b) [a|b]\n#define OPEN F(\n#define NAME F\n#define CLOSE )\n"
FILLER = "s += 1;\n" * 200


def expanded(text: str) -> str:
    written = preprocess_c(text, "a.c", CFrontendOptions(), SourceMap(), with_markers=False)
    return "".join(written.split())


@pytest.mark.parametrize(
    ("used", "meant"),
    [
        ("F(x, y);", "[x|y];"),
        ("F((;), {r;});", "[(;)|{r;}];"),
        ("NAME\n(p, q);", "[p|q];"),
        ("OPEN x; y, z) ;", "[x;y|z];"),
        (f"OPEN {FILLER}, z);", f"[{FILLER}|z];"),
        ("f(a CLOSE; F(1, 2);", "f(a);[1|2];"),
        (") ; F(1, 2);", ");[1|2];"),
    ],
)
def test_runs_end_where_no_macro_waits(used: str, meant: str) -> None:
    text = f"{MACROS}{FILLER}{used}\n{FILLER}F(1, 2)\n"
    assert expanded(text) == "".join(f"{FILLER}{meant}{FILLER}[1|2]".split())


@pytest.mark.parametrize(
    ("kind", "value", "stays"),
    [
        ("CPP_ID", "NAME", False),
        ("CPP_ID", "name", True),
        ("CPP_ID", "__LINE__", False),
        ("CPP_ID", "__COUNTER__", False),
        ("CPP_STRING", "NAME", True),
    ],
)
def test_lists_that_name_no_macro_stay(kind: str, value: str, stays: bool) -> None:
    token = LexToken()
    token.type, token.value = kind, value
    assert names_no_macro([token], {"NAME"}) is stays


def test_bodies_without_macros_count_lines() -> None:
    text = "#define LINE __LINE__\n#define SELF SELF + plain\nLINE SELF\nLINE SELF plain\n"
    assert expanded(text) == "3SELF+plain4SELF+plainplain"


def test_each_token_is_expanded_once_in_a_short_run() -> None:
    tokens: list[LexToken] = []
    for position in range(20_000):
        token = LexToken()
        token.value = ";" if position % 5 == 4 else "(a)b"[position % 5]
        tokens.append(token)
    runs: list[int] = []

    def expand(run: list[LexToken]) -> list[LexToken]:
        runs.append(len(run))
        return run

    assert expand_in_runs(tokens, expand) == tokens
    assert sum(runs) == len(tokens)
    assert max(runs) < 300
