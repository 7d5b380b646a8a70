"""What a text may ask the preprocessor for by name, in `#if`: `__has_attribute(packed)`,
`__has_c_attribute(nodiscard)`, `__has_builtin(__builtin_clz)`. Headers are `HeaderSearch`'s.

What is advice to us counts as known: a program that asks first would write it. What is refused
does not, so that such a program takes its other way. The tables are those by which the text is
read later (`check_attributes`, `check_builtins`, …), imported when the first text asks.
"""

from __future__ import annotations

_C23 = {
    "deprecated": 201904,
    "fallthrough": 201910,
    "maybe_unused": 202106,
    "nodiscard": 202003,
    "noreturn": 202202,
    "unsequenced": 0,
    "reproducible": 0,
}
"""C's own attributes, since when they are so."""


def has_attribute(name: str) -> int:
    from polyopt.frontend.checking.declarations.check_attributes import is_known_attribute

    return int(is_known_attribute(name))


def has_c_attribute(name: str) -> int:
    """`[[name]]` or `[[gnu::name]]`: the date of the standard that has it, 1 for GNU C's."""
    space, colons, word = name.rpartition("::")
    if colons:
        return has_attribute(word) if space.strip("_") in ("gnu", "clang") else 0
    return _C23.get(word.strip("_"), 0)


def has_builtin(name: str) -> int:
    from polyopt.frontend.checking.calls.check_calls import is_known_builtin

    return int(is_known_builtin(name))


ANSWERS = {
    "__has_attribute": has_attribute,
    "__has_c_attribute": has_c_attribute,
    "__has_builtin": has_builtin,
}
