"""The source with a verdict beside each loop, and code that was made of it, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.report.contents import CodeLine
from polyopt.report.loop_verdict import LoopVerdict
from polyopt.report.markup import Markup, element


def source_table(
    source: Sequence[str], found: Sequence[LoopVerdict], anchors: Sequence[str]
) -> Markup:
    """`anchors` are the names of the sections about the static control parts, by number."""
    by_line = dict[int, list[LoopVerdict]]()
    for verdict in found:
        by_line.setdefault(verdict.loop.start.line, []).append(verdict)
    rows = [
        element(
            "tr",
            element("td", str(number), class_="number"),
            element("td", text),
            element(
                "td",
                [verdict_markup(one, anchors) for one in by_line.get(number, [])],
                class_="verdict",
            ),
            data_line=number,
        )
        for number, text in enumerate(source, 1)
    ]
    return element("table", element("tbody", [[row, "\n"] for row in rows]), class_="code")


def verdict_markup(one: LoopVerdict, anchors: Sequence[str]) -> Markup:
    head = [
        element("span", class_=f"chip {one.status}"),
        element("b", f"{one.loop.name}: "),
        one.headline,
    ]
    link = None
    if one.scop is not None:
        link = element("p", element("a", "See its pictures", href=f"#{anchors[one.scop]}"))
    if not one.details and link is None:
        return element("div", head)
    details = [element("p", text) for text in one.details]
    return element("details", element("summary", head), details, link)


def code_list(lines: Sequence[CodeLine], label: str) -> Markup:
    """Lines that light up with the line of the source that they were made of."""
    items = [[element("li", line.text or " ", data_line=line.source), "\n"] for line in lines]
    return element("ul", items, class_="lines code", tabindex=0, aria_label=label)
