"""In which way a loop may run in threads, of those that its facts allow.

#poly.loop<parallel>   doall        serial, loops inside are not   rows or steps
#poly.loop<reduces>    copies       pipeline                       rows of tiles
"""

from __future__ import annotations

from typing import Literal

from xdsl.dialects import affine

from polyopt.dialects.loop_facts import facts_of
from polyopt.passes.parallel.asked import is_asked
from polyopt.passes.parallel.gain import Kind
from polyopt.passes.parallel.iteration_private import Own, find_own
from polyopt.passes.parallel.left_serial import Attempts
from polyopt.passes.parallel.private_arrays import Privates, find_privates
from polyopt.passes.parallel.shape import LoopRow, Pipeline, find_pipeline, find_row
from polyopt.passes.parallel.steps import Steps, find_steps

Way = LoopRow | Privates | Own | Pipeline | Steps | Literal["doall"]


def choose_way(loop: affine.ForOp, kinds: frozenset[str]) -> Way | None:
    if loop.inits or (_is_short(loop) and not is_asked(loop)):
        return None
    facts = facts_of(loop)
    if not facts.is_parallel and "contract" not in facts.marks:
        own = find_own(loop)
        if own is not None:
            return own
    is_contraction = "contract" in facts.marks
    match facts.carried:
        case "parallel":
            return "doall"
        case "reduction" if "reduction" in kinds:
            found = find_row(loop) if is_contraction else find_privates(loop)
        case "pipeline" if "pipeline" in kinds:
            # Who asks for this loop does not mean the ones inside.
            found = None if is_asked(loop) and not is_contraction else find_row(loop)
            found = found or (None if is_contraction else find_pipeline(loop))
        case _:
            found = find_row(loop)
    return found or find_steps(loop)


def keeps_some(chosen: Way, nest: Attempts) -> bool:
    """Whether the programmer keeps some of what would be shared out in one thread."""
    return isinstance(chosen, Steps) and any(
        one in nest.kept for nests in chosen.nests for one in nests.walk()
    )


def kind_of(chosen: Way, nest: Attempts) -> Kind:
    match chosen:
        case Pipeline(steps):
            return Kind(steps=steps)
        case LoopRow(loops):
            return Kind(shared=tuple(loop.op for loop in loops), met=nest.met)
        case _:
            return Kind(met=nest.met)


def costs_nothing_alone(chosen: Way) -> bool:
    """Whether one thread does no more for it than it would do for the loops as they were."""
    return chosen == "doall" or isinstance(chosen, LoopRow)


def adds_up(chosen: Way) -> bool:
    """Whether parts have copies that are combined in the end."""
    has_sums = isinstance(chosen, Pipeline) and chosen.sums is not None
    return has_sums or isinstance(chosen, Privates)


def _is_short(loop: affine.ForOp) -> bool:
    """An innermost loop within two others: that runs often, and not for long."""
    around = loop.parent_op()
    is_inner = isinstance(around, affine.ForOp) and isinstance(around.parent_op(), affine.ForOp)
    return is_inner and not any(isinstance(op, affine.ForOp) for op in loop.body.block.ops)
