"""The pages as Sphinx reads them: copies in the same folders, so that links among them stay.

A link to a file that is no page (an example, a source) leads to a page that shows the file, one to
a folder to its README or to a list of its files: the site needs no other place on the net.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

Section = tuple[str, list[str]]

_FENCE = re.compile(r"^(```+)[^\n]*\n.*?^\1\s*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_ASIDE = "---\norphan: true\nnosearch: true\n---\n"
"""Of pages that show files: in no list of pages, and no search leads to them."""
_IMAGES = (".png", ".svg")
_LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".toml": "toml", ".md": "markdown"}


class Staging:
    """`root` is the checkout, `stage` an empty folder; `pages` are all pages of the site, relative
    to both."""

    def __init__(self, root: Path, stage: Path, pages: Iterable[str]):
        self.root = root
        self.stage = stage
        self.pages = set(pages)
        self.shown: dict[str, str] = {}

    def add_page(self, page: str, text: str) -> None:
        self._write(page, outside_of_code(text, lambda part: self._linked(page, part)))

    def add_shown_files(self) -> list[str]:
        """Write the pages that `add_page` has led to; these are they."""
        made = list[str]()
        while waiting := [one for one in self.shown if self.shown[one] not in made]:
            for target in waiting:
                page = self.shown[target]
                self._write(page, self._text_of(target, page))
                made.append(page)
        return made

    def _write(self, page: str, text: str) -> None:
        place = self.stage / page
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def _linked(self, page: str, text: str) -> str:
        def replaced(link: re.Match[str]) -> str:
            target = os.path.normpath(PurePosixPath(page).parent / link[1])
            return f"]({self._relative(page, self._place(target))}{link[2] or ''})"

        return _LINK.sub(replaced, text)

    def _place(self, target: str) -> str:
        if target in self.pages:
            return target
        source = self.root / target
        if source.suffix in _IMAGES:
            (self.stage / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, self.stage / target)
            return target
        if source.is_dir() and f"{target}/README.md" in self.pages:
            return f"{target}/README.md"
        if not source.exists():
            raise ValueError(f"a page links to '{target}', which is not there")
        return self.shown.setdefault(target, f"files/{target}.md")

    def _text_of(self, target: str, page: str) -> str:
        source = self.root / target
        if source.is_dir():
            links = (
                f"- [{one}]({self._relative(page, self._place(f'{target}/{one}'))})"
                for one in files_below(source)
            )
            return f"{_ASIDE}# {target}\n\n" + "\n".join(links) + "\n"
        text = source.read_text(encoding="utf-8")
        language = _LANGUAGES.get(source.suffix, "text")
        fence = "`" * 6
        return f"{_ASIDE}# {target}\n\n{fence}{language}\n{text}{fence}\n"

    def _relative(self, page: str, place: str) -> str:
        return os.path.relpath(place, PurePosixPath(page).parent)


def outside_of_code(text: str, change: Callable[[str], str]) -> str:
    """The text changed, but for its fenced blocks."""
    parts, end = list[str](), 0
    for block in _FENCE.finditer(text):
        parts += [change(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, change(text[end:])])


def files_below(folder: Path) -> list[str]:
    """What git has in the folder, or would take; where it is none of git's, as in an archive of
    the sources, all that there is but for what is hidden."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return sorted(set(listed.stdout.splitlines()))
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(str(path) for path in found if not any(map(_is_hidden, path.parts)))


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in ("__pycache__", "build")


def contents_list(sections: Iterable[Section]) -> str:
    """What stands at the end of the first page: the site's sections."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n"
        + "".join(f"{page.removesuffix('.md')}\n" for page in pages)
        + "```\n"
        for title, pages in sections
    )
