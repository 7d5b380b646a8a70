"""`##` (C 6.10.3.3): what it makes, in macros with parameters and without, and what it cannot."""

from __future__ import annotations

import pytest

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocess_c import preprocess_c
from polyopt.support.diagnostics import CompileError, SourceMap

# C 6.10.3.3, paragraph 4
HASH_HASH = """
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
"""


def preprocessed(text: str) -> str:
    made = preprocess_c(text, "t.c", CFrontendOptions(), SourceMap(), with_markers=False)
    return made.strip()


@pytest.mark.parametrize(
    ("body", "token"),
    [
        ("2 ## 1.0F", "21.0F"),
        ("1 ## e ## 5", "1e5"),
        ("1. ## 5 ## e ## 3 ## L", "1.5e3L"),
        ("0x1 ## p ## 3", "0x1p3"),
        (". ## 5", ".5"),
        ("long ## _name", "long_name"),
        ('L ## "x"', 'L"x"'),
        ("L ## 'c'", "L'c'"),
        ("& ## &", "&&"),
        ("<< ## =", "<<="),
        ("^ ## =", "^="),
    ],
)
def test_two_tokens_become_one(body: str, token: str) -> None:
    alone = preprocessed(f"#define F {body}\nF")
    called = preprocessed(f"#define F() {body}\nF()")
    left, *rest = body.split("##")
    given = preprocessed(f"#define F(x) x ## {'##'.join(rest)}\nF({left})")
    assert [alone, called, given] == [token] * 3


def test_sign_that_was_pasted_or_given_pastes_nothing() -> None:
    assert preprocessed(f"{HASH_HASH}join(x, y)") == '"x ## y"'
    assert preprocessed("#define F(x) #x\nF(a ## b)") == '"a ## b"'
    assert preprocessed("#define F(x) x\nF(a ## b)") == "a ## b"


@pytest.mark.parametrize(
    ("given", "text"), [("1", "f(1)"), ("1, 2", "f(1,2)"), ("1, 2, 3", "f(1,2, 3)"), ("", "f()")]
)
def test_comma_goes_with_the_arguments_behind_it(given: str, text: str) -> None:
    assert preprocessed(f"#define F(x, ...) f(x, ## __VA_ARGS__)\nF({given})").replace(
        " ", ""
    ) == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#define F ## x\n", "'##' cannot be at either end of a macro"),
        ("#define F(x) x ##\n", "'##' cannot be at either end of a macro"),
        ("#define F(x) x ## -\nF(1)", "'1' and '-' do not make one token"),
    ],
)
def test_what_cannot_be_pasted_is_an_error(text: str, said: str) -> None:
    with pytest.raises(CompileError) as caught:
        preprocessed(text)
    assert said in str(caught.value)
