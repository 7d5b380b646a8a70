"""Writes scans (`scan.py`) at one place of a vector loop.

Of a vector (f0, f1, f2, f3) whose iterations come after `x`:

    f                  f0    f1      f2         f3
    + (-, 0, -, 2)     f0    f0+f1   f2         f2+f3
    + (-, -, 1, 1)     f0    f0+f1   f0+f1+f2   f0+f1+f2+f3
    + (x, x, x, x)     what each iteration leaves; the last one's goes to the next vector

Each step gives the second half of a block the last lane of the first half (J. Sklansky,
Conditional-sum addition logic, IRE Trans. Electronic Computers EC-9(2), 1960): that is one
instruction with AVX-512, while LLVM makes two of shifts. Of linear ones, the factors of the lanes
up to each are multiplied on the way. Lanes outside of the loop's range leave what they take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import pvec
from polyopt.ir.affine.linear import Linear
from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lane_shuffles import picked
from polyopt.passes.loops.vectors.scan import Scan
from polyopt.support.record import entity

_Line = tuple[SSAValue | None, SSAValue | None]
"""A factor and a term in each lane; None: one, and nothing."""

Value = Callable[[SSAValue], SSAValue]

_Run = Callable[[], tuple[SSAValue, SSAValue]]

Later = Callable[[], SSAValue]
"""A value that is computed when it is asked for."""


@entity
class ScanWriter:
    builder: AffineBuilder
    scan: Scan
    lanes: int

    def enter(self, at: Sequence[Linear]) -> SSAValue:
        """What stands at this place, in all lanes."""
        scalar = self.builder.load(self.scan.store.memref, at)
        return self.builder.broadcast(scalar, self.lanes)

    def leave(self, last: SSAValue, at: Sequence[Linear]) -> None:
        """What the last iteration has left goes to its place, where that is one for all."""
        if self.scan.is_cell:
            scalar = self.builder.insert(vector.ExtractOp(last, [0], self._element)).result
            self.builder.store(scalar, self.scan.store.memref, at)

    def run(self, value: Value, left: SSAValue, mask: SSAValue | None) -> tuple[SSAValue, SSAValue]:
        """What each lane leaves, and the last one's in all lanes; `left`: what came before."""
        with self.builder.in_place_of(self.scan.store):
            return self._run(value, left, mask)

    def _run(
        self, value: Value, left: SSAValue, mask: SSAValue | None
    ) -> tuple[SSAValue, SSAValue]:
        factor, term = self._own(value)
        if term is None:
            term = self._constant(self._nothing)
        if mask is not None:
            term = self._chosen(mask, term, self._nothing)
            factor = None if factor is None else self._chosen(mask, factor, 1)
        half = 1
        while half < self.lanes:
            before = self._of_halves(term, half, self._nothing)
            if factor is not None:
                before = self._product(before, factor)
                factor = self._product(factor, self._of_halves(factor, half, 1))
            term = self._together(term, before)
            half *= 2
        last = self._last(term)
        if factor is None:
            return self._together(term, left), self._together(last, left)
        through = self._product(self._last(factor), left)
        return self._together(term, self._product(factor, left)), self._together(last, through)

    def before(self, result: SSAValue, left: SSAValue) -> SSAValue:
        """What each lane takes."""
        wanted = range(self.lanes - 1, 2 * self.lanes - 1)
        with self.builder.in_place_of(self.scan.store):
            return picked(self.builder, [left, result], [0, self.lanes], wanted)

    def _own(self, value: Value) -> _Line:
        """The factors and terms of single iterations."""
        path = self.scan.path
        assert path is not None
        line: _Line = (None, None)
        for op, place in reversed(path):
            others = [value(one) for k, one in enumerate(op.operands) if k != place]
            line = self._after(op, place, line, *others)
        return line

    def _after(self, op: Operation, place: int, line: _Line, *others: SSAValue) -> _Line:
        factor, term = line
        if self.scan.combine is not None:
            (other,) = others
            return None, other if term is None else self._together(term, other)
        match op, others:
            case ((arith.AddfOp() | arith.AddiOp()), (other,)):
                return factor, other if term is None else self._sum(term, other)
            case ((arith.SubfOp() | arith.SubiOp()), (other,)):
                if place == 0:
                    nothing = self._constant(0)
                    return factor, self._difference(nothing if term is None else term, other)
                return self._negated(factor), other if term is None else self._difference(
                    other, term
                )
            case arith.NegfOp(), ():
                return self._negated(factor), None if term is None else self._negated(term)
            case arith.DivfOp(), (other,):
                dividend = self._constant(1) if factor is None else factor
                return self._made(arith.DivfOp, dividend, other), (
                    None if term is None else self._made(arith.DivfOp, term, other)
                )
            case _:
                (other,) = others
                return (
                    other if factor is None else self._product(factor, other),
                    None if term is None else self._product(term, other),
                )

    def _negated(self, value: SSAValue | None) -> SSAValue:
        if value is None:
            return self._constant(-1)
        return self._difference(self._constant(0), value)

    def _together(self, left: SSAValue, right: SSAValue) -> SSAValue:
        combine = self.scan.combine
        return self._sum(left, right) if combine is None else self._made(type(combine), left, right)

    def _sum(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self._made(arith.AddiOp if self._is_integer else arith.AddfOp, left, right)

    def _difference(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self._made(arith.SubiOp if self._is_integer else arith.SubfOp, left, right)

    def _product(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self._made(arith.MuliOp if self._is_integer else arith.MulfOp, left, right)

    def _made(self, kind: type[Operation], left: SSAValue, right: SSAValue) -> SSAValue:
        """With the permissions of the scan's own operations; that integers do not overflow was
        said of another order."""
        path = self.scan.path
        assert path is not None
        flags = path[0][0].properties.get("fastmath")
        if flags is None and not self._is_integer:
            flags = arith.FastMathFlagsAttr("none")
        properties = {} if flags is None else {"fastmath": flags}
        made = kind.create(operands=[left, right], result_types=[left.type], properties=properties)
        return self.builder.insert(made).results[0]

    def _of_halves(self, value: SSAValue, half: int, fill: Attribute | int) -> SSAValue:
        """The last lane of the first half of each block, in the lanes of the second half."""
        wanted = [
            self.lanes + lane // half * half - 1 if lane & half else lane
            for lane in range(self.lanes)
        ]
        return picked(self.builder, [self._constant(fill), value], [0, self.lanes], wanted)

    def _last(self, value: SSAValue) -> SSAValue:
        return picked(self.builder, [value], [0], [self.lanes - 1] * self.lanes)

    def _chosen(self, mask: SSAValue, value: SSAValue, fill: Attribute | int) -> SSAValue:
        return self.builder.insert(pvec.SelectOp(mask, value, self._constant(fill))).result

    def _constant(self, value: Attribute | int) -> SSAValue:
        attribute = self._number(value) if isinstance(value, int) else value
        scalar = arith.ConstantOp.create(
            properties={"value": attribute}, result_types=[self._element]
        )
        return self.builder.broadcast(self.builder.insert(scalar).results[0], self.lanes)

    @property
    def _element(self) -> Attribute:
        return self.scan.value.type

    @property
    def _is_integer(self) -> bool:
        return isinstance(self._element, IntegerType)

    @property
    def _nothing(self) -> Attribute:
        """What does not change a value that it is combined with."""
        combine = self.scan.combine
        if combine is None:
            return self._number(0)
        is_finite = permits(combine, FastMathFlag.NO_INFS)
        return neutral_of(COMBINERS[type(combine)], self._element, is_finite=is_finite)

    def _number(self, number: int) -> Attribute:
        element = self._element
        if isa(element, IntegerType):
            return IntegerAttr(number, element)
        return FloatAttr(float(number), cast(AnyFloat, element))


def values_of_scans(
    writers: Sequence[ScanWriter], value: Value, lefts: Sequence[SSAValue], mask: SSAValue | None
) -> tuple[dict[SSAValue, Later], list[Later]]:
    """What stands for the values of scans, and what they leave for the next vector: later, for one
    may need others. `lefts` is what the vector before has left."""
    stands: dict[SSAValue, Later] = {}
    following: list[Later] = []
    for writer, left in zip(writers, lefts, strict=True):
        run = cache(partial(writer.run, value, left, mask))
        scan = writer.scan
        stands |= {load.result: partial(_before, writer, run, left) for load in scan.taken}
        stands |= {load.result: partial(value, scan.value) for load in scan.again}
        stands[scan.value] = partial(_part, run, 0)
        following.append(partial(_part, run, 1))
    return stands, following


def _part(run: _Run, number: int) -> SSAValue:
    return run()[number]


def _before(writer: ScanWriter, run: _Run, left: SSAValue) -> SSAValue:
    return writer.before(run()[0], left)
