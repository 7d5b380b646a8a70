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
    def __init__(
        self, error_func: Callable[[str, int, int], None], *, dialect: Dialect = ...
    ) -> None: ...
    def input(self, text: str, filename: str = ...) -> None: ...
    def token(self) -> Token | None: ...
