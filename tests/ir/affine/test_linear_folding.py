"""Linear forms and constants, and forms and other things."""

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir.affine import AffineExpr, AffineMap

from polyopt.ir.affine.linear import Linear, linear_forms


@pytest.mark.parametrize("left", range(-7, 8))
@pytest.mark.parametrize("right", [1, 2, 3, 5])
def test_constants_are_divided_as_affine_maps_do(left: int, right: int):
    one = AffineExpr.dimension(0)
    results = (one // right, one.ceil_div(right), one % right)
    constant = arith.ConstantOp(IntegerAttr(left, IndexType()))
    forms = linear_forms(AffineMap(1, 0, results), [constant.result])
    assert forms is not None
    exact = (left // right, -(-left // right), left % right)
    assert [form.constant for form in forms] == list(exact)


def test_a_form_is_no_number():
    assert Linear((), 3) != 3
    assert Linear((), 3) == Linear((), 3)
