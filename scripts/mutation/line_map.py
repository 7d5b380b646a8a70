"""Which lines of the rooms each test runs, how long it takes, and whether it passes as it is."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

Lines = Mapping[str, frozenset[int]]
"""By file, relative to the root."""


@dataclass(frozen=True)
class TestRun:
    """What is known of one test; `seconds` are those that it takes while its lines are noted."""

    name: str
    seconds: float
    passed: bool
    lines: Lines

    def runs(self, file: str, line: int, end: int) -> bool:
        return not self.lines.get(file, frozenset[int]()).isdisjoint(range(line, end + 1))


class Tracer:
    """Notes the lines that run in files below `folders`, from `start` to `stop`. A function that
    has been entered so often in a row without a new line is not looked at any more."""

    ENOUGH = 100

    def __init__(self, root: str, folders: tuple[str, ...]):
        self.root = root
        self.folders = tuple(f"{root}/{folder}/" for folder in folders)
        self.seen = dict[str, set[int]]()
        self.entered = dict[tuple[str, int], int]()
        self.is_ours = dict[str, bool]()

    def start(self) -> None:
        self.seen, self.entered = {}, {}
        sys.settrace(self._enter)

    def stop(self) -> Lines:
        sys.settrace(None)
        start = len(self.root) + 1
        return {file[start:]: frozenset(lines) for file, lines in self.seen.items()}

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        file = code.co_filename
        ours = self.is_ours.get(file)
        if ours is None:
            ours = self.is_ours[file] = file.startswith(self.folders)
        if not ours:
            return None
        key = file, code.co_firstlineno
        entered = self.entered.get(key, 0)
        if entered > self.ENOUGH:
            return None
        self.entered[key] = entered + 1
        lines = self.seen.setdefault(file, set())

        def at(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line" and frame.f_lineno not in lines:
                lines.add(frame.f_lineno)
                self.entered[key] = 0
            return at

        return at


def together(first: Lines, second: Lines) -> Lines:
    empty = frozenset[int]()
    return {file: first.get(file, empty) | second.get(file, empty) for file in {**first, **second}}


class Kept:
    """What was found out about the tests of a file, for as long as neither it nor what it tests
    has changed."""

    def __init__(self, folder: str, root: str, sources: tuple[str, ...]):
        self.folder, self.root = Path(folder), Path(root)
        self.folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        for source in sources:
            for path in sorted((self.root / source).rglob("*.py")):
                digest.update(str(path.relative_to(self.root)).encode())
                digest.update(path.read_bytes())
        self.sources = digest.digest()

    def _path(self, test_file: Path) -> Path:
        digest = hashlib.sha256(self.sources + str(test_file).encode() + test_file.read_bytes())
        return self.folder / digest.hexdigest()[:24]

    def of(self, test_file: Path) -> list[TestRun] | None:
        path = self._path(test_file)
        return pickle.loads(path.read_bytes()) if path.exists() else None

    def keep(self, test_file: Path, runs: list[TestRun]) -> None:
        path = self._path(test_file)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(runs))
        part.replace(path)
