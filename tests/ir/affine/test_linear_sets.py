"""Linear forms as maps and sets of one operation: what is written is what is read."""

from random import Random

from xdsl.dialects.builtin import AffineSetAttr, IndexType
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineExpr, AffineSet
from xdsl.ir.affine.affine_set import AffineConstraintExpr, AffineConstraintKind

from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.linear_sets import Symbols, forms_of_map, forms_of_set


def forms(random: Random, values: list[SSAValue]) -> list[Linear]:
    return [
        Linear.from_terms(
            [(value, random.randint(-3, 3)) for value in random.sample(values, 3)],
            random.randint(-5, 5),
        )
        for _ in range(random.randint(1, 4))
    ]


def test_maps_and_sets_read_back_as_they_were():
    """Term by term: what isl is given later depends on their order."""
    random = Random(1)
    for _ in range(200):
        values: list[SSAValue] = list(Block(arg_types=[IndexType()] * 6).args)
        dims, one, two = values[:2], forms(random, values), forms(random, values)
        symbols = Symbols.of(one, two, dims=dims)
        outside = list(symbols.values)
        assert set(outside) == {v for form in (*one, *two) for v in form.values} - set(dims)
        map_, set_ = symbols.map(one, dims), symbols.set(two, dims)
        assert [form.terms for form in forms_of_map(map_, dims, outside)] == [
            form.terms for form in one
        ]
        assert list(forms_of_map(map_, dims, outside)) == one
        assert list(forms_of_set(set_, dims, outside)) == two


def test_equations_hold_both_ways_round():
    (value,) = Block(arg_types=[IndexType()]).args
    here, four = AffineExpr.dimension(0), AffineExpr.constant(4)
    form = Linear.of(value) - 4
    for kind, wanted in (
        (AffineConstraintKind.eq, (form, -form)),
        (AffineConstraintKind.le, (-form,)),
        (AffineConstraintKind.ge, (form,)),
    ):
        set_ = AffineSetAttr(AffineSet(1, 0, (AffineConstraintExpr(kind, here, four),)))
        assert forms_of_set(set_, [value], []) == wanted
