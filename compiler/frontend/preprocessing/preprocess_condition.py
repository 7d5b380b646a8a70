"""The value of an `#if` expression (C 6.10.1): integers of 64 bits, names that are no macros 0.

conditional = binary(0) ["?" conditional ":" conditional]
binary(n)   = operand { operator(>= n) binary(n + 1) }
operand     = ("!" | "~" | "-" | "+") operand | "(" conditional ")" | number | name
"""

from __future__ import annotations

import re
from collections.abc import Callable

from polyopt.frontend.language.arithmetic import integer_result
from polyopt.frontend.language.c_types import LONG, ULONG, IntType
from polyopt.frontend.language.literals import BadLiteral, parse_character, parse_integer

_TOKEN = re.compile(
    r"\s*(?:((?:L|u8|u|U)?'(?:[^'\\\n]|\\.)+')|([0-9][\w.]*)|([A-Za-z_$][\w$]*)"
    r"|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),]))"
)
# From the loosest to the tightest.
_BINDING: dict[str, int] = {
    operator: level
    for level, operators in enumerate(
        ["||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"]
    )
    for operator in operators.split()
}


Character = Callable[[str], tuple[int, IntType]]
"""What a character constant is."""


class BadCondition(Exception):
    """What is wrong with the expression, in words."""


def evaluate_condition(
    text: str, unknown: Callable[[str], None] | None = None, character: Character = parse_character
) -> int:
    """The value of the expression; macros are expanded and `defined` replaced already. `unknown`
    is told each name that is no macro, and counts."""
    return _Evaluation(text, unknown, character).value


class _Evaluation:
    """Reads and evaluates in one go; `live` is false in an operand that is not evaluated."""

    def __init__(self, text: str, unknown: Callable[[str], None] | None, character: Character):
        self.unknown = unknown
        self.character = character
        self.tokens = _split(text)
        self.position = 0
        self.value, _ = self._comma(live=True)
        if self.position < len(self.tokens):
            raise BadCondition(f"unexpected '{self._next}' in #if")

    @property
    def _next(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def _accept(self, token: str) -> bool:
        found = self._next == token
        self.position += found
        return found

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            raise BadCondition(f"expected '{token}' in #if")

    def _comma(self, *, live: bool) -> tuple[int, IntType]:
        """In C for what is not evaluated only (6.6), elsewhere as gcc and clang have it."""
        value, type = self._conditional(live=live)
        while self._accept(","):
            value, type = self._conditional(live=live)
        return value, type

    def _conditional(self, *, live: bool) -> tuple[int, IntType]:
        condition, type = self._binary(0, live=live)
        if not self._accept("?"):
            return condition, type
        first, left = self._comma(live=live and condition != 0)
        self._expect(":")
        second, right = self._conditional(live=live and condition == 0)
        common = LONG if left == right == LONG else ULONG
        return common.wrap(first if condition else second), common

    def _binary(self, least: int, *, live: bool) -> tuple[int, IntType]:
        value, type = self._operand(live=live)
        while _BINDING.get(self._next, -1) >= least:
            operator = self._next
            self.position += 1
            decided = (operator == "||" and value != 0) or (operator == "&&" and value == 0)
            right, other = self._binary(_BINDING[operator] + 1, live=live and not decided)
            common = LONG if type == other == LONG else ULONG
            if operator in ("<<", ">>"):
                common = type
            value = _combine(operator, common.wrap(value), common.wrap(right), common, live)
            type = LONG if _BINDING[operator] in (0, 1, 5, 6) else common
        return value, type

    def _operand(self, *, live: bool) -> tuple[int, IntType]:
        token = self._next
        if not token:
            raise BadCondition("#if expression ends too early")
        self.position += 1
        if token == "(":
            value, type = self._comma(live=live)
            self._expect(")")
            return value, type
        if token in ("!", "~", "-", "+"):
            value, type = self._operand(live=live)
            if token == "!":
                return int(not value), LONG
            changed = {"~": ~value, "-": -value, "+": value}[token]
            return type.wrap(changed), type
        is_name = token[0].isalpha() or token[0] in "_$"
        if live and is_name and "'" not in token and self.unknown is not None:
            self.unknown(token)
        return _number(token, self.character)


def _number(token: str, character: Character) -> tuple[int, IntType]:
    try:
        if "'" in token and not token[0].isdigit():
            return character(token)[0], LONG
        if token[0].isdigit():
            value, type = parse_integer(token)
            return value, LONG if type.signed else ULONG
    except BadLiteral as error:
        raise BadCondition(f"{error} in #if") from None
    if token[0].isalpha() or token[0] in "_$":
        return int(token == "true"), LONG
    raise BadCondition(f"unexpected '{token}' in #if")


def _combine(operator: str, left: int, right: int, type: IntType, live: bool) -> int:
    match operator:
        case "||":
            return int(left != 0 or right != 0)
        case "&&":
            return int(left != 0 and right != 0)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case ">":
            return int(left > right)
        case "<=":
            return int(left <= right)
        case ">=":
            return int(left >= right)
        case _:
            value = integer_result(operator, left, right, type)
            if value is None and live:
                raise BadCondition("division by zero in #if")
            return type.wrap(value or 0)


def _split(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise BadCondition(f"unexpected '{text[position:].split()[0]}' in #if")
        tokens.append(match.group().strip())
        position = match.end()
    return tokens
