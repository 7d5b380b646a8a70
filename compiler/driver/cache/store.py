"""A folder of finished work, which any number of processes read and write at once, without locks.

    FOLDER/v1/SHARD/NAME.blob     a content, named by its digest
    FOLDER/v1/SHARD/KEY.cases     for one question: what was found to depend on what (`Case`)
    FOLDER/v1/hits, misses, …     a byte for each, so that appending counts

A file appears whole, by renaming, and is never changed. What does not have the digest that it
should have is removed, as if it had never been there. Each shard holds its share of `bound` bytes:
what was used longest ago goes. A folder that somebody else could write to is not used: the code
in it would be his.
"""

from __future__ import annotations

import marshal
import os
import time
from _thread import get_ident
from collections.abc import Iterable
from contextlib import suppress

from polyopt.support.digest import digest
from polyopt.support.noted import Fact, Present

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BOUND = 512 << 20
"""Bytes in all, where nobody says otherwise."""

_FORM = "v1"
_SHARDS = "0123456789abcdef"
_CASES = 8
_FORGOTTEN = 3600.0  # seconds after which a file that was never finished is nobody's any more
_NAME_LENGTH = len(digest())
_WRITABLE_BY_OTHERS = 0o022

Case = tuple[tuple[Fact, ...], "Any"]
"""As long as these facts hold, the answer is this: numbers, texts, bytes, tuples, lists, dicts."""


class Store:
    """The work kept in a folder, in no more than `bound` bytes."""

    def __init__(self, folder: str, bound: int = BOUND):
        self.folder = folder
        self.bound = bound
        self._root = os.path.join(folder, _FORM)

    def is_usable(self) -> bool:
        """Whether the folder is there, or can be made, and is this user's own."""
        try:
            os.makedirs(self._root, mode=0o700, exist_ok=True)
            return all(_is_own(path) for path in (self.folder, self._root))
        except OSError:
            return False

    def find(self, key: str, present: Present) -> Case | None:
        """What was kept for the question in circumstances like the present; None for nothing."""
        for case in self._cases(key):
            if present.agrees(case[0]):
                self._touch(self._path(key, "cases"))
                return case
        return None

    def keep(self, key: str, facts: tuple[Fact, ...], answer: Any) -> None:
        """Remember the answer, before those of other circumstances."""
        others = [case for case in self._cases(key) if case[0] != facts]
        data = marshal.dumps([(facts, answer), *others[: _CASES - 1]])
        self._write(key, "cases", digest(data).encode() + data)

    def content(self, name: str) -> bytes | None:
        """The content of that name."""
        path = self._path(name, "blob")
        data = _read(path)
        if data is None:
            return None
        if digest(data) != name:
            _remove(path)
            return None
        self._touch(path)
        return data

    def put(self, data: bytes) -> str:
        """Keep a content; its name."""
        name = digest(data)
        if not os.path.exists(self._path(name, "blob")):
            self._write(name, "blob", data)
        return name

    def count(self, what: str) -> None:
        """One more of them."""
        with suppress(OSError):
            place = os.open(
                os.path.join(self._root, what), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600
            )
            os.write(place, b"+")
            os.close(place)

    def counted(self, what: str) -> int:
        try:
            return os.stat(os.path.join(self._root, what)).st_size
        except OSError:
            return 0

    def size(self) -> tuple[int, int]:
        """How many files there are, and their bytes."""
        files = [file for shard in _SHARDS for file in self._files(shard)]
        return len(files), sum(size for _, size, _ in files)

    def clear(self) -> None:
        """Remove all that is kept, and the counts."""
        for shard in _SHARDS:
            for _, _, path in self._files(shard):
                _remove(path)
            with suppress(OSError):
                os.rmdir(os.path.join(self._root, shard))
        with suppress(OSError):
            for name in os.listdir(self._root):
                _remove(os.path.join(self._root, name))

    def _path(self, name: str, kind: str) -> str:
        return os.path.join(self._root, name[0], f"{name}.{kind}")

    def _cases(self, key: str) -> list[Case]:
        path = self._path(key, "cases")
        data = _read(path)
        if data is None:
            return []
        body = data[_NAME_LENGTH:]
        if data[:_NAME_LENGTH] != digest(body).encode():
            _remove(path)
            return []
        return marshal.loads(body)

    def _touch(self, path: str) -> None:
        with suppress(OSError):
            os.utime(path)

    def _write(self, name: str, kind: str, data: bytes) -> None:
        """A file that cannot be written is not kept, and nobody minds."""
        path = self._path(name, kind)
        unfinished = f"{path}.{os.getpid()}.{get_ident()}.{time.monotonic_ns()}"
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            place = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(place, "wb") as stream:
                stream.write(data)
            os.replace(unfinished, path)
        except OSError:
            _remove(unfinished)
        self._trim(name[0])

    def _trim(self, shard: str) -> None:
        """Remove what was used longest ago, until the shard is within its share."""
        share = self.bound // len(_SHARDS)
        files = list(self._files(shard))
        total = sum(size for _, size, _ in files)
        for used, size, path in sorted(files):
            is_forgotten = not path.endswith((".blob", ".cases"))
            if is_forgotten and time.time() - used > _FORGOTTEN:
                _remove(path)
            elif total > share and not is_forgotten:
                _remove(path)
            else:
                continue
            total -= size

    def _files(self, shard: str) -> Iterable[tuple[float, int, str]]:
        """The files of a shard: when each was used, its size and its path."""
        found: list[tuple[float, int, str]] = []
        with suppress(OSError), os.scandir(os.path.join(self._root, shard)) as entries:
            for entry in entries:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, entry.path))
        return found


def _is_own(path: str) -> bool:
    status = os.stat(path)
    return status.st_uid == os.geteuid() and not status.st_mode & _WRITABLE_BY_OTHERS


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
