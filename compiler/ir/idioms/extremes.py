"""Choices by a comparison of the two values that are chosen between: maxima and minima.

    a > b ? a : b    the maximum of a and b, an operator whose updates may come in any order

Of floating-point numbers it is one only where neither NaN nor the sign of zero matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.ir.fast_math import permits
from polyopt.ir.orders import predicate_of
from polyopt.support.record import record

Comparison = arith.CmpiOp | arith.CmpfOp
Flags = Sequence[FastMathFlag]

_INTEGERS: dict[tuple[str, bool], type[Operation]] = {
    ("s", True): arith.MaxSIOp,
    ("s", False): arith.MinSIOp,
    ("u", True): arith.MaxUIOp,
    ("u", False): arith.MinUIOp,
}
_FLOATS: dict[bool, type[Operation]] = {True: arith.MaxnumfOp, False: arith.MinnumfOp}
EXTREMES = (*_INTEGERS.values(), *_FLOATS.values())
_PLAIN = (FastMathFlag.NO_NANS, FastMathFlag.NO_SIGNED_ZEROS)


@record
class Extreme:
    """A maximum or a minimum, of whatever operands: its operation, and what that has to say."""

    kind: type[Operation]
    properties: Mapping[str, Attribute]

    def of(self, left: SSAValue, right: SSAValue) -> Operation:
        return self.kind.create(
            operands=[left, right], properties=dict(self.properties), result_types=[left.type]
        )


def plain_flags(op: Operation) -> Flags:
    """What makes extremes of comparisons, as far as the operation and those around it say so."""
    return [one for one in _PLAIN if permits(op, one)]


def extreme_by(compare: Comparison, given: Flags, *, takes_left: bool) -> Extreme | None:
    """What a choice is that takes the left one of the values compared where the comparison holds,
    and else the right one, or the other way round; `given`: flags besides the comparison's own."""
    predicate = predicate_of(compare)
    if predicate is None or predicate[1:] not in ("gt", "ge", "lt", "le"):
        return None
    is_maximum = (predicate[1] == "g") == takes_left
    if not isinstance(compare, arith.CmpfOp):
        return Extreme(_INTEGERS[predicate[0], is_maximum], {})
    flags = arith.FastMathFlagsAttr([*dict.fromkeys([*compare.fastmath.data, *given])])
    if not {*_PLAIN} <= {*flags.data}:
        return None
    return Extreme(_FLOATS[is_maximum], {"fastmath": flags})
