"""What is known of each corpus of `corpus.py`: which programs are refused, with which words, and
which do something else than as gcc compiles them, and why that is right (`corpora.toml`).

The lists hold names, and nothing of the programs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

RIGHT, REFUSED = "right", "refused"
FILE = Path(__file__).with_name("corpora.toml")


@dataclass(frozen=True)
class Result:
    """What became of a program at a level; `why` are the words, where it is not right."""

    file: str
    level: str
    outcome: str
    why: str = ""


@dataclass(frozen=True)
class Corpus:
    """`programs` are patterns in the folder that it lies in, `arguments` what is given with each;
    `{folder}` in them is that one. Of all programs at least `share` in a hundred are right.
    `refused` has names by words of the message, `differs` reasons by name."""

    programs: tuple[str, ...]
    share: int
    arguments: tuple[str, ...] = ()
    refused: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    differs: Mapping[str, str] = field(default_factory=dict[str, str])

    def files(self, folder: Path) -> list[Path]:
        """Those that hold a `main`."""
        found = [file for pattern in self.programs for file in sorted(folder.glob(pattern))]
        return [f for f in found if "main" in f.read_text(encoding="utf-8", errors="replace")]

    def arguments_in(self, folder: Path) -> list[str]:
        return [one.replace("{folder}", str(folder)) for one in self.arguments]

    def beside(self, results: Iterable[Result], folder: Path) -> Iterator[str]:
        """A line for each result that is not as the lists say, and for each share that is missed.
        Nothing is expected of a program that is listed and was not tried."""
        words = {name: word for word, names in self.refused.items() for name in names}
        by_level: dict[str, list[bool]] = {}
        for one in results:
            name = str(Path(one.file).relative_to(folder))
            by_level.setdefault(one.level, []).append(one.outcome == RIGHT)
            told = f"{name} at {one.level}"
            if one.outcome == REFUSED:
                if name not in words:
                    yield f"{told} is refused, and not listed: {one.why}"
                elif words[name] not in one.why:
                    yield f"{told} is refused for another reason: {one.why}"
            elif one.outcome == RIGHT:
                if name in words:
                    yield f"{told} is listed as refused, and is right"
            elif name not in self.differs:
                yield f"{told} is {one.outcome}: {one.why}"
        for level, right in by_level.items():
            if 100 * sum(right) < self.share * len(right):
                yield f"{sum(right)} of {len(right)} are right at {level}, not {self.share} in 100"


def read_lists(file: Path = FILE) -> dict[str, Corpus]:
    """By the names of the corpora."""
    return {
        name: Corpus(
            tuple(parts["programs"]),
            parts["share"],
            tuple(parts.get("arguments", ())),
            {word: tuple(names) for word, names in parts.get("refused", {}).items()},
            parts.get("differs", {}),
        )
        for name, parts in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }
