"""What xDSL's lowering of stencils has no words for, said before it is asked."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.stencil import (
    ApplyOp,
    BufferOp,
    CombineOp,
    FieldType,
    StoreOp,
)
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException


def refuse(module: ModuleOp) -> None:
    """Raises PassFailedException: what is bufferised, and a result that is stored twice."""
    for op in module.walk():
        if isinstance(op, ApplyOp):
            if any(isinstance(value.type, FieldType) for value in op.operands):
                raise PassFailedException(
                    "a stencil is about fields, as stencil-bufferize leaves it: take the module "
                    "before that pass, in which it loads, computes and stores"
                )
            for result in op.results:
                kept = [use for use in result.uses if isinstance(use.operation, KEEPERS)]
                if len(kept) > 1:
                    raise PassFailedException(
                        f"{_name(result)} is stored {len(kept)} times: a stencil's result goes to "
                        "one field, from which it can be loaded"
                    )


KEEPERS = StoreOp, BufferOp, CombineOp


def _name(value: SSAValue) -> str:
    return f"'{value.name_hint}'" if value.name_hint else f"a value of type {value.type}"
