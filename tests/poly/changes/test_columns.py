"""Columns that become rows: which arrays, and for which parameters."""

from dataclasses import replace

import islpy as isl
import pytest

from polyopt.poly.changes.columns import columns_as_rows
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Mark, Sequence, Tree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.target import Target

TARGET = Target.named("x86-64-v4")

PAIRS = """
[n, m]
for i : 0 <= i < m
  for j : 0 <= j < n
    S: C[i, j] = READS
"""

SERIAL = """
[n, t]
for s : 0 <= s < t
  for i : 0 <= i < n
    for j : 0 <= j < n
      S: m[0] = m[0] A[i, j] C[j, i]
"""


def coincident(tree: Tree, *, loops: str) -> Tree:
    """All members of the tree as they would be if no loop carried anything ("all"), or all did."""
    match tree:
        case Band(members, child):
            free = tuple(replace(one, coincident=loops == "all") for one in members)
            return replace(tree, members=free, child=coincident(child, loops=loops))
        case Mark(_, child):
            return replace(tree, child=coincident(child, loops=loops))
        case Sequence(children):
            inside = tuple((one, coincident(below, loops=loops)) for one, below in children)
            return replace(tree, children=inside)
        case _:
            return tree


def found(scop: Scop, loops: str = "all") -> dict[str, tuple[tuple[int, ...], isl.Set]]:
    tree = coincident(read_tree(scop.schedule), loops=loops)
    chosen = columns_as_rows(scop, tree, TARGET)
    return {one.array: (one.order, one.often) for one in chosen}


def pairs(reads: str) -> Scop:
    return parse_scop(PAIRS.replace("READS", reads))


def holds(often: isl.Set, **parameters: int) -> bool:
    for name, number in parameters.items():
        place = often.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            often = often.fix_val(isl.dim_type.param, place, number)
    return not often.is_empty()


def test_a_column_that_each_row_reads():
    chosen = found(pairs("C[i, j] P[j, 3]"))
    assert list(chosen) == ["P"]
    order, often = chosen["P"]
    assert order == (1, 0)
    assert holds(often, n=8, m=32)
    assert not holds(often, n=1000, m=31)


def test_the_first_of_three_dimensions_becomes_the_last():
    ((order, _),) = found(pairs("C[i, j] P[j, 3, 5]")).values()
    assert order == (1, 2, 0)


@pytest.mark.parametrize(
    "reads",
    [
        "C[i, j] P[3, j]",  # a row
        "C[i, j] P[j, i]",  # each element once
        "C[i, j] P[i, 3]",  # the same in all lanes
        "C[i, j] P[j, 3] P[2, j]",  # both ways
        "C[i, j] P[2j, 3]",  # every other one
        "C[i, j] C[j, 3]",  # written
        "C[i, j] p[j]",  # of one dimension
        " ".join(["C[i, j]", *(f"P[j, {k}]" for k in range(8))]),  # squares
    ],
)
def test_stays_as_it_is(reads: str):
    assert found(pairs(reads)) == {}


def test_fewer_columns_than_a_square_or_apart():
    assert found(pairs(" ".join(["C[i, j]", *(f"P[j, {k}]" for k in range(7))])))
    assert found(pairs(" ".join(["C[i, j]", *(f"P[j, {2 * k}]" for k in range(8))])))


def test_no_lanes_and_rows_spread_over_all_sets():
    """Rows of n doubles meet where n is a multiple of 128."""
    scop = parse_scop(SERIAL)
    arrays = tuple(
        replace(one, extents=(None, "n"), element_bytes=8) if one.name == "C" else one
        for one in scop.arrays
    )
    ((name, (order, often)),) = found(replace(scop, arrays=arrays), "none").items()
    assert (name, order) == ("C", (1, 0))
    for n, t in ((128, 4), (1024, 4), (256, 100)):
        assert holds(often, n=n, t=t)
    for n, t in ((1000, 100), (1024, 3), (64, 100), (0, 100)):
        assert not holds(often, n=n, t=t)


@pytest.mark.parametrize(("length", "meets"), [("512", True), ("500", False), (None, False)])
def test_rows_of_known_length(length: str | None, meets: bool):
    scop = parse_scop(SERIAL)
    arrays = tuple(
        replace(one, extents=(None, length), element_bytes=8) if one.name == "C" else one
        for one in scop.arrays
    )
    assert bool(found(replace(scop, arrays=arrays), "none")) == meets
