"""An OpenScop file's iterators are those of the C text, and a few more ways to be malformed."""

import pytest
from oracles.plain_nests import PlainOrder, is_before
from oracles.plain_schedules import Date, Dates
from oracles.polyhedral import times
from oracles.schedule_doors import Case, import_openscop

from polyopt.poly.exchange.openscop_text import parse_openscop
from polyopt.support.diagnostics import CompileError

SYMMETRIC = "[n] :\nfor i down : 0 <= i < n\n  S0: A[0] = \n  S1: B[i] = "
DATES = {
    "as in the source": (Date({"i": -1}),),
    "tiled": (Date({"i": -1}, 0, 3), Date({"i": -1})),
    "shifted": (Date({"i": -1, "n": 1}, 2),),
}


@pytest.mark.parametrize("name", DATES)
def test_a_loop_that_counts_down(name: str) -> None:
    """Nothing in the accesses of S0 tells its first iteration from its last."""
    case = Case.of(SYMMETRIC, may_reassociate=False)
    assert case is not None
    dates = Dates(case.nest, {one.name: DATES[name] for one in case.nest.statements})
    import_openscop(case, dates)
    for order in case.orders:
        when = times(case.schedule, order.sizes)
        asked = dates.times(order.instances, order.sizes)
        assert not isinstance(asked, str)
        for one in order.instances:
            for other in order.instances:
                if is_before(asked[one], asked[other]):
                    assert when[one] < when[other]


def test_what_is_reversed_is_refused() -> None:
    case = Case.of(SYMMETRIC, may_reassociate=False)
    assert case is not None
    upward = Dates(case.nest, {one.name: (Date({"i": 1}),) for one in case.nest.statements})
    assert any(PlainOrder(case.nest, order.sizes).pairs for order in case.orders)
    with pytest.raises(CompileError, match="illegal schedule"):
        import_openscop(case, upward)


HEAD = "<OpenScop>\nC\nCONTEXT\n0 2 0 0 0 0\n0\n0\n"


@pytest.mark.parametrize("line", ["3", "x B", "B"])
def test_an_array_is_a_number_and_a_name(line: str) -> None:
    text = f"{HEAD}<arrays>\n1\n{line}\n</arrays>\n</OpenScop>\n"
    with pytest.raises(CompileError, match="expected an array's number and name"):
        parse_openscop(text, "f.scop")


def test_the_place_in_a_file_without_lines_is_the_first() -> None:
    with pytest.raises(CompileError) as caught:
        parse_openscop("", "f.scop")
    span = caught.value.diagnostic.span
    assert span is not None
    assert span.line == 1
