"""-finput-charset: what a file says, in whatever characters it is written."""

import pytest

from polyopt.support.charsets import UTF_8, charset_named, decoded
from polyopt.support.diagnostics import CompileError


@pytest.mark.parametrize(
    ("name", "charset"),
    [("UTF-8", UTF_8), ("utf8", UTF_8), ("CP932", "cp932"), ("ISO-8859-1", "iso8859-1")],
)
def test_one_charset_has_many_names(name: str, charset: str) -> None:
    assert charset_named(name) == charset


@pytest.mark.parametrize("name", ["nope", "hex", ""])
def test_what_is_no_charset(name: str) -> None:
    with pytest.raises(ValueError, match="unknown charset"):
        charset_named(name)


@pytest.mark.parametrize("charset", ["cp932", "euc_jp", "utf-16", UTF_8])
def test_lines_end_the_same_in_each(charset: str) -> None:
    """The second byte of a letter may be a backslash (in cp932 that of the first one is)."""
    assert decoded("ソ\r\n表\r".encode(charset), charset, "a.c") == "ソ\n表\n"


def test_bytes_of_another_charset() -> None:
    with pytest.raises(CompileError, match="byte 0xe9 in line 2 is none of"):
        decoded(b"int a;\nh\xe9", "euc_jp", "a.c")


def test_bytes_that_are_not_utf_8_survive() -> None:
    assert decoded(b"h\xe9", UTF_8, "a.c").encode(errors="surrogateescape") == b"h\xe9"
