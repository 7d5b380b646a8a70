"""What whole commands did: the same command under the same circumstances is answered from that.

The way from words to settings, and the compiler itself, are not even loaded then; this file and
what it imports has to be quick to load. A command is kept if all that it did was to write files
and to say something on standard error, and if it went well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOBase

from polyopt.driver.cache.circumstances import are_still_so, circumstances
from polyopt.driver.cache.folder import chosen_store
from polyopt.driver.cache.store import Store
from polyopt.support.digest import digest
from polyopt.support.files import write_whole
from polyopt.support.noted import Fact, Noted, Present, collect_noted

OPTION = "--cache="

_ENVIRONMENT = (
    *("CPATH", "C_INCLUDE_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD"),
    *("NO_COLOR", "TERM", "POLYOPT_TRACEBACK"),
)
"""The variables that a command's files and words depend on."""


def answer(words: Sequence[str]) -> bool:
    """Do again what the command did, if that is known; whether it is."""
    if not any(word in ("-c", "-S", "-fsyntax-only") for word in words):
        return False
    store = chosen_store(_folder_in(words))
    key = None if store is None else _key(words)
    if store is None or key is None:
        return False
    case = store.find(key, Present())
    if case is None:
        return False
    facts, kept = case
    contents = [(path, store.content(name)) for path, name in kept["written"]]
    if _would_write_to_what_is_read(kept["written"], facts):
        return False
    try:
        for path, content in contents:
            if content is None:
                return False
            write_whole(path, content)
    except OSError:
        return False
    store.count("hits")
    with suppress(OSError):
        sys.stderr.write(kept["said"])
    return True


def _would_write_to_what_is_read(written: Sequence[tuple[str, str]], facts: Sequence[Fact]) -> bool:
    """Whether a file that the command writes is, by another name now, one that it reads."""
    targets = [path for path, _ in written if os.path.isfile(path)]
    read = [of for kind, of, content in facts if kind == "content" and content is not None]
    return any(os.path.samefile(target, path) for target in targets for path in read)


@contextmanager
def remembered(words: Sequence[str]) -> Generator[list[int]]:
    """What the body does is kept if a status of 0 is put on the list, and nothing else."""
    store = chosen_store(_folder_in(words))
    key = None if store is None else _key(words)
    status: list[int] = []
    if store is None or key is None:
        yield status
        return
    heard = _Heard()
    sys.stderr, usual = heard, sys.stderr
    try:
        with collect_noted() as noted:
            yield status
    finally:
        sys.stderr = usual
    if status == [0]:
        _keep(store, key, noted, heard.text)


def _keep(store: Store, key: str, noted: Noted, said: str) -> None:
    if noted.unrepeatable is not None or not are_still_so():
        return
    written = tuple((path, store.put(content)) for path, content in noted.written)
    store.keep(key, noted.facts, {"written": written, "said": said})


def _folder_in(words: Sequence[str]) -> str | None:
    """What the last `--cache=` says. Where the word is another option's, what is kept under it is
    that of a command with the same words."""
    folders = [word.removeprefix(OPTION) for word in words if word.startswith(OPTION)]
    return folders[-1] if folders else None


def _key(words: Sequence[str]) -> str | None:
    around = circumstances()
    if around is None:
        return None
    environment = (os.environ.get(name, "\0") for name in _ENVIRONMENT)
    folder = os.getcwd()
    parts = (around, folder, str(_is_terminal()), *environment, *words)
    return digest(*(part.encode(errors="surrogateescape") for part in parts))


def _is_terminal() -> bool:
    return sys.stderr.isatty()


class _Heard(TextIOBase):
    """Standard error, remembered."""

    def __init__(self) -> None:
        super().__init__()
        self._stream = sys.stderr
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()
