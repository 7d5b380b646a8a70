"""Any of several constraints is what xDSL makes of them, or refused as there."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from xdsl.dialects.builtin import (
    AnyFloatConstr,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    SignlessIntegerConstraint,
    TensorType,
    VectorType,
    f32,
    f64,
    i32,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import AnyAttr, AnyOf, AttrSetConstraint, BaseAttr, EqAttrConstraint, eq
from xdsl.utils.exceptions import PyRDLError

from polyopt.dialects import quick_constraints
from polyopt.dialects.quick_constraints import any_of

PARTS: tuple[Any, ...] = (
    *(BaseAttr(Float32Type), BaseAttr(Float64Type), BaseAttr(IndexType), BaseAttr(IntegerType)),
    *(EqAttrConstraint(f32), eq(f64), eq(i32), AttrSetConstraint(frozenset((f32, f64)))),
    *(VectorType.constr(eq(f32)), VectorType.constr(eq(f64)), BaseAttr(VectorType)),
    *(AnyFloatConstr, SignlessIntegerConstraint, AnyAttr(), BaseAttr(TypeAttribute)),
    *(TensorType.constr(AnyFloatConstr), BaseAttr(Attribute), IndexType, f32),
)


@pytest.fixture(name="theirs")
def their_way() -> Any:
    """xDSL's own, whatever the process has (`conftest.py` leaves it alone)."""
    assert AnyOf.get is not quick_constraints.any_of
    return AnyOf.get


def outcome(get: Any, parts: tuple[Any, ...]) -> object:
    try:
        return get(*parts)
    except PyRDLError as error:
        return str(error).split("{")[0]  # behind it stands a set, in any order


def test_two_and_three_are_put_together_as_by_xdsl(theirs: Any) -> None:
    tried = [
        *product(PARTS, repeat=2),
        *permutations(PARTS[:11], 3),
        *product(PARTS[3:9], repeat=3),
    ]
    assert len({type(outcome(any_of, parts)) for parts in tried}) > 4
    for parts in tried:
        assert outcome(any_of, parts) == outcome(theirs, parts), parts
        assert repr(outcome(any_of, parts)) == repr(outcome(theirs, parts)), parts


def test_what_is_any_of_some_already_is_taken_apart(theirs: Any) -> None:
    some = theirs(*PARTS[:3])
    for parts in permutations((some, PARTS[4], PARTS[9], PARTS[1], AnyFloatConstr), 4):
        assert outcome(any_of, parts) == outcome(theirs, parts), parts
