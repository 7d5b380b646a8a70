"""Schedule trees as text: the same tree comes back, and mistakes have their place."""

import islpy as isl
import pytest
from oracles.kernels import KERNELS

from polyopt.poly.exchange.tree_text import parse_schedule, schedule_text
from polyopt.poly.notation import parse_scop
from polyopt.support.diagnostics import CompileError


@pytest.mark.parametrize("name", KERNELS)
def test_there_and_back(name: str) -> None:
    schedule = parse_scop(KERNELS[name]).schedule
    assert str(parse_schedule(schedule_text(schedule), "f")) == str(schedule)


GOOD = """\
# for every i, in tiles
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  mark: "tile"
  child:
    schedule: "[n] -> [{ S[i] -> [(32*floor((i)/32))] }]"
    permutable: 1
    coincident: [ 1 ]
    child:
      schedule: "[n] -> [{ S[i] -> [(i)] }]"
"""


def test_styles_may_be_mixed() -> None:
    mixed = 'domain: "{ S[]; T[] }"\nchild: { sequence: [\n{filter:"{ T[] }"}, # first\n'
    mixed += ' { filter: "{ S[] }", child: { schedule: "[{ S[] -> [(0)] }]" } } ] }\n'
    found = parse_schedule(mixed, "f")
    filters = 'sequence: [ { filter: "{ T[] }" }, { filter: "{ S[] }", child: { schedule: '
    assert filters in str(found)


def test_block_style_is_what_isl_writes() -> None:
    schedule = parse_schedule(GOOD, "f")
    assert str(schedule) == str(isl.Schedule(GOOD))
    lines = [line.strip() for line in schedule_text(schedule).splitlines()]
    assert 'mark: "tile"' in lines
    assert "permutable: 1" in lines
    assert "coincident: [ 1 ]" in lines


MALFORMED = {
    "empty": ("", (1, 1), "expected a key"),
    "domain": (GOOD.replace("0 <= i < n }", "0 <= i < }"), (2, 9), "no domain of a schedule"),
    "band": (GOOD.replace("[(i)] }]", "[(i)] }"), (10, 17), "no schedule of a schedule: syntax"),
    "key": (GOOD.replace("mark:", "marc:"), (4, 3), "'marc' is nothing that a schedule tree has"),
    "colon": (GOOD.replace("mark:", "mark"), (4, 8), "expected ':' behind 'mark'"),
    "quote": (GOOD.replace('"tile"', '"tile'), (4, 9), "expected a text in quotes"),
    "twice": (GOOD.replace("permutable: 1", 'schedule: "[]"'), (7, 5), "stands twice in one node"),
    "number": (GOOD.replace("permutable: 1", "permutable: x"), (7, 17), "expected a number"),
    "list": (GOOD.replace("[ 1 ]", "[ 1, ]"), (8, 17), "expected a list of numbers"),
    "indent": (GOOD.replace("\n  mark", "\nmark"), (4, 1), "expected a node, indented"),
    "outdent": (GOOD.replace("    permutable", "   permutable"), (7, 4), "expected the end of the"),
    "end of the file": ('domain: "{ S[i] }"\nchild:\n  sequence:\n  -', (4, 4), "expected a key"),
    "flow style": ('{ domain: "{ S[i] }", child: { filter: "{ S[i" } }', (1, 40), "no filter of"),
    "brace": ('{ domain: "{ S[i] }"', (1, 21), "expected ',' or '}'"),
    "number of a node": ('{4 domain: "{ S[i] }" }', (1, 2), "expected a key"),
    "deep": ("{ child: " * 500, (1, 1809), "deeper than 200 nodes"),
    "no domain": ('schedule: "[{ S[i] -> [i] }]"', (1, 0), "no schedule tree"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_texts(name: str) -> None:
    text, (line, column), message = MALFORMED[name]
    with pytest.raises(CompileError, match=message) as caught:
        parse_schedule(text, "f.schedule")
    span = caught.value.diagnostic.span
    assert span is not None
    assert (span.file, span.line, span.column) == ("f.schedule", line, column)
