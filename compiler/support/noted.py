"""What a compilation asks of the world around it: facts, collected on the way like remarks.

Who reads a file, or asks where a link leads, does it by the functions here; where somebody
collects, the answer is noted. As long as all facts hold, the same compilation gives the same
result: that a file is absent which was looked for is a fact too, for it might come to stand before
the one that was found. What cannot be asked again (the time, standard input) makes a result
`unrepeatable`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar

from polyopt.support.digest import digest
from polyopt.support.files import write_whole

Fact = tuple[str, str, str | None]
"""What was asked, of what, and the answer; None where there was none."""


class Noted:
    """The facts by what was asked, and the first reason why they are not all (`unrepeatable`)."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], str | None] = {}
        self.unrepeatable: str | None = None
        self.written: list[tuple[str, bytes]] = []
        """The files that were written, and what."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple((kind, of, answer) for (kind, of), answer in self._answers.items())

    def add(self, kind: str, of: str, answer: str | None) -> None:
        if self._answers.setdefault((kind, of), answer) != answer:
            self.refuse(f"{of} changed while it was read")

    def refuse(self, reason: str) -> None:
        self.unrepeatable = self.unrepeatable or reason

    def absorb(self, facts: Iterable[Fact], unrepeatable: str | None = None) -> None:
        """What a part of the compilation asked is asked by the whole."""
        for kind, of, answer in facts:
            self.add(kind, of, answer)
        if unrepeatable is not None:
            self.refuse(unrepeatable)


_current: ContextVar[Noted | None] = ContextVar("noted", default=None)


@contextmanager
def collect_noted() -> Generator[Noted]:
    """What is asked in the body; whoever collects around it learns of it too."""
    noted = Noted()
    token = _current.set(noted)
    try:
        yield noted
    finally:
        _current.reset(token)
        note_all(noted)


def note_all(noted: Noted) -> None:
    """What a part of the compilation asked and wrote; another process may have done it."""
    outer = _current.get()
    if outer is not None:
        outer.absorb(noted.facts, noted.unrepeatable)
        outer.written += noted.written


def note_unrepeatable(reason: str) -> None:
    noted = _current.get()
    if noted is not None:
        noted.refuse(reason)


def note_facts(facts: Iterable[Fact]) -> None:
    """What an answer depends on that is known from before."""
    noted = _current.get()
    if noted is not None:
        noted.absorb(facts)


def read_noted(path: str) -> bytes:
    """The file's bytes. Raises OSError."""
    content = _content(path)
    noted = _current.get()
    if noted is not None:
        noted.add("content", path, None if isinstance(content, OSError) else digest(content))
    if isinstance(content, OSError):
        raise content
    return content


def write_noted(path: str, content: bytes) -> None:
    """Make the file hold exactly that. Raises OSError."""
    write_whole(path, content)
    noted = _current.get()
    if noted is not None:
        noted.written.append((path, content))


def text_of(content: bytes) -> str:
    """The text of a file without its byte order mark, its lines ended as Python does it. Bytes that
    are not UTF-8 survive."""
    text = content.decode(errors="surrogateescape").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def lines_of(text: str) -> list[str]:
    """The lines of a text, as every C compiler counts them: what else Python takes for the end of
    one, such as a form feed, stands within."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def is_file(path: str) -> bool:
    return _noted_answer("file", path) is not None


def exists(path: str) -> bool:
    return _noted_answer("place", path) is not None


def real_path(path: str) -> str:
    return _noted_answer("link", path) or path


def current_folder() -> str:
    return _noted_answer("folder", "") or ""


def matching(pattern: str) -> list[str]:
    """The files that a pattern of the shell's names, in order."""
    return [name for name in (_noted_answer("names", pattern) or "").split("\0") if name]


def _content(path: str) -> bytes | OSError:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        return error


def _noted_answer(kind: str, of: str) -> str | None:
    answer = _ANSWERS[kind](of)
    noted = _current.get()
    if noted is not None:
        noted.add(kind, of, answer)
    return answer


def _digest_of(path: str) -> str | None:
    content = _content(path)
    return None if isinstance(content, OSError) else digest(content)


def _names(pattern: str) -> str:
    from glob import glob

    return "\0".join(sorted(glob(pattern)))


_ANSWERS: dict[str, Callable[[str], str | None]] = {
    "content": _digest_of,
    "file": lambda path: "" if os.path.isfile(path) else None,
    "place": lambda path: "" if os.path.exists(path) else None,
    "link": os.path.realpath,
    "folder": lambda _: os.getcwd(),
    "names": _names,
}


class Present:
    """The world as it is now, each question asked once."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], str | None] = {}

    def agrees(self, facts: Iterable[Fact]) -> bool:
        return all(self._answer(kind, of) == answer for kind, of, answer in facts)

    def _answer(self, kind: str, of: str) -> str | None:
        if (kind, of) not in self._answers:
            self._answers[kind, of] = _ANSWERS[kind](of)
        return self._answers[kind, of]
