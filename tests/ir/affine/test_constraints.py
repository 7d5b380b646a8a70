"""Constraint sets: projection and simplification against enumeration."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.utils.test_value import create_ssa_value

from polyopt.ir.affine.constraints import Constraints, NotRepresentable
from polyopt.ir.affine.linear import Linear

VALUES: list[SSAValue] = [create_ssa_value(IndexType()) for _ in range(3)]
i, j, k = VALUES
BOX = Constraints(
    tuple(form for v in VALUES for form in (Linear.of(v), Linear((), 4) - Linear.of(v)))
)
POINTS = list(product(range(5), repeat=3))
unit_forms = st.builds(
    Linear.from_terms,
    st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from([-1, 1])), max_size=2),
    st.integers(-4, 4),
)


def holds(constraints: Constraints, point: tuple[int, ...]) -> bool:
    return all(
        form.constant + sum(c * point[VALUES.index(v)] for v, c in form.terms) >= 0
        for form in constraints.forms
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(unit_forms, max_size=4))
def test_projection_keeps_what_has_a_preimage(forms: list[Linear]):
    whole = BOX & forms
    try:
        shadow = whole.without([k])
    except NotRepresentable:
        return
    assert not any(form.coefficient(k) for form in shadow.forms)
    for a, b in product(range(5), repeat=2):
        assert holds(shadow, (a, b, 0)) == any(holds(whole, (a, b, c)) for c in range(5))


@settings(max_examples=60, deadline=None)
@given(st.lists(unit_forms, max_size=3), st.lists(unit_forms, max_size=3))
def test_simplified_is_the_same_where_the_known_holds(forms: list[Linear], facts: list[Linear]):
    whole, known = Constraints(tuple(forms)), BOX & facts
    try:
        rest = whole.simplified(known)
    except NotRepresentable:
        return
    for point in POINTS:
        if holds(known, point):
            assert holds(rest, point) == holds(whole, point)


def test_what_is_known_is_not_said_again():
    triangle = Constraints((Linear.of(j) - Linear.of(i), Linear((), 4) - Linear.of(j)))
    assert triangle.simplified(triangle).forms == ()
    assert triangle.implies(Linear((), 4) - Linear.of(i))
    assert not triangle.implies(Linear((), 3) - Linear.of(i))


def test_bounds_of_one_value():
    forms = (Linear.of(k) - Linear.of(i) - 1, Linear.of(j) - Linear.of(k))
    bounds = Constraints(forms).bounds(k)
    assert bounds.lowers == (Linear.of(i) + 1,)
    assert bounds.uppers == (Linear.of(j) + 1,)


def test_a_bound_that_divides_is_refused():
    with pytest.raises(NotRepresentable):
        Constraints((Linear.of(k) * 2 - Linear.of(i),)).bounds(k)
