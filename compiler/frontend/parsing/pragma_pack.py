"""`#pragma pack`: how members of the structs behind it are aligned at most.

    pack(n)    pack()    pack(push)    pack(push, n)    pack(push, name, n)    pack(pop)
    pack(pop, name)

A struct obeys what holds at its closing brace. There it gets an attribute, `pack(n)`, which nobody
else can write.
"""

from __future__ import annotations

import re

from pycparser.c_lexer import Token

from polyopt.frontend.parsing.gnu_syntax import ATTRIBUTE, BEGIN
from polyopt.support.diagnostics import CompileError, Span

_FORM = re.compile(r"pack\s*\(\s*(.*?)\s*\)\s*$", re.S)
_LEGAL = (0, 1, 2, 4, 8, 16)


class PackState:
    """What holds now, and what was pushed."""

    def __init__(self) -> None:
        self.limit = 0
        self._pushed: list[tuple[str, int]] = []

    def apply(self, pragma: str, span: Span) -> None:
        """Go on behind this pragma: the text behind `#pragma`."""
        form = _FORM.match(pragma)
        if form is None:
            raise CompileError("#pragma pack expects brackets", span, "as in #pragma pack(1)")
        words = [word.strip() for word in form.group(1).split(",")] if form.group(1) else []
        if not words:
            self.limit = 0
            return
        action = words.pop(0) if words[0] in ("push", "pop") else ""
        name = words.pop(0) if action and words and not words[0].isdigit() else ""
        if action == "push":
            self._pushed.append((name, self.limit))
        elif action == "pop":
            self._pop(name)
        if words:
            self.limit = self._number(words, span)

    def _pop(self, name: str) -> None:
        """Back to what was pushed last, or under this name; nothing where nothing was."""
        for position in range(len(self._pushed) - 1, -1, -1):
            if not name or self._pushed[position][0] == name:
                self.limit = self._pushed[position][1]
                del self._pushed[position:]
                return

    def _number(self, words: list[str], span: Span) -> int:
        text = words[0]
        if len(words) > 1 or not text.isdigit() or int(text) not in _LEGAL:
            raise CompileError(f"#pragma pack({', '.join(words)}): expected 1, 2, 4, 8 or 16", span)
        return int(text)


def with_limits(tokens: list[Token], limits: list[int]) -> list[Token]:
    """The tokens with an attribute behind each struct or union that is limited; `limits`: what
    holds at each token."""
    out: list[Token] = []
    opened: list[bool] = []
    for token, limit in zip(tokens, limits, strict=True):
        if token.type == "LBRACE":
            opened.append(_opens_record(out))
        out.append(token)
        if token.type == "RBRACE" and opened and opened.pop() and limit:
            out += _attribute(limit, token)
    return out


def _opens_record(before: list[Token]) -> bool:
    """Do these tokens end in `struct attributes name`?"""
    position = len(before) - 1
    if position >= 0 and before[position].type == "ID":
        position -= 1
    while position >= 0 and before[position].type == "RPAREN":
        depth = 0
        while position >= 0:
            depth += {"RPAREN": 1, "LPAREN": -1}.get(before[position].type, 0)
            position -= 1
            if depth == 0:
                break
        position -= 1
    return position >= 0 and before[position].type in ("STRUCT", "UNION")


def _attribute(limit: int, at: Token) -> list[Token]:
    spelled = [
        (BEGIN, ATTRIBUTE),
        ("LPAREN", "("),
        ("LPAREN", "("),
        ("ID", "pack"),
        ("LPAREN", "("),
        ("INT_CONST_DEC", str(limit)),
        *[("RPAREN", ")")] * 3,
    ]
    return [Token(type, value, at.lineno, at.column, at.filename) for type, value in spelled]
