"""Expressions as operations: values, conditions, effects.

A value of scalar type is an SSA value; one of record type is the pointer to memory that holds
it. A condition is an i1 that goes straight into a branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Block, SSAValue

from polyopt.dialects import cmem
from polyopt.frontend import c_types as ct
from polyopt.frontend.abi import argument_parts
from polyopt.frontend.c_types import (
    ComplexType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
)
from polyopt.frontend.constants import fold, fold_integer, truth
from polyopt.frontend.emission import Emission
from polyopt.frontend.emit_arithmetic import (
    NSW,
    binary,
    compare,
    compare_pointers,
    convert,
    is_nonzero,
    negate,
)
from polyopt.frontend.emit_bit_fields import as_stored, load_bits, store_bits
from polyopt.frontend.emit_copies import copy_object
from polyopt.frontend.extended import Number, as_double, extended_bytes, power_of_two
from polyopt.frontend.ir_builder import INDEX
from polyopt.frontend.ir_types import integer_type, memref_type, scalar_type
from polyopt.frontend.stored_elements import BitPlace, Element, Pair
from polyopt.frontend.typed_tree import (
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
    StatementExpression,
    Unary,
    Update,
    VaArg,
    Variable,
    VaStart,
    alternatives,
    left_chain,
)


class ExpressionEmitter:
    """The expressions of one function."""

    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder
        self.places = emission.places
        self.emitters: dict[type[Expr], Callable[..., SSAValue]] = {
            IntConst: self._int_const,
            FloatConst: self._float_const,
            Load: self._load,
            AddressOf: self._address_of,
            Convert: self._convert,
            Unary: self._unary,
            Binary: self._binary,
            Compare: self._truth_value,
            Logical: self._truth_value,
            PointerAdd: self._pointer_add,
            PointerDifference: self._pointer_difference,
            Conditional: self._conditional,
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
                self._choose_effect(expr)
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

    # Conditions

    def condition(self, expr: Expr) -> SSAValue:
        """Is the value not zero, as an i1."""
        known = truth(fold(expr))
        if known is not None:
            self.builder.at(expr.span)
            return self.builder.integer(int(known), i1)
        match expr:
            case Compare():
                return self._compare(expr)
            case Unary(operator="!"):
                value = self.condition(expr.operand)
                self.builder.at(expr.span)
                true = self.builder.integer(1, i1)
                return self.builder.add(arith.XOrIOp(value, true)).result
            case Logical():
                return self._logical(expr)
            case Convert(value=inner) if isinstance(expr.type, IntType) and (
                _is_truth(inner) or expr.type.is_bool
            ):
                return self.condition(inner)
            case _ if isinstance(expr.type, ComplexType):
                return self.emission.complexes.is_nonzero(expr)
            case _:
                value = self.value(expr)
                self.builder.at(expr.span)
                return is_nonzero(self.builder, value, expr.type)

    def branch(self, expr: Expr, if_true: Block, if_false: Block) -> None:
        """Go one way or the other; `&&`, `||` and `!` are control flow."""
        known = truth(fold(expr))
        if known is not None:
            self.builder.at(expr.span)
            self.builder.jump(if_true if known else if_false)
            return
        match expr:
            case Unary(operator="!", operand=operand):
                self.branch(operand, if_false, if_true)
            case Logical(operator=operator):
                *firsts, last = alternatives(expr)
                for one in firsts:
                    following = Block()
                    if operator == "&&":
                        self.branch(one, following, if_false)
                    else:
                        self.branch(one, if_true, following)
                    if following not in self.builder.reached:
                        return
                    self.builder.enter(following)
                self.branch(last, if_true, if_false)
            case _:
                value = self.condition(expr)
                self.builder.at(expr.span)
                self.builder.branch(value, if_true, if_false)

    def _logical(self, expr: Logical) -> SSAValue:
        """All operands decide, each only where those before it have not."""
        end = self.builder.merge(i1)
        decided = self.builder.integer(int(expr.operator == "||"), i1)
        *firsts, last = alternatives(expr)
        for one in firsts:
            following = Block()
            value = self.condition(one)
            self.builder.at(expr.span)
            merge_if = expr.operator == "||"
            self._branch_or_merge(value, following, end, decided, merge_if=merge_if)
            self.builder.enter(following)
        value = self.condition(last)
        self.builder.at(expr.span)
        self.builder.jump(end, value)
        self.builder.enter(end)
        return end.args[0]

    def _branch_or_merge(
        self, first: SSAValue, second: Block, end: Block, decided: SSAValue, *, merge_if: bool
    ) -> None:
        if merge_if:
            op = cf.ConditionalBranchOp(first, end, [decided], second, [])
        else:
            op = cf.ConditionalBranchOp(first, second, [], end, [decided])
        self.builder.add(op)
        self.builder.reached |= {second, end}
        self.builder.block = None

    def _truth_value(self, expr: Expr) -> SSAValue:
        """A condition as an int."""
        condition = self.condition(expr)
        self.builder.at(expr.span)
        return self.builder.add(arith.ExtUIOp(condition, integer_type(expr.type))).result

    # Values

    def _int_const(self, expr: IntConst) -> SSAValue:
        self.builder.at(expr.span)
        if isinstance(expr.type, PointerType):
            address = self.builder.integer(expr.value, i64)
            return self.builder.add(cmem.IntToPtrOp(address)).result
        return self.builder.constant(expr.value, expr.type)

    def _float_const(self, expr: FloatConst) -> SSAValue:
        self.builder.at(expr.span)
        return self.real(expr.value, expr.type)

    def real(self, value: Number, type: ct.CType) -> SSAValue:
        """A constant: a long double that is no double lies in memory."""
        if isinstance(value, float):
            return self.builder.real(value, type)
        double = as_double(value)
        if double == value:
            return self.builder.real(double, type)
        data = extended_bytes(value).ljust(16, b"\0")
        name = self.emission.symbols.constant(data, 16, self.emission.function.symbol.span)
        view = self.builder.view(
            self.builder.address_of(name), memref_type((), scalar_type(type)), []
        )
        return self.load(Element(view, []))

    def least_normal(self, type: FloatType) -> SSAValue:
        """The smallest number of full precision."""
        exponents = {ct.FLOAT.size: -126, ct.DOUBLE.size: -1022, ct.LDOUBLE.size: -16382}
        return self.real(power_of_two(exponents[type.size]), type)

    def _load(self, expr: Load) -> SSAValue:
        place = expr.place
        if isinstance(expr.type, RecordType):
            return self.places.address(place)
        if isinstance(place, Variable) and place.symbol in self.emission.values:
            return self.emission.values[place.symbol]
        element = self.places.element(place)
        self.builder.at(expr.span)
        value = self.load(element)
        if isinstance(place, Variable) and isinstance(element, Element):
            value.name_hint = element.memref.name_hint
        return value

    def load(self, element: Element | BitPlace) -> SSAValue:
        if isinstance(element, BitPlace):
            return load_bits(self.emission, element)
        if element.volatile:
            op = cmem.VolatileLoadOp(element.memref, element.indices)
            if element.alignment is not None:
                cmem.set_alignment(op, element.alignment)
            return self.builder.add(op).result
        if element.alignment is not None:
            unaligned = cmem.UnalignedLoadOp(element.memref, element.indices, element.alignment)
            return self.builder.add(unaligned).result
        # `create` asks fewer questions than the constructors of these most frequent operations.
        op = memref.LoadOp.create(
            operands=[element.memref, *element.indices],
            result_types=[cmem.element_type(element.memref)],
        )
        return self.builder.add(op).res

    def store(self, value: SSAValue, element: Element | BitPlace) -> None:
        if isinstance(element, BitPlace):
            store_bits(self.emission, value, element)
        elif element.volatile:
            op = cmem.VolatileStoreOp(value, element.memref, element.indices)
            if element.alignment is not None:
                cmem.set_alignment(op, element.alignment)
            self.builder.add(op)
        elif element.alignment is not None:
            self.builder.add(
                cmem.UnalignedStoreOp(value, element.memref, element.indices, element.alignment)
            )
        else:
            operands = [value, element.memref, *element.indices]
            self.builder.add(memref.StoreOp.create(operands=operands))

    def _address_of(self, expr: AddressOf) -> SSAValue:
        place = expr.place
        if isinstance(place.type, FunctionType) and isinstance(place, Variable):
            self.builder.at(expr.span)
            return self.builder.address_of(self.emission.symbols.function(place.symbol))
        return self.places.address(place)

    def _convert(self, expr: Convert) -> SSAValue:
        to, source = expr.type, expr.value.type
        if isinstance(to, IntType) and (to.is_bool or _is_truth(expr.value)):
            condition = self.condition(expr.value)
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
            return self._truth_value(expr)
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

    def _compare(self, expr: Compare) -> SSAValue:
        if isinstance(expr.left.type, ComplexType):
            return self.emission.complexes.compare(expr)
        left = self.value(expr.left)
        right = self.value(expr.right)
        self.builder.at(expr.span)
        if isinstance(expr.left.type, PointerType):
            return compare_pointers(self.builder, expr.operator, left, right)
        return compare(self.builder, expr.operator, left, right, expr.left.type)

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
        return self.load(Element(view, []))

    # Choice

    def _conditional(self, expr: Conditional) -> SSAValue:
        known = truth(fold(expr.condition))
        if known is not None:
            return self.value(expr.if_true if known else expr.if_false)
        if is_simple(expr.if_true) and is_simple(expr.if_false):
            return self._select(expr)
        type: Attribute = scalar_type(expr.type)
        end = self.builder.merge(type)
        if_true, if_false = Block(), Block()
        self.branch(expr.condition, if_true, if_false)
        for block, arm in ((if_true, expr.if_true), (if_false, expr.if_false)):
            if block in self.builder.reached:
                self.builder.enter(block)
                value = self.value(arm)
                self.builder.at(expr.span)
                self.builder.jump(end, value)
        self.builder.enter(end)
        return end.args[0]

    def _select(self, expr: Conditional) -> SSAValue:
        condition = self.condition(expr.condition)
        if_true, if_false = self.value(expr.if_true), self.value(expr.if_false)
        self.builder.at(expr.span)
        return self.builder.add(arith.SelectOp(condition, if_true, if_false)).result

    def _choose_effect(self, expr: Conditional) -> None:
        if_true, if_false, end = Block(), Block(), Block()
        self.branch(expr.condition, if_true, if_false)
        for block, arm in ((if_true, expr.if_true), (if_false, expr.if_false)):
            if block in self.builder.reached:
                self.builder.enter(block)
                self.effect(arm)
                self.builder.jump(end)
        self.builder.enter_if_reached(end)

    # Stores

    def _assign(self, expr: Assign) -> SSAValue:
        if isinstance(expr.type, RecordType):
            return self._assign_record(expr)
        value = self.value(expr.value)
        element = self.places.element(expr.place)
        self.builder.at(expr.span)
        self.store(value, element)
        return as_stored(self.emission, value, element) if isinstance(element, BitPlace) else value

    def _assign_record(self, expr: Assign) -> SSAValue:
        source = self.value(expr.value)
        target = self.places.address(expr.place)
        self.builder.at(expr.span)
        self.copy(source, target, expr.type)
        return target

    def copy(self, source: SSAValue, target: SSAValue, type: ct.CType) -> None:
        """Copy an object."""
        copy_object(self.emission, source, target, type)

    def _update(self, expr: Update) -> SSAValue:
        if expr.operand is not None:
            assert expr.right is not None
            self.hold(expr.right, expr.operand)
        element = self.places.element(expr.place)
        self.builder.at(expr.span)
        old = self.load(element)
        if isinstance(expr.place, Variable) and isinstance(element, Element):
            old.name_hint = element.memref.name_hint
        promoted = convert(self.builder, old, expr.type, expr.old.type)
        self.emission.held[expr.old] = promoted
        new = self.value(expr.value)
        self.builder.at(expr.span)
        self.store(new, element)
        if expr.is_postfix:
            return old
        return as_stored(self.emission, new, element) if isinstance(element, BitPlace) else new


def is_simple(expr: Expr) -> bool:
    """May the value be computed whether it is needed or not: no loads, no effects, nothing that
    can trap, and cheap?"""
    match expr:
        case IntConst() | FloatConst() | Held():
            return not isinstance(expr.type, PointerType)
        case Load(place=Variable(symbol=symbol)):
            return symbol.kind == "parameter" and not symbol.is_modified
        case Convert(value=value):
            return isinstance(expr.type, IntType | FloatType) and is_simple(value)
        case Unary(operand=operand):
            return is_simple(operand)
        case Binary(operator=operator, left=left, right=right):
            divides = operator in ("/", "%") and isinstance(expr.type, IntType)
            return not divides and is_simple(left) and is_simple(right)
        case Compare(left=left, right=right):
            return is_simple(left) and is_simple(right)
        case _:
            return False


def _overflows(expr: Expr) -> bool:
    """Is a constant infinite, or NaN, by an operation? That is done as the program runs."""
    value = fold(expr)
    while isinstance(expr, Convert | Unary):
        expr = expr.operand if isinstance(expr, Unary) else expr.value
    return (
        isinstance(value, float) and not math.isfinite(value) and not isinstance(expr, FloatConst)
    )


def _is_truth(expr: Expr) -> bool:
    """Is the value 0 or 1 by its operator?"""
    if isinstance(expr, Unary):
        return expr.operator == "!"
    return isinstance(expr, Compare | Logical)
