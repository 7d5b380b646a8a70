"""What stands by itself: a picture as SVG with its style, and pages, as notebooks show them."""

from __future__ import annotations

from dataclasses import replace

from polyopt.report.contents import Contents, ScopView
from polyopt.report.domain_picture import domain_picture
from polyopt.report.markup import Markup, element
from polyopt.report.page import document, pictures_style
from polyopt.report.scop_section import AFTER, scop_section

HEIGHT = 720
"""Of the frame in a notebook, in pixels."""

REPORT = "what became of the loops"
"""The title of a report's frame."""


def with_style(svg: Markup) -> Markup:
    """The picture as a file of its own."""
    head, _, rest = svg.partition(">")
    return Markup(f"{head}>{element('style', Markup(pictures_style()))}{rest}\n")


def framed(page: str, title: str) -> Markup:
    """A page within another one, such as a notebook."""
    return element(
        "iframe", srcdoc=page, width="100%", height=HEIGHT, style="border: 0", title=title
    )


class Page(str):
    """A page of HTML as text, which a notebook shows."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return framed(str(self), REPORT)

    def __repr__(self) -> str:
        return f"<page of {len(self):,} characters of HTML>"


class Picture:
    """The iterations of a SCoP as they were and as they run now. A notebook shows it; `svg` is the
    order as it is now, `html` a page with both orders to play with."""

    def __init__(self, contents: Contents, view: ScopView):
        if view.shown is None:
            raise ValueError(f"there is no picture of it: {view.why_not}")
        drawn = domain_picture(view.shown, view.statements, view.shown.after, AFTER, "after")
        self.svg = with_style(drawn)
        alone = replace(contents, scops=(view,))
        section = scop_section(alone, view, "scop")
        self.html = document(view.function, [element("article", section, class_="unit")])
        self._size = len(view.shown.before.events)
        self._name = view.name

    def save(self, path: str) -> None:
        """As SVG, or as a page where the name ends in `.html`."""
        text = self.html if str(path).endswith((".html", ".htm")) else self.svg
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)

    def _repr_html_(self) -> str:
        return framed(self.html, f"iterations of {self._name}")

    def __repr__(self) -> str:
        return f"<picture of {self._size} iterations of {self._name}>"
