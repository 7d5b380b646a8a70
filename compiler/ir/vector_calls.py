"""Calls of the C library that can be made for all lanes of a vector at once."""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation

from polyopt.ir.fast_math import permits
from polyopt.support.vector_library import library_functions

_NAMES = {"powf": "pow"}
"""Of operations of `math` that are not called as the function is."""

_INFINITE_AT_ONE = frozenset({"math.atanh"})
_INSIDE = 0.5


def has_vector_forms(op: Operation) -> bool:
    """Is it a function of scalars that has vector forms, which are approximations?"""
    if not op.name.startswith("math."):
        return False
    name = op.name.removeprefix("math.")
    return _NAMES.get(name, name) in library_functions() and all(
        isinstance(one.type, (Float32Type, Float64Type)) for one in op.results
    )


def is_in_library(op: Operation) -> bool:
    """Is it a function that has vector forms, of scalars, where approximations are allowed?"""
    return has_vector_forms(op) and permits(op, FastMathFlag.APPROX_FUNC)


def harmless_argument(op: Operation) -> float:
    """Of such a function, for lanes whose results nobody wants: libmvec takes lanes one by one
    where a function of one of them is infinite or none, as the logarithm of zero is."""
    return _INSIDE if op.name in _INFINITE_AT_ONE else 1.0
