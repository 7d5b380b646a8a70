"""Preprocessor tokens as text again: lines as `-E` prints them, macros as `-dM` does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from typing import TYPE_CHECKING

from pcpp.parser import LexToken

from polyopt.frontend.tokens.library_headers import is_library_header
from polyopt.frontend.tokens.token_lines import FileMark, LineAndColumn, SourceToken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcpp import Macro

SPACE = ("CPP_WS", "CPP_LINECONT")
_ALONE = frozenset("()[]{},;")
_WIDEST_GAP = 8  # lines left empty, instead of a marker


def must_stay_separate(before: LexToken, token: LexToken) -> bool:
    """Were these two written apart, and would they be read as one if they stood side by side?
    pcpp takes some numbers apart; their pieces follow each other, or have one place where they
    came from pasting (`1.0 ## f`)."""
    if token.lexpos == before.lexpos + len(before.value):
        return False
    if token.lexpos == before.lexpos and token.lineno is before.lineno:
        return False
    return before.value not in _ALONE and token.value not in _ALONE


def join_tokens(tokens: list[LexToken], *, comments: bool = False) -> str:
    """The text of tokens on one line; what macros put side by side stays apart."""
    parts: list[str] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type in SPACE:
            parts.append((comments and comment_of(token)) or " ")
            continue
        if before is not None and before.type not in SPACE and must_stay_separate(before, token):
            parts.append(" ")
        parts.append(token.value)
    return "".join(parts).rstrip()


def comment_of(token: LexToken) -> str:
    """The comment that this space was, where comments are kept."""
    return token.comment if isinstance(token, SourceToken) else ""


def without_comment(token: LexToken) -> LexToken:
    if isinstance(token, SourceToken) and token.comment:
        token = copy(token)
        token.comment = ""
    return token


def preprocessed_text(tokens: Iterable[LexToken], *, with_markers: bool = True) -> str:
    """The text with line markers, as `-E` prints it, or without (`-P`): each token on the line
    that it was written on, counted from the last marker. A marker tells of each file that begins
    (1), and where the text goes on behind one (2)."""
    out: list[str] = []
    line, file = 1, None
    opened: list[str] = []
    for row in _lines(tokens):
        first = row[0]
        if isinstance(first, FileMark):
            if with_markers:
                out.append(_marker(1, first.source, 1 if opened else None))
                opened.append(first.source)
                line, file = 1, first.source
            continue
        gap = first.lineno - line
        if first.source == file and 0 <= gap <= _WIDEST_GAP:
            out.append("\n" * gap)
        elif with_markers:
            is_back = first.source != file and first.source in opened[:-1]
            if is_back:
                del opened[opened.index(first.source) + 1 :]
            out.append(_marker(int(first.lineno), first.source, 2 if is_back else None))
        elif file is not None:
            out.append("\n")
        margin = first.lineno.column - 1 if isinstance(first.lineno, LineAndColumn) else 0
        out += [" " * margin, join_tokens(row, comments=True), "\n"]
        below = sum(comment_of(token).count("\n") for token in row)
        line, file = first.lineno + 1 + below, first.source
    return "".join(out)


def _marker(line: int, file: str, flag: int | None) -> str:
    flags = f" {flag}" * (flag is not None) + " 3" * is_library_header(file)
    return f'# {line} "{file}"{flags}\n'


def macro_definitions(macros: Mapping[str, Macro]) -> str:
    """The macros as `-dM` prints them."""
    lines: list[str] = []
    for name, macro in macros.items():
        head = name
        if macro.arglist is not None:
            names = list(macro.arglist)
            if macro.variadic:
                names[-1] = "..." if names[-1] == "__VA_ARGS__" else f"{names[-1]}..."
            head = f"{name}({','.join(names)})"
        lines.append(f"#define {head} {join_tokens(macro.value).strip()}\n")
    return "".join(lines)


def _lines(tokens: Iterable[LexToken]) -> Iterator[list[LexToken]]:
    """The tokens of each line that has any, without the space around them."""
    line: list[LexToken] = []
    for token in tokens:
        if isinstance(token, FileMark):
            if line:
                yield line
            line = []
            yield [token]
        elif token.type in SPACE and "\n" in token.value:
            if line:
                yield line
            line = []
        elif line or token.type not in SPACE or comment_of(token):
            line.append(token)
    if line:
        yield line
