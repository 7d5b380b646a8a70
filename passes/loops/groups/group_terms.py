"""What a loop over masked vectors adds up, as narrow factors whose products fit in groups of lanes.

A factor is an expression of elements of at most 16 bits that 16 bits with a sign hold
(`group_factors.py`). Where all factors are bytes as they are loaded, and for distances of bytes,
the machine has sums of more of them. What is counted is the distance of one or zero from zero.
"""

from __future__ import annotations

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import IntegerType, VectorType, i1, i32, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import pvec
from polyopt.dialects.pvec_group_sums import BYTE, HALF, SIGNED, UNSIGNED
from polyopt.dialects.pvec_lanes import vector_type
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.ir.affine.linear import linear_forms
from polyopt.ir.effects import constant_in_all_lanes
from polyopt.passes.loops.groups.byte_distances import is_natural_where, ways_from_zero
from polyopt.passes.loops.groups.group_factors import (
    ARITHMETIC,
    BITWISE,
    ONE,
    BothConditions,
    Chosen,
    ChosenCondition,
    Combined,
    Comparison,
    Condition,
    CountedBits,
    Factor,
    Number,
    ReadElement,
    are_bytes,
    is_defined,
    is_natural_byte,
    one_sign,
    width_of_elements,
)
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.passes.loops.value_ranges import fits, range_of_two
from polyopt.support.record import entity, record


@record
class Product:
    """`acc + lhs * rhs`"""

    lhs: Factor
    rhs: Factor

    @property
    def are_bytes(self) -> bool:
        return are_bytes(self.lhs) and are_bytes(self.rhs)


@record
class ByteDistance:
    """`acc + |lhs - rhs|`, both of one sign in eight bits; without `rhs`, `acc + lhs`, which has
    none."""

    lhs: Factor
    rhs: Factor | None = None

    @property
    def is_signed(self) -> bool:
        return self.rhs is not None and bool(one_sign(self.lhs, self.rhs, BYTE))

    @property
    def as_product(self) -> Product | None:
        return Product(self.lhs, ONE) if self.rhs is None else None


