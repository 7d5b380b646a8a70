"""The constructs of OpenMP as operations of `omp` and `ompx`, around regions of blocks.

A region that becomes a function (of `parallel` and `task`) has constants, allocas and addresses of
its own. A variable that is private is one of the region's: its symbol stands for other storage
while the region is written. What a construct shares it takes by reference, as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import arith, omp
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, Region, SSAValue

from polyopt.dialects import cmem, ompx
from polyopt.frontend import c_types as ct
from polyopt.frontend.emit_arithmetic import convert
from polyopt.frontend.emit_openmp_data import DataEmitter, variable
from polyopt.frontend.ir_types import integer_type, memref_type, scalar_type
from polyopt.frontend.openmp_tree import (
    AtomicRead,
    AtomicUpdate,
    AtomicWrite,
    CountedLoop,
    Critical,
    Event,
    Masked,
    Ordered,
    Parallel,
    Rename,
    Sections,
    Single,
    Task,
    TaskGroup,
    WorkLoop,
    ZeroFill,
)
from polyopt.frontend.stored_elements import Element
from polyopt.frontend.typed_tree import Binary, Expr, IntConst, Load, Statement, Symbol

if TYPE_CHECKING:
    from polyopt.frontend.emit_statements import StatementEmitter

_READS, _WRITES = omp.DependKind.TASKDEPENDIN, omp.DependKind.TASKDEPENDINOUT


class OpenMPEmitter:
    def __init__(self, statements: StatementEmitter):
        self.statements = statements
        self.emission = statements.emission
        self.builder = statements.builder
        self.data = DataEmitter(statements)
        self.emitters: dict[type[Statement], Callable[..., None]] = {
            Parallel: self._parallel,
            WorkLoop: self._work_loop,
            Sections: self._sections,
            Single: self._single,
            Masked: self._masked,
            Critical: self._critical,
            Ordered: self._ordered,
            Task: self._task,
            TaskGroup: self._taskgroup,
            Event: self._event,
            AtomicRead: self._atomic_read,
            AtomicWrite: self._atomic_write,
            AtomicUpdate: self._atomic_update,
            Rename: self._rename,
            ZeroFill: self._zero_fill,
        }

    def _region(self, body: Statement) -> Region:
        """The statement's blocks, and an end."""
        with self.builder.nested() as region:
            self._inside(body)
            self.data.finish_region()
        return region

    def _inside(self, body: Statement) -> None:
        """Nothing of the statement refers to loops or scopes around it."""
        statements = self.statements
        marks, statements.marks = statements.marks, []
        nesting, statements.nesting = statements.nesting, 0
        statements.statement(body)
        statements.marks, statements.nesting = marks, nesting

    def _add(self, op: Operation, at: Statement) -> None:
        self.builder.at(at.span)
        self.builder.add(op)

    def _barrier(self, at: Statement) -> None:
        self._add(omp.BarrierOp.build(), at)

    # parallel, task

    def _parallel(self, statement: Parallel) -> None:
        data = statement.data
        condition = self._condition(statement.condition)
        threads = [] if statement.threads is None else [self._long(statement.threads)]
        taken = self.data.take_values(data.firstprivate)
        masters = [
            (symbol, self.emission.places.address(variable(symbol))) for symbol in data.copyin
        ]
        self.data.prepare_reductions(data.reductions)
        with self.builder.nested(is_function=True) as region:
            with self.data.own(self.data.own_symbols(data)):
                self.data.put_values(taken)
                self.data.begin_reductions(data.reductions)
                for symbol, master in masters:
                    target = self.emission.places.address(variable(symbol))
                    self.data.copy(master, target, symbol.type)
                if masters:
                    self._barrier(statement)
                self._inside(statement.body)
                self.builder.at(statement.span)
                self.data.combine(data.reductions)
                self.data.finish_region()
        op = omp.ParallelOp.build(operands=[[], [], condition, threads, [], []], regions=[region])
        self._add(op, statement)

    def _condition(self, condition: Expr | None) -> list[SSAValue]:
        return [] if condition is None else [self.emission.expressions.condition(condition)]

    def _long(self, value: Expr) -> SSAValue:
        return self.emission.expressions.value(value)

    def _task(self, statement: Task) -> None:
        data = statement.data
        condition = self._condition(statement.condition)
        final = self._condition(statement.final)
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
                self._inside(statement.body)
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
        self._add(op, statement)

    def _last_of_tasks(self, statement: Task, outers: dict[Symbol, Symbol]) -> None:
        if not outers or statement.last is None or self.builder.block is None:
            return
        last, end = IRBlock(), IRBlock()
        self.emission.expressions.branch(statement.last, last, end)
        self.builder.enter_if_reached(last)
        for symbol, outer in outers.items():
            self.data.assign(symbol, outer)
        self.builder.jump(end)
        self.builder.go_on_in(end)

    def _taskgroup(self, statement: TaskGroup) -> None:
        region = self._region(statement.body)
        self._add(omp.TaskgroupOp.build(operands=[[], [], []], regions=[region]), statement)

    # for, simd

    def _work_loop(self, statement: WorkLoop) -> None:
        data = statement.data
        taken = self.data.take_values(data.firstprivate)
        outers = {symbol: self.data.outer(symbol) for symbol in data.lastprivate}
        chunk = [] if statement.chunk is None else [self._long(statement.chunk)]
        bounds = [self._bounds(loop) for loop in statement.loops]
        if not statement.shared:
            self._simd(statement, bounds, outers)
            return
        self.data.prepare_reductions(data.reductions)
        known = set(self._storage().values())
        with self.data.own(self.data.own_symbols(data)):
            self.data.put_values(taken)
            self.data.begin_reductions(data.reductions)
            self.builder.at(statement.span)
            if any(symbol in outers for symbol in data.firstprivate):
                self._barrier(statement)
            follows = bool(outers) or bool(data.reductions)
            inner = nest = self._loop_nest(statement, bounds)
            if statement.simd:
                sums = [self.data.object_of(reduction.symbol) for reduction in data.reductions]
                private = self._made_for(nest, known, sums)
                inner = _simd_around(nest, private, sums, statement.safelen)
            loop = self._wsloop(statement, inner, chunk, nowait=follows or statement.nowait)
            self._add(loop, statement)
            if outers:
                self._last(statement, outers, statement.loops)
            self.data.combine(data.reductions)
        if follows and not statement.nowait:
            self._barrier(statement)

    def _wsloop(
        self, statement: WorkLoop, inner: Operation, chunk: Sequence[SSAValue], *, nowait: bool
    ) -> Operation:
        named = statement.schedule in ("static", "dynamic", "auto")
        kind = omp.ScheduleKindAttr(omp.ScheduleKind(statement.schedule)) if named else None
        op = omp.WsLoopOp.build(
            operands=[[], [], [], [], [], [], chunk],
            properties={
                "schedule_kind": kind,
                "nowait": UnitAttr() if nowait else None,
                "ordered": IntegerAttr(0, i64) if statement.ordered else None,
            },
            regions=[Region(IRBlock([inner]))],
        )
        if not named:
            op.attributes[ompx.SCHEDULE] = StringAttr(statement.schedule)
        inner.location = op.location = self.builder.location or op.location
        return op

    def _bounds(self, loop: CountedLoop) -> tuple[SSAValue, SSAValue, SSAValue]:
        """Start, end (which is not reached) and step."""
        value = self.emission.expressions.value
        upper: Expr = loop.upper
        if loop.inclusive:
            one = IntConst(loop.type, upper.span, 1)
            upper = Binary(loop.type, upper.span, "-" if loop.down else "+", upper, one)
        return value(loop.lower), value(upper), value(loop.step)

    def _loop_nest(
        self, statement: WorkLoop, bounds: Sequence[tuple[SSAValue, SSAValue, SSAValue]]
    ) -> Operation:
        loops = statement.loops
        block = IRBlock(arg_types=[integer_type(loop.type) for loop in loops])
        with self.builder.nested() as body:
            for loop, argument in zip(loops, block.args, strict=True):
                self._set_counter(loop, argument)
            self._loop_body(statement)
            self.data.finish_region()
        self.builder.at(statement.span)
        run, end = ompx.BodyOp(body), omp.YieldOp()
        block.add_ops([run, end])
        op = omp.LoopNestOp.build(
            operands=[list(values) for values in zip(*bounds, strict=True)],
            properties={
                "collapse_num_loops": IntegerAttr(len(loops), i64) if len(loops) > 1 else None
            },
            regions=[Region(block)],
        )
        words = [StringAttr("down" if loop.down else "up") for loop in loops]
        op.attributes[ompx.DIRECTIONS] = ArrayAttr(words)
        if any(not loop.type.signed for loop in loops):
            op.attributes[ompx.UNSIGNED] = ArrayAttr(
                [BoolAttr.from_bool(not loop.type.signed) for loop in loops]
            )
        location = self.builder.location
        if location is not None:
            for one in (op, run, end):
                one.location = location
        return op

    def _set_counter(self, loop: CountedLoop, value: SSAValue) -> None:
        self.builder.at(loop.symbol.span)
        narrow = convert(self.builder, value, loop.type, loop.symbol.type)
        value.name_hint = loop.symbol.name
        element = self.emission.places.element(variable(loop.symbol))
        self.emission.expressions.store(narrow, element)

    def _loop_body(self, statement: WorkLoop) -> None:
        """`continue` goes to the end of the body."""
        end = IRBlock()
        marks, self.statements.marks = self.statements.marks, []
        self.statements.loop_body(statement.body, IRBlock(), end)
        self.statements.marks = marks
        self.builder.at(statement.span)
        self.builder.go_on_in(end)

    def _simd(
        self,
        statement: WorkLoop,
        bounds: Sequence[tuple[SSAValue, SSAValue, SSAValue]],
        outers: dict[Symbol, Symbol],
    ) -> None:
        """One thread's loop. Sums go into their variable directly, counters are known behind. The
        operation names the variables that an iteration has for itself, those that are declared in
        it among them, and those that are sums."""
        data = statement.data
        counters = [loop.symbol for loop in statement.loops]
        own = [symbol for symbol in (*data.private, *data.lastprivate) if symbol not in counters]
        sums = [self.data.object_of(reduction.symbol) for reduction in data.reductions]
        with self.data.own(own):
            self.builder.at(statement.span)
            known = {s for symbol, s in self._storage().items() if symbol not in own}
            for symbol, outer in outers.items():
                if symbol in own and ct.is_scalar(symbol.type):
                    self.data.assign(outer, symbol)  # what it is behind no iteration
            nest = self._loop_nest(statement, bounds)
            private = self._made_for(nest, known)
            self._add(_simd_around(nest, private, sums, statement.safelen), statement)
            for symbol in own:
                if symbol in outers:
                    self.data.assign(symbol, outers[symbol])
        for loop, (lower, upper, step) in zip(statement.loops, bounds, strict=True):
            self._set_counter(loop, self._behind(loop, lower, upper, step))

    def _made_for(
        self, nest: Operation, known: Container[SSAValue], sums: Container[SSAValue] = ()
    ) -> list[SSAValue]:
        """The variables in front of the nest that were not known before, and are no sums."""
        return [
            storage
            for storage in self._storage().values()
            if storage not in known and storage not in sums and not nest.is_ancestor(storage.owner)
        ]

    def _storage(self) -> dict[Symbol, SSAValue]:
        return self.emission.places.storage

    def _behind(
        self, loop: CountedLoop, lower: SSAValue, upper: SSAValue, step: SSAValue
    ) -> SSAValue:
        """The counter behind its loop: the first number that is not before the end."""
        add = self.builder.add
        first, last = (upper, lower) if loop.down else (lower, upper)
        sign = "s" if loop.type.signed else "u"
        runs = add(arith.CmpiOp(first, last, f"{sign}lt")).result
        missing = add(arith.SubiOp(last, first)).result
        one = self.builder.constant(1, loop.type)
        more = add(arith.SubiOp(step, one)).result
        rounds = add(arith.DivUIOp(add(arith.AddiOp(missing, more)).result, step)).result
        way = add(arith.MuliOp(rounds, step)).result
        there = add((arith.SubiOp if loop.down else arith.AddiOp)(lower, way)).result
        return add(arith.SelectOp(runs, there, lower)).result

    def _last(
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
        self._add(ompx.LastOp(region), statement)

    def _advance(self, loop: CountedLoop) -> None:
        """The counter as it is behind the last round."""
        symbol = loop.symbol
        load = Load(ct.unqualified(symbol.type), symbol.span, variable(symbol))
        value = self.emission.expressions.value(load)
        wide = convert(self.builder, value, symbol.type, loop.type)
        step = self.emission.expressions.value(loop.step)
        operation = arith.SubiOp if loop.down else arith.AddiOp
        self._set_counter(loop, self.builder.add(operation(wide, step)).result)

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
                self._barrier(statement)
            follows = bool(outers) or bool(data.reductions)
            regions = [self._region(body) for body in statement.bodies]
            self._add(ompx.SectionsOp(regions, nowait=follows or statement.nowait), statement)
            if outers:
                self._last(statement, outers, ())
            self.data.combine(data.reductions)
        if follows and not statement.nowait:
            self._barrier(statement)

    def _single(self, statement: Single) -> None:
        data = statement.data
        taken = self.data.take_values(data.firstprivate)
        places = self.emission.places
        addresses = [places.address(variable(symbol)) for symbol in data.copyprivate]
        sizes = [ct.size_of(symbol.type) for symbol in data.copyprivate]
        with self.data.own(self.data.own_symbols(data)):
            self.data.put_values(taken)
            region = self._region(statement.body)
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
        self._add(op, statement)

    def _masked(self, statement: Masked) -> None:
        thread = None if statement.thread is None else self._long(statement.thread)
        region = self._region(statement.body)
        op = (
            omp.MasterOp.build(regions=[region])
            if thread is None
            else omp.MaskedOp.build(operands=[[thread]], regions=[region])
        )
        self._add(op, statement)

    def _critical(self, statement: Critical) -> None:
        self._add(ompx.CriticalOp(statement.name, self._region(statement.body)), statement)

    def _ordered(self, statement: Ordered) -> None:
        self._add(ompx.OrderedOp(self._region(statement.body)), statement)

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
        self._add(op, statement)

    # atomic

    def _place(self, place: Expr) -> Element:
        element = self.emission.places.element(place)
        assert isinstance(element, Element)  # no bit-field: the checker refuses those
        return element

    def _atomic_read(self, statement: AtomicRead) -> None:
        element = self._place(statement.place)
        self.builder.at(statement.span)
        op = self.builder.add(ompx.AtomicReadOp(element.memref, element.indices))
        self.emission.held[statement.value] = op.result
        self.emission.expressions.effect(statement.then)

    def _atomic_write(self, statement: AtomicWrite) -> None:
        value = self.emission.expressions.value(statement.value)
        element = self._place(statement.place)
        self._add(ompx.AtomicWriteOp(value, element.memref, element.indices), statement)

    def _atomic_update(self, statement: AtomicUpdate) -> None:
        update = statement.update
        expressions = self.emission.expressions
        if update.operand is not None:
            assert update.right is not None
            self.emission.held[update.right] = expressions.value(update.operand)
        for held, value in statement.given:
            self.emission.held[held] = expressions.value(value)
        element = self._place(update.place)
        with self.builder.nested() as region:
            assert self.builder.block is not None
            old = self.builder.block.insert_arg(cmem.element_type(element.memref), 0)
            self.emission.held[update.old] = old
            self.builder.add(ompx.YieldOp(expressions.value(update.value)))
        self.builder.at(statement.span)
        op = self.builder.add(ompx.AtomicUpdateOp(element.memref, element.indices, region))
        if statement.value is not None and statement.then is not None:
            captured = op.after if statement.captures_new else op.before
            self.emission.held[statement.value] = captured
            expressions.effect(statement.then)

    # Names of places

    def _rename(self, statement: Rename) -> None:
        place = statement.place
        places = self.emission.places
        address = places.address(place)
        if ct.is_scalar(place.type):
            type = memref_type((), scalar_type(place.type))
            places.storage[statement.symbol] = self.builder.view(address, type, [])
        else:
            places.pointers[statement.symbol] = address

    def _zero_fill(self, statement: ZeroFill) -> None:
        places = self.emission.places
        address = places.address(statement.place)
        self.data.fill_with_zeros(address, statement.place.type)


def _simd_around(
    nest: Operation,
    private: Sequence[SSAValue] = (),
    sums: Sequence[SSAValue] = (),
    safelen: int | None = None,
) -> Operation:
    block = IRBlock([nest], arg_types=[value.type for value in (*private, *sums)])
    return omp.SimdOp.build(
        operands=[[], [], [], [], [], private, sums],
        properties={"safelen": None if safelen is None else IntegerAttr(safelen, i64)},
        regions=[Region(block)],
    )
