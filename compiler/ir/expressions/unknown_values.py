"""Values of which nothing is known, as atoms of expressions, and how their bits are read.

A value may be read as signed and as unsigned; both readings are said with one unknown, that of how
most of its uses read it, so that they cancel.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import SSAValue

from polyopt.ir.effects import bit_width
from polyopt.ir.expressions.integer_expr import Expr, Unknown
from polyopt.ir.expressions.integer_forms import wrapped


def leaf(value: SSAValue, is_signed: bool) -> Expr:
    """The value as an unknown. There is one unknown for each value, signed unless it is only
    read as unsigned; an index, an i64 and an address are signed."""
    natural = is_naturally_signed(value)
    itself = Expr.of(Unknown(value, natural))
    if natural == is_signed or not isinstance(value.type, IntegerType | IndexType):
        return itself
    return wrapped(itself, bit_width(value), is_signed)


_UNSIGNED_READERS = (
    arith.ExtUIOp,
    arith.DivUIOp,
    arith.RemUIOp,
    arith.ShRUIOp,
    arith.MinUIOp,
    arith.MaxUIOp,
    arith.UIToFPOp,
)
_SIGNED_READERS = (
    arith.ExtSIOp,
    arith.IndexCastOp,
    arith.SIToFPOp,
    arith.DivSIOp,
    arith.RemSIOp,
    arith.ShRSIOp,
    arith.MinSIOp,
    arith.MaxSIOp,
)
_UNSIGNED_PREDICATES = range(6, 10)


def is_naturally_signed(value: SSAValue) -> bool:
    """Whether its uses read it as signed, or nothing tells."""
    if not isinstance(value.type, IntegerType) or bit_width(value) >= 64:
        return True
    unsigned = False
    for use in value.uses:
        user = use.operation
        if isinstance(user, _UNSIGNED_READERS):
            unsigned = True
        elif isinstance(user, arith.CmpiOp):
            predicate = user.predicate.value.data
            if predicate in _UNSIGNED_PREDICATES:
                unsigned = True
            elif predicate > 1:
                return True
        elif isinstance(user, _SIGNED_READERS):
            return True
    return not unsigned
