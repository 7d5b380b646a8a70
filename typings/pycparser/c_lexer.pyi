from collections.abc import Callable
from typing import Literal

Dialect = Literal["legacy", "c23"]

class Token:
    type: str
    value: str
    lineno: int
    column: int
    filename: str
    def __init__(self, type: str, value: str, lineno: int, column: int, filename: str) -> None: ...

class CLexer:
    filename: str
    _in_attribute: bool
    _lexdata: str
    _pos: int
    _keyword_map: dict[str, str]
    def _match_token(self) -> Token | None: ...
    def _make_token(self, tok_type: str, value: str, pos: int) -> Token: ...
    def __init__(
        self, error_func: Callable[[str, int, int], None], *, dialect: Dialect = ...
    ) -> None: ...
    def input(self, text: str, filename: str = ...) -> None: ...
    def token(self) -> Token | None: ...
