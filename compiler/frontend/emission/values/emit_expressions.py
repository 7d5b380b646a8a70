"""Expressions as operations: values and effects (conditions and choices: `emit_conditions`,
`emit_choices`).

A value of scalar type is an SSA value; one of record type is the pointer to memory that holds
it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.ir_builder import INDEX
from polyopt.frontend.emission.stored_elements import BitPlace, Element, Pair
from polyopt.frontend.emission.values.emit_arithmetic import NSW, binary, convert, negate
from polyopt.frontend.emission.values.emit_bit_fields import as_stored
from polyopt.frontend.emission.values.emit_choices import choose_effect, choose_value
from polyopt.frontend.emission.values.emit_conditions import as_condition, is_truth, truth_value
from polyopt.frontend.emission.values.emit_constants import int_constant, real_constant
from polyopt.frontend.emission.values.emit_copies import copy_object
from polyopt.frontend.emission.values.emit_elements import load_element, store_element
from polyopt.frontend.emission.values.narrow_updates import narrow_operand, narrow_update
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.abi import argument_parts
from polyopt.frontend.language.c_types import (
    ComplexType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
)
from polyopt.frontend.language.ir_types import integer_type, memref_type, scalar_type
from polyopt.frontend.tree.constants import fold, fold_integer
from polyopt.frontend.tree.typed_statements import StatementExpression
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Assign,
    Binary,
    Builtin,
    Call,
    Comma,
    Compare,
    Conditional,
    Convert,
    Dereference,
    Expr,
    FloatConst,
    Held,
    IntConst,
    Let,
    Load,
    Logical,
    Lvalue,
    PartOf,
    PointerAdd,
    PointerDifference,
    SizeOf,
    Unary,
    Update,
    VaArg,
    Variable,
    VaStart,
    left_chain,
)


class ExpressionEmitter:
    """The expressions of one function."""

    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder
        self.places = emission.places
        self.emitters: dict[type[Expr], Callable[..., SSAValue]] = {
            IntConst: partial(int_constant, emission),
            FloatConst: self._float_const,
            Load: self._load,
            AddressOf: self._address_of,
            Convert: self._convert,
            Unary: self._unary,
            Binary: self._binary,
            Compare: partial(truth_value, emission),
            Logical: partial(truth_value, emission),
            PointerAdd: self._pointer_add,
            PointerDifference: self._pointer_difference,
            Conditional: partial(choose_value, emission),
            Comma: self._comma,
            Assign: self._assign,
            Update: self._update,
            Held: emission.held.__getitem__,
            Call: self._call,
            SizeOf: self._size_of,
            VaArg: self._va_arg,
            PartOf: self._part,
            Let: self._let,
            StatementExpression: self._block,
            Builtin: self._builtin,
        }

    def value(self, expr: Expr) -> SSAValue:
        """The value of an expression that has one."""
        emitter = self.emitters.get(type(expr))
        if emitter is None:
            assert isinstance(expr, Lvalue)
            assert isinstance(expr.type, RecordType)
            return self.places.address(expr)
        return emitter(expr)

    def operand(self, expr: Expr) -> SSAValue | Pair:
        """The value, or the two of a complex expression."""
        if isinstance(expr.type, ComplexType):
            return self.emission.complexes.pair(expr)
        return self.value(expr)

    def effect(self, expr: Expr) -> None:
        """What an expression does, its value not used."""
        match expr:
            case Convert(value=value) if isinstance(expr.type, ct.VoidType):
                self.effect(value)
            case Comma(operands=operands):
                for operand in operands:
                    self.effect(operand)
            case Call():
                self.emission.calls.call(expr)
            case Conditional() if isinstance(expr.type, ct.VoidType):
                choose_effect(self.emission, expr)
            case StatementExpression():
                self.emission.statements.expression(expr)
            case Let() if isinstance(expr.type, ct.VoidType):
                self.hold(expr.held, expr.value)
                self.effect(expr.body)
            case Builtin():
                self.emission.builtins.emit(expr)
            case VaStart(list=list):
                self.builder.add(cmem.VaStartOp(self.value(list)))
            case Lvalue(type=ct.VoidType()):
                assert isinstance(expr, Dereference)
                self.effect(expr.pointer)
            case Lvalue() if not isinstance(expr.type, RecordType):
                self.places.address(expr)
            case IntConst() | FloatConst():
                pass
            case _:
                self.operand(expr)

    # Values

    def _float_const(self, expr: FloatConst) -> SSAValue:
        self.builder.at(expr.span)
        return real_constant(self.emission, expr.value, expr.type)

    def _load(self, expr: Load) -> SSAValue:
        place = expr.place
        if isinstance(expr.type, RecordType):
            return self.places.address(place)
        if isinstance(place, Variable) and place.symbol in self.emission.values:
            return self.emission.values[place.symbol]
        element = self.places.element(place)
        self.builder.at(expr.span)
        value = load_element(self.emission, element)
        if isinstance(place, Variable) and isinstance(element, Element):
            value.name_hint = element.memref.name_hint
        return value

    def _address_of(self, expr: AddressOf) -> SSAValue:
        place = expr.place
        if isinstance(place.type, FunctionType) and isinstance(place, Variable):
            self.builder.at(expr.span)
            return self.builder.address_of(self.emission.symbols.function(place.symbol))
        return self.places.address(place)

    def _convert(self, expr: Convert) -> SSAValue:
        to, source = expr.type, expr.value.type
        if isinstance(to, IntType) and (to.is_bool or is_truth(expr.value)):
            condition = as_condition(self.emission, expr.value)
            self.builder.at(expr.span)
            return self.builder.add(arith.ExtUIOp(condition, integer_type(to))).result
        if isinstance(to, IntType) and isinstance(source, FloatType):
            known = fold_integer(expr)
            if known is not None and not _overflows(expr.value):
                self.builder.at(expr.span)
                return self.builder.constant(known, to)
        if isinstance(source, ComplexType):
            value, source = self.emission.complexes.pair(expr.value).real, source.part
        else:
            value = self.value(expr.value)
        self.builder.at(expr.span)
        return convert(self.builder, value, source, to)

    def _unary(self, expr: Unary) -> SSAValue:
        if expr.operator == "!":
            return truth_value(self.emission, expr)
        value = self.value(expr.operand)
        self.builder.at(expr.span)
        if expr.operator == "-":
            return negate(self.builder, value, expr.type)
        ones = self.builder.constant(-1, expr.type)
        return self.builder.add(arith.XOrIOp(value, ones)).result

    def _binary(self, expr: Binary) -> SSAValue:
        chain = left_chain(expr)
        value = self.value(chain[0].left)
        for one in chain:
            value = self._operate(one, value)
        return value

    def _operate(self, expr: Binary, left: SSAValue) -> SSAValue:
        right = self.value(expr.right)
        self.builder.at(expr.span)
        if expr.operator in ("<<", ">>"):
            right = convert(self.builder, right, expr.right.type, expr.type)
        return binary(self.builder, expr.operator, left, right, expr.type)

    def _pointer_add(self, expr: PointerAdd) -> SSAValue:
        assert isinstance(expr.type, PointerType)
        pointer = self.value(expr.pointer)
        count = self.places.index(expr.index)
        self.builder.at(expr.span)
        if expr.negative:
            zero = self.builder.integer(0, INDEX)
            count = self.builder.add(arith.SubiOp(zero, count)).result
        return self.places.step_by(pointer, count, expr.type.target)

    def _pointer_difference(self, expr: PointerDifference) -> SSAValue:
        assert isinstance(expr.left.type, PointerType)
        left, right = self.value(expr.left), self.value(expr.right)
        self.builder.at(expr.span)
        left = self.builder.add(cmem.PtrToIntOp(left)).result
        right = self.builder.add(cmem.PtrToIntOp(right)).result
        # Both point into one object, or behind it, which is no larger than the difference can tell.
        bytes = self.builder.add(arith.SubiOp(left, right, overflow=NSW)).result
        size = self.places.byte_size(expr.left.type.target)
        stride = self.builder.add(arith.IndexCastOp(size, i64)).result
        return self.builder.add(arith.DivSIOp(bytes, stride)).result

    def _comma(self, expr: Comma) -> SSAValue:
        for operand in expr.operands[:-1]:
            self.effect(operand)
        return self.value(expr.operands[-1])

    def _size_of(self, expr: SizeOf) -> SSAValue:
        if expr.operand is not None and not isinstance(expr.operand, Variable):
            self.effect(expr.operand)
        self.builder.at(expr.span)
        size = self.places.byte_size(expr.measured)
        return self.builder.add(arith.IndexCastOp(size, i64)).result

    def _call(self, expr: Call) -> SSAValue:
        result = self.emission.calls.call(expr)
        assert isinstance(result, SSAValue)
        return result

    def _part(self, expr: PartOf) -> SSAValue:
        value = self.emission.complexes.pair(expr.value)
        return value.imaginary if expr.is_imaginary else value.real

    def hold(self, held: Held, expr: Expr) -> None:
        """The expression is computed, and stands for what is held."""
        value = self.operand(expr)
        if isinstance(value, Pair):
            self.emission.held_pairs[held] = value
        else:
            self.emission.held[held] = value

    def _let(self, expr: Let) -> SSAValue:
        self.hold(expr.held, expr.value)
        return self.value(expr.body)

    def _block(self, expr: StatementExpression) -> SSAValue:
        value = self.emission.statements.expression(expr)
        assert isinstance(value, SSAValue)
        return value

    def _builtin(self, expr: Builtin) -> SSAValue:
        value = self.emission.builtins.emit(expr)
        assert value is not None
        return value

    def next_argument(self, expr: VaArg) -> SSAValue:
        """The pointer to it."""
        list = self.value(expr.list)
        self.builder.at(expr.span)
        parts = argument_parts(expr.type)
        size, alignment = ct.size_of(expr.type), ct.align_of(expr.type)
        return self.builder.add(cmem.VaArgOp(list, parts, size, alignment)).result

    def _va_arg(self, expr: VaArg) -> SSAValue:
        place = self.next_argument(expr)
        if isinstance(expr.type, RecordType):
            self.emission.symbols.puns = True
            return place
        view = self.builder.view(place, memref_type((), scalar_type(expr.type)), [])
        return load_element(self.emission, Element(view, []))

    # Stores

    def _assign(self, expr: Assign) -> SSAValue:
        if isinstance(expr.type, RecordType):
            return self._assign_record(expr)
        value = self.value(expr.value)
        element = self.places.element(expr.place)
        self.builder.at(expr.span)
        store_element(self.emission, value, element)
        return as_stored(self.emission, value, element) if isinstance(element, BitPlace) else value

    def _assign_record(self, expr: Assign) -> SSAValue:
        source = self.value(expr.value)
        target = self.places.address(expr.place)
        self.builder.at(expr.span)
        copy_object(self.emission, source, target, expr.type)
        return target

    def _update(self, expr: Update) -> SSAValue:
        if expr.operand is not None:
            assert expr.right is not None
            self.hold(expr.right, expr.operand)
        element = self.places.element(expr.place)
        self.builder.at(expr.span)
        old = load_element(self.emission, element)
        if isinstance(expr.place, Variable) and isinstance(element, Element):
            old.name_hint = element.memref.name_hint
        operand = None if isinstance(element, BitPlace) else narrow_operand(expr)
        if operand is not None:
            new = narrow_update(self.builder, expr, operand, old, self.value)
        else:
            promoted = convert(self.builder, old, expr.type, expr.old.type)
            self.emission.held[expr.old] = promoted
            new = self.value(expr.value)
        self.builder.at(expr.span)
        store_element(self.emission, new, element)
        if expr.is_postfix:
            return old
        return as_stored(self.emission, new, element) if isinstance(element, BitPlace) else new


def _overflows(expr: Expr) -> bool:
    """Is a constant infinite, or NaN, by an operation? That is done as the program runs."""
    value = fold(expr)
    while isinstance(expr, Convert | Unary):
        expr = expr.operand if isinstance(expr, Unary) else expr.value
    return (
        isinstance(value, float) and not math.isfinite(value) and not isinstance(expr, FloatConst)
    )
