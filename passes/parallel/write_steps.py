"""A serial loop in one region: each phase by its members, and meetings in front of phases."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import team
from polyopt.passes.parallel.code import Code
from polyopt.passes.parallel.doall import Neighbours, parts_of
from polyopt.passes.parallel.evenness import depends_on
from polyopt.passes.parallel.parts import Parts
from polyopt.passes.parallel.region import (
    add_share,
    close_loop,
    close_region,
    open_region,
    share_out,
)
from polyopt.passes.parallel.row import parts_of_row, share_row
from polyopt.passes.parallel.shape import is_of_contraction
from polyopt.passes.parallel.slices import grain_of
from polyopt.passes.parallel.steps import Phase, Steps
from polyopt.passes.parallel.work import Work
from polyopt.support.core_model import CORE


def write_steps(
    code: Code, loop: affine.ForOp, steps: Steps, lanes: int, threads: SSAValue
) -> None:
    """`loop` in one region at the end of `code`."""
    region = open_region(code, threads)
    loop.detach()
    region.block.add_op(loop)
    for number, phase in enumerate(steps.phases):
        first = phase.operations[0]
        if number in steps.meetings:
            _insert([team.BarrierOp()], first)
        if phase.who == "shares":
            _share(phase, lanes, threads)
        elif phase.who == "one":
            _by_one(phase.operations)
    end = loop.body.block.last_op
    assert end is not None
    _insert([team.BarrierOp()], end)
    close_region(region)


def _share(phase: Phase, lanes: int, threads: SSAValue) -> None:
    """Each member its part of the phase. Where iterations take different times, it takes several,
    from all over the range; but one of a contraction, whose panels all members pack together."""
    first, following = phase.operations[0], phase.operations[-1].next_op
    assert isinstance(first, affine.ForOp)
    assert following is not None
    code = Code(Block(), first)
    loops = phase.loops
    step = loops[0].step.value.data
    grain = grain_of(loops) if step == 1 else 1
    if phase.row is not None:
        first.detach()
        parts = parts_of_row(code, phase.row, threads, grain)
        share_row(code, first, phase.row, parts, nowait=True)
        _insert(list(code.block.ops), following)
        return
    work = Work(code, loops[0], lanes)
    in_turns = any(map(depends_on, loops)) and not all(map(is_of_contraction, loops))
    if in_turns:
        count = code.index(code.multiply(threads, CORE.threads.parts_each))
        parts = Parts(*work.bounds(loops[0]), step, count, grain)
    else:
        parts = parts_of(Neighbours(loops, code, work, threads))
    inside, number = share_out(code, parts.count, in_turns=in_turns, nowait=True)
    share = parts.share(inside, number)
    for loop in loops:
        add_share(inside, loop, share)
    close_loop(inside)
    parts.close(code)
    _insert(list(code.block.ops), following)


def _by_one(operations: Sequence[Operation]) -> None:
    following = operations[-1].next_op
    assert following is not None
    code = Code(Block(), operations[0])
    inside, _ = share_out(code, code.index(1), nowait=True)
    for op in operations:
        op.detach()
        inside.block.add_op(op)
    close_loop(inside)
    _insert(list(code.block.ops), following)


def _insert(operations: Sequence[Operation], place: Operation) -> None:
    parent = place.parent
    assert parent is not None
    for op in operations:
        if op.parent is not None:
            op.detach()
        parent.insert_op_before(op, place)
