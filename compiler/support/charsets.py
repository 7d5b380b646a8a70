"""In which characters files are written, and strings of programs are, that are not in UTF-8
(`-finput-charset=`, `-fexec-charset=`)."""

from __future__ import annotations

import codecs

from polyopt.support.diagnostics import CompileError
from polyopt.support.noted import text_of

UTF_8 = "utf-8"


def charset_named(name: str) -> str:
    """As Python calls it. Raises ValueError where it knows none of that name."""
    try:
        found = codecs.lookup(name)
        "".encode(found.name)
    except LookupError:  # of what is no charset at all ("hex"), too
        raise ValueError(f"unknown charset '{name}'") from None
    return found.name


def execution_charset(name: str) -> str:
    """The same of one that a program's strings may be in: its letters of ASCII are those bytes."""
    found = charset_named(name)
    letters = bytes(range(128))
    if letters.decode().encode(found) != letters:
        raise ValueError(f"strings in '{name}' are not supported: it does not contain ASCII")
    return found


def decoded(content: bytes, charset: str, path: str) -> str:
    """The text of a file. What is not UTF-8 survives; what is not of another charset is a user's
    mistake."""
    if charset == UTF_8:
        return text_of(content)
    try:
        text = content.decode(charset)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        message = f"byte {content[error.start]:#04x} in line {line} is none of {charset}"
        raise CompileError(f"'{path}' cannot be read: {message}") from None
    return text_of(text.encode(errors="surrogatepass"))
