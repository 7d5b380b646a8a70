"""Loops that threads, lanes or teams share: `omp.wsloop` or `omp.simd` around `omp.loop_nest`."""

from __future__ import annotations

from collections.abc import Container, Sequence

from xdsl.dialects import arith, omp
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, Region, SSAValue

from polyopt.dialects import ompx
from polyopt.frontend.emission.statements.emit_openmp import OpenMPEmitter
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.ir_types import integer_type
from polyopt.frontend.tree.openmp_tree import CountedLoop, DoacrossPost, DoacrossWait, WorkLoop
from polyopt.frontend.tree.typed_tree import Binary, Expr, IntConst, Symbol


class LoopEmitter:
    def __init__(self, openmp: OpenMPEmitter):
        self.openmp = openmp
        self.statements = openmp.statements
        self.emission = openmp.emission
        self.builder = openmp.builder
        self.data = openmp.data
        openmp.emitters |= {
            WorkLoop: self._work_loop,
            DoacrossPost: self._post,
            DoacrossWait: self._wait,
        }

    def _post(self, statement: DoacrossPost) -> None:
        numbers = [self.openmp.long(number) for number in statement.numbers]
        self.openmp.add(ompx.PostOp(numbers), statement)

    def _wait(self, statement: DoacrossWait) -> None:
        numbers = [self.openmp.long(number) for number in statement.numbers]
        self.openmp.add(ompx.AwaitOp(numbers), statement)

    def _work_loop(self, statement: WorkLoop) -> None:
        data = statement.data
        taken = self.data.take_values(data.firstprivate)
        outers = {symbol: self.data.outer(symbol) for symbol in data.lastprivate}
        chunk = [] if statement.chunk is None else [self.openmp.long(statement.chunk)]
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
                self.openmp.barrier(statement)
            follows = bool(outers) or bool(data.reductions)
            inner = nest = self._loop_nest(statement, bounds)
            if statement.simd:
                sums = [self.data.object_of(reduction.symbol) for reduction in data.reductions]
                private = self._made_for(nest, known, sums)
                inner = _simd_around(nest, private, sums, statement.safelen)
            loop = self._wsloop(statement, inner, chunk, nowait=follows or statement.nowait)
            self.openmp.add(loop, statement)
            if outers:
                self.openmp.last(statement, outers, statement.loops)
            self.data.combine(data.reductions)
        if follows and not statement.nowait:
            self.openmp.barrier(statement)

    def _wsloop(
        self, statement: WorkLoop, inner: Operation, chunk: Sequence[SSAValue], *, nowait: bool
    ) -> Operation:
        if statement.doacross:
            rounds = [self.openmp.long(number) for number in statement.doacross]
            inner = ompx.DoacrossOp(rounds, inner)
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
        if statement.distributed:
            op.attributes[ompx.DISTRIBUTED] = UnitAttr()
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
                self.openmp.set_counter(loop, argument)
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
                if symbol in own and ct.is_single(symbol.type):
                    self.data.assign(outer, symbol)  # what it is behind no iteration
            nest = self._loop_nest(statement, bounds)
            private = self._made_for(nest, known)
            self.openmp.add(_simd_around(nest, private, sums, statement.safelen), statement)
            for symbol in own:
                if symbol in outers:
                    self.data.assign(symbol, outers[symbol])
        for loop, (lower, upper, step) in zip(statement.loops, bounds, strict=True):
            self.openmp.set_counter(loop, self._behind(loop, lower, upper, step))

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
