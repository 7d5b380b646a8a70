"""The steps of a serial loop that threads may take together: what they hold, where members meet.

    for k {                                   region {
      for i { A[i, k] /= A[k, k] }              for k {
      for i { for j { A[i, j] -= … } }    =>      share of i { A[i, k] /= A[k, k] }
    }                                             meet
                                                  share of i { for j { A[i, j] -= … } }
                                                  meet } }

What a step does is a row of phases: loops that are shared out (doall, neighbours together), what
writes but is no such loop, which one member runs, and what only reads, which all run alike. Members
meet in front of a phase that touches what one since the last meeting touches too, where one of the
two writes; and at the end of a step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Literal

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import (
    Access,
    AffineLoop,
    accesses_in,
    bounds_over,
    enclosing_loops,
)
from polyopt.ir.affine.linear import Linear
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.parallel.neighbours import neighbours
from polyopt.passes.parallel.shape import LoopRow, find_row
from polyopt.passes.parallel.slices import keeps_slices
from polyopt.support.record import record

Who = Literal["shares", "one", "all"]


@record(eq=False)
class Phase:
    """Operations of a step, in their order, and who runs them; of those that are shared out, `row`
    where that is done by loops further in."""

    who: Who
    operations: tuple[Operation, ...]
    reads: frozenset[SSAValue]
    writes: frozenset[SSAValue]
    row: LoopRow | None = None

    @property
    def loops(self) -> list[affine.ForOp]:
        """Those that are shared out."""
        if self.who != "shares":
            return []
        if self.row is not None:
            return [loop.op for loop in self.row.loops]
        return [op for op in self.operations if isinstance(op, affine.ForOp)]

    def meets(self, earlier: Phase) -> bool:
        """Whether a member may start on it only when all are done with the earlier one."""
        if self.who == earlier.who == "one":
            return False
        return _overlap(self.writes, earlier.reads | earlier.writes) or _overlap(
            self.reads, earlier.writes
        )


@record(eq=False)
class Steps:
    """The phases of each iteration, and in front of which of them members meet."""

    phases: tuple[Phase, ...]
    meetings: frozenset[int]

    @property
    def shared(self) -> list[affine.ForOp]:
        return [loop for phase in self.phases for loop in phase.loops]

    @property
    def nests(self) -> list[affine.ForOp]:
        """What they are in, or are."""
        shared = [op for one in self.phases if one.who == "shares" for op in one.operations]
        return [op for op in shared if isinstance(op, affine.ForOp)]


def find_steps(
    loop: affine.ForOp, rows: Mapping[affine.ForOp, LoopRow] | None = None
) -> Steps | None:
    """The phases of the loop's body; None where effects are unknown, or where what is shared out
    has no loops deeper than what is not: that might run in threads of its own. `rows`: how some of
    its nests are shared out, where that has been found out; loops that no tile makes longer
    (`within_step`) then count for nothing."""
    phases = list[Phase]()
    op = loop.body.block.first_op
    while op is not None and not isinstance(op, affine.YieldOp):
        group = [op]
        if isinstance(op, affine.ForOp) and _is_shared(op):
            group = list[Operation](neighbours(op))
        phase = _phase(group, rows or {})
        if phase is None:
            return None
        if phase.reads or phase.writes:
            phases.append(phase)
        op = group[-1].next_op
    shared = max((_depth(phase) for phase in phases if phase.who == "shares"), default=0)
    alone = [op for phase in phases if phase.who != "shares" for op in phase.operations]
    is_little = None if rows is None else within_step(loop)
    if shared <= max((_depth_of(op, is_little) for op in alone), default=0):
        return None
    phases = _borders_apart(_aligned(_fewer(phases, shared)))
    return Steps(tuple(phases), _meetings(phases))


def _fewer(phases: Sequence[Phase], deepest: int) -> list[Phase]:
    """With loops that are less deep left to one member, where it has something to do right before
    or behind them: what they take is less than to meet once more."""
    fewer = list[Phase](phases)
    for number, phase in enumerate(phases):
        beside = (*fewer[max(number - 1, 0) : number], *fewer[number + 1 : number + 2])
        is_little = phase.who == "shares" and _depth(phase) < deepest
        if is_little and any(one.who == "one" for one in beside):
            fewer[number] = _by_a_member(phase)
    return fewer


def _by_a_member(phase: Phase) -> Phase:
    return Phase("one", phase.operations, phase.reads, phase.writes)


def _borders_apart(phases: Sequence[Phase]) -> list[Phase]:
    """With single rows left to one member, where all else is shared out alike without them: it
    gets a few lines of other members', where each of these would get parts of all their rows.

        for i, j { p[i, j] = … }   for j { p[0, j] = p[1, j] }   for i { p[i, 0] = p[i, 1] }
        shared                     one member's                  shared
    """
    if keeps_slices([loop for phase in phases for loop in phase.loops]):
        return list(phases)
    apart = [_by_a_member(one) if _is_of_a_row(one) else one for one in phases]
    shared = [loop for phase in apart for loop in phase.loops]
    return apart if shared and keeps_slices(shared) else list(phases)


def _is_of_a_row(phase: Phase) -> bool:
    """Whether all it touches are rows that do not move with its loops, which hold no others."""
    if phase.who != "shares" or _depth(phase) != 1 or phase.row is not None:
        return False
    return all(
        access is not None and access.subscripts is not None and _stays_in_a_row(access, loop)
        for loop in phase.loops
        for access in accesses_in(loop)
    )


def _stays_in_a_row(access: Access, loop: affine.ForOp) -> bool:
    iterator, forms = AffineLoop(loop).iv, access.subscripts or ()
    return None not in forms[-1:] and not any(
        form is None or form.coefficient(iterator) for form in forms[:-1]
    )


def _aligned(phases: Sequence[Phase]) -> list[Phase]:
    """Shared out so that a thread finds what it has left in the phase before, where there is a way:
    by the outermost loops of some phases and by loops further in of others."""
    for tried in product(*map(_ways, phases)):
        if keeps_slices([loop for phase in tried for loop in phase.loops]):
            return list(tried)
    return list(phases)


def _ways(phase: Phase) -> list[Phase]:
    if phase.who != "shares" or phase.row is not None or len(phase.operations) != 1:
        return [phase]
    (nest,) = phase.operations
    assert isinstance(nest, affine.ForOp)
    row = find_row(nest)
    if row is None:
        return [phase]
    return [phase, Phase("shares", phase.operations, phase.reads, phase.writes, row)]


def _depth(phase: Phase) -> int:
    """How many loops stand in each other, at most."""
    return max(map(_depth_of, phase.operations))


def _depth_of(op: Operation, is_little: Callable[[affine.ForOp], bool] | None = None) -> int:
    """Without loops that are little."""
    inside = (one for region in op.regions for block in region.blocks for one in block.ops)
    counts = isinstance(op, affine.ForOp) and not (is_little and is_little(op))
    return counts + max((_depth_of(one, is_little) for one in inside), default=0)


def within_step(outer: affine.ForOp) -> Callable[[affine.ForOp], bool]:
    """Whether a loop in `outer` has no more iterations than that one makes at a step: those of a
    tile, however large the problem is."""
    tiles = AffineLoop(outer)

    def stays(loop: affine.ForOp) -> bool:
        one, here = AffineLoop(loop), Linear.of(tiles.iv)
        around = enclosing_loops(loop, outer)[1:]
        ends = _bounds(one.uppers, around, 1)
        starts = _bounds(one.lowers, around, -1)
        ends_here = any(_is_at_most(end - here, tiles.step) for end in ends)
        return ends_here and any(_is_at_most(here - start, 0) for start in starts)

    return stays


def _bounds(
    forms: Sequence[Linear] | None, around: Sequence[AffineLoop], sign: int
) -> list[Linear]:
    return [bound for form in forms or () for bound in bounds_over(form, around, sign) or ()]


def _is_at_most(form: Linear, most: int) -> bool:
    return not form.terms and form.constant <= most


def _is_shared(loop: affine.ForOp) -> bool:
    return facts_of(loop).is_parallel and not loop.inits


def _phase(operations: Sequence[Operation], rows: Mapping[affine.ForOp, LoopRow]) -> Phase | None:
    reads, writes = set[SSAValue](), set[SSAValue]()
    for op in operations:
        for access in accesses_in(op):
            if access is None:
                return None
            (writes if access.is_write else reads).add(access.array)
    first = operations[0]
    who: Who = "all"
    if writes:
        who = "one"
        if any(one.uses.get_length() for op in operations for one in op.results):
            return None
    row = None
    if writes and isinstance(first, affine.ForOp):
        row = rows.get(first)
        if row is None and not _is_shared(first):
            row = find_row(first)
        who = "shares" if row is not None or _is_shared(first) else "one"
    return Phase(who, tuple(operations), frozenset(reads), frozenset(writes), row)


def _meetings(phases: Sequence[Phase]) -> frozenset[int]:
    found, since = set[int](), list[Phase]()
    for number, phase in enumerate(phases):
        if any(phase.meets(earlier) for earlier in since):
            found.add(number)
            since.clear()
        since.append(phase)
    return frozenset({*found, len(phases)})


def _overlap(some: frozenset[SSAValue], others: frozenset[SSAValue]) -> bool:
    return any(may_overlap(one, other) for one in some for other in others)
