"""Replace a region by a `poly.scop`.

before:  what the SCoP takes from outside, and the run-time check of what is assumed
         cf.cond_br %ok, ^scop, ^region      (or just cf.br ^scop)
         Where the SCoP is on trial, %ok is also `poly.pays`.
scop:    poly.scop …
         cf.br ^after
region:  the original code, where a check may fail
after:   values that are used behind the region
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeGuard

import islpy as isl
from xdsl.dialects import arith, cf, memref, ub
from xdsl.dialects.builtin import LocationAttr, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects.poly import PaysOp, ScheduleAttr, ScopOp, SetAttr
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.expressions.integer_expr import Expr
from polyopt.ir.expressions.isl_expressions import condition_of_set
from polyopt.ir.references.array_layout import ArrayLayout, Subscript
from polyopt.ir.references.memory_references import Reference, reference
from polyopt.passes.scop.access_relations import StatementSpace
from polyopt.passes.scop.arrays import emit_arrays, local_bases
from polyopt.passes.scop.candidate import Candidate, CandidateArray, MemoryOp
from polyopt.passes.scop.declared_sizes import limit_sizes
from polyopt.passes.scop.demotion import demote, is_outside, live_out, values_of
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.passes.scop.isolation import surround
from polyopt.passes.scop.original_schedule import original_schedule
from polyopt.passes.scop.plan import ScopPlan
from polyopt.passes.scop.run_time_checks import emit_checks
from polyopt.passes.scop.statement_code import StatementCode
from polyopt.passes.scop.statements import StatementPlan, plan_statements
from polyopt.passes.scop.tidy import tidy
from polyopt.passes.scop.value_code import ValueCode
from polyopt.passes.scop.values_behind import join_behind

if TYPE_CHECKING:
    from polyopt.passes.check.runtime_calls import CheckedScop
    from polyopt.passes.check.source_function import SourceFunction


def build_scop(
    plan: ScopPlan, name: str, *, on_trial: bool = False, declared: bool = True
) -> ScopOp:
    """Changes the function; the control flow that the plan was made on is no longer valid.
    `on_trial`: the original code stays, until `poly.pays` is decided. `declared`: sizes are limited
    by declared extents."""
    return _Build(plan, name, on_trial=on_trial, declared=declared).run()


def build_checked_scop(
    plan: ScopPlan, name: str, symbol: str, *, on_trial: bool = False, declared: bool = True
) -> CheckedScop:
    """The SCoP with the source's order beside it, to be compared. `symbol` begins the names of
    what belongs to it. `on_trial` and `declared`: as of `build_scop`."""
    from polyopt.passes.check.runtime_calls import CheckedScop

    source = f"{symbol}.source"
    build = _Build(plan, name, source_symbol=source, on_trial=on_trial, declared=declared)
    scop = build.run()
    assert build.source is not None
    return CheckedScop(scop, symbol, build.source, build.source_stores)


class _Build:
    def __init__(
        self,
        plan: ScopPlan,
        name: str,
        *,
        source_symbol: str | None = None,
        on_trial: bool = False,
        declared: bool = True,
    ):
        self.plan = plan
        self.on_trial = on_trial
        self.declared = declared
        self.name = name
        self.candidate = candidate = plan.candidate
        self.location = _location(candidate)
        entry = candidate.region.entry
        entry_is_loop = any(loop.header is entry for loop in candidate.loops)
        surrounded = surround(candidate.region, entry_is_loop=entry_is_loop)
        candidate.region = surrounded.region
        self.surrounded = surrounded
        self.source: SourceFunction | None = None
        self.source_stores: dict[str, list[memref.StoreOp]] = {}
        if source_symbol is not None:
            from polyopt.passes.check.source_function import take_source

            ends = surrounded.before, surrounded.after
            self.source = take_source(surrounded.region, *ends, source_symbol)
        self.keeps_original = False
        self.outside = dict(surrounded.replaced)
        # What is emitted in front of the region: the edge into the region stays until the end.
        self.front = [Block()]
        self.code = ExpressionCode(self.front[0], self.location, self.value_before)

    def run(self) -> ScopOp:
        self.add_demoted()
        for guard in self.plan.guards:
            self.check_guard(guard)
        scop = self.scop()
        if self.declared:
            limit_sizes(scop, self.code)
        block = Block()
        block.add_op(scop)
        passed = self.compute_live_out(block)
        self.end(block, cf.BranchOp(self.surrounded.after, *passed))
        check = emit_checks(self.plan, self.code)
        if self.on_trial:
            check = self.on_trial_too(scop, check)
        if check is None:
            self.end(self.front[-1], cf.BranchOp(block))
        else:
            self.go_on_if(check, block)
        self.put_in_front(block)
        if not self.keeps_original:
            _forget_aside(self.candidate)
            _erase(self.candidate.region.blocks)
        return scop

    def on_trial_too(self, scop: ScopOp, check: SSAValue | None) -> SSAValue:
        """Whether the SCoP pays, and what has to hold in any case."""
        op = PaysOp(scop.scop_name.data, scop.params)
        op.apart = UnitAttr() if self.plan.overlaps else None
        op.unwrapped = UnitAttr() if self.plan.may_wrap else None
        pays = self.code.add(op)
        return pays if check is None else self.code.add(arith.AndIOp(check, pays))

    def put_in_front(self, block: Block) -> None:
        """The emitted code, then `block`, instead of the edge into the region."""
        before = self.surrounded.before
        entering = before.last_op
        assert entering is not None
        before.erase_op(entering)
        for op in list(self.front[0].ops):
            op.detach()
            before.add_op(op)
        self.candidate.flow.body.insert_block_after([*self.front[1:], block], before)

    def go_on_if(self, check: SSAValue, block: Block) -> None:
        """To `block` where the check holds, else to the original code."""
        self.keeps_original = True
        entering = self.surrounded.before.last_op
        assert entering is not None
        entry = self.candidate.region.entry
        chosen = cf.ConditionalBranchOp(check, block, (), entry, entering.operands)
        self.end(self.front[-1], chosen)

    def check_guard(self, guard: isl.Set) -> None:
        """What follows in front of the region is done only for these parameters."""
        if guard.plain_is_universe():
            return
        check = self.code.condition(condition_of_set(guard, self.candidate.space))
        following = Block()
        self.go_on_if(check, following)
        self.front.append(following)
        self.code.block = following

    def end(self, block: Block, terminator: Operation) -> None:
        terminator.location = self.location
        block.add_op(terminator)

    def add_demoted(self) -> None:
        for slot in demote(self.candidate, self.surrounded):
            references: list[Reference] = []
            for use in slot.uses:
                op = use.operation
                if isinstance(op, MemoryOp) and enclosing_block(op) in self.candidate.region:
                    found = reference(op, self.candidate.evolution)
                    assert found is not None
                    references.append(found)
            layout = ArrayLayout((), (Subscript(()),) * len(references), references[0])
            self.candidate.add_array(CandidateArray(slot, references, layout))

    def scop(self) -> ScopOp:
        space = self.candidate.space
        local = local_bases(self.candidate, self.surrounded.after)
        arrays = emit_arrays(self.candidate, self.code, self.value_before)
        if self.source is not None:
            for old, new in self.source.stores.items():
                assert isinstance(old, memref.StoreOp)
                array = arrays[self.candidate.array_of(old)]
                self.source_stores.setdefault(array.name, []).append(new)
        taken = {array.name for array in arrays.values()}
        plans, statements = self.statements(taken)
        body = Block()
        function = self.candidate.region.entry.parent_op()
        assert function is not None
        for plan, statement in zip(plans, statements, strict=True):
            code = StatementCode(self.candidate, arrays, self.value_before, statement)
            body.add_op(tidy(code.build(plan), function))
        blocks = list(self.candidate.region.blocks)
        schedule = original_schedule(space, blocks, statements)
        assumed = self.plan.assumed
        scop = ScopOp(
            self.name,
            [self.code.index(Expr({monomial: 1})) for monomial in space.parameters],
            list(space.parameters.values()),
            [array.value for array in arrays.values()],
            [array.name for array in arrays.values()],
            SetAttr.of(self.plan.context),
            ScheduleAttr.of(schedule),
            Region(body),
            assumed=None if assumed is None else SetAttr.of(assumed),
            local=[array.name for one, array in arrays.items() if one.base in local],
        )
        scop.location = self.location
        return scop

    def statements(self, taken: set[str]) -> tuple[list[StatementPlan], list[StatementSpace]]:
        plans = [
            plan
            for block in self.candidate.region.blocks
            for plan in plan_statements(self.candidate, block)
        ]
        names = (name for n in range(len(plans) + len(taken)) if (name := f"S{n}") not in taken)
        domains = self.plan.domains.of
        return plans, [
            StatementSpace(self.candidate.space, plan.block, name, domains[plan.block])
            for plan, name in zip(plans, names, strict=False)
        ]

    def value_before(self, value: SSAValue) -> SSAValue:
        """The value that can be used in front of the region and in the SCoP for one that does
        not change in the region: loads that read it in the region are done before."""
        waiting = [value]
        while waiting:
            op = waiting[-1].owner
            if waiting[-1] in self.outside or not self._is_inside(op):
                waiting.pop()
            elif missing := [
                one for one in op.operands if one not in self.outside and self._is_inside(one.owner)
            ]:
                waiting += reversed(missing)
            else:
                self._copy_before(op)
        return self.outside.get(value, value)

    def _is_inside(self, op: Operation | Block) -> TypeGuard[Operation]:
        return isinstance(op, Operation) and op.parent in self.candidate.region.blocks

    def _copy_before(self, op: Operation) -> None:
        clone = op.clone({one: self.outside.get(one, one) for one in op.operands})
        clone.location = op.location
        self.code.block.add_op(clone)
        for old, new in zip(op.results, clone.results, strict=True):
            self.outside[old] = new

    def compute_live_out(self, block: Block) -> list[SSAValue]:
        """What is used behind and can be computed anew is computed there. Gives what the SCoP in
        `block` has to pass: where something is assumed, and the original code may run instead,
        the values of what has run are used."""
        values = live_out(self.candidate)
        if not values:
            return []
        after = self.surrounded.after
        passed = list[SSAValue]()
        if self.plan.overlaps or self.plan.assumed is not None or len(self.front) > 1:
            in_scop = ValueCode(block, self.candidate, after, self.value_before)
            anew, passed = join_behind(self.candidate, values, after, in_scop)
        else:
            anew = self.computed_behind(values)
        for value, new in zip(values, anew, strict=True):
            value.replace_uses_with_if(new, lambda use: is_outside(self.candidate, use))
        return passed

    def computed_behind(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Anew, of what does not change in the region, whichever code has run."""
        after = self.surrounded.after
        branch = _without_terminator(after)
        after.add_op(branch)
        code = ValueCode(after, self.candidate, after, self.value_before)
        branch.detach()
        anew = [code.value(value) for value in values]
        after.add_op(branch)  # which may use them itself
        return anew


def _without_terminator(block: Block) -> Operation:
    """Takes the terminator out."""
    op = block.last_op
    assert op is not None
    return block.detach_op(op)


def _location(candidate: Candidate) -> LocationAttr:
    op = candidate.loops[0].header.last_op
    assert op is not None
    return op.location


def _forget_aside(candidate: Candidate) -> None:
    """What never runs, as no way leads there any more, uses nothing of the region."""
    for value in values_of(candidate.region):
        for use in list(value.uses):
            block = use.operation.parent
            if block is not None and enclosing_block(use.operation) in candidate.region.aside:
                nothing = ub.PoisonOp(value.type)
                nothing.location = use.operation.location
                block.insert_op_before(nothing, use.operation)
                use.operation.operands[use.index] = nothing.result


def _erase(blocks: dict[Block, None]) -> None:
    """Blocks that refer to each other go together."""
    region = Region()
    for block in blocks:
        home = block.parent
        assert home is not None
        region.add_block(home.detach_block(block))
    region.erase()
