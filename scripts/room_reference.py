"""Write docs/rooms.md, which says of every file what it does, from their docstrings; `--check` only
says if it is current."""

from __future__ import annotations

import ast
import re
import sys
from inspect import cleandoc
from pathlib import Path

from generated import keep
from rooms import ROOT, rooms

TARGET = ROOT / "docs" / "rooms.md"
HEAD = """# The rooms and their files

Written by `python scripts/room_reference.py` from the docstrings of the files; a test keeps it
current. How the rooms hang together is in [ARCHITECTURE.md](../ARCHITECTURE.md); the tests of a
room run with `scripts/test --room ROOM`.
"""


def reference() -> str:
    return "\n".join([HEAD, *map(_entry, rooms())])


def _entry(room: str) -> str:
    """A room: what its `__init__` says, and a line for each file beside it."""
    files = sorted((ROOT / room).glob("*.py"))
    lines = [f"## {room}", ""]
    lines += [_head(path) for path in files if path.stem == "__init__"]
    rows = [
        f"| `{path.stem}` | {_summary(path)} |" for path in files if not path.stem.startswith("__")
    ]
    lines += ["| file | |", "|---|---|", *rows, ""] if rows else []
    return "\n".join(lines)


def _head(path: Path) -> str:
    """The first paragraph as text; what follows has its own shape, tables among it."""
    first, _, rest = _docstring(path).partition("\n\n")
    return f"{first}\n\n```text\n{rest}\n```\n" if rest else f"{first}\n"


def _summary(path: Path) -> str:
    """The first sentence of the first paragraph, in one line of a table."""
    paragraph = " ".join(_docstring(path).partition("\n\n")[0].split())
    sentence = re.split(r"(?<=[.:;])\s+(?=[A-Z`])", paragraph)[0]
    return sentence.rstrip(".:;").replace("|", "\\|")


def _docstring(path: Path) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return cleandoc(ast.get_docstring(tree) or "")


if __name__ == "__main__":
    sys.exit(keep(__doc__, {TARGET: reference}))
