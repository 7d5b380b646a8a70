"""Regroups the update of a contraction, where floating-point reassociation is permitted.

    x + (a*alpha*b + b*alpha*a)   ->   (x + (a*alpha)*b) + (b*alpha)*a

A sum is taken apart into terms, each added to the accumulator by itself (a fused multiply-add
each); the factors of a term are multiplied first where they depend on the same loops, then where
one's loops are among another's. So everything that does not depend on both loops of the register
tile is packed, and one multiplication is left for each term.
"""

from __future__ import annotations

from xdsl.dialects import affine, arith
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.control.equal_values import drop_unused
from polyopt.ir.fast_math import may_reassociate
from polyopt.passes.loops.contract.find_contraction import (
    Accumulator,
    Contraction,
    iterators_of_values,
)
from polyopt.passes.loops.contract.panel_values import Iterators
from polyopt.support.record import entity, record

_FREE = (arith.AddfOp, arith.SubfOp, arith.MulfOp)


@record
class _Term:
    """`sign * product(factors)`"""

    is_negative: bool
    factors: tuple[SSAValue, ...]


def regroup(contraction: Contraction) -> bool:
    """Rewrite the body in place; says whether anything was."""
    varies = iterators_of_values(contraction.nest)
    assert varies is not None
    changed = False
    for accumulator in contraction.accumulators:
        terms = _terms_of_update(accumulator)
        if terms is None or not _is_worthwhile(contraction, accumulator, terms, varies):
            continue
        _rebuild(accumulator, terms, varies)
        changed = True
    if changed:
        drop_unused(reversed(contraction.nest.operations), lambda op: isinstance(op, _FREE))
    return changed


def _terms_of_update(accumulator: Accumulator) -> list[_Term] | None:
    """What is added to the accumulator, term by term; None if the update is not such a sum."""
    terms: list[_Term] = []
    found = _collect(accumulator.store.value, False, accumulator.load.result, terms)
    return terms if found == 1 else None


def _collect(value: SSAValue, negative: bool, acc: SSAValue, terms: list[_Term]) -> int:
    """Add the terms of a sum to `terms`; how often the accumulator itself is one of them (a
    subtracted accumulator counts as too often)."""
    if value is acc:
        return 2 if negative else 1
    if isinstance(value, OpResult) and _is_free(value.op):
        if isinstance(value.op, arith.AddfOp):
            left, right = value.op.operands
            return _collect(left, negative, acc, terms) + _collect(right, negative, acc, terms)
        if isinstance(value.op, arith.SubfOp):
            left, right = value.op.operands
            return _collect(left, negative, acc, terms) + _collect(right, not negative, acc, terms)
    factors = _factors(value)
    terms.append(_Term(negative, factors))
    return 2 if acc in factors else 0


def _factors(value: SSAValue) -> tuple[SSAValue, ...]:
    if isinstance(value, OpResult) and isinstance(value.op, arith.MulfOp) and _is_free(value.op):
        return (*_factors(value.op.lhs), *_factors(value.op.rhs))
    return (value,)


def _is_free(op: Operation) -> bool:
    return isinstance(op, _FREE) and op.result.has_one_use() and may_reassociate(op)


def _is_worthwhile(
    contraction: Contraction,
    accumulator: Accumulator,
    terms: list[_Term],
    varies: dict[SSAValue, Iterators],
) -> bool:
    """Does the kernel do more than one multiplication and one addition for each term, or does
    it add terms to each other before the accumulator?"""
    tile = {contraction.rows.iv, contraction.columns.iv}
    work = [
        op
        for op in contraction.nest.operations
        if isinstance(op, _FREE) and tile <= varies[op.result]
    ]
    return len(work) > 2 * len(terms) or _chain_length(accumulator) < len(terms)


def _chain_length(accumulator: Accumulator) -> int:
    """How many additions the accumulator itself runs through."""
    value: SSAValue = accumulator.load.result
    length = 0
    while value is not accumulator.store.value:
        user = value.get_user_of_unique_use()
        if not isinstance(user, (arith.AddfOp, arith.SubfOp)):
            break
        value = user.result
        length += 1
    return length


def _rebuild(
    accumulator: Accumulator, terms: list[_Term], varies: dict[SSAValue, Iterators]
) -> None:
    """`acc + term + term …` in front of the store, which takes it."""
    store = accumulator.store
    write = _Writer(store)
    value: SSAValue = accumulator.load.result
    for term in terms:
        product = _product(term.factors, write, varies)
        value = write.binary(arith.SubfOp if term.is_negative else arith.AddfOp, value, product)
    store.operands[0] = value


@entity
class _Writer:
    """Inserts in front of the store, with the flags and the place of what it stored before."""

    store: affine.StoreOp

    def binary(
        self, kind: type[arith.AddfOp | arith.SubfOp | arith.MulfOp], a: SSAValue, b: SSAValue
    ) -> SSAValue:
        old = self.store.value.owner
        assert isinstance(old, _FREE)
        op = kind(a, b, old.fastmath)
        op.location = old.location
        Rewriter.insert_op(op, InsertPoint.before(self.store))
        return op.result


def _product(
    factors: tuple[SSAValue, ...], write: _Writer, varies: dict[SSAValue, Iterators]
) -> SSAValue:
    """Multiply first what depends on the same loops, then what depends on fewer of them."""
    groups: dict[Iterators, SSAValue] = {}

    def multiply(loops: Iterators, factor: SSAValue) -> None:
        known = groups.get(loops)
        groups[loops] = factor if known is None else write.binary(arith.MulfOp, known, factor)

    for factor in factors:
        multiply(varies.get(factor, frozenset()), factor)
    for loops in sorted(groups, key=len):
        larger = [other for other in groups if loops < other]
        if larger:
            multiply(min(larger, key=len), groups.pop(loops))
    first, *rest = groups.values()
    for factor in rest:
        first = write.binary(arith.MulfOp, first, factor)
    return first
