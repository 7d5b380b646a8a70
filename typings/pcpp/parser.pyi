import re

class LexToken:
    type: str
    value: str
    lineno: int
    lexpos: int
    source: str
    expanded_from: list[str]

class Lexer:
    lexre: list[tuple[re.Pattern[str], list[tuple[object, str] | None]]]

def trigraph(input: str) -> str: ...
