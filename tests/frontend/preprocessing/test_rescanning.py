"""What stands for a macro is read again once, together with what follows it (C 6.10.3.4)."""

from __future__ import annotations

from time import process_time

import pytest
from pcpp.parser import LexToken

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocess_c import preprocess_c
from polyopt.frontend.preprocessing.rescanning import names_no_macro
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
def test_arguments_may_begin_and_end_in_other_macros(used: str, meant: str) -> None:
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


RESCANNED = """
#define EMPTY()
#define DEFER(m) m EMPTY()
#define OBSTRUCT(...) __VA_ARGS__ DEFER(EMPTY)()
#define EXPAND(...) __VA_ARGS__
#define A() 123
#define REP(n) n DEFER(REP_I)()(n)
#define REP_I() REP
#define foo(x) bar x
#define id(x) x
#define N1 N2
#define N2(x) N1(x)
#define SELF SELF0 SELF
#define f(a) a*g
#define g(a) f(a)
#define NIL(x) x
#define G0(a) NIL(G1)(a)
#define G1(a) NIL(a)
#define BOTH(x) x x(1)
#define name JOIN(prefix_, name)
#define JOIN(a, b) a ## b
#define PARENS ()
#define ALL(...) ALL2(ALL2(ALL2(__VA_ARGS__)))
#define ALL2(...) ALL1(ALL1(ALL1(__VA_ARGS__)))
#define ALL1(...) __VA_ARGS__
#define EACH(m, ...) __VA_OPT__(ALL(EACH_NEXT(m, __VA_ARGS__)))
#define EACH_NEXT(m, a, ...) m(a) __VA_OPT__(EACH_AGAIN PARENS (m, __VA_ARGS__))
#define EACH_AGAIN() EACH_NEXT
#define CASE(x) [x]
"""


@pytest.mark.parametrize(
    ("used", "meant"),
    [
        ("DEFER(A)()", "A()"),
        ("EXPAND(DEFER(A)())", "123"),
        ("OBSTRUCT(A)()", "A EMPTY()()"),
        ("EXPAND(OBSTRUCT(A)())", "A()"),
        ("EXPAND(EXPAND(OBSTRUCT(A)()))", "123"),
        ("REP(1)", "1 REP_I()(1)"),
        ("EXPAND(REP(1))", "1 1 REP_I()(1)"),
        ("EXPAND(EXPAND(REP(1)))", "1 1 1 REP_I()(1)"),
        ("foo(foo)(2)", "bar foo(2)"),
        ("id(id)(id)(3)", "id(id)(3)"),
        ("id(id(id)(4))", "id(4)"),
        ("N1(7)", "N2(7)"),
        ("SELF", "SELF0 SELF"),
        ("f(2)(9)", "2*9*g"),
        ("G0(42)", "42"),
        ("BOTH(id)", "id 1"),
        ("id(name)", "prefix_name"),
        ("EACH(CASE, a, b, c, d, e)", "[a][b][c][d][e]"),
        ("EACH(CASE)", ""),
        ("EACH(EACH, a)", "EACH(a)"),
    ],
)
def test_what_is_read_again_and_what_stays(used: str, meant: str) -> None:
    """As gcc and clang have it, where C leaves it open (`f(2)(9)`), too."""
    assert expanded(RESCANNED + used + "\n") == "".join(meant.split())


def test_replacing_takes_as_long_as_the_text_is() -> None:
    text = MACROS + "F(x, y) NAME (p, F(q, r)) OPEN s, t) " * 5000 + "\n"
    begin = process_time()
    assert expanded(text).count("[x|y]") == 5000
    assert process_time() - begin < 5
