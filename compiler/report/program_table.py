"""A compiled program in a notebook: its functions, and what was done to its loops."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.report.markup import Markup, element
from polyopt.support.remarks import Remark

SIGNS = {"applied": "✓", "missed": "✗", "analysis": "·"}


def program_table(prototypes: Sequence[str], remarks: Sequence[Remark]) -> Markup:
    functions = [
        element("li", element("code", prototype), style="list-style: none")
        for prototype in prototypes
    ]
    return element(
        "div",
        element("ul", functions, style="padding-left: 0; margin: 0"),
        remarks_table(remarks) if remarks else None,
        class_="polyopt-program",
    )


def remarks_table(remarks: Sequence[Remark]) -> Markup:
    """A row for each: where, and what."""
    rows = [
        element(
            "tr",
            element("td", SIGNS.get(one.kind, "·"), title=one.kind),
            element("td", _place(one), style="text-align: left; white-space: nowrap"),
            element("td", one.message, style="text-align: left"),
        )
        for one in remarks
    ]
    return element(
        "details", element("summary", _summary(remarks)), element("table", rows), open=True
    )


def _place(one: Remark) -> str:
    if one.span is None:
        return one.function or ""
    return f"line {one.span.line}" + (f", {one.function}" if one.function else "")


def _summary(remarks: Sequence[Remark]) -> str:
    done = sum(one.kind == "applied" for one in remarks)
    missed = sum(one.kind == "missed" for one in remarks)
    return f"what was done to the loops: {done} applied, {missed} missed"
