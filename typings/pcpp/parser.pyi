class LexToken:
    type: str
    value: str
    lineno: int
    lexpos: int
    source: str
