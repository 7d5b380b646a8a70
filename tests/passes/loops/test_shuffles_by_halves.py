"""Shuffles within halves of vectors, run on lists: every lane of every result is the element
wanted, and what crosses halves is whole halves."""

from __future__ import annotations

import pytest
from oracles.shuffled_lists import columns, rows, run

from polyopt.passes.loops.shuffle_network import Shuffle
from polyopt.passes.loops.shuffles_by_halves import shuffles_by_halves


def moves_whole_halves(one: Shuffle, lanes: int) -> bool:
    half = lanes // 2
    low, high = one.order[:half], one.order[half:]
    return all(
        part[0] % half == 0 and list(part) == list(range(part[0], part[0] + half))
        for part in (low, high)
    )


def stays_in_halves(one: Shuffle, lanes: int) -> bool:
    half = lanes // 2
    return all(from_ % lanes // half == lane // half for lane, from_ in enumerate(one.order))


@pytest.mark.parametrize(
    ("lanes", "count"),
    [*((4, count) for count in range(2, 9)), *((8, count) for count in range(2, 8))],
)
def test_rows_become_columns_and_rows_again(lanes: int, count: int):
    one, other = rows(count, lanes), columns(count, lanes)
    for sources, results in ((one, other), (other, one)):
        network = shuffles_by_halves(sources, results, lanes)
        assert network is not None
        assert run(network, sources) == results
        assert all(
            moves_whole_halves(shuffle, lanes) or stays_in_halves(shuffle, lanes)
            for shuffle in network.shuffles
        )


@pytest.mark.parametrize(
    ("lanes", "count", "most"), [(4, 2, 4), (8, 2, 4), (4, 4, 8), (8, 4, 12), (8, 3, 9)]
)
def test_how_many_there_are(lanes: int, count: int, most: int):
    for sources, results in (
        (rows(count, lanes), columns(count, lanes)),
        (columns(count, lanes), rows(count, lanes)),
    ):
        network = shuffles_by_halves(sources, results, lanes)
        assert network is not None
        assert len(network.shuffles) == most


def test_what_is_no_vector_of_halves():
    """The last vector that is loaded begins within the one before: as the halves of its neighbours
    none of its own are apart. Where anything will do, and where elements run backwards within a
    half, too."""
    assert shuffles_by_halves([[0, 1, 2, 3], [3, 4, 5, 6]], [[0, 2, 4, 6]], 4) is None
    assert shuffles_by_halves([[0, 2, 4, 6], [1, 3, 5, 7]], [[0, 1, 2, None]], 4) is None
    assert shuffles_by_halves([[0, 1, 2, 3]], [[0, 1, 3, 2]], 4) is None


def test_one_of_two_takes_fewer_as_a_whole():
    """Two instructions put every other element of two vectors together, and one moves them."""
    assert shuffles_by_halves(rows(2, 4), columns(2, 4)[:1], 4) is None


def test_a_square_of_whole_vectors_takes_fewer():
    """Its own network moves whole halves and stays within them, in three steps."""
    assert shuffles_by_halves(rows(8, 8), columns(8, 8), 8) is None


def test_a_source_may_be_a_result():
    network = shuffles_by_halves([[0, 1, 2, 3]], [[0, 1, 2, 3]], 4)
    assert network is not None
    assert network.shuffles == ()
