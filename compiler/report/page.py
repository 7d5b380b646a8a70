"""All that there is to show of some translation units on one page that needs nothing but itself.

The page is made for somebody who knows loops, and not the polyhedral model: first the source with a
sentence beside each loop, then pictures that can be played with, then the code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from polyopt.report.contents import CodeLine, Contents
from polyopt.report.glossary import glossary
from polyopt.report.loop_verdict import LoopVerdict, Status
from polyopt.report.markup import Child, Markup, element, join
from polyopt.report.scop_section import scop_section
from polyopt.report.source_view import code_list, source_table
from polyopt.report.speed import program_words
from polyopt.report.verdicts import verdicts

NO_NETWORK = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""What the page may load: nothing; its own style and script are in it."""


_TAG = re.compile(r"<[^>]*>")


def page(units: Sequence[Contents], title: str) -> str:
    """The whole document."""
    sections = [unit_section(contents, f"u{k}") for k, contents in enumerate(units)]
    words = glossary(_TAG.sub(" ", section) for section in sections)
    return document(title, [words, *sections] if words else sections)


def document(title: str, body: Sequence[Markup]) -> str:
    """A page that needs nothing: style, script and all."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=NO_NETWORK),
        element("title", title),
        element("style", Markup(style())),
    )
    header = element(
        "header",
        element("h1", title),
        element("button", "light / dark", type="button", class_="theme"),
    )
    script = element("script", Markup(_file("page.js")))
    whole = element("html", head, element("body", header, body, script), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def style() -> str:
    """Of pages and of pictures."""
    return _file("page.css") + pictures_style()


def pictures_style() -> str:
    """What a picture needs that stands alone."""
    return _file("pictures.css")


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def unit_section(contents: Contents, prefix: str) -> Markup:
    """One translation unit; `prefix` begins the names of its anchors."""
    anchors = [f"{prefix}s{k}" for k in range(len(contents.scops))]
    found = verdicts(contents)
    table = source_table(contents.source, found, anchors)
    return element(
        "article",
        element("h2", contents.file),
        element("p", element("code", contents.command), class_="legend"),
        element("p", _key(found), class_="legend"),
        _ran(contents),
        element("div", table, class_="panel"),
        [
            scop_section(contents, view, anchor)
            for view, anchor in zip(contents.scops, anchors, strict=True)
        ],
        _code(contents),
        class_="unit",
    )


def _ran(contents: Contents) -> Child:
    words = program_words(contents.scops)
    return None if words is None else element("p", words)


def _key(found: Sequence[LoopVerdict]) -> Markup:
    """What the colours beside loops mean, and how many there are of each."""
    counts = Counter(one.status for one in found)
    kinds: tuple[tuple[Status, str], ...] = (
        ("changed", "changed"),
        ("free", "as it was, iterations are independent"),
        ("partly", "as it was, iterations share a sum or follow each other"),
        ("held", "as it was, iterations need, or may need, earlier ones"),
        ("left", "not understood, or gone"),
    )
    return join(
        [
            element(
                "span",
                element("span", class_=f"chip {status}"),
                element("b", str(counts[status])),
                f" {text}",
                class_="kind" if counts[status] else "kind none",
            )
            for status, text in kinds
        ],
        "Point at a line, and what was made of it lights up.",
    )


def _code(contents: Contents) -> Child:
    if not contents.functions:
        return None
    source = [CodeLine(text, number) for number, text in enumerate(contents.source, 1)]
    return element(
        "section",
        element("h2", "Source and assembly"),
        element(
            "div",
            element("div", code_list(source, "source"), class_="panel beside"),
            element(
                "div",
                [
                    [element("h3", one.name), code_list(one.lines, f"assembly of {one.name}")]
                    for one in contents.functions
                ],
                class_="panel",
            ),
            class_="columns",
        ),
    )
