"""Legality by multiplication against execution order; completion by its definition."""

from itertools import permutations, product

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyopt.poly.linear.dependence_vectors import (
    ANY,
    NEGATIVE,
    POSITIVE,
    ZERO,
    DependenceVector,
    Interval,
    combine,
    distance,
    vector_text,
    vectors_of,
)
from polyopt.poly.linear.lattice import Matrix, apply, determinant, is_unimodular
from polyopt.poly.matrix.legality import complete, first_reversed, is_legal, is_outer_parallel

INTERCHANGE: Matrix = ((0, 1), (1, 0))


def test_the_paper_completes_2_minus_3():
    """DO I DO J: A(I, J) = A(I-3, J-2) + 1, D = (3, 2): the row (2 -3) makes the outer loop
    parallel; the completion must keep D and be a matrix of full rank."""
    vectors = [distance(3, 2)]
    matrix = complete(((2, -3),), vectors, 2)
    assert matrix is not None
    assert matrix[0] == (2, -3)
    assert is_unimodular(matrix)
    assert is_legal(matrix, vectors)
    assert is_outer_parallel(matrix, vectors)
    assert not is_outer_parallel(((1, 0), (0, 1)), vectors)


@pytest.mark.parametrize(
    ("matrix", "vector", "legal"),
    [
        (INTERCHANGE, distance(1, 1), True),
        (INTERCHANGE, distance(1, -1), False),
        (((1, 0), (1, 1)), distance(1, -1), True),
        (((1, 1), (1, 0)), distance(1, -1), True),
        (((-1, 0), (0, 1)), distance(0, 1), True),
        (((-1, 0), (0, 1)), distance(1, 0), False),
        (INTERCHANGE, (POSITIVE, ZERO), True),
        (INTERCHANGE, (POSITIVE, ANY), False),
        (INTERCHANGE, (POSITIVE, Interval(0, None)), True),
        (((0, -1), (1, 0)), (POSITIVE, NEGATIVE), True),
        (((3, 1), (1, 0)), (Interval(1, 1), Interval(-2, 2)), True),
        (((2, 1), (1, 0)), (Interval(1, 1), Interval(-2, 2)), True),
        (((1, 1), (1, 0)), (Interval(1, 1), Interval(-2, 2)), False),
    ],
)
def test_textbook_cases(matrix: Matrix, vector: DependenceVector, legal: bool):
    assert is_legal(matrix, [vector]) == legal
    assert first_reversed(matrix, [vector]) == (None if legal else vector)


def small_boxes(depth: int) -> st.SearchStrategy[DependenceVector]:
    """Lexicographically positive: zeros, then a positive component, then any."""
    ends = st.tuples(st.integers(-2, 2), st.integers(0, 2))
    free = ends.map(lambda pair: Interval(pair[0], pair[0] + pair[1]))
    lead = st.tuples(st.integers(1, 2), st.integers(0, 1)).map(
        lambda pair: Interval(pair[0], pair[0] + pair[1])
    )
    return st.integers(0, depth - 1).flatmap(
        lambda level: st.tuples(*[st.just(ZERO)] * level, lead, *[free] * (depth - level - 1))
    )


def distances_in(box: DependenceVector):
    ranges = list[range]()
    for one in box:
        assert one.low is not None
        assert one.high is not None
        ranges.append(range(one.low, one.high + 1))
    return product(*ranges)


def rows_of(count: int, depth: int) -> st.SearchStrategy[Matrix]:
    return st.tuples(*[st.tuples(*[st.integers(-2, 2)] * depth)] * count)


@given(rows_of(3, 3), small_boxes(3))
@settings(max_examples=300, deadline=None)
def test_legality_is_exact_on_boxes(matrix: Matrix, box: DependenceVector):
    if determinant(matrix) == 0:
        return
    wanted = all(apply(matrix, d) > (0, 0, 0) for d in distances_in(box))
    assert is_legal(matrix, [box]) == wanted


@given(st.integers(1, 2).flatmap(lambda n: rows_of(n, 3)), st.lists(small_boxes(3), max_size=4))
@settings(max_examples=300, deadline=None)
def test_completion_is_legal_and_of_full_rank(rows: Matrix, vectors: list[DependenceVector]):
    matrix = complete(rows, vectors, 3)
    if matrix is None:
        return
    assert matrix[: len(rows)] == rows
    assert determinant(matrix) != 0
    for box in vectors:
        assert all(apply(matrix, d) > (0, 0, 0) for d in distances_in(box))


def test_completion_refuses_rows_that_reverse_or_repeat():
    assert complete(((0, 1),), [distance(1, -1)], 2) is None
    assert complete(((1, 1), (2, 2)), [], 2) is None
    assert complete(((1, 1, 0),), [], 2) is None
    assert complete((), [distance(1, -1)], 2) == ((1, 0), (0, 1))


def test_vectors_of_distances():
    assert vectors_of(isl.Set("{ [1, -1]; [0, 0] }")) == [distance(1, -1)]
    found = vectors_of(isl.Set("[n] -> { [0, j] : 0 < j < n }"))
    assert found == [(ZERO, POSITIVE)]
    found = vectors_of(isl.Set("{ [i, j] : 0 <= i <= 1 and -i <= j <= 2 }"))
    assert sorted(map(vector_text, found)) == ["(0, 1..2)", "(1, -1..2)"]
    with pytest.raises(ValueError, match="negative"):
        vectors_of(isl.Set("{ [0, -1] }"))


def test_intervals_are_printed_as_directions():
    assert vector_text((POSITIVE, NEGATIVE, ANY, ZERO, Interval(2, None))) == "(+, -, *, 0, 2..)"
    assert combine((2, -1), (Interval(1, 2), Interval(None, 3))) == Interval(-1, None)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_permutations_of_a_symmetric_product(order: tuple[int, ...]):
    """The sum over k: only the order of k is a dependence, so all permutations are legal."""
    matrix = tuple(tuple(int(k == axis) for k in range(3)) for axis in order)
    assert is_legal(matrix, [(ZERO, ZERO, POSITIVE)])
