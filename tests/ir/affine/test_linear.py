"""Linear forms: what a map says about positions, said about values."""

from hypothesis import given
from hypothesis import strategies as st
from oracles.affine_trace import parse_module
from xdsl.dialects import affine
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.test_value import create_ssa_value

from polyopt.ir.affine.linear import (
    Linear,
    Quotient,
    is_never_zero,
    linear_forms,
    linear_of,
    map_of,
)

VALUES: list[SSAValue] = [create_ssa_value(IndexType()) for _ in range(3)]
forms = st.builds(
    Linear.from_terms,
    st.lists(st.tuples(st.sampled_from(VALUES), st.integers(-4, 4)), max_size=5),
    st.integers(-20, 20),
)
points = st.tuples(*[st.integers(-9, 9)] * 3)


def at(form: Linear, point: tuple[int, ...]) -> int:
    return form.constant + sum(c * point[VALUES.index(v)] for v, c in form.terms)


@given(forms, forms, st.integers(-3, 3), points)
def test_arithmetic_is_pointwise(a: Linear, b: Linear, factor: int, point: tuple[int, ...]):
    assert at(a + b, point) == at(a, point) + at(b, point)
    assert at(a - b, point) == at(a, point) - at(b, point)
    assert at(a * factor, point) == at(a, point) * factor


@given(forms, forms, points)
def test_substitution_evaluates_the_replacement(a: Linear, b: Linear, point: tuple[int, ...]):
    moved = list(point)
    moved[0] = at(b, point)
    assert at(a.substitute({VALUES[0]: b}), point) == at(a, tuple(moved))


@given(st.lists(forms, min_size=1, max_size=3))
def test_maps_and_forms_are_inverse(some: list[Linear]):
    affine_map, operands = map_of(some)
    assert linear_forms(affine_map.data, operands) == tuple(some)


@given(forms, st.integers(1, 7), st.booleans(), points)
def test_quotients_round_as_they_say(
    form: Linear, divisor: int, is_ceiling: bool, point: tuple[int, ...]
):
    affine_map, operands = map_of([Quotient(form, divisor, is_ceiling)])
    numbers = [point[VALUES.index(operand)] for operand in operands]
    exact = at(form, point)
    wanted = -(-exact // divisor) if is_ceiling else exact // divisor
    assert affine_map.data.eval(numbers, []) == (wanted,)


def test_division_is_not_linear():
    half = AffineMap(1, 0, (AffineExpr.dimension(0) // 2,))
    assert linear_forms(half, [VALUES[0]]) is None


def test_forms_reach_through_apply_and_constants():
    module = parse_module("""
      func.func @f(%n : index) {
        %c = arith.constant 3 : index
        %a = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)> (%n)[%c]
        %b = affine.apply affine_map<(d0) -> (d0 - 1)> (%a)
        return
      }""")
    *_, last = [op for op in module.walk() if isinstance(op, affine.ApplyOp)]
    (argument,) = next(op for op in module.walk() if op.name == "func.func").regions[0].block.args
    value: SSAValue = last.result
    assert linear_of(value) == Linear.of(argument) * 2 + 2


@given(forms, st.integers(1, 4), points)
def test_what_is_divided_evenly_but_for_a_number_is_linear(
    form: Linear, divisor: int, point: tuple[int, ...]
):
    even = Linear(tuple((v, c * divisor) for v, c in form.terms), form.constant)
    expr, values = map_of([even])
    (dividend,) = expr.data.results
    quotients = (dividend // divisor, dividend.ceil_div(divisor), dividend % divisor)
    found = linear_forms(AffineMap(len(values), 0, quotients), values)
    assert found is not None
    there = at(even, point)
    expected = [there // divisor, -(-there // divisor), there % divisor]
    assert [at(one, point) for one in found] == expected


def test_what_is_not_divided_evenly_is_no_form():
    d0, d1 = AffineExpr.dimension(0), AffineExpr.dimension(1)
    for expr in ((d0 * 2 + d1 + 1) // 2, (d0 * 3) % 2, (d0 * 4).ceil_div(8)):
        assert linear_forms(AffineMap(2, 0, (expr,)), VALUES[:2]) is None


@given(forms, points)
def test_what_is_never_zero_is_nowhere(form: Linear, point: tuple[int, ...]):
    assert not (is_never_zero(form) and at(form, point) == 0)


def test_which_forms_are_never_zero():
    x, y = Linear.of(VALUES[0]), Linear.of(VALUES[1])
    assert all(map(is_never_zero, (x * 2 + 1, x * 6 - y * 4 + 3, Linear((), -2))))
    assert not any(map(is_never_zero, (x * 2 + 4, x * 2 + y * 3 + 1, x - y, Linear())))
