"""What parts of a sum begin with, and how they are put together.

    total = ((total + part 0) + part 1) + …      each part begun with 0

What is added may overflow in parts where all of it does not; floating-point parts are added in
their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.loop_facts import restrict_rounding
from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.passes.parallel.irregular.shared_updates import SharedUpdate


def wrap_around(updates: Sequence[SharedUpdate]) -> None:
    """What is added may overflow in parts where all of it does not."""
    for update in updates:
        for op in update.ops:
            _without_overflow(op)


def neutral(update: SharedUpdate) -> Attribute:
    """What changes nothing where it is combined."""
    is_finite = permits(update.ops[-1], FastMathFlag.NO_INFS)
    return neutral_of(update.kind.split()[0], update.result.type, is_finite=is_finite)


def combined(update: SharedUpdate, sofar: SSAValue, more: SSAValue) -> list[Operation]:
    """What puts together the parts before and one more; the last one's result is all of them."""
    combine = next((op for op in update.ops if type(op) in COMBINERS), None)
    if combine is not None:
        kind = _ADDED.get(type(combine), type(combine))
        copies = [kind.create(operands=[sofar, more], result_types=[sofar.type])]
    else:
        values, copies = {update.old: sofar, update.term: more}, list[Operation]()
        for op in update.ops:
            copies.append(op.clone(values))
            values |= zip(op.results, copies[-1].results, strict=True)
    for op in copies:
        op.attributes = dict(op.attributes)
        _without_overflow(op)
        if isa(sofar.type, AnyFloat):
            restrict_rounding(op.attributes, "in_order")
    return copies


_ADDED: Mapping[type[Operation], type[Operation]] = {
    arith.SubiOp: arith.AddiOp,
    arith.SubfOp: arith.AddfOp,
}
"""What is taken away in parts is negative: the parts are added."""


def _without_overflow(op: Operation) -> None:
    if isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        op.properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
