"""One choice for all loops of a block: threads, or the code that there is without threads.

    ^loops:                         ^loops:
      A; B; C                         %some = A or B or C takes as long as threads are to be worth
      cf.br ^next             =>      cf.cond_br %some, ^ask, ^alone
                                    ^ask:
                                      %many = there are threads, and A or B or C is worth them
                                      cf.cond_br %many, ^threads, ^alone
                                    ^threads:  A; B; C, each in threads or not      cf.br ^next
                                    ^alone:    A; B; C as they were                 cf.br ^next

Without threads, neighbours are fused, a product begins with the fill in front of it, panels are
kept from nest to nest. A test around each nest would stand in the way of all that, so there is one
in front of them all, which asks of each nest that may run in threads whether it is worth them. Of a
nest within serial loops it is asked in the middle, at the start and at the end of these. Where the
block runs over and over and is short (a row of a sparse matrix), asking all that, and the runtime
how many threads there are, takes longer than its loops: how long they take is asked first.

Where the block may be left for the source's order (`poly.pays`), one thread may, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith, cf, memref, scf
from xdsl.dialects.builtin import BoolAttr, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects import team
from polyopt.dialects.cmem import SELDOM
from polyopt.ir.dependents import computed_by
from polyopt.ir.effects import is_pure
from polyopt.passes.parallel.code import Code, Index
from polyopt.passes.parallel.gain import Gain
from polyopt.passes.parallel.judged_arms import judge_alone, keep_block
from polyopt.passes.parallel.work import Work
from polyopt.support.record import entity


@entity
class Arms:
    """What becomes of `block`, whose loops are in `inside` while they change. `code` is what is
    computed in front of them; `most`: how many threads there are; `tests`: of nests, whether they
    are worth it; `quick`: whether they may be, None where that is known; `is_certain`: one is,
    whatever the sizes; `choices`: of nests that are there for one thread as well; `nests`: how many
    there are, `moves`: some are within other loops."""

    block: Block
    inside: Block
    alone: Block
    code: Code
    most: Index
    tests: list[SSAValue] = field(default_factory=list[SSAValue])
    quick: list[SSAValue | None] = field(default_factory=list[SSAValue | None])
    is_certain: bool = False
    choices: list[scf.IfOp] = field(default_factory=list[scf.IfOp])
    nests: int = 0
    moves: bool = False

    def add(
        self, loops: Sequence[affine.ForOp], like: Work, gain_of: Callable[[Work], Gain]
    ) -> None:
        """These are to run in threads where they are worth it, for the machine that `like` is for;
        they are as they were."""
        self.nests += 1
        around = _loops_around(loops[0], self.inside)
        self.moves |= bool(around)
        for where in (1, 0, 2) if around else (1,):
            point = self._point(around, where)
            work = like.elsewhere(self.code, loops[0], self.inside, point)
            gain = gain_of(work)
            if gain.is_open or work.notes.has_guessed:
                self.quick.append(gain.may_hold(self.code))
                self.tests.append(gain.holds(self.code) or self._constant(True))
            elif gain.why_not() is None:
                self.quick.append(None)
                self.tests.append(self._constant(True))
            if not work.notes.has_moved:
                return

    def _point(self, around: Sequence[affine.ForOp], where: int) -> Mapping[SSAValue, Index]:
        """The iterators of the loops, from the outside in, where they start (0), in their middle
        (1) or at their end (2), as far as that is known in front of the block."""
        known = dict[SSAValue, Index]()
        for one in around:
            work = Work(self.code, one, 1, behind=self.inside, around=known)
            found = work.range_of(one)
            if found is not None:
                known[one.body.block.args[0]] = found[where]
        return known

    def _constant(self, value: bool) -> SSAValue:
        return self.code.insert(arith.ConstantOp(BoolAttr.from_bool(value)))

    def close(self, *, needs_many: bool) -> None:
        """The block as it is to be. `needs_many`: one thread alone takes the loops as they were."""
        if self.is_certain or not self.tests:
            self._only()
            return
        test = self.tests[0]
        for other in self.tests[1:]:
            test = self.code.insert(arith.OrIOp(test, other))
        if needs_many and not (isinstance(self.most, int) and self.most > 1):
            several = arith.CmpiOp(self.code.index(self.most), self.code.index(1), "sgt")
            test = self.code.insert(arith.AndIOp(self.code.insert(several), test))
        if self.nests == 1 and not self.moves:
            for choice in self.choices:
                _take_first(choice)
        branch = self._branch()
        unknown = branch.cond.owner
        branch.operands[0] = test
        assert isinstance(unknown, Operation)
        self.block.erase_op(unknown)
        branches = [branch]
        quick = self._quick_test()
        if quick is not None:
            branches.append(self._ask_behind(quick, branch))
        home = branch.parent
        assert home is not None
        for op in list(self.code.block.ops):
            op.detach()
            home.insert_op_before(op, branch)
        judge_alone(self.block, branches)

    def _quick_test(self) -> SSAValue | None:
        """Whether any nest may be worth it; None where that is no shorter to tell than all."""
        quick = [one for one in self.quick if one is not None]
        if not quick or len(quick) < len(self.quick):
            return None
        test = quick[0]
        for other in quick[1:]:
            test = self.code.insert(arith.OrIOp(test, other))
        return test

    def _ask_behind(
        self, quick: SSAValue, branch: cf.ConditionalBranchOp
    ) -> cf.ConditionalBranchOp:
        """What is computed in front of the loops behind a branch of its own, but for the quick
        test; the new branch."""
        needed = computed_by(quick, self.code.block)
        ask = Block()
        body = self.block.parent
        assert body is not None
        body.insert_block_after(ask, self.block)
        branch.detach()
        ask.add_op(branch)
        first = cf.ConditionalBranchOp(quick, ask, (), self.alone, ())
        first.location = branch.location
        first.attributes[SELDOM] = UnitAttr()
        for op in [one for one in self.code.block.ops if one in needed]:
            op.detach()
            self.block.add_op(op)
        self.block.add_op(first)
        return first

    def _branch(self) -> cf.ConditionalBranchOp:
        branch = self.block.last_op
        assert isinstance(branch, cf.ConditionalBranchOp)
        return branch

    def _only(self) -> None:
        """One of the two is what is in the block: with threads no other order is asked for."""
        branch = self._branch()
        unknown = branch.cond.owner
        self.block.erase_op(branch)
        assert isinstance(unknown, Operation)
        self.block.erase_op(unknown)
        chosen, other = self.inside, self.alone
        if self.is_certain:
            keep_block(self.block)
            for op in list(self.code.block.ops):
                op.detach()
                self.block.add_op(op)
        else:
            chosen, other = other, chosen
        for op in list(chosen.ops):
            op.detach()
            self.block.add_op(op)
        body = self.block.parent
        assert body is not None
        gone = Region()
        for one in (chosen, other):
            gone.add_block(body.detach_block(one))
        gone.erase()


def split_arms(block: Block, threads: int) -> Arms | None:
    """The loops of the block, one of a function's body, in one of their own with what follows, and
    a copy of them in another one; `threads`: how many there are, 0: the runtime knows. None where
    there are no loops, or other blocks use what is computed from the first one on. What is left in
    front changes nothing: behind it the source's order may still be chosen, from its start."""
    body = block.parent
    if body is None or not any(map(_has_loops, block.ops)):
        return None
    first = next(op for op in block.ops if not _changes_nothing(op))
    moved: list[Operation] = []
    op: Operation | None = first
    while op is not None:
        moved.append(op)
        op = op.next_op
    uses = (use.operation for one in moved for result in one.results for use in result.uses)
    if not all(block.is_ancestor(use) for use in uses):
        return None
    copies = dict[SSAValue, SSAValue]()
    alone = Block([one.clone(value_mapper=copies) for one in moved])
    for one in moved:
        one.detach()
    inside = Block(moved)
    body.insert_block_after([inside, alone], block)
    unknown = arith.ConstantOp(BoolAttr.from_bool(True))
    branch = cf.ConditionalBranchOp(unknown.result, inside, (), alone, ())
    unknown.location = branch.location = first.location
    block.add_ops([unknown, branch])
    code = Code(Block(), first)
    return Arms(block, inside, alone, code, threads or code.insert(team.AvailableOp()))


def _loops_around(loop: affine.ForOp, block: Block) -> list[affine.ForOp]:
    """Those in the block, from the outside in."""
    around = list[affine.ForOp]()
    op = loop.parent_op()
    while op is not None and block.is_ancestor(op):
        if isinstance(op, affine.ForOp):
            around.insert(0, op)
        op = op.parent_op()
    return around


def _has_loops(op: Operation) -> bool:
    return any(isinstance(one, affine.ForOp) for one in op.walk())


def _changes_nothing(op: Operation) -> bool:
    loads = (affine.LoadOp, memref.LoadOp, memref.AllocaOp)
    return not _has_loops(op) and (is_pure(op) or isinstance(op, loads))


def _take_first(choice: scf.IfOp) -> None:
    """What the first region holds instead of the choice."""
    block = choice.true_region.block
    end = block.last_op
    assert end is not None
    block.erase_op(end)
    Rewriter.inline_block(block, InsertPoint.before(choice))
    choice.detach()
    choice.erase()
