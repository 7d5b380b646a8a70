"""Accumulations in lanes: each lane has a sum of its own, which begins at nothing."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import affine, arith, vector
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.elementwise import COMBINERS, neutral_of, on_others
from polyopt.ir.fast_math import may_reassociate, permits
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.support.record import record

_ROUNDING = (arith.AddfOp, arith.SubfOp, arith.MulfOp)

_SUMS: dict[type[Operation], type[Operation]] = {
    arith.SubfOp: arith.AddfOp,
    arith.SubiOp: arith.AddiOp,
}


@record
class Accumulation:
    """`store` writes `load op term` (or `term op load`) to the element that `load` read, which
    is the same in all iterations of the loop."""

    load: affine.LoadOp
    store: affine.StoreOp
    combine: Operation
    term: SSAValue

    @property
    def reduction(self) -> str:
        return COMBINERS[type(self.combine)]


def find_accumulation(
    store: affine.StoreOp, operations: Iterable[Operation]
) -> Accumulation | None:
    value = store.value
    if not isinstance(value, OpResult) or type(value.op) not in COMBINERS:
        return None
    combine = value.op
    if not value.has_one_use() or not _order_is_free(combine):
        return None
    left, right = combine.operands
    choices = [(left, right)]
    if not isinstance(combine, (arith.SubfOp, arith.SubiOp)):
        choices.append((right, left))
    for own, term in choices:
        load = own.owner
        if (
            isinstance(load, affine.LoadOp)
            and load in operations
            and own.has_one_use()
            and load.memref is store.memref
            and subscripts_of(load) == subscripts_of(store)
        ):
            return Accumulation(load, store, combine, term)
    return None


def _order_is_free(combine: Operation) -> bool:
    return not isinstance(combine, _ROUNDING) or may_reassociate(combine)


def neutral(builder: AffineBuilder, one: Accumulation, lanes: int) -> SSAValue:
    element = one.store.value.type
    value = neutral_of(one.reduction, element, is_finite=permits(one.combine, FastMathFlag.NO_INFS))
    scalar = arith.ConstantOp.create(properties={"value": value}, result_types=[element])
    return builder.broadcast(builder.insert(scalar).results[0], lanes)


def combined(
    builder: AffineBuilder,
    one: Accumulation,
    left: SSAValue,
    right: SSAValue,
    *,
    is_last: bool = False,
) -> SSAValue:
    """What is subtracted is added up, and subtracted at the end."""
    kind: type[Operation] = type(one.combine)
    if not is_last:
        kind = _SUMS.get(kind, kind)
    copy = on_others(one.combine, [left, right], [left.type], kind)
    return builder.insert(copy).results[0]


def reduction(one: Accumulation, lanes: SSAValue) -> vector.ReductionOp:
    flags = one.combine.properties.get("fastmath") or arith.FastMathFlagsAttr("none")
    return vector.ReductionOp.create(
        operands=[lanes],
        properties={
            "kind": vector.CombiningKindAttr(vector.CombiningKindFlag(one.reduction)),
            "fastmath": flags,
        },
        result_types=[one.store.value.type],
    )
