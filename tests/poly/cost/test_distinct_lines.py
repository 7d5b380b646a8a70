"""Distinct lines: counted one by one, and how they grow."""

from itertools import product

import pytest

from polyopt.poly.cost.distinct_lines import Reference, distinct

LINE = 64  # eight elements of eight bytes


def reference(*rows: tuple[int, ...], is_write: bool = False) -> Reference:
    return Reference("A", rows, is_write, 8)


def counted(one: Reference, extents: tuple[int, ...], line_bytes: int = LINE) -> int:
    """The lines of an array whose rows are of whole lines and begin where a line does."""
    lines = set[tuple[int, ...]]()
    for iteration in product(*map(range, extents)):
        subscripts = [sum(a * i for a, i in zip(row, iteration, strict=True)) for row in one.rows]
        if subscripts:
            subscripts[-1] = subscripts[-1] * one.element_bytes // line_bytes
        lines.add(tuple(subscripts))
    return len(lines)


@pytest.mark.parametrize(
    ("one", "extents"),
    [
        (reference(), (5, 7)),
        (reference((1, 0), (0, 1)), (4, 16)),
        (reference((0, 1), (1, 0)), (16, 4)),
        (reference((1, 0, 0), (0, 0, 1)), (4, 9, 32)),
        (reference((1, 1)), (8, 17)),
        (reference((1, 1), (0, 1)), (3, 8)),
        (reference((0, 2)), (5, 20)),
        (reference((8, 0)), (20, 5)),
        (reference((1, 0), (1, 0)), (6, 3)),
    ],
    ids=str,
)
def test_as_counted(one: Reference, extents: tuple[int, ...]):
    assert one.lines(extents, LINE) == pytest.approx(counted(one, extents), rel=0.1)


def test_a_run_shorter_than_a_line_is_one_line():
    assert reference((1, 0), (0, 1)).lines((4, 3), LINE) == counted(
        reference((1, 0), (0, 1)), (4, 3)
    )


@pytest.mark.parametrize(
    "one",
    [
        reference(),
        reference((1, 0), (0, 1)),
        reference((0, 1), (1, 0)),
        reference((1, 1), (0, 1)),
        reference((1, 0), (1, 0)),
    ],
    ids=str,
)
def test_growth_is_the_derivative(one: Reference):
    for loop, line_bytes in product(range(2), (LINE, 4096)):
        extents, step = [32.0, 40.0], 1e-4
        more = [size + step * (k == loop) for k, size in enumerate(extents)]
        difference = (one.lines(more, line_bytes) - one.lines(extents, line_bytes)) / step
        assert one.growth(extents, line_bytes, loop) == pytest.approx(difference, abs=1e-3)


def test_accesses_that_move_alike_count_once():
    read, write = reference((1, 0)), reference((1, 0), is_write=True)
    assert distinct([read, write, reference((0, 1)), read]) == (write, reference((0, 1)))


def test_rows_far_apart_are_no_more_than_the_iterations():
    """A[i + 1000 k][j], k below 2: twenty rows, not the thousand from the first to the last."""
    one = reference((1, 0, 1000), (0, 1, 0))
    assert one.lines([10, 800, 2], LINE) == 20 * 100
    assert one.lines([10, 80, 2], LINE) == 20 * 10
    # One more i is two more rows, one more k ten.
    assert one.growth([10, 800, 2], LINE, 0) == 2 * 100
    assert one.growth([10, 800, 2], LINE, 2) == 10 * 100
    assert one.growth([10, 800, 2], LINE, 1) == 20 / 8


@pytest.mark.parametrize("extents", [(3, 16, 2), (7, 64, 3), (1, 8, 1), (5, 40, 4)])
@pytest.mark.parametrize("row", [(1, 0, 50), (2, 0, 1), (3, 0, 0), (1, 0, 1)])
def test_never_below_what_is_touched(row: tuple[int, ...], extents: tuple[int, ...]):
    """And that where no two rows are one."""
    one = reference(row, (0, 1, 0))
    found, wanted = one.lines(extents, LINE), counted(one, extents)
    assert found >= wanted
    if row[2] in (0, 50):
        assert found == wanted


@pytest.mark.parametrize(
    ("one", "extents"),
    [
        (reference((1, 0), (1, 1)), (40, 80)),
        (reference((1, 1), (1, 0)), (40, 80)),
        (reference((0, 1, 0), (1, 0, 1)), (1, 30, 64)),
        (reference((1, 0, 0), (1, 1, 0), (0, 1, 1)), (6, 8, 64)),
        (reference((8, 8, 1, 0), (8, 0, 1, 0)), (5, 10, 8, 3)),
        (reference((4, 0, 1, 0), (4, 4, 0, 1)), (20, 15, 4, 4)),
        (reference((4, 4, 1, 0), (4, 0, 0, 1)), (20, 15, 4, 4)),
    ],
    ids=str,
)
def test_what_has_no_gaps_fills_its_lines(one: Reference, extents: tuple[int, ...]):
    """A triangle is not its square."""
    dense = one.dense_lines(extents, LINE)
    assert 0.8 * counted(one, extents) <= dense <= 1.35 * counted(one, extents)
    assert dense <= one.lines(extents, LINE)


def test_an_access_may_be_to_several_elements_in_a_row():
    one, wide = reference((1, 0, 0), (1, 1, 1)), reference((1, 0), (1, 4))
    assert wide.dense_lines((40, 20), LINE, 4) == one.dense_lines((40, 80, 1), LINE)
    assert wide.dense_lines((40, 20), LINE) == wide.lines((40, 20), LINE)


@pytest.mark.parametrize(
    "one",
    [
        reference((1, 0), (0, 1)),
        reference((1, 0), (2, 2)),
        reference((1, 1), (1, 1)),
        reference((1, 0, 1), (0, 1, 1)),
    ],
    ids=str,
)
def test_with_gaps_or_elements_in_common_lines_are_as_far_as_they_reach(one: Reference):
    extents = (9, 20, 12)[: len(one.rows[0])]
    assert one.dense_lines(extents, LINE) == one.lines(extents, LINE)
