"""Files that a script writes: kept as they should be, or only looked at with `--check`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path


def keep(description: str | None, targets: Mapping[Path, Callable[[], str]]) -> int:
    """The exit status of a script that writes what its docstring, `description`, says: 1 where
    `--check` finds another text. Nothing is done before the command line has been read."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a file is stale")
    only_checks = parser.parse_args().check
    stale = {path: text for path, write in targets.items() if (text := write()) != _text(path)}
    if only_checks:
        return 1 if stale else 0
    for path, text in stale.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
