"""The pages of the documents, followed as a reader would: what they say to type works, and prints
what they say it prints.

    python scripts/doc_pages.py docs/thirty-times.md …

runs the commands and the sessions of these pages with the polyopt of this interpreter, and says
what is not as it is written."""

from __future__ import annotations

import argparse
import doctest
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    str(path.relative_to(ROOT)) for pattern in ("*.md", "docs/*.md", "benchmarks/*.md")
    for path in ROOT.glob(pattern)
)  # fmt: skip

SKIPPED = "…"
_TRACEBACK = "Traceback (most recent call last)"
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


def normal(line: str) -> str:
    """The line without its indentation and the numbers of its values."""
    return re.sub(r"%\w+", "%_", line.strip())


def tells(said: list[str], printed: list[str]) -> str | None:
    """None if `printed` is what is said, with any number of lines in the place of SKIPPED; else
    the first line of the passage that is missing."""
    rest = [normal(line) for line in printed if line.strip()]
    passages = "\n".join(said).split(SKIPPED)
    for number, passage in enumerate(passages):
        wanted = [normal(line) for line in passage.splitlines() if line.strip()]
        starts = range(1) if number == 0 else range(len(rest) - len(wanted) + 1)
        found = next((i for i in starts if rest[i : i + len(wanted)] == wanted), None)
        if found is None:
            return wanted[0]
        rest = rest[found + len(wanted) :]
    ends_open = bool(said) and said[-1] == SKIPPED
    return None if ends_open or not rest else f"nothing more, but there is: {rest[0]}"


def follow_commands(page: str, environment: Mapping[str, str], folder: Path = ROOT) -> list[str]:
    """Runs the commands of a page, one after the other (later ones use what earlier ones wrote),
    and says of each that does not print what it should: which, what is missing, what it prints.
    A traceback is never left out. `folder` is where they are typed."""
    wrong = list[str]()
    for command, said in transcripts(page):
        ran = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        missing = tells(said, ran.stdout.splitlines())
        if _TRACEBACK in ran.stdout and not any(_TRACEBACK in line for line in said):
            missing = "no traceback"
        if missing is not None:
            wrong.append(f"{page}: $ {command}\nmissing: {missing}\n{ran.stdout}")
    return wrong


def follow_session(page: str) -> list[str]:
    """Runs the sessions of a page as one, where the process stands, and says what prints something
    else."""
    parts = [block.text for block in blocks(page) if block.language == "pycon"]
    session = doctest.DocTestParser().get_doctest("\n".join(parts), {}, page, None, 0)
    told = list[str]()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    with _notes_in_messages():
        runner.run(session, out=told.append)
    return told


@contextmanager
def _notes_in_messages() -> Generator[None]:
    """Before 3.11.4 doctest compares the last part of an exception's message alone: of one with
    notes, the last note. In one part it is all of it."""
    format = traceback.format_exception_only

    def in_one_part(*args: Any) -> list[str]:
        return ["".join(format(*args))]

    traceback.format_exception_only = in_one_part
    try:
        yield
    finally:
        traceback.format_exception_only = format


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("pages", nargs="+", choices=PAGES, metavar="PAGE")
    pages: list[str] = parser.parse_args().pages
    os.chdir(ROOT)
    sys.path.remove(str(ROOT / "scripts"))  # what a page imports is installed
    wrong = list[str]()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMP"] = folder
        for page in pages:
            found = [*follow_commands(page, os.environ), *follow_session(page)]
            print(f"{page}: {'not as written' if found else 'as written'}", flush=True)
            wrong += found
    print("\n".join(wrong), end="")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
