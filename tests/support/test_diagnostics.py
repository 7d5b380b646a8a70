"""What is shown of the line that a message is about."""

from __future__ import annotations

import pytest

from polyopt.support.diagnostics import Diagnostic, SourceMap, Span


def shown(line: str, column: int) -> list[str]:
    sources = SourceMap()
    sources.add("t.c", line)
    return Diagnostic("error", "wrong", Span("t.c", 1, column)).render(sources).split("\n")[1:]


@pytest.mark.parametrize("column", [1, 80, 81, 82, 300, 719, 720, 800])
def test_mark_stays_under_the_place_in_a_long_line(column: int) -> None:
    line = "".join(chr(0x100 + place) for place in range(800))
    text, mark = shown(line, column)
    assert mark.endswith("^")
    assert text[len(mark) - 1] == line[column - 1]
    assert len(text) < 170
    assert text.startswith("  ...") == (column > 81)
    assert text.endswith("...") == (column <= 720)


def test_ordinary_line_is_shown_whole() -> None:
    assert shown("x" * 160, 160) == ["  " + "x" * 160, " " * 161 + "^"]
    assert shown("\tx = y", 2) == ["  \tx = y", "  \t^"]
