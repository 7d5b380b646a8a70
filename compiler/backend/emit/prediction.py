"""What LLVM is told of conditions that a processor cannot predict: it makes selections of such
branches, and no branches of such selections. And of those that it predicts, though none of the ways
is seldom: LLVM has no word for that but one way that is, taken back when its passes are through."""

from __future__ import annotations

from xdsl.ir import SSAValue

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.support.core_model import CORE

EVEN = f'!"branch_weights", i32 {CORE.code.even_ratio}, i32 1'
"""Of a branch that stays one, with no way in preference: weights that nothing else has."""


def unpredictable(f: FunctionEmitter, condition: SSAValue) -> str:
    """What a branch or selection by the condition carries for that; nothing for most."""
    return f", !unpredictable {f.module.metadata.node('')}" if f.bisections.has(condition) else ""
