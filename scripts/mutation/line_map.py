"""Which lines of the rooms each test runs, how long it takes, and whether it passes as it is."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from coverage import Coverage

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
    """Notes the lines that run in files below `folders`, from `start` to `stop`, also where the
    process forks in between: in the fork the lines so far are those of both."""

    def __init__(self, root: str, folders: tuple[str, ...]):
        self.root = root
        self.coverage = Coverage(
            data_file=None,
            config_file=False,
            include=[f"{root}/{folder}/*" for folder in folders],
            messages=False,
        )
        self.coverage.set_option("run:disable_warnings", ["no-data-collected"])

    def start(self) -> None:
        self.coverage.start()

    def stop(self) -> Lines:
        self.coverage.stop()
        data = self.coverage.get_data()
        return {
            file[len(self.root) + 1 :]: frozenset(data.lines(file) or ())
            for file in data.measured_files()
        }


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
