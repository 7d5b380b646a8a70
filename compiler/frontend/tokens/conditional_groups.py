"""Where the parts of `#if` groups begin in a text: what is skipped is not read on the way.

    #if A        its next part is the #elif
    …
    #elif B      the #endif
    #ifdef C
    #endif
    #endif

A directive stands at the beginning of a line, outside of comments; what looks like one in a comment
is found to be in it by going over comments and literals. A literal that does not end on its line is
no literal, as the apostrophe of `#error don't`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMENT = r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
_SPACE = rf"(?:[ \t\f\v\0]|{_COMMENT})*"
_PIECE = re.compile(
    rf"^{_SPACE}(?P<sign>\#|%:){_SPACE}(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b"
    rf"|{_COMMENT}|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    re.MULTILINE | re.DOTALL,
)


def next_parts(text: str) -> Mapping[int, int]:
    """For the place of the `#` of each part but the last of a group, where the line of the next
    part begins. A group without an end has no part behind its last."""
    behind: dict[int, int] = {}
    opened: list[int] = []
    for piece in _PIECE.finditer(text):
        word = piece.group("word")
        if word is None:
            continue
        if not word.startswith("if"):
            if not opened:
                continue
            behind[opened.pop()] = piece.start()
        if word != "endif":
            opened.append(piece.start("sign"))
    return behind
