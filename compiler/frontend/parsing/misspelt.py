"""Words meant to be keywords (`whlie (x) {`, `retrun 0;`, `statc int x;`), or macros (`API int f`).

What does not fit is the token behind such a word, or behind its brackets, where it seemed to be
called; the word itself is what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser.c_lexer import Token

from polyopt.frontend.messages.known_names import did_you_mean
from polyopt.frontend.parsing.gnu_spellings import span_of_token
from polyopt.support.diagnostics import CompileError, Correction

STATEMENT_WORDS = ("return", "else", "goto", "case", "break", "continue", "default")
"""Keywords that another word may follow."""
DECLARING_WORDS = (
    *("typedef", "static", "extern", "register", "inline", "const", "volatile", "restrict"),
    *("struct", "union", "enum", "signed", "char", "double", "float", "int", "long", "short"),
    *("unsigned", "void"),
)
TYPE_BEGINNINGS = frozenset(
    "CHAR DOUBLE FLOAT INT LONG SHORT SIGNED UNSIGNED VOID STRUCT UNION ENUM _BOOL CONST".split()
)
"""What begins a type, and nothing else."""
_BEFORE_DECLARATIONS = (
    *("SEMI", "LBRACE", "RBRACE", "LPAREN", "COMMA", "COLON"),
    *("CONST", "VOLATILE", "STATIC", "EXTERN", "REGISTER", "INLINE", "TYPEDEF"),
)
_BEFORE_BRACKETS = ("if", "for", "while", "switch")
_BEGINNINGS = ("SEMI", "LBRACE", "RBRACE", "COLON", "RPAREN", "ELSE", "DO")
"""What stands before a statement."""


def refuse_statement(
    before: Token | None,
    token: Token | None,
    token_before: Callable[[Token | None], Token | None],
    is_unknown: Callable[[Token], bool],
) -> None:
    """Raise an error where a statement in which `token` does not fit begins with a word that is
    like a keyword, or where a function's body seems to begin."""
    if before is None:
        return
    word = before
    if before.type in ("LPAREN", "RPAREN"):
        word = _in_front_of_brackets(before, token_before)
    if word is not None and word.type == "ID" and is_unknown(word):
        keywords = STATEMENT_WORDS if word is before else _BEFORE_BRACKETS
        meant = _meant(word.value, keywords)
        beginning = token_before(word)
        if meant is not None and beginning is not None and beginning.type in _BEGINNINGS:
            raise CompileError(f"unknown statement '{word.value}'", span_of_token(word), meant)
    if before.type == "RPAREN" and token is not None and token.type == "LBRACE":
        raise CompileError(
            "nested functions are not supported",
            span_of_token(token),
            "define it outside, and give it what it uses as arguments",
        )


def is_lost_word(before: Token | None, behind: Token | None) -> bool:
    """Whether a word that is unknown stands where a declaration begins, in front of a type."""
    is_first = before is None or before.type in _BEFORE_DECLARATIONS
    return is_first and behind is not None and behind.type in TYPE_BEGINNINGS


def _in_front_of_brackets(
    bracket: Token, token_before: Callable[[Token | None], Token | None]
) -> Token | None:
    depth, token = 0, bracket if bracket.type == "RPAREN" else None
    while token is not None:
        depth += (token.type == "RPAREN") - (token.type == "LPAREN")
        if depth == 0:
            bracket = token
            break
        token = token_before(token)
    return token_before(bracket) if bracket.type == "LPAREN" else None


def _meant(word: str, keywords: tuple[str, ...]) -> str | None:
    for keyword in keywords:
        if sorted(word) == sorted(keyword):
            return Correction.of(word, keyword)
    return did_you_mean(word, keywords)
