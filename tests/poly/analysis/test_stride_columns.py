"""Steps of subscripts that are no whole numbers are not known; marks that stand over no band."""

from fractions import Fraction

import islpy as isl
import pytest

from polyopt.poly.analysis.strides import _columns  # pyright: ignore[reportPrivateUsage]
from polyopt.poly.schedule_tree import LEAF, TILE, Leaf, Mark, build_schedule, read_tree

ONE, HALF = Fraction(1), Fraction(1, 2)
PLANE = ((ONE, Fraction(0)), (Fraction(0), ONE))


@pytest.mark.parametrize(
    ("step", "wanted"),
    [
        ((ONE, ONE), ((1, 1),)),
        ((HALF, ONE), None),
        ((ONE, HALF), None),
        ((HALF, HALF), None),
    ],
)
def test_columns(step: tuple[Fraction, ...], wanted: tuple[tuple[int, ...], ...] | None):
    assert _columns(PLANE, (step,)) == wanted


def test_a_mark_over_nothing():
    schedule = build_schedule(isl.UnionSet("{ S[] }"), Mark(TILE, LEAF))
    found = read_tree(schedule)
    assert isinstance(found, Mark)
    assert isinstance(found.child, Leaf)
