"""A variable that is updated under a condition is always updated: with nothing, where the condition
does not hold.

    n = c ? n + x : n        ->      n = n + (c ? x : 0)
    n = c ? n + x : n - y    ->      n = n + (c ? x : 0 - y)

What is accumulated can then be seen. Products of floating-point numbers and the like are left as
they are where they may not be regrouped, and so are sums in elements of arrays: nothing follows for
them, and C's order is that of a branch. In a variable -0.0 is added, or 0.0 taken away, which
changes no number: one iteration waits for the sum of the one before, not for a choice behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.ir.idioms.updates import StoredUpdate, find_update, is_order_free
from polyopt.passes.prepare.branches.hammocks import ElementName

COUNTS = (arith.AddiOp, arith.SubiOp)
_FLOAT_SUMS = (arith.AddfOp, arith.SubfOp)


def updated_always(
    then: SSAValue | None,
    orelse: SSAValue | None,
    place: ElementName,
    insert: Callable[[Operation], Operation],
    condition: SSAValue,
    current: Collection[SSAValue],
) -> SSAValue | None:
    """The value to store, whatever the condition says; None where an arm does more than to update,
    or the arms update in different ways. An arm whose value is None leaves the variable alone.
    `current`: loaded since the last store; other loads may have given what the place no longer
    holds."""
    updates = [find_update(value, place, (then, orelse)) for value in (then, orelse)]
    found = [update for update in updates if update is not None]
    if len(found) != sum(value is not None for value in (then, orelse)):
        return None
    if not all(update.load.res in current for update in found):
        return None
    if not all(is_order_free(one.combine) or is_sum_in_order(one.combine, place) for one in found):
        return None
    first, last = found[0].combine, found[-1].combine
    if type(first) is type(last) and first.properties == last.properties:
        terms = [nothing_of(first, insert) if update is None else update.term for update in updates]
        properties = first.properties
    elif isinstance(first, COUNTS) and isinstance(last, COUNTS):
        terms = [_added(update, insert) for update in found]
        properties = None
    else:
        return None
    term = insert(arith.SelectOp(condition, *terms)).results[0]
    old = found[0].load.res
    left, right = (old, term) if first.operands[0] is old else (term, old)
    if properties is None:
        return insert(arith.AddiOp(left, right)).results[0]
    kind: type[Operation] = type(first)
    types = [old.type]
    new = kind.create(operands=[left, right], result_types=types, properties=properties.copy())
    new.attributes.update(first.attributes)
    return insert(new).results[0]


def counted_always(
    condition: SSAValue,
    then: SSAValue,
    orelse: SSAValue,
    insert: Callable[[Operation], Operation],
) -> SSAValue | None:
    """The value of a count that goes on, `c ? n + x : n`, where `n` comes in from a loop or a
    branch: of what was read of a variable, `updated_always` tells. None where it is none."""
    for counted, old in ((then, orelse), (orelse, then)):
        combine = counted.owner
        if not isinstance(old, BlockArgument) or not isinstance(combine, COUNTS):
            continue
        if combine.lhs is not old or not counted.has_one_use() or not is_order_free(combine):
            continue
        nothing = nothing_of(combine, insert)
        terms = (combine.rhs, nothing) if counted is then else (nothing, combine.rhs)
        term = insert(arith.SelectOp(condition, *terms)).results[0]
        kind: type[Operation] = type(combine)
        new = kind.create(
            operands=[old, term],
            result_types=[old.type],
            properties=combine.properties.copy(),
        )
        return insert(new).results[0]
    return None


def is_sum_in_order(combine: Operation, place: ElementName) -> bool:
    """A sum of floating-point numbers in a variable that has to be added up as C says."""
    is_variable = len(place) == 1
    return is_variable and isinstance(combine, _FLOAT_SUMS) and not is_order_free(combine)


def _added(update: StoredUpdate, insert: Callable[[Operation], Operation]) -> SSAValue:
    """What is added, where something may be subtracted."""
    if not isinstance(update.combine, arith.SubiOp):
        return update.term
    zero = nothing_of(update.combine, insert)
    return insert(arith.SubiOp(zero, update.term)).results[0]


def nothing_of(combine: Operation, insert: Callable[[Operation], Operation]) -> SSAValue:
    """What is added, or multiplied by, to change nothing."""
    element = combine.results[0].type
    value: Attribute
    if isinstance(combine, arith.SubfOp):
        value = FloatAttr(0.0, _float(element))
    else:
        is_finite = permits(combine, FastMathFlag.NO_INFS)
        value = neutral_of(COMBINERS[type(combine)], element, is_finite=is_finite)
    constant = arith.ConstantOp.create(properties={"value": value}, result_types=[element])
    return insert(constant).results[0]


def _float(element: Attribute) -> AnyFloat:
    assert isinstance(element, AnyFloat)
    return element
