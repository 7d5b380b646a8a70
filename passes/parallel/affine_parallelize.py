"""affine-parallelize: loops that may run in threads, do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import affine, arith, cf, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import team
from polyopt.dialects.cmem import AS_WRITTEN
from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.poly import FOR_LITTLE
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.parallel.arms import Arms, split_arms
from polyopt.passes.parallel.code import Amount, Code, Index
from polyopt.passes.parallel.evenness import depends_on
from polyopt.passes.parallel.gain import WHATEVER_IT_IS, Gain, Kind, gain_of, too_little
from polyopt.passes.parallel.gain_of_steps import gain_of_steps
from polyopt.passes.parallel.iteration_private import Own, find_own, free_copies, own_copies
from polyopt.passes.parallel.kept_serial import is_optnone, serial_loops
from polyopt.passes.parallel.last_iteration import add_last, share_but_last
from polyopt.passes.parallel.left_serial import Attempts
from polyopt.passes.parallel.level_columns import find_level_columns
from polyopt.passes.parallel.most_work import most_cycles
from polyopt.passes.parallel.neighbours import met_elsewhere, neighbours
from polyopt.passes.parallel.parts import Parts, parts_of_equal_work
from polyopt.passes.parallel.pipeline import write_pipeline
from polyopt.passes.parallel.private_arrays import Privates, find_privates
from polyopt.passes.parallel.reduction import write_reduction
from polyopt.passes.parallel.region import (
    add_share,
    close_loop,
    close_region,
    open_region,
    share_out,
)
from polyopt.passes.parallel.row import write_row
from polyopt.passes.parallel.shape import LoopRow, Pipeline, find_pipeline, find_row
from polyopt.passes.parallel.slices import grain_of
from polyopt.passes.parallel.steps import Steps, find_steps
from polyopt.passes.parallel.summing_pipeline import Lanes, write_summing_pipeline
from polyopt.passes.parallel.tail import split_tail
from polyopt.passes.parallel.work import Work
from polyopt.passes.parallel.write_steps import write_steps
from polyopt.poly.loops.loop_tree import THREADS
from polyopt.support.core_model import CORE
from polyopt.support.diagnostics import Span
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target

_LEFT_ALONE = {AS_WRITTEN, team.IN_TEAM}
"""Functions in which no loop is to run in threads: by their attributes."""


@record
class AffineParallelizePass(ModulePass):
    """Run the outermost loop of each nest that pays in the threads of a team.

    Which loops may: those whose facts say so (`#poly.loop<parallel | reduces | pipeline>`), proved
    of the loops as they were generated; see `shape.py`. Which do: the outermost one, whatever its
    kind (J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix, SC 2014, §IV.A: locality has
    chosen the order), if a nest takes more than `least` cycles; where sizes decide, a test at run
    time chooses between a team and one thread. No region stands in another one, nor in a function
    that the programmer lets a team run.

    Requires: the facts hold. Ensures: without reductions each element sees its updates in the
    order it did; with them, in an order that only the number of threads decides on.
    `threads`: so many at most; 0: as many as the runtime has. `deterministic`: reductions are cut
    into parts whose number and order the threads have no say in. `pipelines`, `reductions`: loops
    of these kinds may; else loops inside of them do that are doall.

        affine.for %i = 0 to %n { … }      omp.parallel num_threads(%t) { omp.wsloop {
          {#poly.loop<parallel>}       =>    omp.loop_nest (%part) = (0) to (%t) step (1) {
                                               affine.for %i = %first to %last { … } } } }
    """

    name = "affine-parallelize"

    threads: int = 0
    march: str = "native"
    least: int = CORE.threads.least
    deterministic: bool = False
    pipelines: bool = True
    reductions: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kept = serial_loops(op)
        for function in op.ops:
            if isinstance(function, FuncOp) and not _is_left_alone(function):
                little = _blocks_for_little(function.body)
                for block in [one for one in function.body.blocks if one not in little]:
                    self._function_block(block, Attempts(kept, is_nest=False))

    def _function_block(self, block: Block, nest: Attempts) -> None:
        arms = split_arms(block, self.threads)
        if arms is None:
            self._block(block, nest)
            return
        nest.arms = arms
        self._block(arms.inside, nest)
        arms.close(needs_many=not self.deterministic)

    def _region(self, region: Region, nest: Attempts) -> None:
        for block in region.blocks:
            self._block(block, nest)

    def _block(self, block: Block, nest: Attempts) -> None:
        """`nest` collects what is tried on the loops of the nest that the block is in."""
        op = block.first_op
        nests = [] if nest.is_nest else [one for one in block.ops if isinstance(one, affine.ForOp)]
        met = met_elsewhere(nests)
        while op is not None:
            following = op.next_op
            match op:
                case affine.ForOp():
                    attempts = nest
                    if not nest.is_nest:
                        beside = met.get(op, frozenset())
                        attempts = Attempts(nest.kept, arms=nest.arms, met=beside)
                    following = self._loop(op, attempts)
                    if not nest.is_nest:
                        attempts.tell(self.name)
                case affine.IfOp() | scf.IfOp():
                    skipped = 1 if FOR_LITTLE in op.attributes else 0
                    for inner in op.regions[skipped:]:
                        self._region(inner, nest)
                case scf.ForOp():
                    self._region(op.body, nest)
                case _:
                    pass
            op = following

    def _loop(self, loop: affine.ForOp, nest: Attempts) -> Operation | None:
        """Deal with the loop, and neighbours that go with it; what to go on with."""
        if not _is_asked(loop) and any(_is_asked(one) for one in loop.body.walk()):
            self._region(loop.body, nest)
            return loop.next_op
        split = None if _is_asked(loop) or loop in nest.kept else _split(loop)
        if split is not None:
            head, tail = split
            self._region(head.body, nest)
            return tail
        row = neighbours(loop)
        inside = [_asked(op) for one in row for op in one.body.walk() if _is_asked(op)]
        following = row[-1].next_op
        if self._parallelize(row, nest):
            nest.shared = True
            for asked in inside:
                _tell(*asked, "it is in another one that is")
            return following
        if any(one in nest.kept for one in row):
            return following
        if _is_asked(loop):
            _tell(*_asked(loop), "it has no form for them")
        for one in row:
            self._region(one.body, nest)
        return following

    def _parallelize(self, loops: Sequence[affine.ForOp], nest: Attempts) -> bool:
        """Let the loops, neighbours that may share out their ranges alike, run in threads; False if
        that is not possible or does not pay."""
        outermost = loops[0]
        if any(loop in nest.kept for loop in loops):
            nest.left.append((outermost, "the programmer keeps it there"))
            return False
        chosen = _choose(outermost, self._kinds())
        if chosen == "doall" and len(loops) == 1:
            chosen = find_level_columns(outermost) or chosen
        if chosen is None or _keeps_some(chosen, nest):
            nest.left.append((outermost, None))
            return False
        code = Code(Block(), outermost)
        lanes = Target.named(self.march).lanes(8)
        work = Work(code, outermost, lanes)
        gain = WHATEVER_IT_IS
        if not _is_asked(outermost):
            gain = self._gain(loops, chosen, work, nest)
            why_not = gain.why_not()
            if why_not is not None:
                nest.left.append((outermost, why_not))
                return False
        if nest.arms is not None:
            if gain.is_open:
                nest.arms.add(loops, lanes, lambda work: self._gain(loops, chosen, work, nest))
            else:
                nest.arms.is_certain = True
        if self.deterministic and _adds_up(chosen):
            threads = self._threads(code, WHATEVER_IT_IS, nest.arms)
            parts = CORE.threads.fixed_parts
            place = _Neighbours(loops, code, work, threads, gain.holds(code), parts)
        else:
            place = _Neighbours(loops, code, work, self._threads(code, gain, nest.arms))
        if gain.is_open and not (nest.arms is not None and _costs_nothing_alone(chosen)):
            self._write_beside_serial(place, chosen, nest.arms)
        else:
            self._write(place, chosen)
        return True

    def _gain(
        self, loops: Sequence[affine.ForOp], chosen: _Choice, work: Work, nest: Attempts
    ) -> Gain:
        """What threads are worth; arithmetic goes to `work.code`."""
        most = most_cycles(loops, work.lanes)
        if most is not None and most < self.least:
            return too_little(most, self.least)

        def available(code: Code) -> Index:
            return self._available(code, nest.arms)

        if isinstance(chosen, Steps):
            return gain_of_steps(loops[0], chosen, work, self.least, available(work.code))
        return gain_of(loops, _kind_of(chosen, nest), work, self.least, available)

    def _available(self, code: Code, arms: Arms | None) -> Index:
        if self.threads:
            return self.threads
        return code.insert(team.AvailableOp()) if arms is None else arms.most

    def _kinds(self) -> frozenset[str]:
        """What loops may carry that run in threads."""
        wanted = {"parallel": True, "pipeline": self.pipelines, "reduction": self.reductions}
        return frozenset(kind for kind, is_wanted in wanted.items() if is_wanted)

    def _threads(self, code: Code, gain: Gain, arms: Arms | None) -> SSAValue:
        """How many the region is to have: one, where there is less to do than there is to be."""
        threads = code.index(self._available(code, arms))
        test = gain.holds(code)
        if test is not None:
            threads = code.select(test, threads, 1)
        threads.name_hint = "threads"
        return threads

    def _write_beside_serial(self, place: _Neighbours, chosen: _Choice, arms: Arms | None) -> None:
        """In threads where there is more than one, as it was in one: of loops that are small more
        often than not, and run often, the least overhead would be felt."""
        loops, code = place.loops, place.code
        parent, following = loops[0].parent, loops[-1].next_op
        assert parent is not None
        assert following is not None
        serial = Block([loop.clone() for loop in loops])
        many = Block()
        for loop in loops:
            loop.detach()
            many.add_op(loop)
        for block in (many, serial):
            block.add_op(scf.YieldOp())
        test = place.pays
        if test is None:
            test = code.insert(arith.CmpiOp(place.threads, code.index(1), "sgt"))
        choice = scf.IfOp(test, [], Region(many), Region(serial))
        choice.location = code.like.location
        code.block.add_op(choice)
        for op in list(code.block.ops):
            op.detach()
            parent.insert_op_before(op, following)
        inside = Code(Block(), loops[0])
        work = Work(inside, loops[0], place.work.lanes)
        self._write(_Neighbours(loops, inside, work, place.threads, None, place.parts), chosen)
        if arms is not None:
            arms.choices.append(choice)

    def _write(self, place: _Neighbours, chosen: _Choice) -> None:
        loops, code = place.loops, place.code
        span, name = span_of(loops[0]), facts_of(loops[0]).iterator
        parent, following = loops[0].parent, loops[-1].next_op
        assert parent is not None
        assert following is not None
        match chosen:
            case LoopRow():
                what = f"loop {chosen.loops[0].facts.iterator} in threads: doall"
                grain = grain_of([one.op for one in chosen.loops])
                write_row(code, loops[0], chosen, place.threads, grain)
            case Privates():
                arrays = " and ".join(facts_of(loops[0]).reduces)
                what = f"loop {name} in threads: reduction of {arrays}"
                write_reduction(code, loops[0], chosen, _parts(place), place.threads)
            case Pipeline(steps, sums):
                what = f"loop {name} in threads: pipeline along {facts_of(steps).iterator}"
                if sums is None:
                    write_pipeline(code, loops[0], steps, place.work, place.threads)
                else:
                    what += f", reduction of {' and '.join(facts_of(loops[0]).reduces)}"
                    lanes = Lanes(_count_parts(place), place.threads)
                    write_summing_pipeline(code, loops[0], steps, sums, place.work, lanes)
            case Steps():
                names = [facts_of(one).iterator or "?" for one in chosen.shared]
                what = f"loop {name} in threads: in steps of {' and '.join(dict.fromkeys(names))}"
                write_steps(code, loops[0], chosen, place.work.lanes, place.threads)
            case Own():
                arrays = " and ".join(array.name_hint or "a variable" for array in chosen.arrays)
                what = f"loop {name} in threads: doall, each thread with its own {arrays}"
                _write_doall(place, chosen)
            case "doall":
                what = f"loop {name} in threads: doall"
                _write_doall(place, Own(()))
        for op in list(code.block.ops):
            op.detach()
            parent.insert_op_before(op, following)
        remark("applied", self.name, what, span)


def _blocks_for_little(body: Region) -> set[Block]:
    """What runs only where the loops around have been found to be too little for threads."""
    branches = [
        last
        for block in body.blocks
        if isinstance(last := block.last_op, cf.ConditionalBranchOp)
        and FOR_LITTLE in last.attributes
    ]
    if not branches:
        return set()
    flow = ControlFlow(body)
    return {
        block
        for block in flow.cfg.blocks
        if any(flow.dominators.dominates(branch.else_block, block) for branch in branches)
    }


def _is_left_alone(function: FuncOp) -> bool:
    return bool(_LEFT_ALONE & function.attributes.keys()) or is_optnone(function)


_Choice = LoopRow | Privates | Own | Pipeline | Steps | Literal["doall"]


@record(eq=False)
class _Neighbours:
    """Neighbouring loops, what is computed in front of them, and the threads that they get. `pays`:
    whether there is enough to do, where the number of threads does not say so; `parts`: how many
    parts they are cut into, None: one for each thread."""

    loops: Sequence[affine.ForOp]
    code: Code
    work: Work
    threads: SSAValue
    pays: SSAValue | None = None
    parts: int | None = None


def _choose(loop: affine.ForOp, kinds: frozenset[str]) -> _Choice | None:
    if loop.inits or (_is_short(loop) and not _is_asked(loop)):
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
            found = None if _is_asked(loop) and not is_contraction else find_row(loop)
            found = found or (None if is_contraction else find_pipeline(loop))
        case _:
            found = find_row(loop)
    return found or find_steps(loop)


def _keeps_some(chosen: _Choice, nest: Attempts) -> bool:
    """Whether the programmer keeps some of what would be shared out in one thread."""
    return isinstance(chosen, Steps) and any(
        one in nest.kept for nests in chosen.nests for one in nests.walk()
    )


def _kind_of(chosen: _Choice, nest: Attempts) -> Kind:
    match chosen:
        case Pipeline(steps):
            return Kind(steps=steps)
        case LoopRow(loops):
            return Kind(shared=tuple(loop.op for loop in loops), met=nest.met)
        case _:
            return Kind(met=nest.met)


def _costs_nothing_alone(chosen: _Choice) -> bool:
    """Whether one thread does no more for it than it would do for the loops as they were."""
    return chosen == "doall" or isinstance(chosen, LoopRow)


def _adds_up(chosen: _Choice) -> bool:
    """Whether parts have copies that are combined in the end."""
    has_sums = isinstance(chosen, Pipeline) and chosen.sums is not None
    return has_sums or isinstance(chosen, Privates)


def _is_asked(op: Operation) -> bool:
    """Whether a person wants the loop in threads, whatever is expected of it."""
    return isinstance(op, affine.ForOp) and THREADS in facts_of(op).marks


def _asked(op: Operation) -> tuple[str | None, Span | None]:
    assert isinstance(op, affine.ForOp)
    return facts_of(op).iterator, span_of(op)


def _tell(name: str | None, span: Span | None, why: str) -> None:
    message = f"loop {name} is not in threads as was asked for: {why}"
    remark("missed", "not-in-threads", message, span)


def _is_short(loop: affine.ForOp) -> bool:
    """An innermost loop within two others: that runs often, and not for long."""
    around = loop.parent_op()
    is_inner = isinstance(around, affine.ForOp) and isinstance(around.parent_op(), affine.ForOp)
    return is_inner and not any(isinstance(op, affine.ForOp) for op in loop.body.block.ops)


def _split(loop: affine.ForOp) -> tuple[affine.ForOp, affine.ForOp] | None:
    """A loop within tiles in two, if that makes the second one doall."""
    around = loop.parent_op()
    if not isinstance(around, affine.ForOp) or "tile" not in facts_of(around).marks:
        return None
    if facts_of(loop).carried == "parallel" or "contract" in facts_of(loop).marks or loop.inits:
        return None
    has_loops = any(isinstance(op, affine.ForOp) for op in loop.body.block.ops)
    return split_tail(loop) if has_loops else None


def _count_parts(place: _Neighbours) -> SSAValue:
    return place.threads if place.parts is None else place.code.index(place.parts)


def _parts(place: _Neighbours) -> Parts:
    code, loop = place.code, place.loops[0]
    lower, upper = place.work.bounds(loop)
    step = loop.step.value.data
    grain = grain_of(place.loops) if step == 1 else 1
    even = Parts(lower, upper, step, _count_parts(place), grain)
    if not any(depends_on(loop) for loop in place.loops):
        return even

    def cycles(code: Code, iterator: Index) -> Amount:
        total: Amount = 1.0
        for one in place.loops:
            work = Work(code, one, place.work.lanes)
            total = code.sum(total, work.of_iteration(one, iterator))
        return total

    return parts_of_equal_work(code, even, cycles)


def _write_doall(place: _Neighbours, own: Own) -> None:
    parts = _parts(place)
    region = open_region(place.code, place.threads)
    last = place.loops[0].clone() if own.kept else None
    copies = own_copies(region, own, place.loops)
    inside, number = share_out(region, place.threads)
    share = parts.share(inside, number)
    others = share if last is None else share_but_last(inside, share)
    for loop in place.loops:
        add_share(inside, loop, others)
    if last is not None:
        add_last(inside, last, share)
    close_loop(inside)
    free_copies(region, copies)
    close_region(region)
    parts.close(place.code)
