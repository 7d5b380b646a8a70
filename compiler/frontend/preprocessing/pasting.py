"""`#` and `##` as C has them, where pcpp differs.

`#` puts a backslash before those of literals only (C 6.10.3.2); pcpp does before each.

`__VA_OPT__(…)` is there where variable arguments are.

`##` beside an argument that is empty (C 6.10.3.3): the other operand stays as it is.

pcpp replaces an empty argument by nothing before it pastes, so that `##` joins what stands behind
it to what stands before:

    #define Q(A, B)  A ## B +        Q(+,)  is  + +, not ++

It leaves `##` as it is in macros without parameters, takes one that is among the arguments for one
of the macro's (C 6.10.3.3p3), and reads what it pasted by rules that take numbers apart. So tokens
are pasted here: what a macro's `##` is has a type that pcpp does not look for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from copy import copy
from typing import TYPE_CHECKING, NoReturn

from polyopt.frontend.tokens.token_text import SPACE

if TYPE_CHECKING:
    from pcpp import Macro
    from pcpp.parser import LexToken

_PASTED = "t"
_PASTING = "CPP_PASTING"
"""The type of a `##` of a macro, as against one that stands for itself."""
_OPTIONAL = "__VA_OPT__"
_XOR = "^="
"""An operator that pcpp reads as two."""


def without_empty_operands(macro: Macro, arguments: Sequence[list[LexToken]]) -> Macro:
    """The macro as it is for these arguments, with no empty one beside `##`. What GNU C means by
    `, ## __VA_ARGS__` stays."""
    empty = [
        place for kind, number, place in macro.patch if kind == _PASTED and not arguments[number]
    ]
    if not empty:
        return macro
    dropped: set[int] = set()
    for place in sorted(empty):
        dropped.add(place)
        if place - 2 in macro.var_comma_patch:
            dropped |= {place - 2, place - 1}
            continue
        for beside in (place - 1, place + 1):
            is_sign = 0 <= beside < len(macro.value) and macro.value[beside].type == _PASTING
            if is_sign and beside not in dropped:
                dropped.add(beside)
                break
    return _without(macro, dropped)


def with_pasting(value: Sequence[LexToken]) -> list[LexToken]:
    """The tokens of a macro, whose `##` paste."""
    return [_sign(token) if token.value == "##" else token for token in value]


def _sign(token: LexToken) -> LexToken:
    sign = copy(token)
    sign.type = _PASTING
    return sign


def has_pasting(macro: Macro) -> bool:
    return any(token.type == _PASTING for token in macro.value)


def pasted(
    tokens: Sequence[LexToken],
    read: Callable[[str], list[LexToken]],
    fail: Callable[[str, LexToken], NoReturn],
) -> list[LexToken]:
    """The tokens, with those that a `##` is between as one, as `read` finds it in their text."""
    done: list[LexToken] = []
    waits = False
    for token in tokens:
        if token.type == _PASTING:
            while done and done[-1].type in SPACE:
                done.pop()
            waits = bool(done)
        elif waits and token.type in SPACE:
            continue
        elif not waits:
            done.append(token)
        else:
            waits = False
            before = done[-1]
            text = before.value + token.value
            made = read(text)
            if text == _XOR:
                done[-1] = copy(before)
                done[-1].value = text
            elif len(made) == 1 and made[0].type not in SPACE:
                done[-1] = copy(before)
                done[-1].type, done[-1].value = made[0].type, made[0].value
            elif before.value == ",":
                done.append(token)
            else:
                words = f"'{before.value}' and '{token.value}'"
                fail(f"{words} do not make one token when they are pasted by '##'", before)
    return done


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
                signs = [at for at in (place - 1, closing + 1) if _type_at(macro, at) == _PASTING]
                dropped |= set(signs[:1])
    return _without(macro, dropped)


def has_optional_parts(macro: Macro) -> bool:
    return any(token.value == _OPTIONAL for token in macro.value)


def _type_at(macro: Macro, place: int) -> str:
    return macro.value[place].type if 0 <= place < len(macro.value) else ""


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
