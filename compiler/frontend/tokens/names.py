"""The characters of names: C11's, annex D, and `$`, which gcc takes whatever the standard.

Beside letters of all scripts these are most other characters that are no punctuation of C, pictures
among them; marks that go with the letter before begin no name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_ALLOWED = (
    "\u00a8\u00aa\u00ad\u00af\u00b2-\u00b5\u00b7-\u00ba\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6"
    "\u00f8-\u00ff\u0100-\u167f\u1681-\u180d\u180f-\u1fff\u200b-\u200d\u202a-\u202e\u203f-\u2040"
    "\u2054\u2060-\u206f\u2070-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\u2dff\u2e80-\u2fff"
    "\u3004-\u3007\u3021-\u302f\u3031-\u303f\u3040-\ud7ff\uf900-\ufd3d\ufd40-\ufdcf\ufdf0-\ufe44"
    "\ufe47-\ufffd" + "".join(f"{chr(p << 16)}-{chr((p << 16) + 0xFFFD)}" for p in range(1, 15))
)
_NOT_FIRST = "\u0300-\u036f\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

_ASCII = "[0-9A-Za-z_$]"
_ANY = rf"[0-9A-Za-z_${_ALLOWED}]"

Match = Callable[[str, int], re.Match[str] | None]


def is_name(text: str) -> bool:
    return (_ASCII_NAME if text.isascii() else _any_name())(text) is not None


def matches_in(text: str, form: str = "{0}+") -> Match:
    """What matches an expression, in which `{0}` stands for a character of a name, in that text: a
    run of such ones. All characters of names take 2 ms to be compiled, those of ASCII no time, and
    most texts have no others."""
    return _matches(form, text.isascii())


@cache
def _matches(form: str, is_ascii: bool) -> Match:
    return re.compile(form.format(_ASCII if is_ascii else _ANY)).match


_ASCII_NAME = re.compile(rf"(?![0-9]){_ASCII}+").fullmatch


@cache
def _any_name() -> Callable[[str], re.Match[str] | None]:
    return re.compile(rf"(?![0-9{_NOT_FIRST}]){_ANY}+").fullmatch
