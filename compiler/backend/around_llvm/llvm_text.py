"""LLVM's text as LLVM prints it: names of values, and one function after the other."""

from __future__ import annotations

import re
from collections.abc import Callable

NAME = r'%(?:"[^"]*"|[\w.$-]+)'
"""The name of a value, as part of a regular expression."""

MASKS = " x i1> "
"""What a function has that takes a value of vectors of truth values: looked for in no time, as
expressions that begin with the name of any value are not."""

_BEGIN = "define "
_NODE = re.compile(r"(?m)^!(\d+) = ")


def free_node(text: str) -> int:
    """A number that no metadata of the module has."""
    return max(map(int, _NODE.findall(text)), default=-1) + 1


def functions_of(text: str) -> list[str]:
    """The functions that a module defines, each with what stands behind it."""
    return _taken_apart(text)[1:]


def with_functions(text: str, change: Callable[[str], str]) -> str:
    """The module with each function that it defines as `change` makes it."""
    head, *functions = _taken_apart(text)
    return head + "".join(map(change, functions))


def _taken_apart(text: str) -> list[str]:
    """What stands before all functions, and the functions, each from its line `define …` on."""
    head, *functions = f"\n{text}".split(f"\n{_BEGIN}")
    if not functions:
        return [text]
    *others, last = functions
    return [f"{head}\n"[1:], *(f"{_BEGIN}{one}\n" for one in others), f"{_BEGIN}{last}"]
