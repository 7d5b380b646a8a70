"""What of floating-point arithmetic may be changed: by an operation's own flags or its module's."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation

FASTMATH = "polyopt.fastmath"
"""The attribute of the module (`#arith.fastmath<...>`)."""


def may_reassociate(op: Operation) -> bool:
    """Whether floating-point operations may be done in other orders."""
    return permits(op, FastMathFlag.REASSOC)


def is_fused(op: Operation) -> bool:
    """Is it a product that only a sum takes up, so that both are computed as one?"""
    if not isinstance(op, arith.MulfOp):
        return False
    users = [use.operation for use in op.result.uses]
    return (
        len(users) == 1
        and isinstance(users[0], arith.AddfOp | arith.SubfOp)
        and permits(users[0], FastMathFlag.ALLOW_CONTRACT)
    )


def permits(op: Operation, permission: FastMathFlag) -> bool:
    """By the operation's own flags or those of the outermost module around it."""
    flags = op.properties.get("fastmath")
    if isinstance(flags, arith.FastMathFlagsAttr) and permission in flags.data:
        return True
    top = op
    while (parent := top.parent_op()) is not None:
        top = parent
    flags = top.attributes.get(FASTMATH) if isinstance(top, ModuleOp) else None
    return isinstance(flags, arith.FastMathFlagsAttr) and permission in flags.data
