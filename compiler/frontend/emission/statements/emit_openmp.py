"""The constructs of OpenMP as operations of `omp` and `ompx`, around regions of blocks.

A region that becomes a function (`emit_openmp_regions`) has constants, allocas and addresses of its
own. A variable that is private is one of the region's: its symbol stands for other storage
while the region is written. What a construct shares it takes by reference, as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import arith, omp
from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, Region, SSAValue

from polyopt.dialects import ompx
from polyopt.frontend.checking.openmp.openmp_counters import number_of
from polyopt.frontend.emission.ir_builder import INDEX
from polyopt.frontend.emission.statements.emit_openmp_data import DataEmitter, variable
from polyopt.frontend.emission.values.emit_arithmetic import convert
from polyopt.frontend.emission.values.emit_conditions import as_condition
from polyopt.frontend.emission.values.emit_elements import store_element
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.ir_types import memref_type, scalar_type
from polyopt.frontend.tree.openmp_tree import (
    Cancel,
    CountedLoop,
    Critical,
    Event,
    Masked,
    Ordered,
    Rename,
    Sections,
    Single,
    TaskGroup,
    ZeroFill,
)
from polyopt.frontend.tree.typed_statements import Statement
from polyopt.frontend.tree.typed_tree import Expr, Symbol

if TYPE_CHECKING:
    from polyopt.frontend.emission.statements.emit_statements import StatementEmitter


class OpenMPEmitter:
    def __init__(self, statements: StatementEmitter):
        self.statements = statements
        self.emission = statements.emission
        self.builder = statements.builder
        self.data = DataEmitter(statements)
        self.emitters: dict[type[Statement], Callable[..., None]] = {
            Sections: self._sections,
            Single: self._single,
            Masked: self._masked,
            Critical: self._critical,
            Ordered: self._ordered,
            TaskGroup: self._taskgroup,
            Event: self._event,
            Rename: self._rename,
            ZeroFill: self._zero_fill,
            Cancel: self._cancel,
        }

    def region(self, body: Statement) -> Region:
        """The statement's blocks, and an end."""
        with self.builder.nested() as region:
            self.inside(body)
            self.data.finish_region()
        return region

    def inside(self, body: Statement) -> None:
        """Nothing of the statement refers to loops or scopes around it."""
        statements = self.statements
        marks, statements.marks = statements.marks, []
        nesting, statements.nesting = statements.nesting, 0
        statements.statement(body)
        statements.marks, statements.nesting = marks, nesting

    def add(self, op: Operation, at: Statement) -> None:
        self.builder.at(at.span)
        self.builder.add(op)

    def barrier(self, at: Statement) -> None:
        self.add(omp.BarrierOp.build(), at)

    def condition(self, condition: Expr | None) -> list[SSAValue]:
        return [] if condition is None else [as_condition(self.emission, condition)]

    def long(self, value: Expr) -> SSAValue:
        return self.emission.expressions.value(value)

    def _cancel(self, statement: Cancel) -> None:
        """Where it is so, out of the region: what it has on the stack is given back."""
        if self.builder.block is None:
            return
        condition = self.condition(statement.condition)
        self.builder.at(statement.span)
        op = ompx.CancelOp(statement.construct, condition, is_point=statement.is_point)
        leaves, goes_on = IRBlock(), IRBlock()
        self.builder.branch(self.builder.add(op).result, leaves, goes_on)
        self.builder.enter(leaves)
        self.statements.leave_all()
        self.builder.add(ompx.LeaveOp())
        self.builder.block = None
        self.builder.enter(goes_on)

    def _taskgroup(self, statement: TaskGroup) -> None:
        region = self.region(statement.body)
        self.add(omp.TaskgroupOp.build(operands=[[], [], []], regions=[region]), statement)

    # Behind loops and sections

    def last(
        self, statement: Statement, outers: dict[Symbol, Symbol], loops: Sequence[CountedLoop]
    ) -> None:
        counters = {loop.symbol: loop for loop in loops}
        with self.builder.nested() as region:
            for symbol, outer in outers.items():
                loop = counters.get(symbol)
                if loop is not None:
                    self._advance(loop)
                self.data.assign(symbol, outer)
            self.data.finish_region()
        self.add(ompx.LastOp(region), statement)

    def _advance(self, loop: CountedLoop) -> None:
        """The counter as it is behind the last round."""
        number = self.emission.expressions.value(number_of(loop))
        step = self.emission.expressions.value(loop.step)
        operation = arith.SubiOp if loop.down else arith.AddiOp
        self.set_counter(loop, self.builder.add(operation(number, step)).result)

    def set_counter(self, loop: CountedLoop, value: SSAValue) -> None:
        self.builder.at(loop.symbol.span)
        element = self.emission.places.element(variable(loop.symbol))
        if loop.origin is not None:
            assert isinstance(loop.origin.type, ct.PointerType)
            origin = self.emission.expressions.value(loop.origin)
            count = self.builder.add(arith.IndexCastOp(value, INDEX)).result
            place = self.emission.places.step_by(origin, count, loop.origin.type.target)
            store_element(self.emission, place, element)
            return
        narrow = convert(self.builder, value, loop.type, loop.symbol.type)
        value.name_hint = loop.symbol.name
        store_element(self.emission, narrow, element)

    # sections, single, masked, critical, ordered

    def _sections(self, statement: Sections) -> None:
        data = statement.data
        taken = self.data.take_values(data.firstprivate)
        outers = {symbol: self.data.outer(symbol) for symbol in data.lastprivate}
        self.data.prepare_reductions(data.reductions)
        with self.data.own(self.data.own_symbols(data)):
            self.data.put_values(taken)
            self.data.begin_reductions(data.reductions)
            if any(symbol in outers for symbol in data.firstprivate):
                self.barrier(statement)
            follows = bool(outers) or bool(data.reductions)
            regions = [self.region(body) for body in statement.bodies]
            self.add(ompx.SectionsOp(regions, nowait=follows or statement.nowait), statement)
            if outers:
                self.last(statement, outers, ())
            self.data.combine(data.reductions)
        if follows and not statement.nowait:
            self.barrier(statement)

    def _single(self, statement: Single) -> None:
        data = statement.data
        taken = self.data.take_values(data.firstprivate)
        places = self.emission.places
        addresses = [places.address(variable(symbol)) for symbol in data.copyprivate]
        sizes = [ct.size_of(symbol.type) for symbol in data.copyprivate]
        with self.data.own(self.data.own_symbols(data)):
            self.data.put_values(taken)
            region = self.region(statement.body)
        op = omp.SingleOp.build(
            operands=[[], [], addresses, []],
            properties={
                "nowait": UnitAttr() if statement.nowait else None,
                "copyprivate_syms": ArrayAttr([SymbolRefAttr("memcpy") for _ in sizes])
                if sizes
                else None,
            },
            regions=[region],
        )
        if sizes:
            op.attributes[ompx.SIZES] = ArrayAttr([IntegerAttr(size, i64) for size in sizes])
        self.add(op, statement)

    def _masked(self, statement: Masked) -> None:
        thread = None if statement.thread is None else self.long(statement.thread)
        region = self.region(statement.body)
        op = (
            omp.MasterOp.build(regions=[region])
            if thread is None
            else omp.MaskedOp.build(operands=[[thread]], regions=[region])
        )
        self.add(op, statement)

    def _critical(self, statement: Critical) -> None:
        self.add(ompx.CriticalOp(statement.name, self.region(statement.body)), statement)

    def _ordered(self, statement: Ordered) -> None:
        self.add(ompx.OrderedOp(self.region(statement.body)), statement)

    def _event(self, statement: Event) -> None:
        match statement.kind:
            case "barrier":
                op: Operation = omp.BarrierOp.build()
            case "flush":
                op = omp.FlushOp.build(operands=[[]])
            case "taskwait":
                op = omp.TaskwaitOp.build(operands=[[]])
            case "taskyield":
                op = omp.TaskyieldOp.build()
        self.add(op, statement)

    # Names of places

    def _rename(self, statement: Rename) -> None:
        place = statement.place
        places = self.emission.places
        address = places.address(place)
        if ct.is_single(place.type):
            type = memref_type((), scalar_type(place.type))
            places.storage[statement.symbol] = self.builder.view(address, type, [])
        else:
            places.pointers[statement.symbol] = address

    def _zero_fill(self, statement: ZeroFill) -> None:
        places = self.emission.places
        address = places.address(statement.place)
        self.data.fill_with_zeros(address, statement.place.type)
