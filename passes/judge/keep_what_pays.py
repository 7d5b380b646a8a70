"""keep-what-pays: the last judge. Loops that cost more than those they were made from go again."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import affine, arith, cf, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import AS_WRITTEN, FAR_FROM_LOOPS, TIMED, WRITTEN_ANEW, PaysOp
from polyopt.ir.branches import Edge
from polyopt.ir.dependents import computed_by
from polyopt.ir.fast_math import may_reassociate, permits
from polyopt.passes.judge.in_vain import AS_WRITTEN_TRIAL, NESTS_TRIAL, Outcome
from polyopt.passes.judge.index_values import Typical
from polyopt.passes.judge.keep_as_written import call_originals, give_back, kept_functions
from polyopt.passes.judge.nest_reader import read_parts
from polyopt.passes.judge.operation_costs import is_free
from polyopt.passes.judge.quick_first import ask_quickly_first
from polyopt.passes.judge.short_counters import short_counters
from polyopt.passes.judge.short_runs import Rung, least_span, pays_in_all, span_at
from polyopt.passes.judge.short_source import ask_for_span
from polyopt.passes.judge.told_costs import estimates, said
from polyopt.passes.prepare.branches.block_editing import erase_unreachable, merge_with_successor
from polyopt.poly.cost.cost_models import LINES, cost_model_named
from polyopt.poly.cost.nest_cost import Estimate
from polyopt.support.core_model import CORE, CoreCosts
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target


@record
class KeepWhatPaysPass(ModulePass):
    """Decide every `poly.pays`: a SCoP's loops stay where the model (`poly/cost/nest_cost.py`)
    expects them to take at most `gain` of the cycles of the code that they were made from, as LLVM
    would optimise it, or are in vectors, wait for as much memory and keep the core less busy; else
    that code stays, also where they keep the core busier and gain nothing if a part of the waiting
    goes by meanwhile. A function that keeps none of its SCoPs is given back as it was written
    (`keep-as-written`), and copies of it for numbers that calls pass go, if they keep none either,
    or if a function takes less than its only copy, which keeps none.
    Of one that runs over and over, loops that cost more where the innermost one is short stay for
    where it is long, with that code beside them.

    Requires: the loops are final. Ensures: no `poly.pays` is left, and nothing of what was kept
    for this choice. A remark says which, and why; what was said to be applied to loops that go is
    told as tried.

        %p = poly.pays "f" params(%n) {…}
        cf.cond_br %p, ^scop, ^original      =>     cf.br ^scop      or      cf.br ^original      or
            %long = arith.cmpi sge, %n, %c16 : index    cf.cond_br %long, ^scop, ^original
    """

    name = "keep-what-pays"

    march: str = "native"
    gain: float = CORE.nests.gain
    cost_model: str = LINES

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        written = kept_functions(op)
        nests, functions = Outcome(NESTS_TRIAL), Outcome(AS_WRITTEN_TRIAL)
        given_back, expected = set[str](), dict[str, float]()
        for function in [one for one in op.ops if isinstance(one, func.FuncOp)]:
            choices = operations_in(function, PaysOp)
            function.attributes.pop(FAR_FROM_LOOPS, None)
            name = function.sym_name.data
            pays = [self._decide(choice, function, nests, expected) for choice in choices]
            if choices:
                erase_unreachable(function.body)
            is_anew = _is_written_anew(function)
            stays = any(pays) or is_anew or TIMED in function.attributes
            goes = name in written and not stays
            functions.add([function], is_kept=not goes)
            if goes:
                functions.add([written[name]], is_kept=False)
                give_back(function, written[name])
                given_back.add(name)
        call_originals(op, given_back, expected)
        nests.tell()
        functions.tell()
        for kept in [one for one in op.ops if AS_WRITTEN in one.attributes]:
            kept.detach()
            kept.erase()

    def _decide(
        self, choice: PaysOp, function: func.FuncOp, nests: Outcome, expected: dict[str, float]
    ) -> bool:
        """`expected` becomes what the function takes in all."""
        name = function.sym_name.data
        branch = _branch_of(choice)
        least = None
        if choice.source is None or choice.expected is None:
            pays, taken = True, math.inf
        else:
            numbers = list(choice.expected.get_values())
            loops = self._cost(choice, branch.then_block, numbers)
            (source,) = estimates(choice.source)
            check = self._check(choice)
            found = Estimate(loops.core + check, loops.memory)
            gain = self.gain
            if CORE.nests.as_much * found.memory >= source.memory:
                ours = _has_vectors(branch.then_block) or _hands_on(branch.then_block)
                gain *= 1.0 if ours else CORE.nests.plain
            pays = found.cycles <= gain * source.cycles and _is_sure(found, source)
            if not pays and choice.span is None and _has_vectors(branch.then_block):
                pays = _is_less_busy(found, source, self.gain)
            rungs = self._rungs(choice, branch.then_block) if pays else []
            if rungs:
                assert choice.span is not None
                span = span_at(choice.span.data, numbers)
                least = least_span(rungs)
                every = [*rungs, Rung(span, found, source)]
                least_gain = self.gain if least is None else min(self.gain, CORE.nests.both)
                pays = pays_in_all(every, _shares(choice), least, check, least_gain)
            self._tell(choice, function, found, source, gain, pays=pays)
            taken = found.cycles if pays else source.cycles
            least = least if pays else None
        expected[name] = expected.get(name, 0.0) + taken
        if least is not None:
            ask_for_span(choice, branch, function, least)
        is_kept = pays or choice.beside_threads is not None
        nests.add([choice, *branch.then_block.ops], is_kept=is_kept)
        alone = choice.parent if choice.beside_threads is not None and not pays else None
        _take(choice, branch, pays=pays, where_long=least is not None)
        if alone is not None:
            ask_quickly_first(alone)
        return pays

    def _rungs(self, choice: PaysOp, block: Block) -> list[Rung]:
        """Of what runs over and over."""
        if choice.span is None or choice.shorter is None or choice.shorter_source is None:
            return []
        numbers, count = list(choice.shorter.get_values()), len(choice.params)
        shorter = [numbers[k : k + count] for k in range(0, len(numbers), count)]
        sources = estimates(choice.shorter_source)
        return [
            Rung(span_at(choice.span.data, one), self._cost(choice, block, one), source)
            for one, source in zip(shorter, sources, strict=True)
        ]

    def _cost(self, choice: PaysOp, block: Block, numbers: Sequence[int]) -> Estimate:
        target = Target.named(self.march)
        core = CoreCosts.of(target, fuses=permits(choice, FastMathFlag.ALLOW_CONTRACT))
        known = {
            value: Typical(float(number))
            for value, number in zip(choice.params, numbers, strict=True)
        }
        parts = read_parts(
            block.ops,
            known,
            target,
            core,
            any_order=may_reassociate(choice),
            counted=short_counters(choice.params, core.short),
        )
        return cost_model_named(self.cost_model)(parts, target, core)

    def _tell(
        self,
        choice: PaysOp,
        function: func.FuncOp,
        found: Estimate,
        source: Estimate,
        gain: float,
        *,
        pays: bool,
    ) -> None:
        made, written = said(found), said(source)
        where = "" if choice.beside_threads is None else " in one thread"
        message = (
            f"what was made of the loops is kept{where}: {made} are expected of it, {written} of "
            "the source's order"
            if pays
            else f"the code stays as it was written{where}: {written} are expected of it, "
            f"{'as many' if made == written else made} of what was made of the loops"
        )
        if not pays and found.cycles <= gain * source.cycles:
            are_short = _is_sure(found, source)
            message += ", but " + (
                "most runs are short" if are_short else "there is work meanwhile"
            )
        elif not pays and made != written and found.cycles < source.cycles:
            message += f", and less than {1 - gain:.0%} is gained"
        assert choice.expected is not None
        told = (
            ("cycles", found.cycles),
            ("source_cycles", source.cycles),
            *((f"parameter_{k}", float(n)) for k, n in enumerate(choice.expected.get_values())),
        )
        name, id = function.sym_name.data, "pays" if pays else "does-not-pay"
        remark("analysis", id, message, span_of(choice), name, told)

    def _check(self, choice: PaysOp) -> float:
        """Cycles of finding out whether the loops may run."""
        assumed = _assumed(choice)
        if assumed is None:
            return 0.0
        home = assumed.owner.parent if isinstance(assumed.owner, Operation) else None
        asked = computed_by(assumed, home) if home is not None else set[Operation]()
        return sum(not is_free(op) for op in asked) / CoreCosts.of(Target.named(self.march)).issue


def _assumed(choice: PaysOp) -> SSAValue | None:
    """What has to hold besides; beside threads it is asked in front of these."""
    (use,) = choice.result.uses
    both = use.operation
    if isinstance(both, arith.AndIOp):
        return both.lhs
    if choice.beside_threads is None:
        return None
    source = _branch_of(choice).else_block
    blocks, seen = [choice.parent], set[Block | None]()
    while blocks:
        block = blocks.pop()
        if block is None or block in seen:
            continue
        seen.add(block)
        for last in (use.operation for use in block.uses):
            if isinstance(last, cf.ConditionalBranchOp) and last.else_block is source:
                return last.cond
            if isinstance(last, cf.ConditionalBranchOp) and block in last.successors:
                blocks.append(last.parent)
    return None


def _has_vectors(block: Block) -> bool:
    """Is some of it in vectors, tiles or threads, and not all left to LLVM?"""
    return any(
        inner.name.startswith(("vector.", "pvec.", "omp."))
        for op in block.ops
        for inner in op.walk()
    )


def _hands_on(block: Block) -> bool:
    """Is there a loop that keeps in registers what it stores, for later iterations?"""
    for op in block.ops:
        for loop in op.walk():
            if isinstance(loop, affine.ForOp) and loop.inits:
                left = loop.body.block.last_op
                stored = {
                    one.value for one in loop.body.block.ops if isinstance(one, affine.StoreOp)
                }
                if left is not None and stored.intersection(left.operands):
                    return True
    return False


def _is_written_anew(function: func.FuncOp) -> bool:
    """Whether an earlier pass has written some of it anew, for what is in no SCoP, or in threads,
    which are not asked for what pays in one."""
    anew = function.attributes.pop(WRITTEN_ANEW, None)
    return anew is not None or any(
        op.name.startswith(("vector.", "pvec.", "omp.")) for op in function.walk()
    )


def _branch_of(choice: PaysOp) -> cf.ConditionalBranchOp:
    (use,) = choice.result.uses
    op = use.operation
    if isinstance(op, arith.AndIOp):
        (use,) = op.result.uses
        op = use.operation
    assert isinstance(op, cf.ConditionalBranchOp)
    return op


def _is_sure(found: Estimate, source: Estimate) -> bool:
    """What keeps the core busier to wait less has to gain, too, if there was something to do while
    the source waits."""
    share = CORE.nests.overlapped
    return found.core <= source.core or found.overlapped(share) <= source.overlapped(share)


def _is_less_busy(found: Estimate, source: Estimate, gain: float) -> bool:
    """Do both wait for as much memory, and is the core less busy meanwhile? What is there sooner
    than expected leaves the difference, which is the greater the more is to be gained."""
    model = CORE.nests
    less_busy = model.less_busy * gain / model.gain
    is_alike = found.cycles <= source.cycles / model.gain
    is_as_far = found.memory <= model.as_much * source.memory
    return is_alike and is_as_far and found.core <= less_busy * source.core


def _shares(choice: PaysOp) -> list[float] | None:
    return None if choice.shares is None else list(map(float, choice.shares.get_values()))


def _take(choice: PaysOp, branch: cf.ConditionalBranchOp, *, pays: bool, where_long: bool) -> None:
    """Where other conditions decide, too, these are left if the SCoP pays; all of them decide if it
    pays where it is long."""
    both = branch.cond.owner
    block = branch.parent
    home = choice.parent
    assert block is not None
    assert home is not None
    if where_long:
        home.erase_op(choice)
        return
    if pays and isinstance(both, arith.AndIOp):
        both.result.replace_all_uses_with(both.lhs)
        block.erase_op(both)
    else:
        edge = Edge(branch, 0 if pays else 1)
        jump = cf.BranchOp(edge.target, *edge.values)
        jump.location = branch.location
        block.insert_op_before(jump, branch)
        block.erase_op(branch)
        if isinstance(both, arith.AndIOp):
            block.erase_op(both)
    home.erase_op(choice)
    if pays:
        merge_with_successor(block)
