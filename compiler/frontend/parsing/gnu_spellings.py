"""GNU spellings in standard C: `__restrict` is `restrict`; `__attribute__` and `asm` become the
tokens that `gnu_syntax` reads. What GNU C has and polyopt has not is refused by its name.
"""

from __future__ import annotations

from itertools import pairwise

from pycparser.c_lexer import Token

from polyopt.frontend.parsing.gnu_syntax import ASSEMBLY, ATTRIBUTE, AUTO, BEGIN
from polyopt.support.diagnostics import CompileError, Span

_KEYWORDS = {
    "__restrict": ("RESTRICT", "restrict"),
    "__restrict__": ("RESTRICT", "restrict"),
    "__inline": ("INLINE", "inline"),
    "__inline__": ("INLINE", "inline"),
    "__const": ("CONST", "const"),
    "__const__": ("CONST", "const"),
    "__volatile": ("VOLATILE", "volatile"),
    "__volatile__": ("VOLATILE", "volatile"),
    "__signed": ("SIGNED", "signed"),
    "__signed__": ("SIGNED", "signed"),
    "__alignof__": ("_ALIGNOF", "_Alignof"),
    "__alignof": ("_ALIGNOF", "_Alignof"),
    "__typeof__": ("TYPEOF", "typeof"),
    "__typeof": ("TYPEOF", "typeof"),
    "__builtin_offsetof": ("OFFSETOF", "offsetof"),
    "__attribute__": (BEGIN, ATTRIBUTE),
    "__attribute": (BEGIN, ATTRIBUTE),
    "__asm__": (BEGIN, ASSEMBLY),
    "__asm": (BEGIN, ASSEMBLY),
    "__complex__": ("_COMPLEX", "_Complex"),
    "__complex": ("_COMPLEX", "_Complex"),
    "__real": ("ID", "__real__"),
    "__imag": ("ID", "__imag__"),
    "__auto_type": ("AUTO", AUTO),
    "_Thread_local": ("_THREAD_LOCAL", "_Thread_local"),
    "__thread": ("_THREAD_LOCAL", "_Thread_local"),
}
_OF_C23 = {"_ALIGNOF": "_Alignof", "_THREAD_LOCAL": "_Thread_local"}
"""Keywords that C23 spells anew mean what the old ones do."""
_UNSUPPORTED = {
    "__float128": ("128-bit floating point is not supported", "use long double"),
    "_Float128": ("128-bit floating point is not supported", "use long double"),
    "_Float16": ("16-bit floating point is not supported", "use float"),
    "_Decimal32": ("decimal floating point is not supported", None),
    "_Decimal64": ("decimal floating point is not supported", None),
    "_Decimal128": ("decimal floating point is not supported", None),
    "_Imaginary": ("an imaginary type is not supported", "use _Complex"),
}
_ADVICE = frozenset({"__extension__", "_Nullable", "_Nonnull", "_Null_unspecified"})


def standard_tokens(tokens: list[Token], *, is_gnu: bool) -> list[Token]:
    """The tokens as the parser knows them; `asm` and `typeof` are keywords of GNU C only."""
    out: list[Token] = []
    for token in tokens:
        if token.type == "ID" and token.value in ("asm", "typeof"):
            token.value = f"__{token.value}" if is_gnu else token.value
        if token.value in _UNSUPPORTED:
            message, hint = _UNSUPPORTED[token.value]
            raise CompileError(message, span_of_token(token), hint)
        if token.value in _KEYWORDS:
            token.type, token.value = _KEYWORDS[token.value]
        token.value = _OF_C23.get(token.type, token.value)
        if token.value not in _ADVICE:
            out.append(token)
    return out


def nullable_names(tokens: list[Token]) -> frozenset[Span]:
    """Where the names stand that are declared as clang writes it: `double *_Nullable x`."""
    return frozenset(
        span_of_token(name)
        for word, name in pairwise(tokens)
        if word.value == "_Nullable" and name.type == "ID"
    )


def bracket_sizes(tokens: list[Token]) -> list[Token]:
    """`[*p]` as `[(*p)]`: the parser takes a star behind a bracket for that of `[*]`."""
    starred = [
        index
        for index in range(len(tokens) - 2)
        if tokens[index].type == "LBRACKET"
        and tokens[index + 1].type == "TIMES"
        and tokens[index + 2].type != "RBRACKET"
    ]
    for index in reversed(starred):
        end = index
        depth = 0
        while end < len(tokens):
            depth += {"LBRACKET": 1, "RBRACKET": -1}.get(tokens[end].type, 0)
            if depth == 0:
                break
            end += 1
        tokens.insert(end, _token("RPAREN", ")", tokens[index]))
        tokens.insert(index + 1, _token("LPAREN", "(", tokens[index]))
    return tokens


def span_of_token(token: Token) -> Span:
    return Span(token.filename, token.lineno, token.column)


def _token(type: str, value: str, at: Token) -> Token:
    return Token(type, value, at.lineno, at.column, at.filename)
