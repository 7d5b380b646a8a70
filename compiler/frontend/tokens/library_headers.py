"""The C library's headers, those that come with polyopt and the system's, and what of them a
program leaves unused.

A small program includes hundreds of declarations and uses five. The others are dropped before the
parser sees them: a declaration is kept if the program names what it declares, or if one that is
kept does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pycparser.c_lexer import Token

HEADERS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "include")
"""The folder of those that come with polyopt."""
_PREFIXES = (f"{HEADERS}{os.sep}", "/usr/include/", "/usr/lib/gcc/")
_OPENING = ("LPAREN", "LBRACKET", "LBRACE")
_CLOSING = ("RPAREN", "RBRACKET", "RBRACE")

CPU_QUESTIONS = {
    "__builtin_cpu_supports": "__polyopt_cpu_has",
    "__builtin_cpu_is": "__polyopt_cpu_is",
}
"""What is asked about the CPU, and the functions of <polyopt_cpu.h> that answer."""


def is_library_header(file: str) -> bool:
    return file.startswith(_PREFIXES)


def without_unused_declarations(tokens: list[Token]) -> list[Token]:
    """The tokens without those declarations of the library that the program does not reach by
    any name."""
    parts = list(_declarations(tokens))
    needed: set[str] = set()
    waiting: dict[str, list[int]] = {}
    kept = [not is_library for is_library, _ in parts]
    for index, (is_library, part) in enumerate(parts):
        names = _names_of(part)
        if not is_library:
            needed |= {name.removeprefix("__builtin_") for name in names}
            needed |= {CPU_QUESTIONS[name] for name in names & CPU_QUESTIONS.keys()}
            continue
        for name in _declared_names(part):
            waiting.setdefault(name, []).append(index)
    reached = [name for name in needed if name in waiting]
    while reached:
        for index in waiting.pop(reached.pop(), ()):
            if not kept[index]:
                kept[index] = True
                reached += [name for name in _names_of(parts[index][1]) if name in waiting]
    return [token for keep, (_, part) in zip(kept, parts, strict=True) if keep for token in part]


def _names_of(part: list[Token]) -> set[str]:
    return {token.value for token in part if token.type in ("ID", "TYPEID")}


def _declarations(tokens: list[Token]) -> Iterator[tuple[bool, list[Token]]]:
    """The tokens in runs: each declaration of a library header, and what lies between."""
    start = position = 0
    while position < len(tokens):
        if not tokens[position].filename.startswith(_PREFIXES):
            position += 1
            continue
        if start < position:
            yield False, tokens[start:position]
        start = _declaration_end(tokens, position)
        yield True, tokens[position:start]
        position = start
    if start < position:
        yield False, tokens[start:]


def _declaration_end(tokens: list[Token], position: int) -> int:
    """The position behind the declaration that starts here."""
    depth = 0
    is_body = False
    for index in range(position, len(tokens)):
        type = tokens[index].type
        if type == "LBRACE" and depth == 0:
            is_body = tokens[index - 1].type == "RPAREN" and tokens[position].type != "TYPEDEF"
        depth += (type in _OPENING) - (type in _CLOSING)
        if depth == 0 and (type == "SEMI" or (type == "RBRACE" and is_body)):
            return index + 1
    return len(tokens)


def _declared_names(declaration: list[Token]) -> set[str]:
    """The names that a declaration gives a meaning to, and maybe some that it does not."""
    function = _declared_function(declaration)
    if function is not None:
        return {function}
    names: set[str] = set()
    depth = 0
    enumerators: int | None = None
    for index, token in enumerate(declaration):
        following = declaration[index + 1].type if index + 1 < len(declaration) else ""
        if token.type == "LBRACE":
            depth += 1
            before = declaration[max(0, index - 2) : index]
            if enumerators is None and any(word.type == "ENUM" for word in before):
                enumerators = depth
        elif token.type == "RBRACE":
            enumerators = None if enumerators == depth else enumerators
            depth -= 1
        elif token.type == "ID":
            is_declared = depth == 0 and following not in ("ID", "TIMES")
            if is_declared or following == "LBRACE" or enumerators is not None:
                names.add(token.value)
    return names


def _declared_function(declaration: list[Token]) -> str | None:
    """The name of a function that is declared or defined: the first one with a bracket behind, or
    in brackets with another one behind: `int (abs)(int)` is safe from macros. What has a
    pointer in its bracket is a type: `handler (*get(int))(int)`."""
    if declaration[0].type == "TYPEDEF":
        return None
    for index, (token, following) in enumerate(pairwise(declaration)):
        if token.type == "LBRACE":
            return None
        is_name = token.type == "ID" and token.value not in ("__attribute__", "__extension__")
        if is_name and following.type == "LPAREN":
            behind = declaration[index + 2 : index + 5]
            kinds = [one.type for one in behind]
            if kinds == ["ID", "RPAREN", "LPAREN"]:
                return behind[0].value
            if kinds[:1] != ["TIMES"]:
                return token.value
    return None
