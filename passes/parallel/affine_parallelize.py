"""affine-parallelize: loops that may run in threads, do."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import affine, arith, cf, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import team
from polyopt.dialects.cmem import AS_WRITTEN
from polyopt.dialects.poly import FOR_LITTLE
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.parallel.apart import has_phases, split_apart
from polyopt.passes.parallel.arms import Arms, split_arms
from polyopt.passes.parallel.asked import is_asked, name_and_place, tell_not_in_threads
from polyopt.passes.parallel.choice import (
    Way,
    adds_up,
    choose_way,
    costs_nothing_alone,
    keeps_some,
    kind_of,
)
from polyopt.passes.parallel.code import Code, Index
from polyopt.passes.parallel.doall import Neighbours
from polyopt.passes.parallel.gain import WHATEVER_IT_IS, Gain, gain_of, too_little
from polyopt.passes.parallel.gain_of_steps import gain_of_steps
from polyopt.passes.parallel.kept_serial import is_kept_serial, serial_loops
from polyopt.passes.parallel.left_serial import Attempts
from polyopt.passes.parallel.level_columns import find_level_columns
from polyopt.passes.parallel.most_work import most_cycles
from polyopt.passes.parallel.neighbours import met_elsewhere, neighbours
from polyopt.passes.parallel.scattered import last_lines_of
from polyopt.passes.parallel.steps import Steps
from polyopt.passes.parallel.tiles_in_steps import find_steps_of_tiles, split_in_tiles
from polyopt.passes.parallel.within_rows import blocks_within_rows, is_single
from polyopt.passes.parallel.work import Work
from polyopt.passes.parallel.write_way import write_way
from polyopt.support.core_model import CORE
from polyopt.support.record import record
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
                in_rows = blocks_within_rows(function.body)
                for block in [one for one in function.body.blocks if one not in little]:
                    attempts = Attempts(kept, is_nest=False, in_rows=block in in_rows)
                    self._function_block(block, attempts)

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
                        attempts = Attempts(
                            nest.kept, arms=nest.arms, met=beside, in_rows=nest.in_rows
                        )
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
        if not is_asked(loop) and any(is_asked(one) for one in loop.body.walk()):
            self._region(loop.body, nest)
            return loop.next_op
        if loop in nest.heads:
            self._region(loop.body, nest)
            return loop.next_op
        apart = self._split_apart(loop, nest)
        if apart:
            return apart[0]
        split = None if is_asked(loop) or loop in nest.kept else split_in_tiles(loop)
        if split is not None:
            head, tail = split
            self._region(head.body, nest)
            return tail
        row = neighbours(loop)
        inside = [name_and_place(op) for one in row for op in one.body.walk() if is_asked(op)]
        following = row[-1].next_op
        if self._parallelize(row, nest):
            nest.shared = True
            for asked in inside:
                tell_not_in_threads(*asked, "it is in another one that is")
            return following
        if any(one in nest.kept for one in row):
            return following
        if is_asked(loop):
            tell_not_in_threads(*name_and_place(loop), "it has no form for them")
        for one in row:
            self._region(one.body, nest)
        return following

    def _split_apart(self, loop: affine.ForOp, nest: Attempts) -> list[affine.ForOp] | None:
        if any(one in nest.kept or is_asked(one) for one in loop.walk()) or not has_phases(loop):
            return None
        way = choose_way(loop, self._kinds())
        return split_apart(loop) if way is None or isinstance(way, Steps) else None

    def _parallelize(self, loops: Sequence[affine.ForOp], nest: Attempts) -> bool:
        """Let the loops, neighbours that may share out their ranges alike, run in threads; False if
        that is not possible or does not pay."""
        outermost = loops[0]
        if any(loop in nest.kept for loop in loops):
            nest.left.append((outermost, "the programmer keeps it there"))
            return False
        if nest.in_rows and self.least and is_single(outermost) and not is_asked(outermost):
            nest.left.append((outermost, "it runs for each element of a row of data"))
            return False
        chosen = choose_way(outermost, self._kinds()) or find_steps_of_tiles(outermost, nest)
        if chosen == "doall" and len(loops) == 1:
            chosen = find_level_columns(outermost) or chosen
        if chosen is None or keeps_some(chosen, nest):
            nest.left.append((outermost, None))
            return False
        code = Code(Block(), outermost)
        target = Target.named(self.march)
        work = Work(code, outermost, target.lanes(8), last_lines=last_lines_of(target))
        gain = WHATEVER_IT_IS
        if not is_asked(outermost):
            gain = self._gain(loops, chosen, work, nest)
            why_not = gain.why_not()
            if why_not is not None:
                nest.left.append((outermost, why_not))
                return False
        if nest.arms is not None:
            if gain.is_open:
                nest.arms.add(loops, work, lambda work: self._gain(loops, chosen, work, nest))
            else:
                nest.arms.is_certain = True
        if self.deterministic and adds_up(chosen):
            threads = self._threads(code, WHATEVER_IT_IS, nest.arms)
            parts = CORE.threads.fixed_parts
            place = Neighbours(loops, code, work, threads, gain.holds(code), parts)
        else:
            place = Neighbours(loops, code, work, self._threads(code, gain, nest.arms))
        if gain.is_open and not (nest.arms is not None and costs_nothing_alone(chosen)):
            self._write_beside_serial(place, chosen, nest.arms)
        else:
            write_way(self.name, place, chosen)
        return True

    def _gain(self, loops: Sequence[affine.ForOp], chosen: Way, work: Work, nest: Attempts) -> Gain:
        """What threads are worth; arithmetic goes to `work.code`."""
        most = most_cycles(loops, work.lanes)
        if most is not None and most < self.least:
            return too_little(most, self.least)

        def available(code: Code) -> Index:
            return self._available(code, nest.arms)

        if isinstance(chosen, Steps):
            return gain_of_steps(loops[0], chosen, work, self.least, available(work.code))
        return gain_of(loops, kind_of(chosen, nest), work, self.least, available)

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

    def _write_beside_serial(self, place: Neighbours, chosen: Way, arms: Arms | None) -> None:
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
        work = place.work.elsewhere(inside, loops[0])
        write_way(
            self.name, Neighbours(loops, inside, work, place.threads, None, place.parts), chosen
        )
        if arms is not None:
            arms.choices.append(choice)


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
    return bool(_LEFT_ALONE & function.attributes.keys()) or is_kept_serial(function)
