"""Complex numbers as pairs of real ones: no operation knows them but as arithmetic on their parts.

A value is two SSA values, an object an array of two. Products and quotients are gcc's: a product
whose parts are not numbers is computed again by __muldc3, which finds the infinities among the
operands (C11 G.5.1), and quotients are __divdc3's. `limited_range` permits the formulas alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import IntegerType, f32, f64, i64
from xdsl.ir import Attribute, Block, SSAValue

from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.stored_elements import Pair
from polyopt.frontend.emission.values.emit_arithmetic import (
    binary,
    compare,
    convert,
    is_nonzero,
    negate,
)
from polyopt.frontend.emission.values.emit_conditions import branch
from polyopt.frontend.emission.values.emit_constants import real_constant
from polyopt.frontend.emission.values.emit_elements import load_element, store_element
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.abi import Passing
from polyopt.frontend.language.c_types import ComplexType, FloatType
from polyopt.frontend.language.ir_types import float_type, memref_type
from polyopt.frontend.tree.constants import fold, truth
from polyopt.frontend.tree.typed_statements import StatementExpression
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Binary,
    Builtin,
    Call,
    Comma,
    Compare,
    ComplexConst,
    Conditional,
    Convert,
    Expr,
    Held,
    Let,
    Load,
    Unary,
    Update,
    VaArg,
    Variable,
)

_SUFFIXES = {ct.FLOAT.size: "sc3", ct.DOUBLE.size: "dc3", ct.LDOUBLE.size: "xc3"}
_HALF = 32


class ComplexEmitter:
    """The complex expressions of one function."""

    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder
        self.emitters: dict[type[Expr], Callable[..., Pair]] = {
            ComplexConst: self._constant,
            Load: self._load,
            Convert: self._convert,
            Unary: self._unary,
            Binary: self._binary,
            Conditional: self._conditional,
            Comma: self._comma,
            Assign: self._assign,
            Update: self._update,
            Held: emission.held_pairs.__getitem__,
            Let: self._let,
            Call: self._call,
            VaArg: self._va_arg,
            StatementExpression: self._block,
            Builtin: self._builtin,
        }

    def pair(self, expr: Expr) -> Pair:
        """The value of a complex expression."""
        return self.emitters[type(expr)](expr)

    # Questions

    def is_nonzero(self, expr: Expr) -> SSAValue:
        value, part = self.pair(expr), _part(expr)
        self.builder.at(expr.span)
        real, imaginary = (
            is_nonzero(self.builder, each, part) for each in (value.real, value.imaginary)
        )
        return self.builder.add(arith.OrIOp(real, imaginary)).result

    def compare(self, expr: Compare) -> SSAValue:
        left, right, part = self.pair(expr.left), self.pair(expr.right), _part(expr.left)
        self.builder.at(expr.span)
        real = compare(self.builder, expr.operator, left.real, right.real, part)
        imaginary = compare(self.builder, expr.operator, left.imaginary, right.imaginary, part)
        both = arith.AndIOp if expr.operator == "==" else arith.OrIOp
        return self.builder.add(both(real, imaginary)).result

    # Values

    def _constant(self, expr: ComplexConst) -> Pair:
        self.builder.at(expr.span)
        part = _part(expr)
        real = real_constant(self.emission, expr.real, part)
        return Pair(real, real_constant(self.emission, expr.imaginary, part))

    def _load(self, expr: Load) -> Pair:
        place = expr.place
        if isinstance(place, Variable) and place.symbol in self.emission.pairs:
            return self.emission.pairs[place.symbol]
        elements = self.emission.places.parts(place)
        self.builder.at(expr.span)
        real, imaginary = (load_element(self.emission, element) for element in elements)
        return Pair(real, imaginary)

    def _convert(self, expr: Convert) -> Pair:
        source, part = expr.value.type, _part(expr)
        if isinstance(source, ComplexType):
            return self._parts_as(self.pair(expr.value), source.part, part, expr)
        value = self.emission.expressions.value(expr.value)
        self.builder.at(expr.span)
        real = convert(self.builder, value, source, part)
        return Pair(real, self.builder.real(0.0, part))

    def _parts_as(self, value: Pair, source: FloatType, to: FloatType, at: Expr) -> Pair:
        self.builder.at(at.span)
        return Pair(
            convert(self.builder, value.real, source, to),
            convert(self.builder, value.imaginary, source, to),
        )

    def _unary(self, expr: Unary) -> Pair:
        value, part = self.pair(expr.operand), _part(expr)
        self.builder.at(expr.span)
        imaginary = negate(self.builder, value.imaginary, part)
        if expr.operator == "~":
            return Pair(value.real, imaginary)
        return Pair(negate(self.builder, value.real, part), imaginary)

    def _conditional(self, expr: Conditional) -> Pair:
        known = truth(fold(expr.condition))
        if known is not None:
            return self.pair(expr.if_true if known else expr.if_false)
        end = self._merge(_part(expr))
        if_true, if_false = Block(), Block()
        branch(self.emission, expr.condition, if_true, if_false)
        for block, arm in ((if_true, expr.if_true), (if_false, expr.if_false)):
            if block in self.builder.reached:
                self.builder.enter(block)
                value = self.pair(arm)
                self.builder.at(expr.span)
                self.builder.jump(end, value.real, value.imaginary)
        self.builder.enter(end)
        return Pair(*end.args)

    def _merge(self, part: FloatType) -> Block:
        return Block(arg_types=[float_type(part)] * 2)

    def _comma(self, expr: Comma) -> Pair:
        for operand in expr.operands[:-1]:
            self.emission.expressions.effect(operand)
        return self.pair(expr.operands[-1])

    def _let(self, expr: Let) -> Pair:
        self.emission.expressions.hold(expr.held, expr.value)
        return self.pair(expr.body)

    def _call(self, expr: Call) -> Pair:
        return _as_pair(self.emission.calls.call(expr))

    def _block(self, expr: StatementExpression) -> Pair:
        return _as_pair(self.emission.statements.expression(expr))

    def _builtin(self, expr: Builtin) -> Pair:
        real, imaginary = (self.emission.expressions.value(one) for one in expr.operands)
        return Pair(real, imaginary)

    def _va_arg(self, expr: VaArg) -> Pair:
        place = self.emission.expressions.next_argument(expr)
        return self._load_from(place, _part(expr))

    # Stores

    def _assign(self, expr: Assign) -> Pair:
        value = self.pair(expr.value)
        elements = self.emission.places.parts(expr.place)
        self.builder.at(expr.span)
        store_element(self.emission, value.real, elements[0])
        store_element(self.emission, value.imaginary, elements[1])
        return value

    def _update(self, expr: Update) -> Pair:
        if expr.operand is not None:
            assert expr.right is not None
            self.emission.expressions.hold(expr.right, expr.operand)
        elements = self.emission.places.parts(expr.place)
        self.builder.at(expr.span)
        old = Pair(*(load_element(self.emission, element) for element in elements))
        self.emission.held_pairs[expr.old] = old
        new = self.pair(expr.value)
        self.builder.at(expr.span)
        store_element(self.emission, new.real, elements[0])
        store_element(self.emission, new.imaginary, elements[1])
        return old if expr.is_postfix else new

    # Arithmetic

    def _binary(self, expr: Binary) -> Pair:
        left = self.emission.expressions.operand(expr.left)
        right = self.emission.expressions.operand(expr.right)
        self.builder.at(expr.span)
        part, operator = _part(expr), expr.operator

        def of(operator: str, left: SSAValue, right: SSAValue) -> SSAValue:
            return binary(self.builder, operator, left, right, part)

        match left, right:
            case Pair(real=a, imaginary=b), Pair(real=c, imaginary=d) if operator in ("+", "-"):
                return Pair(of(operator, a, c), of(operator, b, d))
            case Pair(), Pair() if operator == "*":
                return self._product(left, right, part)
            case Pair(), Pair():
                return self._quotient(left, right, part)
            case Pair(real=a, imaginary=b), SSAValue() if operator in ("+", "-"):
                return Pair(of(operator, a, right), b)
            case Pair(real=a, imaginary=b), SSAValue():
                return Pair(of(operator, a, right), of(operator, b, right))
            case SSAValue(), Pair(real=c, imaginary=d) if operator == "*":
                return Pair(of("*", left, c), of("*", left, d))
            case SSAValue(), Pair(real=c, imaginary=d):
                imaginary = negate(self.builder, d, part) if operator == "-" else d
                return Pair(of(operator, left, c), imaginary)
            case _:
                raise AssertionError("neither operand is complex")

    def _product(self, left: Pair, right: Pair, part: FloatType) -> Pair:
        options = self.emission.symbols.options
        plain = self._plain_product(left, right, part)
        if options.limited_range or options.finite_math:
            return plain
        end, again = self._merge(part), Block()
        odd = self.builder.add(arith.CmpfOp(plain.real, plain.imaginary, "uno")).result
        known = [plain.real, plain.imaginary]
        self.builder.add(cf.ConditionalBranchOp(odd, again, [], end, known))
        self.builder.reached |= {again, end}
        self.builder.block = None
        self.builder.enter(again)
        found = self._by_library("mul", left, right, part)
        self.builder.jump(end, found.real, found.imaginary)
        self.builder.enter(end)
        return Pair(*end.args)

    def _plain_product(self, left: Pair, right: Pair, part: FloatType) -> Pair:
        def of(operator: str, left: SSAValue, right: SSAValue) -> SSAValue:
            return binary(self.builder, operator, left, right, part)

        a, b, c, d = left.real, left.imaginary, right.real, right.imaginary
        return Pair(
            of("-", of("*", a, c), of("*", b, d)),
            of("+", of("*", a, d), of("*", b, c)),
        )

    def _quotient(self, left: Pair, right: Pair, part: FloatType) -> Pair:
        if not self.emission.symbols.options.limited_range:
            return self._by_library("div", left, right, part)

        def of(operator: str, left: SSAValue, right: SSAValue) -> SSAValue:
            return binary(self.builder, operator, left, right, part)

        a, b, c, d = left.real, left.imaginary, right.real, right.imaginary
        size = of("+", of("*", c, c), of("*", d, d))
        return Pair(
            of("/", of("+", of("*", a, c), of("*", b, d)), size),
            of("/", of("-", of("*", b, c), of("*", a, d)), size),
        )

    def _by_library(self, name: str, left: Pair, right: Pair, part: FloatType) -> Pair:
        """The compiler's own library, which every C compiler links with."""
        type = float_type(part)
        outputs: list[Attribute] = [f64] if type == f32 else [type, type]
        arguments = [left.real, left.imaginary, right.real, right.imaginary]
        symbol = self.emission.symbols.library_function(
            f"__{name}{_SUFFIXES[part.size]}",
            [type] * 4,
            outputs,
            self.emission.function.symbol.span,
            only_computes=True,
        )
        results = self.builder.add(func.CallOp(symbol, arguments, outputs)).results
        return self._unpack(results)

    # Between functions

    def scatter(self, passing: Passing, value: Pair) -> list[SSAValue]:
        """What is passed."""
        assert isinstance(passing.type, ComplexType)
        if passing.in_memory:
            place = self.emission.calls.memory(passing.type)
            self.store_to(place, value, passing.type.part)
            return [place]
        if len(passing.parts) == 2:
            return [value.real, value.imaginary]
        # Two floats in one register.
        halves = [
            self._bits_of(value.real),
            self.builder.add(
                arith.ShLIOp(self._bits_of(value.imaginary), self.builder.integer(_HALF, i64))
            ).result,
        ]
        whole = self.builder.add(arith.OrIOp(halves[0], halves[1])).result
        return [self.builder.add(arith.BitcastOp(whole, f64)).result]

    def gather(self, passing: Passing, parts: Sequence[SSAValue]) -> Pair:
        """What arrives."""
        assert isinstance(passing.type, ComplexType)
        if passing.in_memory:
            return self._load_from(parts[0], passing.type.part)
        return self._unpack(parts)

    def _unpack(self, parts: Sequence[SSAValue]) -> Pair:
        if len(parts) == 2:
            return Pair(*parts)
        whole = self.builder.add(arith.BitcastOp(parts[0], i64)).result
        upper = arith.ShRUIOp(whole, self.builder.integer(_HALF, i64))
        return Pair(self._half(whole), self._half(self.builder.add(upper).result))

    def _bits_of(self, value: SSAValue) -> SSAValue:
        half = self.builder.add(arith.BitcastOp(value, IntegerType(_HALF))).result
        return self.builder.add(arith.ExtUIOp(half, i64)).result

    def _half(self, bits: SSAValue) -> SSAValue:
        half = self.builder.add(arith.TruncIOp(bits, IntegerType(_HALF))).result
        return self.builder.add(arith.BitcastOp(half, f32)).result

    # In memory

    def _load_from(self, pointer: SSAValue, part: FloatType) -> Pair:
        view = self._view(pointer, part)
        real, imaginary = (
            self.builder.add(memref.LoadOp.get(view, [self.emission.places.number(n)])).res
            for n in (0, 1)
        )
        return Pair(real, imaginary)

    def store_to(self, pointer: SSAValue, value: Pair, part: FloatType) -> None:
        view = self._view(pointer, part)
        for number, each in enumerate((value.real, value.imaginary)):
            index = self.emission.places.number(number)
            self.builder.add(memref.StoreOp.get(each, view, [index]))

    def _view(self, pointer: SSAValue, part: FloatType) -> SSAValue:
        return self.builder.view(pointer, memref_type((2,), float_type(part)), [])


def _part(expr: Expr) -> FloatType:
    assert isinstance(expr.type, ComplexType)
    return expr.type.part


def _as_pair(value: SSAValue | Pair | None) -> Pair:
    assert isinstance(value, Pair)
    return value
