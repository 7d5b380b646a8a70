"""GNU spellings in standard C: `__restrict` is `restrict`, attributes that are advice go away.

An attribute that changes what a program means is an error, but for `aligned` and `noreturn`, which
become specifiers at the head of their declaration.
"""

from __future__ import annotations

import re
from itertools import pairwise

from pycparser.c_lexer import Token

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
}
_UNSUPPORTED = {
    "__asm": "inline assembly",
    "__asm__": "inline assembly",
    "__int128": "a 128-bit integer",
    "__int128_t": "a 128-bit integer",
    "__uint128_t": "a 128-bit integer",
    "__float128": "128-bit floating point",
    "_Float128": "128-bit floating point",
    "_Complex": "a complex number",
    "__complex__": "a complex number",
    "_Imaginary": "a complex number",
    "_Atomic": "an atomic type",
    "_Thread_local": "a thread-local variable",
    "__thread": "a thread-local variable",
    "__label__": "a local label",
    "__auto_type": "__auto_type",
}
_BINDING = re.compile(
    r"^_*(packed|vector_size|ms_struct|mode|cleanup|transparent_union|alias|ifunc|weak|weakref|"
    r"section|constructor|destructor|scalar_storage_order|regparm|ms_abi|sysv_abi|tls_model|"
    r"address_space|may_alias|copy)_*$"
)
_LARGEST_ALIGNMENT = "16"
_ADVICE = frozenset({"__extension__", "_Nullable", "_Nonnull", "_Null_unspecified"})


def standard_tokens(tokens: list[Token], *, is_gnu: bool) -> list[Token]:
    """The tokens as the parser knows them; `asm` and `typeof` are keywords of GNU C only."""
    out: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.type == "ID" and token.value in ("asm", "typeof"):
            token.value = f"__{token.value}" if is_gnu else token.value
        if token.value in _UNSUPPORTED:
            raise CompileError(
                f"{_UNSUPPORTED[token.value]} is not supported", span_of_token(token)
            )
        if token.value in _KEYWORDS:
            token.type, token.value = _KEYWORDS[token.value]
        if token.value in ("__attribute__", "__attribute"):
            end = _closing(tokens, position)
            for standard in _standard_attributes(tokens[position:end]):
                _put_at_head(out, token, standard)
            position = end
        elif token.value not in _ADVICE:
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


def _closing(tokens: list[Token], position: int) -> int:
    """The position behind the brackets that open here."""
    depth = 0
    for index in range(position, len(tokens)):
        depth += {"LPAREN": 1, "RPAREN": -1}.get(tokens[index].type, 0)
        if depth == 0:
            return index + 1
    raise CompileError("unterminated attribute", span_of_token(tokens[position - 1]))


def _standard_attributes(tokens: list[Token]) -> list[list[Token]]:
    """What C has a specifier for, among the attributes `((...))`."""
    found: list[list[Token]] = []
    depth = 0
    for index, token in enumerate(tokens):
        depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
        if depth != 2:
            continue
        if _BINDING.match(token.value):
            raise CompileError(f"attribute '{token.value}' is not supported", span_of_token(token))
        match token.value.strip("_"):
            case "noreturn":
                found.append([_token("_NORETURN", "_Noreturn", token)])
            case "aligned":
                operand = _brackets(_LARGEST_ALIGNMENT, token)
                if tokens[index + 1].type == "LPAREN":
                    operand = tokens[index + 1 : _closing(tokens, index + 1)]
                found.append([_token("_ALIGNAS", "_Alignas", token), *operand])
            case _:
                pass
    return found


def _put_at_head(out: list[Token], keyword: Token, specifier: list[Token]) -> None:
    """Put a specifier before the declaration whose tokens were written last."""
    start = len(out)
    depth = 0
    while start > 0:
        type = out[start - 1].type
        depth += {"RBRACKET": 1, "RPAREN": 1, "LBRACKET": -1, "LPAREN": -1}.get(type, 0)
        if depth < 0 or type in ("SEMI", "LBRACE", "RBRACE"):
            break
        start -= 1
    is_type = out and out[-1].type in ("STRUCT", "UNION", "ENUM", "RBRACE")
    if specifier[0].type == "_ALIGNAS" and (
        is_type or any(token.type == "TYPEDEF" for token in out[start:])
    ):
        raise CompileError(
            "attribute 'aligned' of a type is not supported",
            span_of_token(keyword),
            "give it to each variable",
        )
    out[start:start] = specifier


def _brackets(text: str, at: Token) -> list[Token]:
    return [
        _token("LPAREN", "(", at),
        _token("INT_CONST_DEC", text, at),
        _token("RPAREN", ")", at),
    ]


def _token(type: str, value: str, at: Token) -> Token:
    return Token(type, value, at.lineno, at.column, at.filename)
