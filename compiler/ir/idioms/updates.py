"""Stores that update: what is stored is what the place held, combined with something."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.elementwise import COMBINERS
from polyopt.ir.fast_math import may_reassociate
from polyopt.support.record import record

_ONE_SIDED = (arith.SubiOp, arith.SubfOp)


@record
class StoredUpdate:
    """`combine` joins what `load` has read of a place with `term`, and nothing else uses either;
    the load may belong to several updates of which one is done."""

    combine: Operation
    load: memref.LoadOp
    term: SSAValue


def find_update(
    value: SSAValue | None, place: Sequence[SSAValue], instead: Sequence[SSAValue | None] = ()
) -> StoredUpdate | None:
    """The update that `value`, which is stored at a place (memref, indices), comes from; `instead`
    are values that may be stored there instead."""
    if not isinstance(value, OpResult) or type(value.op) not in COMBINERS:
        return None
    if not value.has_one_use():
        return None
    left, right = value.op.operands
    sides = [(left, right)] if isinstance(value.op, _ONE_SIDED) else [(left, right), (right, left)]
    for own, term in sides:
        load = own.owner
        if isinstance(load, memref.LoadOp) and _only_updates(own, {value, *instead}):
            if (load.memref, *load.indices) == tuple(place):
                return StoredUpdate(value.op, load, term)
    return None


def _only_updates(loaded: SSAValue, results: Collection[SSAValue | None]) -> bool:
    """Is it used by the operations with these results, by each once?"""
    users = [use.operation for use in loaded.uses]
    return len(users) == len({*users}) and all(
        any(result in results for result in user.results) for user in users
    )


def is_order_free(combine: Operation) -> bool:
    """Updates by this operation may be done in any order."""
    return isinstance(combine.results[0].type, IntegerType) or may_reassociate(combine)