Term = Product | ByteDistance


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
        if found is None or constant_in_all_lanes(init) != 0 or not _is_only_summed(result):
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
        if not isa(old.type, VectorType[IntegerType]) or old.type.element_type not in (i32, i64):
            return None
        addend = total.rhs if total.lhs is old else total.lhs
        if old not in total.operands or len(list(old.uses)) != 2:
            return None
        if not total.result.has_one_use():
            return None
        self.seen |= {select, total}
        terms = self._added(addend)
        is_wide = old.type.element_type == i64
        if terms and is_wide and any(isinstance(one, Product) for one in terms):
            return None
        return terms

    def _added(self, value: SSAValue) -> list[Term] | None:
        """Of a sum that fits no factor each side, for they are added up modulo 2^32, and so of one
        of products: each takes one operation with the sum."""
        op = value.owner
        if isinstance(op, arith.AddiOp) and _are_products(op):
            return self._sides(op)
        term = self._distance(value) or self._product(value)
        if term is not None:
            return [term]
        return self._sides(op) if isinstance(op, arith.AddiOp) else None

    def _sides(self, op: arith.AddiOp) -> list[Term] | None:
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
        if alone is not None and is_natural_byte(alone):
            return ByteDistance(alone)
        return None if alone is None else Product(alone, ONE)

    def _distance(self, value: SSAValue) -> ByteDistance | None:
        """max(x, 0 - x), x a difference of bytes, or x < 0 ? 0 - x : x."""
        op = value.owner
        for one, other, known in ways_from_zero(op):
            apart, back = one.owner, other.owner
            if not isinstance(apart, arith.SubiOp) or not isinstance(back, arith.SubiOp):
                continue
            is_turned = back.lhs is apart.rhs and back.rhs is apart.lhs
            if not is_turned and not (back.rhs is one and constant_in_all_lanes(back.lhs) == 0):
                continue
            if known is not None and not is_natural_where(apart, known):
                continue
            lhs, rhs = self._factor(apart.lhs), self._factor(apart.rhs)
            if lhs is None or rhs is None or not (are_bytes(lhs) and are_bytes(rhs)):
                continue
            if one_sign(lhs, rhs, BYTE) is not None:
                assert isinstance(op, Operation)
                self.seen |= {op, apart, back, *(() if known is None else (known,))}
                return ByteDistance(lhs, rhs)
        return None

    def _factor(self, value: SSAValue) -> Factor | None:
        """None where 16 bits with a sign may not hold it."""
        found = self._narrow(value)
        return found if found is not None and fits(found.range, HALF, signed=True) else None

    def _narrow(self, value: SSAValue) -> Factor | None:
        number = constant_in_all_lanes(value)
        if number is not None:
            return Number(number)
        op = value.owner
        found = None
        if isinstance(op, pvec.ConvertOp):
            found = self._extended(op)
        elif isinstance(op, pvec.SelectOp):
            condition = self._condition(op.mask)
            then, orelse = self._factor(op.then), self._factor(op.orelse)
            if condition is not None and then is not None and orelse is not None:
                found = Chosen(condition, then, orelse)
        elif isinstance(op, math.CtPopOp):
            whole = self._factor(op.operand)
            is_natural = whole is not None and whole.range.low >= 0
            found = CountedBits(whole) if whole is not None and is_natural else None
        elif isinstance(op, ARITHMETIC):
            lhs, rhs = self._factor(op.lhs), self._factor(op.rhs)
            if lhs is not None and rhs is not None and is_defined(op, rhs, HALF):
                range_ = range_of_two(op, lhs.range, rhs.range)
                found = None if range_ is None else Combined(op, lhs, rhs, range_)
        if found is not None:
            assert isinstance(op, Operation)
            self.seen.add(op)
        return found

    def _extended(self, op: pvec.ConvertOp) -> Factor | None:
        read, kind = op.source.owner, op.kind.data
        if kind not in (SIGNED, UNSIGNED):
            return None
        if isinstance(read, ReadOp):
            if not self._is_row(read):
                return None
            self.seen.add(read)
            return ReadElement(read, kind)
        if vector_type(op.source).element_type == i1:
            condition = self._condition(op.source)
            return (
                None
                if condition is None
                else Chosen(condition, Number(1 if kind == UNSIGNED else -1), Number(0))
            )
        found = self._factor(op.source)
        is_same = found is not None and (kind == SIGNED or found.range.low >= 0)
        return found if is_same else None

    def _condition(self, value: SSAValue) -> Condition | None:
        op = value.owner
        found = None
        if isinstance(op, pvec.CmpiOp):
            found = self._comparison(op)
        elif isinstance(op, BITWISE):
            lhs, rhs = self._condition(op.lhs), self._condition(op.rhs)
            if lhs is not None and rhs is not None:
                found = BothConditions(op, lhs, rhs)
        elif isinstance(op, pvec.SelectOp):
            condition = self._condition(op.mask)
            then, orelse = self._known_condition(op.then), self._known_condition(op.orelse)
            if condition is not None and then is not None and orelse is not None:
                found = ChosenCondition(condition, then, orelse)
        if found is not None:
            assert isinstance(op, Operation)
            self.seen.add(op)
        return found

    def _known_condition(self, value: SSAValue) -> Condition | bool | None:
        number = constant_in_all_lanes(value)
        return self._condition(value) if number is None else bool(number)

    def _comparison(self, op: pvec.CmpiOp) -> Comparison | None:
        """Without signs, of what may be below zero, with numbers that are not."""
        lhs, rhs = self._factor(op.lhs), self._factor(op.rhs)
        if lhs is None or rhs is None:
            return None
        predicate = op.predicate.data
        wraps = predicate.startswith("u") and (lhs.range | rhs.range).low < 0
        if wraps and rhs.range.low < 0:
            return None
        return Comparison(predicate.removeprefix("u").removeprefix("s"), lhs, rhs, wraps)

    def _is_row(self, read: ReadOp) -> bool:
        """Elements side by side, or every other one, for the iterations that are wanted."""
        forms = linear_forms(read.map.data, read.indices)
        if forms is None or read.mask is not self.mask:
            return False
        *rows, step = read.distances or (0,)
        if any(rows) or step not in (1, 2):
            return False
        moves = [form.coefficient(self.source.loop.iv) for form in forms]
        return moves == list(read.distances) and width_of_elements(read) in (BYTE, HALF)


def _are_products(op: Operation | Block) -> bool:
    if isinstance(op, arith.AddiOp):
        return _are_products(op.lhs.owner) and _are_products(op.rhs.owner)
    return isinstance(op, arith.MuliOp)
