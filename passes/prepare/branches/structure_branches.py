"""Branches on data inside loops become conditionals in one block."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import cf, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import SELDOM
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.branches.block_editing import (
    merge_on,
    region_of,
    replace_terminator,
)
from polyopt.passes.prepare.branches.condition_chains import merge_conditions
from polyopt.passes.prepare.branches.hammocks import (
    ElementName,
    Hammock,
    compute_common_first,
    depends_on_data,
    find_hammock,
    is_movable,
    just_loaded,
    place_of,
)
from polyopt.passes.prepare.branches.local_values import promote_locals
from polyopt.passes.prepare.branches.selected_values import select_values
from polyopt.passes.prepare.branches.switch_chains import expand_switches
from polyopt.support.record import record


@record
class StructureBranchesPass(ModulePass):
    """Inside loops, a branch that data decide on and whose arms only compute, load and store
    becomes an `scf.if`: control flow is then affine where the rest of it is, and the conditional
    part of a statement. Of conditions that are tested one after the other (`&&`, `||`) the later
    ones become part of the first; a switch is a chain of them. Variables that live in one
    block, conditionals included, become values that these give (`local_values.py`).

    Requires: what can be a selection is one (if-convert). Ensures: each operation runs exactly
    where it ran before.

        %c = arith.cmpf ogt, %x, %zero            %c = arith.cmpf ogt, %x, %zero
        cf.cond_br %c, ^then, ^join               scf.if %c {
      ^then:                                ->      memref.store %x, %B[%i]
        memref.store %x, %B[%i]                   }
        cf.br ^join
    """

    name = "structure-branches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            _structure_in(function.body)


def _structure_in(body: Region) -> None:
    expand_switches(body)
    flow = ControlFlow(body)
    decided = _decided_by_data(flow)
    for block in reversed(flow.cfg.blocks):
        if block.parent is body and flow.loops.innermost(block) is not None:
            _structure_at(block, block in decided)


def _decided_by_data(flow: ControlFlow) -> set[Block]:
    """The blocks that run only if some data say so, in the loop where these are looked at: between
    a branch on data and where its ways meet."""
    found: set[Block] = set()
    undecided: dict[NaturalLoop, list[Block]] = {}
    for block in flow.cfg.blocks:
        loop = flow.loops.innermost(block)
        if loop is not None:
            undecided.setdefault(loop, []).append(block)
    for source in flow.cfg.blocks:
        branch = source.last_op
        loop = flow.loops.innermost(source)
        if loop is None or not isinstance(branch, cf.ConditionalBranchOp):
            continue
        if not depends_on_data(branch.cond):
            continue
        join = flow.postdominators.immediate(source)
        decided = {
            block
            for block in undecided[loop]
            if flow.dominators.strictly_dominates(source, block)
            and not (join is not None and flow.dominators.dominates(join, block))
        }
        if decided:
            found |= decided
            undecided[loop] = [block for block in undecided[loop] if block not in decided]
    return found


def _structure_at(block: Block, is_decided: bool) -> None:
    """Inner branches have been structured; what this one joins may end in a branch again. Where
    data have decided on the block itself, every branch is structured: an affine one would have
    to be a branch around the others."""
    while True:
        block = merge_on(block)
        hammock = find_hammock(block)
        if hammock is not None and _can_structure(hammock, is_decided):
            _structure(hammock)
        elif not merge_conditions(block, is_decided):
            promote_locals(block)
            return


def _can_structure(hammock: Hammock, is_decided: bool) -> bool:
    if SELDOM in hammock.branch.attributes:
        return False
    ops = [*hammock.arm_ops(hammock.then), *hammock.arm_ops(hammock.orelse)]
    return is_movable(ops) and (is_decided or depends_on_data(hammock.branch.cond))


def _structure(hammock: Hammock) -> None:
    branch = hammock.branch
    for arm in (hammock.then, hammock.orelse):
        _reuse_loaded(hammock.arm_ops(arm), just_loaded(branch))
    compute_common_first(hammock)
    then, orelse = hammock.passed()
    differing = [place for place, (a, b) in enumerate(zip(then, orelse, strict=True)) if a is not b]
    is_one_armed = not differing and not hammock.arm_ops(hammock.orelse)
    taken, other = (
        region_of(hammock.arm_ops(arm), [passed[place] for place in differing], branch.location)
        for arm, passed in ((hammock.then, then), (hammock.orelse, orelse))
    )
    conditional = scf.IfOp(
        branch.cond, [then[p].type for p in differing], taken, Region() if is_one_armed else other
    )
    passed = list(then)
    for place, result in zip(differing, conditional.results, strict=True):
        passed[place] = result
        result.name_hint = hammock.join.args[place].name_hint
    replace_terminator(branch, conditional, cf.BranchOp(hammock.join, *passed))
    hammock.erase_arms()
    select_values(conditional)


def _reuse_loaded(ops: list[Operation], loaded: dict[ElementName, SSAValue]) -> None:
    """What the condition has loaded need not be loaded again before anything is stored."""
    for op in ops:
        if isinstance(op, memref.LoadOp):
            known = loaded.get(place_of(op))
            if known is not None:
                op.res.replace_all_uses_with(known)
                op.detach()
                op.erase()
        elif not is_pure(op):
            return
