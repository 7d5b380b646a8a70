"""`#` and `##` as C has them, where pcpp differs.

`#` puts a backslash before those of literals only (C 6.10.3.2); pcpp does before each.

`__VA_OPT__(…)` is there where variable arguments are.

`##` beside an argument that is empty (C 6.10.3.3): the other operand stays as it is.

pcpp replaces an empty argument by nothing before it pastes, so that `##` joins what stands behind
it to what stands before:

    #define Q(A, B)  A ## B +        Q(+,)  is  + +, not ++
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from copy import copy
from typing import TYPE_CHECKING

from polyopt.frontend.tokens.token_text import SPACE

if TYPE_CHECKING:
    from pcpp import Macro
    from pcpp.parser import LexToken

_PASTED = "t"
_OPTIONAL = "__VA_OPT__"


def without_empty_operands(macro: Macro, arguments: Sequence[list[LexToken]]) -> Macro:
    """The macro as it is for these arguments, with no empty one beside `##`. What GNU C means by
    `, ## __VA_ARGS__` stays."""
    empty = [
        place
        for kind, number, place in macro.patch
        if kind == _PASTED and not arguments[number] and place - 2 not in macro.var_comma_patch
    ]
    if not empty:
        return macro
    dropped: set[int] = set()
    for place in sorted(empty):
        dropped.add(place)
        for beside in (place - 1, place + 1):
            is_sign = 0 <= beside < len(macro.value) and macro.value[beside].value == "##"
            if is_sign and beside not in dropped:
                dropped.add(beside)
                break
    return _without(macro, dropped)


def with_optional_parts(macro: Macro, has_rest: bool) -> Macro:
    """The macro with what is in `__VA_OPT__(…)` (C23 6.10.5.2), or without it where no variable
    argument has any token."""
    dropped: set[int] = set()
    for place, token in enumerate(macro.value):
        if token.value == _OPTIONAL and place not in dropped:
            opening, closing = _brackets_behind(macro.value, place)
            dropped |= {*range(place, opening + 1), closing}
            if not has_rest:
                dropped |= set(range(opening, closing))
                signs = [at for at in (place - 1, closing + 1) if _value_at(macro, at) == "##"]
                dropped |= set(signs[:1])
    return _without(macro, dropped)


def has_optional_parts(macro: Macro) -> bool:
    return any(token.value == _OPTIONAL for token in macro.value)


def _value_at(macro: Macro, place: int) -> str:
    return macro.value[place].value if 0 <= place < len(macro.value) else ""


def _brackets_behind(tokens: Sequence[LexToken], place: int) -> tuple[int, int]:
    """Where the brackets behind a name open and close; the end of the macro where they do not."""
    opening = place + 1
    while opening < len(tokens) and tokens[opening].type in SPACE:
        opening += 1
    depth = 0
    for at in range(opening, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[at].value, 0)
        if depth == 0:
            return opening, at
    return opening, len(tokens) - 1


def _without(macro: Macro, dropped: Collection[int]) -> Macro:
    places = [place for place in range(len(macro.value)) if place not in dropped]
    now = {place: index for index, place in enumerate(places)}
    changed = copy(macro)
    changed.value = [macro.value[place] for place in places]
    changed.patch = [
        (kind, number, now[place]) for kind, number, place in macro.patch if place in now
    ]
    changed.str_patch = [(n, now[place]) for n, place in macro.str_patch if place in now]
    changed.var_comma_patch = [now[place] for place in macro.var_comma_patch if place in now]
    return changed


_LITERAL = re.compile(r"""(?:u8|[uUL])?["']""")


def with_texts(macro: Macro, arguments: Sequence[list[LexToken]]) -> Macro:
    """The macro with the texts of these arguments where it has `#`, if a backslash is among them:
    pcpp doubles all of them."""
    if not any("\\" in token.value for number, _ in macro.str_patch for token in arguments[number]):
        return macro
    changed = copy(macro)
    changed.value = list(macro.value)
    for number, place in macro.str_patch:
        changed.value[place] = copy(macro.value[place])
        changed.value[place].value = f'"{_text_of(arguments[number])}"'
    changed.str_patch = []
    return changed


def _text_of(tokens: Sequence[LexToken]) -> str:
    """As it is spelt, with one space for any, and what is in literals escaped."""
    spelt: list[str] = []
    for token in tokens:
        if token.type in SPACE:
            if spelt and spelt[-1] != " ":
                spelt.append(" ")
        elif _LITERAL.match(token.value):
            spelt.append(token.value.replace("\\", "\\\\").replace('"', '\\"'))
        else:
            spelt.append(token.value)
    return "".join(spelt).strip()
