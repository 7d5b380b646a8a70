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


def test_block_style_is_what_isl_writes() -> None:
    schedule = parse_schedule(GOOD, "f")
    assert str(schedule) == str(isl.Schedule(GOOD))
    lines = [line.strip() for line in schedule_text(schedule).splitlines()]
    assert 'mark: "tile"' in lines
    assert "permutable: 1" in lines
    assert "coincident: [ 1 ]" in lines


MALFORMED = {
    "empty": ("", (1, 0), "no schedule tree"),
    "domain": (GOOD.replace("0 <= i < n }", "0 <= i < }"), (2, 9), "no domain of a schedule"),
    "band": (GOOD.replace("[(i)] }]", "[(i)] }"), (10, 17), "no schedule of a schedule: syntax"),
    "key": (GOOD.replace("mark:", "marc:"), (4, 3), "'marc' is nothing that a schedule tree has"),
    "quote": (GOOD.replace('"tile"', '"tile'), (1, 0), "no schedule tree"),
    "flow style": ('{ domain: "{ S[i] }", child: { filter: "{ S[i" } }', (1, 40), "no filter of"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_texts(name: str) -> None:
    text, (line, column), message = MALFORMED[name]
    with pytest.raises(CompileError, match=message) as caught:
        parse_schedule(text, "f.schedule")
    span = caught.value.diagnostic.span
    assert span is not None
    assert (span.file, span.line, span.column) == ("f.schedule", line, column)
