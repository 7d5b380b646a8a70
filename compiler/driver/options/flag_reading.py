"""One flag, and how a command line is read: tables of flags in, fields by name out.

A word is the flag that is spelled so, else the one with the longest spelling that it begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

Treatment = Literal["honoured", "ignored", "refused"]

Collected = dict[str, Any]
"""Fields by name, as the flags read so far have set them."""

Setter = Callable[[Collected, str], None]
"""Puts a flag's value ("" where it takes none) among the fields; ValueError for a bad value."""


@record
class Flag:
    """The value follows at once ("joined", or "optional" where it may be empty), as the next word
    ("separate"), or either way; an "alone" flag takes none.

    An "ignored" flag is advice that changes nothing here; a "refused" one raises an error that says
    why. `help` is the reason then."""

    spelling: str
    help: str
    set: Setter
    metavar: str = ""
    shape: Literal["alone", "joined", "optional", "separate", "either"] = "alone"
    treatment: Treatment = "honoured"

    @property
    def is_own(self) -> bool:
        """Whether no other compiler knows it, or it means nothing to one that we ask."""
        return self.spelling.startswith("--") or self.treatment != "honoured"


Table = Mapping[str, Sequence[Flag]]
"""Flags by the heading under which `--help` shows them."""


def constant(**fields: Any) -> Setter:
    return lambda collected, _: collected.update(fields)


def store(name: str, convert: Callable[[str], Any] = str) -> Setter:
    def set_field(collected: Collected, value: str) -> None:
        collected[name] = convert(value)

    return set_field


def note(collected: Collected, message: str) -> None:
    """What is to be said about a flag, as a warning."""
    collected["notes"] = (*collected.get("notes", ()), message)


def append(name: str, prefix: str = "") -> Setter:
    def extend_field(collected: Collected, value: str) -> None:
        collected[name] = (*collected.get(name, ()), prefix + value)

    return extend_field


def one_of(*choices: str) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return value

    return check


def read_flags(words: Iterator[str], tables: Sequence[Table], other: Setter) -> Collected:
    """The fields that the words set; `other` takes a word that is no flag. "read" are the flags
    themselves, each with its heading and its words, and "notes" what is to be said of them.

    Raises CompileError for an unknown flag, a bad value, or a value that is missing.
    """
    flags = {f.spelling: f for table in tables for group in table.values() for f in group}
    headings = {
        f.spelling: heading for table in tables for heading, group in table.items() for f in group
    }
    read: list[tuple[str, Flag, list[str]]] = []
    collected: Collected = {}
    for word in words:
        if not word.startswith("-") or word == "-":
            other(collected, word)
            continue
        flag = _flag_of(word, flags)
        value, spelled = word[len(flag.spelling) :], [word]
        if not value and flag.shape in ("separate", "either"):
            value = next(words, "")
            spelled.append(value)
        if not value and flag.shape not in ("alone", "optional"):
            space = "" if flag.shape == "joined" else " "
            raise CompileError(f"option '{word}' needs a value: {word}{space}{flag.metavar}")
        try:
            flag.set(collected, value)
        except ValueError as error:
            shown = value.removeprefix("=")
            raise CompileError(f"bad value '{shown}' for '{flag.spelling}': {error}") from None
        read.append((headings[flag.spelling], flag, spelled))
    collected["read"] = tuple(read)
    return collected


def _flag_of(word: str, flags: Mapping[str, Flag]) -> Flag:
    """The flag spelled so, else the one with the longest spelling that the word starts with."""
    exact = flags.get(word)
    if exact is not None:
        return exact
    for end in range(len(word) - 1, 1, -1):
        flag = flags.get(word[:end])
        if flag is not None and flag.shape in ("joined", "optional", "either"):
            return flag
    raise _unknown(word, flags)


def _unknown(word: str, flags: Mapping[str, Flag]) -> CompileError:
    from difflib import get_close_matches

    head, equals, value = word.partition("=")
    close = get_close_matches(head + equals, flags, n=1, cutoff=0.7)
    if equals and head in flags:
        hint = f"'{head}' takes no value"
    elif close:
        hint = f"did you mean '{close[0]}{value if close[0].endswith('=') else ''}'?"
    else:
        hint = "--help lists the options"
    return CompileError(f"unknown option '{word}'", hint=hint)
