"""LLVM's text as LLVM prints it: names of values, and one function after the other."""

from __future__ import annotations

import re
from collections.abc import Callable

NAME = r'%(?:"[^"]*"|[\w.$-]+)'
"""The name of a value, as part of a regular expression."""

_FUNCTIONS = re.compile(r"(?m)^(?=define )")


def functions_of(text: str) -> list[str]:
    """The functions that a module defines, each with what stands behind it."""
    return _FUNCTIONS.split(text)[1:]


def with_functions(text: str, change: Callable[[str], str]) -> str:
    """The module with each function that it defines as `change` makes it."""
    head, *functions = _FUNCTIONS.split(text)
    return head + "".join(map(change, functions))
