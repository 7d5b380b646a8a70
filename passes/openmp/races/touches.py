"""Accesses of one object whose places are affine, as instances: which they are, where, and when.

Those that are done on conditions that are no part of the control are left out.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from polyopt.ir.control.cfg import enclosing_block, is_conditional
from polyopt.passes.openmp.races.part import Part
from polyopt.passes.openmp.races.reaches import Reach
from polyopt.passes.openmp.races.updates import update_of
from polyopt.passes.scop.access_relations import StatementSpace
from polyopt.passes.scop.candidate import MemoryOp
from polyopt.poly.analysis.races import Instances


class Touches:
    def __init__(self, part: Part):
        self.part = part
        self._names = 0

    def of(self, op: MemoryOp, base: SSAValue) -> Reach | None:
        candidate = self.part.candidate
        if op not in candidate.affine or is_conditional(op):
            return None
        block = enclosing_block(op)
        array = next(one for one in candidate.arrays if one.base is base)
        subscript = candidate.subscripts[op]
        self._names += 1
        domain = self.part.plan.domains.of[block]
        named = StatementSpace(self.part.space, block, f"A{self._names}", domain)
        relation = named.relation("E", subscript.indices, array.layout.shape)
        instances = Instances(named.domain(), relation, self.part.time(op, block))
        update = self.part.view.updates.get(op)
        if update is None and isinstance(op, memref.StoreOp):
            update = update_of(op, lambda load: self._same_place(op, load))
        return Reach(
            op,
            base,
            self.part.view.under[op],
            block,
            self.part.space.loops_around(block),
            instances,
            isinstance(op, memref.StoreOp),
            update,
        )

    def _same_place(self, store: memref.StoreOp, load: memref.LoadOp) -> bool:
        subscripts = self.part.candidate.subscripts
        if load not in subscripts or load not in self.part.view.under:
            return False
        if self.part.candidate.array_of(load) is not self.part.candidate.array_of(store):
            return False
        return subscripts[load].indices == subscripts[store].indices
