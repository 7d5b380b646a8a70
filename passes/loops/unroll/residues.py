"""affine-split-residues: innermost loops whose iterator is divided by a small number.

What depends on `x / 2` or `x % 2` goes by steps of two: images made larger, planes of colour at
half the width, patterns of sensors, checkerboards. With x = c k + r, one copy of the body for each
r,

    floor((a x + s) / d) = (a c / d) k + floor((a r + s) / d)         where d divides a c
    (a x + s) mod d      = (a r + s) mod d

so that subscripts move by whole steps and remainders are numbers. Iterations keep their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from math import gcd, lcm

from xdsl.context import Context
from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import NO_FACTS
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, Quotient, linear_expression, linear_of
from polyopt.ir.elementwise import on_others
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.replacement import replace_op, tell
from polyopt.support.core_model import CORE
from polyopt.support.record import entity, record

_MAPPED = (affine.LoadOp, affine.StoreOp, affine.ApplyOp)
_DIVISIONS = (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv, AffineBinaryOpKind.Mod)
_QUOTIENTS = (arith.DivSIOp, arith.DivUIOp)
_REMAINDERS = (arith.RemSIOp, arith.RemUIOp)


@record
class AffineSplitResiduesPass(ModulePass):
    """Take innermost loops apart by the remainder of their iterator, if it is divided by small
    numbers in them.

    Requires: nothing.
    Ensures: the iterations run in the same order; in copies of the body nothing that moves with the
    new iterator is divided by those numbers.

        affine.for %x = 0 to %n {                  affine.for %k = 0 to %n floordiv 2 {
          B[x] = A[x floordiv 2]            =>       B[2 k] = A[k]  B[2 k + 1] = A[k] }
        }                                          one more where %n is odd
    """

    name = "affine-split-residues"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_in(op, affine.ForOp):
            source = AffineLoop(loop)
            step = find_step(source)
            if step is not None:
                tell(self.name, loop, f"apart by remainders of {step}")
                replace_op(loop, _Splitter(source, step, AffineBuilder(Block(), loop)).write())


def find_step(loop: AffineLoop) -> int | None:
    """The least step of the iterator by which everything that is divided moves by whole numbers;
    None where there is none, or it is too long."""
    operations = [op for op in loop.block.ops if not isinstance(op, affine.YieldOp)]
    is_plain = loop.step == 1 and loop.lowers is not None and loop.uppers is not None
    if loop.op.inits or not is_plain or any(op.regions for op in operations):
        return None
    if not any(isinstance(op, affine.StoreOp) for op in operations):
        return None
    steps = {
        divisor // gcd(factor, divisor)
        for op in operations
        for factor, divisor in _divided(op, loop)
        if factor
    }
    step = lcm(*steps)
    most = CORE.code
    is_short = (
        2 <= step <= most.residue_copies and step * len(operations) <= most.residue_operations
    )
    return step if is_short else None


def _divided(op: Operation, loop: AffineLoop) -> Iterator[tuple[int, int]]:
    """The factor of the iterator in what is divided, and by what, for each division."""
    if isinstance(op, _MAPPED):
        operands = op.mapOperands if isinstance(op, affine.ApplyOp) else op.indices
        leaves = [linear_of(one) for one in operands]
        for result in op.map.data.results:
            for expr in result.post_order():
                if isinstance(expr, AffineBinaryOpExpr) and expr.kind in _DIVISIONS:
                    divisor, form = (
                        expr.rhs,
                        linear_expression(expr.lhs, leaves, op.map.data.num_dims),
                    )
                    if isinstance(divisor, AffineConstantExpr) and form is not None:
                        yield form.coefficient(loop.iv), divisor.value
    elif (found := _arithmetic(op, loop)) is not None:
        form, divisor = found
        yield form.coefficient(loop.iv), divisor


def _arithmetic(op: Operation, loop: AffineLoop) -> tuple[Linear, int] | None:
    """The dividend, which nothing else than the iterator enters, and the divisor of a division
    among integers that is one downwards; a mask of low bits is a remainder."""
    is_mask = isinstance(op, arith.AndIOp)
    if not is_mask and not isinstance(op, (*_QUOTIENTS, *_REMAINDERS)):
        return None
    divisor = _constant(op.rhs)
    dividend = _integer(op.lhs, loop)
    if isinstance(op.result.type, IndexType) or divisor is None or dividend is None:
        return None
    if set(dividend.values) != {loop.iv}:
        return None
    if is_mask:
        is_low = divisor > 0 and not divisor & (divisor + 1)
        return (dividend, divisor + 1) if is_low else None
    least = max((low.constant for low in loop.lowers or () if not low.terms), default=None)
    factor = dividend.coefficient(loop.iv)
    is_positive = least is not None and factor > 0 and factor * least + dividend.constant >= 0
    return (dividend, divisor) if divisor > 0 and is_positive else None


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _integer(value: SSAValue, loop: AffineLoop) -> Linear | None:
    """An integer as a form of the iterator, which is a value of the source that did not wrap."""
    if isinstance(value.type, IndexType):
        return linear_of(value)
    owner = value.owner
    if isinstance(owner, arith.IndexCastOp):
        return linear_of(owner.input)
    number = _constant(value)
    if number is not None:
        return Linear((), number)
    if isinstance(owner, (arith.AddiOp, arith.SubiOp, arith.MuliOp)) and _is_exact(owner):
        left, right = (_integer(operand, loop) for operand in owner.operands)
        if left is None or right is None:
            return None
        if isinstance(owner, arith.MuliOp):
            return left * right.constant if not right.terms else None
        return left + right if isinstance(owner, arith.AddiOp) else left - right
    return None


def _is_exact(op: arith.AddiOp | arith.SubiOp | arith.MuliOp) -> bool:
    return any(flag.name == "NSW" for flag in op.overflow_flags.data)


@entity
class _Splitter:
    source: AffineLoop
    step: int
    builder: AffineBuilder
    _forms: dict[SSAValue, Linear] = field(default_factory=dict[SSAValue, Linear])
    _values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def write(self) -> Block:
        b, loop, step = self.builder, self.source, self.step
        assert loop.lowers is not None
        assert loop.uppers is not None
        low, high = b.maximum(loop.lowers), b.minimum(loop.uppers)
        first = self._quotient(low + (step - 1), step)
        last = self._quotient(high, step)
        name, facts = loop.iv.name_hint, loop.facts
        if first * step != low:
            self._singly(low, b.minimum([high, first * step]))
        with b.loop(
            [first], [last], name=name, facts=facts if facts.is_parallel else NO_FACTS
        ) as k:
            for residue in range(step):
                self._copy(k.index * step + residue)
        if last * step != high:
            self._singly(b.maximum([first * step, last * step]), high)
        return b.block

    def _singly(self, low: Linear, high: Linear) -> None:
        with self.builder.loop([low], [high], name=self.source.iv.name_hint, facts=ROLLED) as one:
            self._copy(one.index)

    def _copy(self, at: Linear) -> None:
        self._forms, self._values = {self.source.iv: at}, {}
        for op in self.source.block.ops:
            if isinstance(op, affine.YieldOp):
                continue
            number = self._number(op, at)
            if number is not None:
                type_ = op.results[0].type
                assert isa(type_, IntegerType)
                constant = arith.ConstantOp(IntegerAttr(number, type_))
                self._values[op.results[0]] = self.builder.insert(constant).result
            elif isinstance(op, affine.LoadOp):
                at_ = self._mapped(op.map.data, list(op.indices))
                self._values[op.result] = self.builder.load(op.memref, at_)
            elif isinstance(op, affine.StoreOp):
                at_ = self._mapped(op.map.data, list(op.indices))
                self.builder.store(self._value(op.value), op.memref, at_)
            elif isinstance(op, affine.ApplyOp):
                (self._forms[op.result],) = self._mapped(op.map.data, list(op.mapOperands))
            else:
                self._clone(op)

    def _number(self, op: Operation, at: Linear) -> int | None:
        """The remainder that an operation on integers gives at all places `at`."""
        found = None if isinstance(op, _QUOTIENTS) else _arithmetic(op, self.source)
        if found is None:
            return None
        form, divisor = found
        form = form.substitute({self.source.iv: at})
        is_known = all(factor % divisor == 0 for _, factor in form.terms)
        return form.constant % divisor if is_known else None

    def _clone(self, op: Operation) -> None:
        operands = [self._value(operand) for operand in op.operands]
        copy = on_others(op, operands, [result.type for result in op.results])
        self.builder.insert(copy)
        self._values.update(zip(op.results, copy.results, strict=True))
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint

    def _value(self, old: SSAValue) -> SSAValue:
        if old in self._values:
            return self._values[old]
        if isinstance(old.type, IndexType):
            return self.builder.value(linear_of(old).substitute(self._forms))
        return old

    def _mapped(self, map_: AffineMap, operands: list[SSAValue]) -> list[Linear]:
        leaves = [self._form(one) for one in operands]
        return [self._result(expr, leaves, map_.num_dims) for expr in map_.results]

    def _form(self, index: SSAValue) -> Linear:
        if index in self._values:
            return Linear.of(self._values[index])
        return self._forms.get(index) or linear_of(index).substitute(self._forms)

    def _result(self, expr: AffineExpr, leaves: list[Linear], num_dims: int) -> Linear:
        plain = linear_expression(expr, leaves, num_dims)
        if plain is not None:
            return plain
        assert isinstance(expr, AffineBinaryOpExpr)
        left, right = (self._result(one, leaves, num_dims) for one in (expr.lhs, expr.rhs))
        if expr.kind is AffineBinaryOpKind.Add:
            return left + right
        if expr.kind is AffineBinaryOpKind.Mul:
            return left * right.constant if not right.terms else right * left.constant
        divisor = right.constant
        if expr.kind is AffineBinaryOpKind.CeilDiv:
            left = left + (divisor - 1)
        quotient = self._quotient(left, divisor)
        return left - quotient * divisor if expr.kind is AffineBinaryOpKind.Mod else quotient

    def _quotient(self, form: Linear, divisor: int) -> Linear:
        """What moves by whole steps is divided as it is, the rest downwards."""
        whole = Linear(tuple((v, c // divisor) for v, c in form.terms if c % divisor == 0))
        rest = Linear(tuple((v, c) for v, c in form.terms if c % divisor), form.constant)
        if not rest.terms:
            return whole + rest.constant // divisor
        return whole + Linear.of(self.builder.value(Quotient(rest, divisor)))
