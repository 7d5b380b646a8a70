"""A schedule tree as a picture: a row for each node, joined to its parent, a dot for what it is."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.picture.tree_rows import TreeRow
from polyopt.report.contents import Statement
from polyopt.report.markup import Markup, element
from polyopt.report.words import freedom, row_text

HEIGHT, INDENT, LETTER = 26, 22, 7.3


def tree_picture(rows: Sequence[TreeRow], statements: Sequence[Statement], title: str) -> Markup:
    drawn = list[Markup]()
    last = dict[int, int]()
    width = 0.0
    for k, row in enumerate(rows):
        x, y = 12 + INDENT * row.depth, HEIGHT // 2 + HEIGHT * k
        if row.depth:
            above = last[row.depth - 1]
            drawn.append(
                element("path", d=f"M{x - INDENT} {above + 7} V{y} H{x - 7}", class_="link")
            )
        last[row.depth] = y
        text, class_ = _told(row, statements)
        drawn.append(_node(row, class_, x, y, text, statements))
        width = max(width, x + 14 + LETTER * len(text))
    height = HEIGHT * len(rows)
    return element(
        "svg",
        element("title", title),
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:.0f} {height}",
        width=round(width),
        height=height,
        role="img",
        class_="tree",
    )


def _told(row: TreeRow, statements: Sequence[Statement]) -> tuple[str, str]:
    text = row_text(row, statements)
    if row.kind != "loop":
        return text, row.kind
    word, phrase = freedom(row.parallelism)
    if word == "held":
        phrase = "the iterations stay in order"
    return f"{text} — {phrase}", word


def _node(
    row: TreeRow, class_: str, x: int, y: int, text: str, statements: Sequence[Statement]
) -> Markup:
    mine = [one.line for one in statements if one.name in row.statements]
    line = mine[0] if row.kind == "statement" else None
    if row.kind == "loop":
        dot = element("circle", cx=x, cy=y, r=6)
    else:
        dot = element("rect", x=x - 5, y=y - 5, width=10, height=10)
    label = element("text", text, x=x + 12, y=y + 4)
    return element("g", dot, label, class_=f"node {class_}", data_line=line)
