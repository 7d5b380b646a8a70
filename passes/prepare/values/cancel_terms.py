"""cancel-terms: sums in which terms cancel out.

    t = s + x;  c += (s - t) + x         c stays as it is

What a compensated sum carries along to round once (A. Neumaier, ZAMM 1974) is
0 where operations may be done in any order, and in its way: the loop waits for it, and for the
comparison that chooses how to compute it.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat, FloatAttr, ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.control.equal_values import drop_unused_values
from polyopt.ir.fast_math import permits
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.values.forwarding import known_elements
from polyopt.support.record import record

_NEEDED = (
    FastMathFlag.REASSOC,
    FastMathFlag.NO_SIGNED_ZEROS,
    FastMathFlag.NO_NANS,
    FastMathFlag.NO_INFS,
)
"""x - x is 0 if x is a number, and x + 0 is x but for its sign."""


@record
class CancelTermsPass(ModulePass):
    """Leave out of sums what cancels out, where one term or none is left.

    Requires: equal values are one (clean-values). Ensures: a value of sums, differences and
    selections in one block that is a term of them, its negative, or 0, for numbers without
    rounding, is that, where all of these operations may be done in any order and know no infinity
    and no sign of zero; elements are what they are where they have been stored to or loaded from
    before. What is stored where it has been already is not stored. Other sums stay as they are.

        %t = arith.addf %s, %x                %t = arith.addf %s, %x
        %d = arith.subf %s, %t          =>    %e = arith.constant 0.0
        %e = arith.addf %d, %x
    """

    name = "cancel-terms"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            for block in function.body.blocks:
                cancel_terms(block)


def cancel_terms(block: Block) -> None:
    if not any(isinstance(op, arith.SubfOp) and _is_free(op) for op in block.ops):
        return
    same = dict[SSAValue, SSAValue]()
    for access, value in known_elements(block):
        if isinstance(access, memref.LoadOp) and value is not None:
            same[access.res] = same.get(value, value)
    sums, has_changed = dict[SSAValue, _Sum](), False
    for op in list(block.ops):
        found = _sum_of(op, sums, same)
        if found is None:
            continue
        result = op.results[0]
        sums[result] = found
        if found.has_cancelled and (left := _what_is_left(found, op)) is not None:
            result.replace_all_uses_with(left)
            sums.setdefault(left, found)
            has_changed = True
    if has_changed:
        for access, value in known_elements(block):
            if isinstance(access, memref.StoreOp) and value is not None:
                stored = access.value
                if same.get(value, value) is same.get(stored, stored):
                    block.erase_op(access)
        drop_unused_values(reversed(block.ops))


@record(eq=False)
class _Sum:
    """So many times each of these values; `has_cancelled`: more of them went into it."""

    terms: Mapping[SSAValue, int]
    has_cancelled: bool = False


def _sum_of(
    op: Operation, sums: Mapping[SSAValue, _Sum], same: Mapping[SSAValue, SSAValue]
) -> _Sum | None:
    def known(value: SSAValue) -> _Sum:
        value = same.get(value, value)
        if _is_zero(value):
            return _Sum({}, has_cancelled=True)
        return sums.get(value) or _Sum({value: 1})

    match op:
        case arith.AddfOp() | arith.SubfOp() if _is_free(op):
            sign = 1 if isinstance(op, arith.AddfOp) else -1
            return _added(known(op.lhs), known(op.rhs), sign)
        case arith.NegfOp() if _is_free(op):
            return _added(_Sum({}), known(op.operand), -1)
        case arith.SelectOp() if isinstance(op.result.type, AnyFloat):
            one, other = known(op.lhs), known(op.rhs)
            if one.terms == other.terms and (one.has_cancelled or other.has_cancelled):
                return _Sum(one.terms, has_cancelled=True)
            return None
        case _:
            return None


def _added(one: _Sum, other: _Sum, sign: int) -> _Sum | None:
    """None where it becomes long."""
    terms = dict(one.terms)
    for value, times in other.terms.items():
        terms[value] = terms.get(value, 0) + sign * times
    left = {value: times for value, times in terms.items() if times}
    went = len(one.terms) + len(other.terms) > len(left)
    has_cancelled = one.has_cancelled or other.has_cancelled or (went and len(left) < len(terms))
    return _Sum(left, has_cancelled) if len(left) <= _MOST_TERMS else None


_MOST_TERMS = 8


def _what_is_left(sum: _Sum, op: Operation) -> SSAValue | None:
    """The value of a sum of one term or none, in front of the operation."""
    if len(sum.terms) > 1:
        return None
    new: Operation
    if not sum.terms:
        type_ = op.results[0].type
        assert isinstance(type_, AnyFloat)
        new = arith.ConstantOp(FloatAttr(0.0, type_))
    else:
        ((value, times),) = sum.terms.items()
        if times == 1:
            return value
        if times != -1:
            return None
        new = arith.NegfOp(value)
    new.location = op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new.results[0]


def _is_zero(value: SSAValue) -> bool:
    op = value.owner
    return (
        isinstance(op, arith.ConstantOp)
        and isinstance(op.value, FloatAttr)
        and op.value.value.data == 0
    )


def _is_free(op: Operation) -> bool:
    return all(permits(op, one) for one in _NEEDED)
