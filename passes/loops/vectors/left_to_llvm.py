"""Which loops are better left as they are, to LLVM, which makes vectors of some of them."""

from __future__ import annotations

from xdsl.dialects import affine

from polyopt.dialects.loop_facts import set_facts
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.strided_model import (
    is_for_llvm,
    pays_strided,
    scattered_stores,
    steps_until_handed_on,
)
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.passes.loops.vectors.words_of_bytes import only_makes_words
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def side_by_side_or_ours(op: affine.ForOp, target: Target) -> VectorLoop | None:
    """Lanes side by side, or strided ones that LLVM is not better at."""
    found = find_vector_loop(op)
    if found is not None:
        return found
    is_wide = target.vector_bits >= CORE.strided.wide_bits
    strided = find_vector_loop(op, is_strided=True, may_leave_out=is_wide)
    if strided is None or is_for_llvm(strided, target) or not pays_strided(strided, target):
        return None
    return strided


def keep_from_llvm(loop: VectorLoop, target: Target) -> None:
    """LLVM would scatter by one instruction, which is slower than one iteration at a time, or wait
    for its own stores as ours would."""
    waits = steps_until_handed_on(loop, target) is not None
    if (scattered_stores(loop) or waits) and target.vector_bits >= CORE.strided.wide_bits:
        set_facts(loop.loop.op, loop.loop.facts.with_marks("no_vector"))


def is_worthwhile(group: object) -> bool:
    """Is there something to compute? What only moves data, or bytes into words, is better left to
    the back end."""
    if not isinstance(group, VectorLoop) or only_makes_words(group):
        return False
    return any(
        not isinstance(op, (affine.LoadOp, affine.StoreOp)) and op.operands
        for op in group.operations
    )
