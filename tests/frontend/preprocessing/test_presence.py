"""What `#if` is told of attributes and builtins: as gcc 12 says, but for what we refuse."""

import pytest

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocess_c import preprocess_c
from polyopt.support.diagnostics import CompileError, SourceMap


def value(question: str, before: str = "") -> str:
    text = f"{before}\n#if ({question}) == 1\none\n#elif {question}\nmore\n#else\nnone\n#endif\n"
    result = preprocess_c(text, "t.c", CFrontendOptions(), SourceMap(), with_markers=False)
    return result.strip()


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("__has_attribute(noinline)", "one"),
        ("__has_attribute(__aligned__)", "one"),
        ("__has_attribute(always_inline)", "one"),
        ("__has_attribute(vector_size)", "none"),  # refused: the program has another way
        ("__has_attribute(ifunc)", "one"),
        ("__has_attribute(no_such_thing)", "none"),
        ("__has_c_attribute(nodiscard)", "more"),
        ("__has_c_attribute(__fallthrough__)", "more"),
        ("__has_c_attribute(gnu::packed)", "one"),
        ("__has_c_attribute(clang::no_such_thing)", "none"),
        ("__has_c_attribute(other::packed)", "none"),
        ("__has_builtin(__builtin_expect)", "one"),
        ("__has_builtin(__builtin_popcountll)", "one"),
        ("__has_builtin(__builtin_mul_overflow)", "one"),
        ("__has_builtin(__builtin_memcpy)", "one"),
        ("__has_builtin(__builtin_va_arg)", "one"),
        ("__has_builtin(__builtin_offsetof)", "one"),
        ("__has_builtin(__atomic_load_n)", "one"),
        ("__has_builtin(__sync_synchronize)", "one"),
        ("__has_builtin(memcpy)", "one"),
        ("__has_builtin(__builtin_shuffle)", "none"),
        ("__has_builtin(__builtin_no_such_thing)", "none"),
        ("__has_builtin(no_such_thing)", "none"),
        ("__has_builtin(expect)", "none"),
        ("defined __has_attribute && defined(__has_builtin) && defined(__has_c_attribute)", "one"),
    ],
)
def test_answer(question: str, found: str) -> None:
    assert value(question) == found


def test_the_question_may_come_from_a_macro_and_its_name_is_none() -> None:
    before = "#define HAS(x) __has_attribute(x)\n#define noinline 5"
    assert value("HAS(__noinline__)", before) == "one"
    assert value("__has_attribute(noinline)", before) == "one"


def test_builtins_that_are_there_can_be_called() -> None:
    """The answer is read from the tables that are asked when a call is checked."""
    from polyopt.frontend.checking.calls.check_builtins import READERS

    assert {value(f"__has_builtin(__builtin_{name})") for name in READERS} == {"one"}


@pytest.mark.parametrize("question", ["__has_attribute", "__has_builtin()", "__has_attribute(3)"])
def test_a_question_without_a_name(question: str) -> None:
    with pytest.raises(CompileError, match="needs a name"):
        value(question)
