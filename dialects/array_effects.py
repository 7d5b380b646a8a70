"""Which arrays an operation that stands for loops reads and writes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.traits import OpTrait


class ArrayEffects(OpTrait):
    """The operation touches elements of these arrays, any of them, and has no other effects but
    those of the operations in it."""

    def writes(self, op: Operation) -> Sequence[SSAValue]:
        return ()

    def reads(self, op: Operation) -> Sequence[SSAValue]:
        return ()
