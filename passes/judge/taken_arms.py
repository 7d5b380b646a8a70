"""Which parts of conditionals run in a typical iteration."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import affine, arith, scf, vector
from xdsl.ir import Operation, Region, SSAValue

from polyopt.passes.judge.index_values import IndexValues
from polyopt.support.record import entity

LOOPS = (affine.ForOp, scf.ForOp)
BRANCHES = (affine.IfOp, scf.IfOp)
_VECTORS = (affine.VectorLoadOp, affine.VectorStoreOp, vector.MaskedLoadOp, vector.MaskedStoreOp)


@entity
class TakenArms:
    values: IndexValues

    def versions(self, operations: Iterable[Operation]) -> int:
        """How many times sizes are asked which loops or vectors run, what was chosen included."""
        count = 0
        for op in operations:
            if isinstance(op, BRANCHES) and (taken := self.arm(op)) is not None:
                inside = (inner for region in op.regions for inner in region.walk())
                is_choice = any(isinstance(inner, (*LOOPS, *_VECTORS)) for inner in inside)
                count += is_choice and self._is_of_sizes(op)
                count += sum(self.versions(block.ops) for block in taken.blocks)
        return count

    def _is_of_sizes(self, op: affine.IfOp | scf.IfOp) -> bool:
        """Is it decided alike in all iterations of the loops around?"""
        asked: Iterable[SSAValue] = op.operands
        if isinstance(op, scf.IfOp) and isinstance(compared := op.cond.owner, arith.CmpiOp):
            asked = compared.operands
        return not any(self.values.of(one).moves for one in asked)

    def arm(self, op: affine.IfOp | scf.IfOp) -> Region | None:
        """The one that is taken; None where that is not known."""
        if isinstance(op, affine.IfOp):
            taken = self.values.holds(op.condition.data, op.args)
            return op.then_region if taken else op.else_region
        truth = self.values.truth(op.cond)
        if truth is None:
            return None
        return op.true_region if truth else op.false_region

    def flat(self, operations: Iterable[Operation]) -> Iterable[Operation]:
        """The operations that run, those of conditionals in their place."""
        for op in operations:
            if not isinstance(op, BRANCHES):
                yield op
                continue
            taken = self.arm(op)
            if taken is None:
                yield op
            for region in op.regions if taken is None else (taken,):
                for block in region.blocks:
                    yield from self.flat(block.ops)


def chance_of(one: Operation, loop: Operation, unchosen: float) -> float:
    """In what part of the iterations it runs: what is only for lanes that data choose is left
    out where they choose none."""
    chance = 1.0
    around = one.parent_op()
    while around is not loop and around is not None:
        if isinstance(around, scf.IfOp) and isinstance(around.cond.owner, vector.ReductionOp):
            chance *= 1.0 - unchosen
        around = around.parent_op()
    return chance
