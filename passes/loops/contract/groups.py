"""Products of narrow integers: how many steps of depth a machine does at once.

A register of sums takes two products of 16-bit factors in each lane, or four of bytes where the CPU
has that, by one operation. A factor is any value of rows, or of columns, that so few bits hold: an
element, or an element from which a number was taken. The factors lie narrow in the panels.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.contract_groups import product_added
from polyopt.dialects.pvec_group_sums import BYTE, HALF
from polyopt.passes.loops.contract.structured import Structured
from polyopt.passes.loops.value_ranges import ValueRange, fits, value_ranges
from polyopt.support.record import record
from polyopt.support.target import Target

Extending = type[arith.ExtSIOp] | type[arith.ExtUIOp]


@record
class Grouping:
    """So many steps at once; `extending`: how the factors of the product become 32 bits again."""

    steps: int
    product: arith.MuliOp
    extending: tuple[Extending, Extending]


def grouping_of(
    results: Sequence[SSAValue],
    elements: Sequence[SSAValue],
    operations: Sequence[Operation],
    target: Target,
) -> Grouping | None:
    """What the body of a contraction that computes `results` by `operations` can be grouped by."""
    if len(elements) != 1:
        return None
    product = product_added(results, elements[0])
    if product is None:
        return None
    known = value_ranges(operations)
    ranges = [known.get(one) for one in product.operands]
    lhs, rhs = (_extending(one, BYTE) for one in ranges)
    if target.sums_bytes and lhs is not None and rhs is not None:
        return Grouping(i32.width.data // BYTE, product, (lhs, rhs))
    if all(one is not None and fits(one, HALF, signed=True) for one in ranges):
        return Grouping(i32.width.data // HALF, product, (arith.ExtSIOp, arith.ExtSIOp))
    return None


def _extending(range_: ValueRange | None, bits: int) -> Extending | None:
    """By which so many bits give the whole range again."""
    if range_ is None:
        return None
    if fits(range_, bits, signed=False):
        return arith.ExtUIOp
    return arith.ExtSIOp if fits(range_, bits, signed=True) else None


def grouping_of_nest(nest: Structured, target: Target) -> Grouping | None:
    """The same of a nest all of whose elements have the same steps of depth."""
    results, elements = nest.op.yielded, [one.argument for one in nest.updated]
    found = grouping_of(results, elements, nest.operations, target)
    panels = nest.panels
    if found is None or panels is None:
        return None
    others = [iv for iv in nest.iterators if iv is not nest.depth]
    if any(form.coefficient(nest.depth) and form.uses(others) for form in nest.domain.forms):
        return None
    factors = (*panels.rows, *panels.columns)
    return found if set(factors) == set(found.product.operands) and len(factors) == 2 else None


def narrow(found: Grouping) -> None:
    """Write the product as one of extended narrow factors."""
    product = found.product
    type_ = IntegerType(i32.width.data // found.steps)
    for number, extending in enumerate(found.extending):
        value = product.operands[number]
        if isinstance(value.owner, extending) and value.owner.input.type == type_:
            continue
        shortened = arith.TruncIOp(value, type_)
        extended = extending(shortened.result, i32)
        Rewriter.insert_op((shortened, extended), InsertPoint.before(product))
        product.operands[number] = extended.result
