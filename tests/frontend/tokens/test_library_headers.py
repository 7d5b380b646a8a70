"""What of a library's headers a program reaches: no declaration that it names is dropped."""

import pytest
from pycparser.c_lexer import Token

from polyopt.frontend.tokens.library_headers import HEADERS, without_unused_declarations

HEADER, OWN = f"{HEADERS}/some.h", "program.c"
KINDS = {
    **{"(": "LPAREN", ")": "RPAREN", "{": "LBRACE", "}": "RBRACE", ";": "SEMI", "*": "TIMES"},
    **{"typedef": "TYPEDEF", "int": "INT", "return": "RETURN", "static": "STATIC"},
}


def tokens(text: str, file: str) -> list[Token]:
    return [Token(KINDS.get(word, "ID"), word, 1, 1, file) for word in text.split()]


@pytest.mark.parametrize(
    "declaration",
    [
        "int wanted ( int ) ;",
        "int ( wanted ) ( int ) ;",
        "word wanted ( word ) ;",
        "static word ( wanted ) ( word x ) { return x ; }",
        "word ( * wanted ( int ) ) ( int ) ;",
        "__attribute__ ( ( const ) ) word ( wanted ) ( int ) ;",
    ],
)
def test_a_function_is_kept_where_it_is_named(declaration: str):
    header = tokens("typedef int word ; " + declaration + " int other ( int ) ;", HEADER)
    program = tokens("int main ( ) { return wanted ( 1 ) ; }", OWN)
    kept = [token.value for token in without_unused_declarations(header + program)]
    assert " ".join(declaration.split()) in " ".join(kept)
    assert "other" not in kept
    assert ("typedef" in kept) == ("word" in declaration)
