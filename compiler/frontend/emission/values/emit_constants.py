"""Constants of scalar types; a long double that is no double lies in memory."""

from __future__ import annotations

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.stored_elements import Element
from polyopt.frontend.emission.values.emit_elements import load_element
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FloatType, PointerType
from polyopt.frontend.language.extended import Number, as_double, extended_bytes, power_of_two
from polyopt.frontend.language.ir_types import memref_type, scalar_type
from polyopt.frontend.tree.typed_tree import IntConst


def int_constant(emission: Emission, expr: IntConst) -> SSAValue:
    emission.builder.at(expr.span)
    if isinstance(expr.type, PointerType):
        address = emission.builder.integer(expr.value, i64)
        return emission.builder.add(cmem.IntToPtrOp(address)).result
    return emission.builder.constant(expr.value, expr.type)


def real_constant(emission: Emission, value: Number, type: ct.CType) -> SSAValue:
    """A constant: a long double that is no double lies in memory."""
    if isinstance(value, float):
        return emission.builder.real(value, type)
    double = as_double(value)
    if double == value:
        return emission.builder.real(double, type)
    data = extended_bytes(value).ljust(16, b"\0")
    name = emission.symbols.constant(data, 16, emission.function.symbol.span)
    address = emission.builder.address_of(name)
    view = emission.builder.view(address, memref_type((), scalar_type(type)), [])
    return load_element(emission, Element(view, []))


def least_normal(emission: Emission, type: FloatType) -> SSAValue:
    """The smallest number of full precision."""
    exponents = {ct.FLOAT.size: -126, ct.DOUBLE.size: -1022, ct.LDOUBLE.size: -16382}
    return real_constant(emission, power_of_two(exponents[type.size]), type)
