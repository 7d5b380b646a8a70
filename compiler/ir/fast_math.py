"""What of floating-point arithmetic may be changed: by an operation's own flags or its module's."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation
from xdsl.utils.type import get_element_type_or_self

FASTMATH = "polyopt.fastmath"
"""The attribute of the module (`#arith.fastmath<...>`)."""


def may_reassociate(op: Operation) -> bool:
    """Whether floating-point operations may be done in other orders."""
    return permits(op, FastMathFlag.REASSOC)


def is_fused(op: Operation) -> bool:
    """Is it a product that only a sum takes up, so that both are computed as one?"""
    return is_summand(op) and permits(_user(op), FastMathFlag.ALLOW_CONTRACT)


def is_summand(op: Operation) -> bool:
    """Is it a product that only a sum takes up?"""
    if not isinstance(op, arith.MulfOp) or not op.result.has_one_use():
        return False
    return isinstance(_user(op), arith.AddfOp | arith.SubfOp)


def _user(op: Operation) -> Operation:
    """Of a value that is used once."""
    return next(iter(op.results[0].uses)).operation


def is_estimated(op: Operation) -> bool:
    """Of a division or a root, in vectors: may LLVM refine an estimate, which needs no divider?"""
    kind = FastMathFlag.ALLOW_RECIP if isinstance(op, arith.DivfOp) else FastMathFlag.APPROX_FUNC
    element = get_element_type_or_self(op.results[0].type)
    return isinstance(element, Float32Type) and permits(op, kind)


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
