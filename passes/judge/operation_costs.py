"""How much of the core one operation takes, in one lane or in vectors, and several together."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import FixedBitwidthType, IndexType, VectorType
from xdsl.ir import Attribute, Operation

from polyopt.dialects import pvec
from polyopt.ir.fast_math import is_estimated
from polyopt.ir.vector_calls import is_in_library
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import entity, record

_FREE = frozenset(
    """arith.constant arith.index_cast arith.bitcast affine.apply vector.broadcast affine.yield
    scf.yield cmem.view cmem.distinct_objects""".split()
)
_FLOAT_DIVISIONS = (arith.DivfOp, math.SqrtOp, math.RsqrtOp)
_INTEGER_DIVISIONS = frozenset(
    f"arith.{name}" for name in "divsi divui remsi remui floordivsi ceildivsi ceildivui".split()
)
_QUICK_MATH = (
    *(math.AbsFOp, math.FmaOp, math.FloorOp, math.CeilOp, math.CopySignOp),
    *(math.TruncOp, math.RoundOp, math.AbsIOp, math.CtPopOp),
)
_EXTREMES = frozenset(f"arith.{name}" for name in "minsi maxsi minui maxui".split())
_FLOAT = frozenset("arith.addf arith.subf arith.mulf arith.negf arith.cmpf math.fma".split())


@record
class Cost:
    """Of one operation: what it takes of the issue, of the arithmetic units, of the divider, in
    which nothing else goes on, and how long it is until the result is there."""

    issue: float = 1.0
    arithmetic: float = 1.0
    alone: float = 0.0
    latency: float = 1.0
    has_lanes: bool = True


NOTHING = Cost(0.0, 0.0, 0.0, 0.0)


@entity
class PortUse:
    """What is to be done by one kind of code, once."""

    issue: float = 0.0
    arithmetic: float = 0.0
    alone: float = 0.0
    loads: float = 0.0
    stores: float = 0.0

    def add(self, cost: Cost, share: float = 1.0) -> None:
        self.issue += share * cost.issue
        self.arithmetic += share * cost.arithmetic
        self.alone += share * cost.alone

    def cycles(self, core: CoreCosts) -> float:
        busy = max(
            (self.issue + self.loads + self.stores) / core.issue,
            self.arithmetic / core.arithmetic,
            self.loads / core.loads,
            self.stores / core.stores,
        )
        return max(busy, self.alone)


def lanes_of(type_: Attribute) -> int:
    """0 for what is no vector."""
    if not isinstance(type_, VectorType):
        return 0
    return cast("VectorType[Attribute]", type_).get_shape()[0]


def bits_of(type_: Attribute) -> int:
    """The size of a value in registers."""
    if isinstance(type_, VectorType):
        return lanes_of(cast("Attribute", type_)) * element_bits(cast("Attribute", type_))
    if isinstance(type_, IndexType):
        return 64
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else 64


def is_free(op: Operation) -> bool:
    """Whether it is no operation of the machine."""
    return op.name in _FREE


_INT, _LONG = 32, 64


def _by_constant(
    op: Operation, core: CoreCosts, vector_bits: int, count: float, *, is_vector: bool
) -> Cost:
    """Of narrower ones than 32 bits there are products of which the high half is left. Of 64 bits
    LLVM has none in vectors, and no vector of ours but of CPUs that convert such numbers."""
    type_, latency = op.results[0].type, core.by_constant_latency
    bits, slots = element_bits(type_), core.other_division
    if bits == _LONG and not lanes_of(type_):
        return Cost(slots, slots * core.integer_share, 0.0, latency, has_lanes=False)
    if is_vector and bits == _LONG:
        lanes = vector_bits / bits
        is_converted = vector_bits >= core.converting_bits
        slots = core.longest_division if is_converted else lanes * (slots + core.scalarised)
    elif is_vector and bits == _INT:
        slots = core.long_division
    return Cost(slots * count, slots * count, 0.0, latency)


def element_bits(type_: Attribute) -> int:
    if isinstance(type_, VectorType):
        return bits_of(cast("VectorType[Attribute]", type_).element_type)
    return bits_of(type_)


def cost_of(
    op: Operation,
    core: CoreCosts,
    vector_bits: int,
    lanes: int = 1,
    *,
    by_reciprocal: bool = False,
) -> Cost:
    """Of an operation that touches no memory; a vector is as many registers as it needs. `lanes`:
    that it would be done for, in registers of that size; `by_reciprocal`: of a division, that the
    reciprocal of the divisor is at hand."""
    if op.name in _FREE or not op.results:
        return NOTHING
    type_ = op.results[0].type
    is_vector = lanes > 1 or lanes_of(type_) > 0
    count = 1.0
    if lanes_of(type_):
        widest = max(bits_of(value.type) for value in (*op.results, *op.operands))
        count = max(1.0, widest / vector_bits)
    if by_reciprocal:
        return Cost(count, count, 0.0, core.add_latency)
    if isinstance(op, _FLOAT_DIVISIONS) and is_vector and is_estimated(op):
        return Cost(core.estimate * count, core.estimate * count, 0.0, core.divide_latency)
    if isinstance(op, _FLOAT_DIVISIONS):
        wide = count * (core.wide_division if lanes_of(type_) > 0 else 1.0)
        return Cost(wide, wide, core.divide * wide, core.divide_latency)
    if isinstance(op, pvec.QuotientOp):
        bits = lanes_of(type_) * bits_of(op.through)
        wide = max(1.0, bits / vector_bits) * core.wide_division
        return Cost(2 * wide, 2 * wide, core.divide * wide, core.divide_latency)
    if op.name in _INTEGER_DIVISIONS:
        divisor = op.operands[1].owner
        if isinstance(divisor, vector.BroadcastOp):
            divisor = divisor.source.owner
        if isinstance(divisor, arith.ConstantOp):
            return _by_constant(op, core, vector_bits, count, is_vector=is_vector)
        slots, busy = core.unknown_division, core.integer_divide * core.divide
        return Cost(slots, slots, busy, core.divide_latency, has_lanes=False)
    if op.name == "func.call" or (op.name.startswith("math.") and not isinstance(op, _QUICK_MATH)):
        return Cost(core.call, 0.0, core.call, core.call, has_lanes=is_in_library(op))
    if op.name in _FLOAT:
        return Cost(count, count, 0.0, core.add_latency)
    if op.name == "arith.muli":
        multiplied = {32: core.long_product, 64: core.longest_product} if is_vector else {}
        slots = multiplied.get(element_bits(type_), 1.0)
        return Cost(count * slots, count * slots, 0.0, core.product_latency)
    compared = core.compared if op.name in _EXTREMES and not is_vector else 1.0
    return Cost(count, count * core.integer_share, 0.0, compared * core.integer_latency)
