"""The documentation as a site: complete, and built without a warning."""

from __future__ import annotations

import importlib.util
from html.parser import HTMLParser
from pathlib import Path

import pytest
from build_docs import FIRST, ROOT, build, made_pages, sections
from docs_site.staging import Staging, files_below, outside_of_code

from polyopt import api
from polyopt.universe import DIALECTS


def test_every_page_is_in_the_contents():
    listed = [page for _, pages in sections() for page in pages]
    assert len(listed) == len(set(listed))
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md")}
    assert found <= set(listed)
    assert {page for page in listed if not (ROOT / page).exists()} == set(made_pages())


def test_the_reference_tells_of_everything_that_is_promised():
    page = made_pages()["reference/api.md"]
    missing = [name for name in api.__all__ if f"polyopt.api.{name}" not in page]
    assert missing == []
    assert "polyopt.api.parse_scop(text: str, *, name: str = 'scop'" in page
    assert "operations: int = " in page  # a field with what it is unless said otherwise
    assert "The SCoP that `text` describes; raises ValueError" in page


def test_links_to_what_is_no_page_show_the_file(tmp_path: Path):
    staging = Staging(ROOT, tmp_path, ["docs/a.md", "README.md"])
    staging.add_page("docs/a.md", "[x](../examples/gemm.c#l) [y](../README.md) [z](https://a.b)")
    assert staging.add_shown_files() == ["files/examples/gemm.c.md"]
    text = (tmp_path / "docs" / "a.md").read_text()
    assert text == "[x](../files/examples/gemm.c.md#l) [y](../README.md) [z](https://a.b)"
    assert "void gemm" in (tmp_path / "files" / "examples" / "gemm.c.md").read_text()


def test_folders_are_lists_of_their_files(tmp_path: Path):
    staging = Staging(ROOT, tmp_path, ["a.md"])
    staging.add_page("a.md", "[plug-in](examples/scheduler-plugin)")
    made = staging.add_shown_files()
    assert "files/examples/scheduler-plugin.md" in made
    assert "files/examples/scheduler-plugin/pyproject.toml.md" in made


def test_files_of_an_archive_are_found_without_git(tmp_path: Path):
    for name in ("a.md", "b/c.md", ".hidden/d.md", "b/__pycache__/e.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert files_below(tmp_path) == ["a.md", "b/c.md"]


def test_links_to_nothing_are_errors(tmp_path: Path):
    with pytest.raises(ValueError, match=r"'docs/none.md', which is not there"):
        Staging(ROOT, tmp_path, []).add_page("docs/a.md", "[x](none.md)")


def test_code_is_left_alone():
    text = "a\n```text\na\n```\na\n````text\na\n```\na\n````\na"
    changed = outside_of_code(text, lambda part: part.replace("a", "b"))
    assert changed == "b\n```text\na\n```\nb\n````text\na\n```\na\n````\nb"


class _Links(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.targets: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = {"a": "href", "link": "href", "script": "src", "img": "src"}
        self.targets += [value for name, value in attrs if name == wanted.get(tag) and value]


@pytest.mark.skipif(
    importlib.util.find_spec("myst_parser") is None, reason="not installed: polyopt[docs]"
)
def test_the_site_is_built_without_a_warning(tmp_path: Path):
    assert build(tmp_path) == 0
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        for target in _Links(page.read_text(encoding="utf-8")).targets:
            place = target.partition("#")[0].partition("?")[0]
            if place and "://" not in place:
                assert (page.parent / place).exists(), f"{page.relative_to(tmp_path)}: {target}"
    first = (tmp_path / FIRST).with_suffix(".html").read_text(encoding="utf-8")
    assert all(title in first for title, _ in sections())
    dialects = (tmp_path / "docs" / "dialects.html").read_text(encoding="utf-8")
    assert all(f">{name}<" in dialects for name in DIALECTS)
