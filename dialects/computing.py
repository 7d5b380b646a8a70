"""Operations that only compute: their results depend on nothing but their operands."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free

_COMPUTING = frozenset(arith.Arith.operations)
"""Not every operation of xDSL's arith says that it has no effect."""


def only_computes(op: Operation) -> bool:
    return type(op) in _COMPUTING or is_side_effect_free(op)
