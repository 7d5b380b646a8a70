"""What a loop over masked vectors adds up, as narrow factors whose products fit in groups of lanes.

A factor is an expression of elements of at most 16 bits that 16 bits with a sign hold, whatever the
elements are: each of its operations is done as narrow. Where all factors are bytes as they are
loaded, and for distances of bytes, the machine has sums of more of them.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import pvec
from polyopt.dialects.cmem import element_type
from polyopt.dialects.pvec_group_sums import BYTE, HALF, SIGNED, UNSIGNED
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.ir.affine.linear import linear_forms
from polyopt.ir.effects import constant_integer
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.passes.loops.value_ranges import ValueRange, fits, range_of_two
from polyopt.support.record import entity, record

Arithmetic = arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.MaxSIOp | arith.MinSIOp
_ARITHMETIC = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.MaxSIOp, arith.MinSIOp)


@record
class ReadElement:
    """What is read, extended as `kind` says."""

    read: ReadOp
    kind: str

    @property
    def bits(self) -> int:
        return width_of_elements(self.read)

    @property
    def range(self) -> ValueRange:
        whole = ValueRange.of_bits(self.bits)
        return whole if self.kind == SIGNED else ValueRange(0, whole.high - whole.low)


@record
class Number:
    value: int

    @property
    def range(self) -> ValueRange:
        return ValueRange(self.value, self.value)


@record
class Combined:
    op: Arithmetic
    lhs: Factor
    rhs: Factor
    range: ValueRange


Factor = ReadElement | Number | Combined
ONE = Number(1)


@record
class Product:
    """`acc + lhs * rhs`"""

    lhs: Factor
    rhs: Factor

    @property
    def are_bytes(self) -> bool:
        return all(_is_byte(one) for one in (self.lhs, self.rhs))


@record
class ByteDistance:
    """`acc + |lhs - rhs|` of bytes that are extended alike; without `rhs`, of those without signs
    from zero."""

    lhs: ReadElement
    rhs: ReadElement | None = None

    @property
    def is_signed(self) -> bool:
        return self.lhs.kind == SIGNED

    @property
    def as_product(self) -> Product | None:
        return Product(self.lhs, ONE) if self.rhs is None else None


Term = Product | ByteDistance


def width_of_elements(read: ReadOp) -> int:
    element = element_type(read.memref)
    return element.width.data if isa(element, IntegerType) else 0


def _is_byte(factor: Factor) -> bool:
    return factor == ONE or (isinstance(factor, ReadElement) and factor.bits == BYTE)


def find_terms(source: MaskedLoop) -> list[list[Term]] | None:
    """What is added to each value that the loop carries, where that is all it does and only the sum
    of all lanes is asked for."""
    if len(source.masks) != 1 or not source.yielded:
        return None
    reader = _Reader(source, source.masks[0].value, set())
    _, *carried = source.loop.block.args
    terms: list[list[Term]] = []
    op = source.loop.op
    ends = zip(op.inits, op.results, strict=True)
    for old, value, (init, result) in zip(carried, source.yielded, ends, strict=True):
        found = reader.terms(old, value)
        if found is None or _number(init) != 0 or not _is_only_summed(result):
            return None
        terms.append(found)
    rest = [op for op in source.operations if op not in reader.seen]
    known = (arith.ConstantOp, vector.BroadcastOp)
    is_all = all(isinstance(op, known) or op.name == "affine.apply" for op in rest)
    return terms if is_all else None


def _is_only_summed(result: SSAValue) -> bool:
    users = [use.operation for use in result.uses]
    return all(
        isinstance(one, vector.ReductionOp) and one.kind.data == vector.CombiningKindFlag.ADD
        for one in users
    )


@entity
class _Reader:
    source: MaskedLoop
    mask: SSAValue
    seen: set[Operation]

    def terms(self, old: SSAValue, value: SSAValue) -> list[Term] | None:
        """next = select mask, (old + terms), old"""
        select = value.owner
        if not isinstance(select, pvec.SelectOp) or select.mask is not self.mask:
            return None
        total = select.then.owner
        if select.orelse is not old or not isinstance(total, arith.AddiOp):
            return None
        if not isa(old.type, VectorType[IntegerType]) or old.type.element_type != i32:
            return None
        addend = total.rhs if total.lhs is old else total.lhs
        if old not in total.operands or len(list(old.uses)) != 2:
            return None
        if not total.result.has_one_use():
            return None
        self.seen |= {select, total}
        return self._added(addend)

    def _added(self, value: SSAValue) -> list[Term] | None:
        """Of a sum that fits no factor each side, for they are added up modulo 2^32."""
        term = self._distance(value) or self._product(value)
        if term is not None:
            return [term]
        op = value.owner
        if not isinstance(op, arith.AddiOp):
            return None
        lhs, rhs = self._added(op.lhs), self._added(op.rhs)
        self.seen.add(op)
        return None if lhs is None or rhs is None else lhs + rhs

    def _product(self, value: SSAValue) -> Term | None:
        op = value.owner
        if isinstance(op, arith.MuliOp):
            lhs, rhs = self._factor(op.lhs), self._factor(op.rhs)
            if lhs is not None and rhs is not None:
                self.seen.add(op)
                return Product(lhs, rhs)
        alone = self._factor(value)
        if isinstance(alone, ReadElement) and (alone.bits, alone.kind) == (BYTE, UNSIGNED):
            return ByteDistance(alone)
        return None if alone is None else Product(alone, ONE)

    def _distance(self, value: SSAValue) -> ByteDistance | None:
        """max(x, 0 - x), x a difference of bytes."""
        op = value.owner
        if not isinstance(op, arith.MaxSIOp):
            return None
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            apart, back = one.owner, other.owner
            if not isinstance(apart, arith.SubiOp) or not isinstance(back, arith.SubiOp):
                continue
            is_turned = back.lhs is apart.rhs and back.rhs is apart.lhs
            if not is_turned and not (back.rhs is one and _number(back.lhs) == 0):
                continue
            lhs, rhs = self._factor(apart.lhs), self._factor(apart.rhs)
            if not isinstance(lhs, ReadElement) or not isinstance(rhs, ReadElement):
                continue
            if lhs.bits == rhs.bits == BYTE and lhs.kind == rhs.kind:
                self.seen |= {op, apart, back}
                return ByteDistance(lhs, rhs)
        return None

    def _factor(self, value: SSAValue) -> Factor | None:
        """None where 16 bits with a sign may not hold it."""
        found = self._narrow(value)
        return found if found is not None and fits(found.range, HALF, signed=True) else None

    def _narrow(self, value: SSAValue) -> Factor | None:
        number = _number(value)
        if number is not None:
            return Number(number)
        op = value.owner
        if isinstance(op, pvec.ConvertOp):
            read, kind = op.source.owner, op.kind.data
            if kind in (SIGNED, UNSIGNED) and isinstance(read, ReadOp) and self._is_row(read):
                self.seen |= {op, read}
                return ReadElement(read, kind)
        if not isinstance(op, _ARITHMETIC):
            return None
        lhs, rhs = self._factor(op.lhs), self._factor(op.rhs)
        if lhs is None or rhs is None:
            return None
        found = range_of_two(op, lhs.range, rhs.range)
        self.seen.add(op)
        return None if found is None else Combined(op, lhs, rhs, found)

    def _is_row(self, read: ReadOp) -> bool:
        """Elements side by side, one for each iteration that is wanted."""
        forms = linear_forms(read.map.data, read.indices)
        if forms is None or read.mask is not self.mask or not read.is_unit:
            return False
        moves = [form.coefficient(self.source.loop.iv) for form in forms]
        return moves == list(read.distances) and width_of_elements(read) in (BYTE, HALF)


def _number(value: SSAValue) -> int | None:
    """That all lanes are."""
    op = value.owner
    if isinstance(op, vector.BroadcastOp):
        return constant_integer(op.source)
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, DenseIntOrFPElementsAttr):
        numbers = set(cast("tuple[int, ...]", op.value.get_values()))
        return numbers.pop() if len(numbers) == 1 else None
    return None
