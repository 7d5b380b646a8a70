"""The body of a `poly.stmt` from the operations of a statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects.poly import MapAttr, ReadOp, SetAttr, StmtOp, WriteOp
from polyopt.ir.control.cfg import is_conditional
from polyopt.ir.expressions.integer_expr import Expr
from polyopt.passes.scop.access_relations import StatementSpace
from polyopt.passes.scop.candidate import Candidate, CandidateArray, MemoryOp
from polyopt.passes.scop.statements import StatementPlan
from polyopt.passes.scop.value_code import ValueCode
from polyopt.support.record import record


@record
class ScopArray:
    """An array operand of the SCoP. `extents` have one element for each dimension."""

    name: str
    value: SSAValue
    extents: tuple[Expr | None, ...]


class StatementCode:
    """Builds one statement. `outside` gives the value above the SCoP that stands for a value of
    the original code which does not change in the region."""

    def __init__(
        self,
        candidate: Candidate,
        arrays: Mapping[CandidateArray, ScopArray],
        outside: Callable[[SSAValue], SSAValue],
        statement: StatementSpace,
    ):
        self._candidate = candidate
        self._arrays = arrays
        self._statement = statement
        loops = candidate.space.loops_around(statement.block)
        self._body = Block(arg_types=[IndexType()] * len(loops))
        for argument, name in zip(self._body.args, statement.iterators, strict=True):
            argument.name_hint = name
        self._values = ValueCode(
            self._body,
            candidate,
            statement.block,
            outside,
            lambda loop: self._body.args[loops.index(loop)],
        )

    def build(self, plan: StatementPlan) -> StmtOp:
        for op in plan.ops:
            self._emit(op)
        stmt = StmtOp(
            self._statement.name,
            SetAttr.of(self._statement.domain()),
            Region(self._body),
            iterators=self._statement.iterators,
        )
        stmt.location = plan.ops[-1].location
        return stmt

    def _emit(self, op: Operation) -> None:
        match op:
            case memref.LoadOp():
                self._read(op)
            case memref.StoreOp():
                self._write(op)
            case scf.IfOp():
                self._decide(op)
            case _:
                self._values.compute(op)

    def _decide(self, op: scf.IfOp) -> None:
        """A conditional: what is computed in an arm is known there only."""
        condition = self._values.value(op.cond)
        regions = [Region([self._arm(block) for block in region.blocks]) for region in op.regions]
        new = scf.IfOp(condition, op.result_types, regions[0], regions[1])
        self._values.append(new, op)
        self._values.done.update(zip(op.results, new.results, strict=True))

    def _arm(self, block: Block) -> Block:
        """What accesses memory, and what that needs: a subscript that has become part of a
        relation is not computed, and might not be to be had here."""
        arm = Block()
        with self._values.inside(arm):
            for op in block.ops:
                if isinstance(op, scf.YieldOp):
                    passed = [self._values.value(value) for value in op.operands]
                    self._values.append(scf.YieldOp(*passed), op)
                elif isinstance(op, MemoryOp | scf.IfOp):
                    self._emit(op)
        return arm

    def _read(self, op: memref.LoadOp) -> None:
        if op in self._candidate.hoisted:
            return
        array = self._arrays[self._candidate.array_of(op)]
        index = self._run_time_index(op)
        may = bool(index) or is_conditional(op)
        read = ReadOp(array.value, self._relation(op, array), may=may, index=index)
        self._values.append(read, op)
        read.result.name_hint = op.res.name_hint
        self._values.done[op.res] = read.result

    def _write(self, op: memref.StoreOp) -> None:
        array = self._arrays[self._candidate.array_of(op)]
        value = self._values.value(op.value)
        index = self._run_time_index(op)
        relation = self._relation(op, array)
        may = bool(index) or is_conditional(op)
        write = WriteOp(value, array.value, relation, may=may, index=index)
        self._values.append(write, op)

    def _relation(self, op: MemoryOp, array: ScopArray) -> MapAttr:
        indices = self._candidate.subscripts[op].indices
        is_known = self._candidate.index_in_relation
        affine = [index if is_known(op, index) else None for index in indices]
        return MapAttr.of(self._statement.relation(array.name, affine, array.extents))

    def _run_time_index(self, op: MemoryOp) -> list[SSAValue]:
        """The index to compute, where the relation does not give one element."""
        if op in self._candidate.affine:
            return []
        positional = self._candidate.space.positional
        return [
            self._values.expressions.index(positional(index))
            for index in self._candidate.subscripts[op].indices
        ]
