"""Macros are replaced as C has it (6.10.3.4): what stands for one is read from its beginning, once,
together with what follows it.

    #define EMPTY()
    A EMPTY() ()          A () : the brackets of A come behind it only when A has been passed

pcpp expands what stands for a macro by itself, and then all of it again with what follows; macros
that go on where they are deferred to (FOR_EACH) are lost so. Here it is as in gcc: the tokens still
to be read are a stack; behind what stands for a macro there is a mark, up to which the macro is
closed. Its name, where it is met until then, stays what it is for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from copy import copy
from dataclasses import field
from typing import TYPE_CHECKING

from pcpp.parser import LexToken

from polyopt.frontend.tokens.token_text import SPACE
from polyopt.support.record import entity

if TYPE_CHECKING:
    from pcpp import Macro

_COUNTED = frozenset(("__LINE__", "__COUNTER__"))
"""What is replaced beside the macros."""
_SKIPPED = (*SPACE, "CPP_COMMENT1", "CPP_COMMENT2")


def names_no_macro(tokens: Iterable[LexToken], macros: Container[str]) -> bool:
    """Whether none of the tokens is replaced."""
    for token in tokens:
        if token.type == "CPP_ID":
            name = token.value
            if name in macros or name in _COUNTED:
                return False
    return True


class _End(LexToken):
    """Behind what stands for the macro of this name."""

    type = value = ""

    def __init__(self, name: str):
        self.name = name


@entity
class Rescanning:
    """`substituted`: the tokens of a macro with its arguments in their places, expanded where they
    are to be. `complain` ends it all. `closed`: macros that are being replaced."""

    macros: dict[str, Macro]
    substituted: Callable[[Macro, list[list[LexToken]]], list[LexToken]]
    complain: Callable[[LexToken, str], None]
    closed: set[str] = field(default_factory=set[str])
    depth: int = 0
    line: int = 0
    counter: int = 0

    def expand(self, tokens: Iterable[LexToken]) -> list[LexToken]:
        """The tokens with all macros replaced but those whose arguments have no end."""
        waiting = [*tokens][::-1]
        done: list[LexToken] = []
        while waiting:
            token = waiting.pop()
            if token.type == "CPP_ID":
                macro = self.macros.get(token.value)
                if macro is None:
                    self._count(token)
                else:
                    token = self._met(token)
                    if not _stays(token) and self._replace(macro, token, waiting):
                        continue
            elif isinstance(token, _End):
                self.closed.discard(token.name)
                continue
            done.append(token)
        return done

    def _met(self, token: LexToken) -> LexToken:
        """The token as it is once it is met. An argument may be in two places, and what becomes of
        one of the two is nothing to the other."""
        if token.type == "CPP_ID" and token.value in self.closed:
            token = copy(token)
            token.__dict__["stays"] = True
        return token

    def _count(self, token: LexToken) -> None:
        """In the arguments of a macro, a line is that of the macro."""
        if token.value == "__LINE__":
            line = self.line if self.depth else token.lineno
            token.type, token.value = "CPP_INTEGER", str(int(line))
        elif token.value == "__COUNTER__":
            token.type, token.value = "CPP_INTEGER", str(self.counter)
            self.counter += 1

    def _replace(self, macro: Macro, name: LexToken, waiting: list[LexToken]) -> bool:
        """Let what stands for the macro wait instead of its arguments; no if it has none."""
        if macro.arglist is None:
            tokens = [copy(token) for token in macro.value]
        else:
            arguments = self._taken(macro, waiting)
            if arguments is None:
                return False
            wrong = _wrong_number(macro, name.value, arguments)
            if wrong:
                self.complain(name, wrong)
                return False
            tokens = self._substituted(macro, arguments, name)
            if waiting and waiting[-1].type == "CPP_ID":
                tokens.append(_space_before(waiting[-1]))
        for token in tokens:
            token.source, token.lineno = name.source, name.lineno
        self.closed.add(name.value)
        waiting.append(_End(name.value))
        waiting += tokens[::-1]
        return True

    def _taken(self, macro: Macro, waiting: list[LexToken]) -> list[list[LexToken]] | None:
        """The arguments that come next, which are no longer waiting; None where none do, or they
        have no end. The last one of a macro with variable arguments has its commas."""
        opening = self._opening(waiting)
        if opening is None:
            return None
        assert macro.arglist is not None
        most = len(macro.arglist) if macro.variadic else 0
        arguments: list[list[LexToken]] = [[]]
        depth = 0
        for place in range(opening - 1, -1, -1):
            token = waiting[place]
            value = token.value
            if isinstance(token, _End):
                self.closed.discard(token.name)
            elif value == ")" and not depth:
                del waiting[place:]
                return arguments
            elif value == "," and not depth and len(arguments) != most:
                arguments.append([])
            else:
                depth += 1 if value == "(" else -1 if value == ")" else 0
                arguments[-1].append(self._met(token))
        return None

    def _opening(self, waiting: list[LexToken]) -> int | None:
        """Where the bracket is that comes next, behind space and the ends of macros; those are
        passed."""
        at = len(waiting) - 1
        ends: list[int] = []
        while at >= 0 and (isinstance(waiting[at], _End) or waiting[at].type in _SKIPPED):
            if isinstance(end := waiting[at], _End):
                self.closed.discard(end.name)
                ends.append(at)
            at -= 1
        for place in ends:
            del waiting[place]
        return at if at >= 0 and waiting[at].value == "(" else None

    def _substituted(
        self, macro: Macro, arguments: list[list[LexToken]], name: LexToken
    ) -> list[LexToken]:
        if not self.depth:
            self.line = name.lineno
        self.depth += 1
        tokens = self.substituted(macro, arguments)
        self.depth -= 1
        return tokens


def _stays(token: LexToken) -> bool:
    return "stays" in token.__dict__


def _space_before(token: LexToken) -> LexToken:
    """gcc and clang write one between what stands for a macro and a name."""
    space = copy(token)
    space.type, space.value = "CPP_WS", " "
    return space


def _wrong_number(macro: Macro, name: str, arguments: list[list[LexToken]]) -> str:
    """What is wrong with how many arguments there are; those that may be left out are added. No
    tokens at all are no argument, or one."""
    assert macro.arglist is not None
    wanted, given = len(macro.arglist), len(arguments)
    is_empty = given == 1 and all(token.type in _SKIPPED for token in arguments[0])
    if macro.variadic and given < wanted - 1:
        word = "argument" if wanted == 2 else "arguments"
        return f"Macro {name} must have at least {wanted - 1} {word}"
    if not macro.variadic and given != wanted and not (is_empty and wanted <= 1):
        return f"Macro {name} requires {wanted} arguments but was passed {given}"
    arguments += [[] for _ in range(wanted - given)]
    return ""
