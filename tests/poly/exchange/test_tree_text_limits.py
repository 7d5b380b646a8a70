"""Places of mistakes in flow style, and trees that are deep by their lists of children."""

import pytest

from polyopt.poly.exchange.tree_text import parse_schedule
from polyopt.support.diagnostics import CompileError


def place_of(text: str, message: str) -> tuple[int, int]:
    with pytest.raises(CompileError, match=message) as caught:
        parse_schedule(text, "f")
    span = caught.value.diagnostic.span
    assert span is not None
    return span.line, span.column


@pytest.mark.parametrize("blanks", ["", " ", "    ", "\n  "])
def test_a_word_that_is_no_key_is_where_it_begins(blanks: str) -> None:
    text = f'{{ domain: "{{ S[i] }}",{blanks}marc: "x" }}'
    start = text.index("marc")
    line = text.count("\n", 0, start)
    assert place_of(text, "nothing that a schedule tree has") == (
        line + 1,
        start - text.rfind("\n", 0, start),
    )


@pytest.mark.parametrize("kind", ["sequence", "set"])
def test_children_in_children_are_depth_too(kind: str) -> None:
    text = '{ domain: "{ S[i] }", child: ' + f'{{ {kind}: [ {{ filter: "{{ S[i] }}", child: ' * 300
    place_of(text, "deeper than 200 nodes")
