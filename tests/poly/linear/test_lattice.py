"""Hermite and Smith forms by their defining properties; solutions and lattices by enumeration."""

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyopt.poly.linear.lattice import (
    Lattice,
    Matrix,
    apply,
    determinant,
    hermite_form,
    identity,
    inverse,
    is_unimodular,
    kernel,
    multiply,
    rank,
    smith_form,
    solve,
    transpose,
)


def matrices(max_size: int = 4, bound: int = 6) -> st.SearchStrategy[Matrix]:
    def of_shape(shape: tuple[int, int]) -> st.SearchStrategy[Matrix]:
        entry = st.integers(-bound, bound)
        row = st.tuples(*[entry] * shape[1])
        return st.tuples(*[row] * shape[0])

    sizes = st.integers(1, max_size)
    return st.tuples(sizes, sizes).flatmap(of_shape)


def squares(size: int, bound: int = 4) -> st.SearchStrategy[Matrix]:
    return st.tuples(*[st.tuples(*[st.integers(-bound, bound)] * size)] * size)


@given(matrices())
@settings(max_examples=150, deadline=None)
def test_hermite_form_is_canonical(matrix: Matrix):
    form, unimodular = hermite_form(matrix)
    assert multiply(matrix, unimodular) == form
    assert is_unimodular(unimodular)
    last = -1
    for k, column in enumerate(transpose(form)):
        pivot = next((row for row, entry in enumerate(column) if entry), None)
        if pivot is None:
            assert not any(any(later) for later in transpose(form)[k:])
            break
        assert pivot > last
        assert column[pivot] > 0
        assert all(0 <= form[pivot][left] < column[pivot] for left in range(k))
        last = pivot


@given(matrices())
@settings(max_examples=150, deadline=None)
def test_smith_form_is_a_chain_of_divisors(matrix: Matrix):
    form, left, right = smith_form(matrix)
    assert multiply(multiply(left, matrix), right) == form
    assert is_unimodular(left)
    assert is_unimodular(right)
    assert all(not x for r, row in enumerate(form) for c, x in enumerate(row) if r != c)
    diagonal = [form[k][k] for k in range(min(len(form), len(form[0])))]
    assert all(entry >= 0 for entry in diagonal)
    for entry, following in pairwise(diagonal):
        assert following % entry == 0 if entry else following == 0


def test_smith_form_of_the_textbook():
    form, _, _ = smith_form(((2, 4, 4), (-6, 6, 12), (10, 4, 16)))
    assert form == ((2, 0, 0), (0, 2, 0), (0, 0, 156))


@given(squares(3))
@settings(max_examples=100, deadline=None)
def test_determinant_is_the_expansion_by_minors(m: Matrix):
    expansion = sum(
        m[0][c] * (m[1][(c + 1) % 3] * m[2][(c + 2) % 3] - m[1][(c + 2) % 3] * m[2][(c + 1) % 3])
        for c in range(3)
    )
    assert determinant(m) == expansion


@given(squares(3))
@settings(max_examples=60, deadline=None)
def test_inverse_times_matrix(matrix: Matrix):
    if determinant(matrix) == 0:
        with pytest.raises(ValueError, match="singular"):
            inverse(matrix)
        return
    product_ = [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in transpose(matrix)]
        for row in inverse(matrix)
    ]
    assert product_ == [list(row) for row in identity(3)]


@given(st.tuples(st.integers(-6, 6), st.integers(-6, 6), st.integers(-6, 6)), st.integers(-9, 9))
@settings(max_examples=150, deadline=None)
def test_solutions_of_one_equation_are_all_of_them(row: tuple[int, int, int], right: int):
    box = range(-4, 5)
    wanted = {x for x in product(box, repeat=3) if apply((row,), x) == (right,)}
    found = solve((row,), (right,))
    if found is None:
        assert not wanted
        return
    start, basis = found
    assert apply((row,), start) == (right,)
    assert len(basis) == 3 - rank((row,))
    span = Lattice.of(transpose(basis))
    assert all(tuple(a - b for a, b in zip(x, start, strict=True)) in span for x in wanted)


def test_unsolvable_systems():
    assert solve(((2, 4),), (3,)) is None
    assert solve(((1, 1), (1, -1)), (1, 0)) is None
    assert solve(((1, 1), (1, -1)), (2, 0)) == ((1, 1), ())


def test_kernel_spans_all_integer_solutions():
    assert (2, 1, 0) in Lattice.of(transpose(kernel(((2, -4, 6),))))
    assert kernel(identity(2)) == ()


@given(squares(2))
@settings(max_examples=80, deadline=None)
def test_lattice_is_its_points(generators: Matrix):
    lattice = Lattice.of(generators)
    assert all(apply(generators, y) in lattice for y in product(range(-3, 4), repeat=2))
    if determinant(generators):
        assert lattice.index == abs(determinant(generators))
        cosets = lattice.cosets()
        assert len(cosets) == lattice.index
        assert all(lattice.reduce(point) == point for point in cosets)
        inside = {x for x in product(range(-5, 6), repeat=2) if x in lattice}
        exact = inverse(generators)
        wanted = {
            x
            for x in product(range(-5, 6), repeat=2)
            if all(
                sum(a * b for a, b in zip(row, x, strict=True)).denominator == 1 for row in exact
            )
        }
        assert inside == wanted


@given(squares(2), squares(2))
@settings(max_examples=80, deadline=None)
def test_intersection_is_the_points_in_both(one: Matrix, other: Matrix):
    first, second = Lattice.of(one), Lattice.of(other)
    both = first.intersect(second)
    for point in product(range(-6, 7), repeat=2):
        assert (point in both) == (point in first and point in second)
