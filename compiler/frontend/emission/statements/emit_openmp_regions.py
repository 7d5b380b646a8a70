"""`parallel`, `teams` and `task`: statements that become functions, whoever runs them.

What they take along is read in front of the region and written to the region's own variables at its
start; what they add up or keep is given to the outside at its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, omp
from xdsl.dialects.builtin import (
    ArrayAttr,
    UnitAttr,
)
from xdsl.ir import Block as IRBlock
from xdsl.ir import SSAValue

from polyopt.dialects import cmem, ompx
from polyopt.frontend.emission.statements.emit_openmp import OpenMPEmitter
from polyopt.frontend.emission.statements.emit_openmp_data import variable
from polyopt.frontend.emission.values.emit_conditions import branch
from polyopt.frontend.tree.openmp_tree import (
    Parallel,
    Task,
    Teams,
)
from polyopt.frontend.tree.typed_tree import Symbol

_READS, _WRITES = omp.DependKind.TASKDEPENDIN, omp.DependKind.TASKDEPENDINOUT


class RegionEmitter:
    def __init__(self, openmp: OpenMPEmitter):
        self.openmp = openmp
        self.emission = openmp.emission
        self.builder = openmp.builder
        self.data = openmp.data
        openmp.emitters |= {
            Parallel: self._parallel,
            Task: self._task,
            Teams: self._teams,
        }

    def _parallel(self, statement: Parallel) -> None:
        data = statement.data
        condition = self.openmp.condition(statement.condition)
        threads = [] if statement.threads is None else [self.openmp.long(statement.threads)]
        taken = self.data.take_values(data.firstprivate)
        masters = [
            (symbol, self.emission.places.address(variable(symbol))) for symbol in data.copyin
        ]
        self.data.prepare_reductions(data.reductions)
        with self.builder.nested(is_function=True) as region:
            with self.data.own(self.data.own_symbols(data)):
                self.data.put_values(taken)
                self.data.begin_reductions(data.reductions)
                if masters:
                    self._copy_in(masters)
                    self.openmp.barrier(statement)
                self.openmp.inside(statement.body)
                self.builder.at(statement.span)
                self.data.combine(data.reductions)
                self.data.finish_region()
        op = omp.ParallelOp.build(operands=[[], [], condition, threads, [], []], regions=[region])
        self.openmp.add(op, statement)

    def _copy_in(self, masters: Sequence[tuple[Symbol, SSAValue]]) -> None:
        """Each thread takes what the master has; the master, whose variables these are, writes
        nothing that others are reading."""
        targets = [self.emission.places.address(variable(symbol)) for symbol, _ in masters]
        own, theirs = (
            self.builder.add(cmem.PtrToIntOp(one)) for one in (targets[0], masters[0][1])
        )
        differs = self.builder.add(arith.CmpiOp(own, theirs, "ne")).result
        others, end = IRBlock(), IRBlock()
        self.builder.branch(differs, others, end)
        self.builder.enter(others)
        for (symbol, master), target in zip(masters, targets, strict=True):
            self.data.copy(master, target, symbol.type)
        self.builder.jump(end)
        self.builder.enter(end)

    def _task(self, statement: Task) -> None:
        data = statement.data
        condition = self.openmp.condition(statement.condition)
        final = self.openmp.condition(statement.final)
        taken = self.data.take_values(data.firstprivate, for_task=True)
        outers = {symbol: self.data.outer(symbol) for symbol in data.lastprivate}
        self.data.prepare_reductions(data.reductions)
        sections = self.data.take_values(self.data.section_symbols(data.reductions), for_task=True)
        places = [self.emission.places.address(depend.place) for depend in statement.depends]
        own = [symbol for one in (taken, sections) for symbol, _ in one.values]
        own += [*data.private, *outers, *(one.symbol for one in data.reductions)]
        with self.builder.nested(is_function=True) as region:
            with self.data.own(list(dict.fromkeys(own))):
                self.data.put_values(taken)
                self.data.put_values(sections)
                self.data.begin_reductions(data.reductions)
                self.openmp.inside(statement.body)
                self.builder.at(statement.span)
                self._last_of_tasks(statement, outers)
                self.data.combine(data.reductions)
                self.data.finish_region()
        kinds = [
            omp.DependKindAttr(_WRITES if depend.writes else _READS) for depend in statement.depends
        ]
        op = omp.TaskOp.build(
            operands=[[], [], places, final, condition, [], [], [], []],
            properties={
                "untied": UnitAttr() if statement.untied else None,
                "depend_kinds": ArrayAttr(kinds) if kinds else None,
            },
            regions=[region],
        )
        self.openmp.add(op, statement)

    def _last_of_tasks(self, statement: Task, outers: dict[Symbol, Symbol]) -> None:
        if not outers or statement.last is None or self.builder.block is None:
            return
        last, end = IRBlock(), IRBlock()
        branch(self.emission, statement.last, last, end)
        self.builder.enter_if_reached(last)
        for symbol, outer in outers.items():
            self.data.assign(symbol, outer)
        self.builder.jump(end)
        self.builder.go_on_in(end)

    def _teams(self, statement: Teams) -> None:
        data = statement.data
        count, limit = (
            [] if number is None else [self.openmp.long(number)]
            for number in (statement.teams, statement.limit)
        )
        taken = self.data.take_values(data.firstprivate)
        self.data.prepare_reductions(data.reductions)
        with self.builder.nested(is_function=True) as region:
            with self.data.own(self.data.own_symbols(data)):
                self.data.put_values(taken)
                self.data.begin_reductions(data.reductions)
                self.openmp.inside(statement.body)
                self.builder.at(statement.span)
                self.data.combine(data.reductions)
                self.data.finish_region()
        self.openmp.add(ompx.TeamsOp(region, count, limit), statement)
