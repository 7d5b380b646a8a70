"""The characters of names: C11's, annex D, and `$`, which gcc takes whatever the standard.

Beside letters of all scripts these are most other characters that are no punctuation of C, pictures
among them; marks that go with the letter before begin no name.
"""

from __future__ import annotations

import re

_ALLOWED = (
    "\u00a8\u00aa\u00ad\u00af\u00b2-\u00b5\u00b7-\u00ba\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6"
    "\u00f8-\u00ff\u0100-\u167f\u1681-\u180d\u180f-\u1fff\u200b-\u200d\u202a-\u202e\u203f-\u2040"
    "\u2054\u2060-\u206f\u2070-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\u2dff\u2e80-\u2fff"
    "\u3004-\u3007\u3021-\u302f\u3031-\u303f\u3040-\ud7ff\uf900-\ufd3d\ufd40-\ufdcf\ufdf0-\ufe44"
    "\ufe47-\ufffd" + "".join(f"{chr(p << 16)}-{chr((p << 16) + 0xFFFD)}" for p in range(1, 15))
)
_NOT_FIRST = "\u0300-\u036f\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

IN_NAMES = rf"[0-9A-Za-z_${_ALLOWED}]"
"""A character of a name, as a regular expression."""

is_name = re.compile(rf"(?![0-9{_NOT_FIRST}]){IN_NAMES}+").fullmatch
