"""The blocks of code in the documents: where they are, and what is said to be typed in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    str(path.relative_to(ROOT)) for pattern in ("*.md", "docs/*.md", "benchmarks/*.md")
    for path in ROOT.glob(pattern)
)  # fmt: skip

_BLOCK = re.compile(r"^```([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    text: str


def blocks(page: str) -> list[Block]:
    whole = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, whole.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in _BLOCK.finditer(whole)
    ]


def pages_with(language: str) -> list[str]:
    return [page for page in PAGES if any(one.language == language for one in blocks(page))]


def transcripts(page: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of the console blocks, each with the lines that it is said to print."""
    for block in blocks(page):
        if block.language != "console":
            continue
        command, said = None, list[str]()
        for line in block.text.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, said
                command, said = line.removeprefix("$ "), []
            else:
                said.append(line)
        assert command is not None
        yield command, said
