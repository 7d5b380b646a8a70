"""affine-stage-tables: what is looked up behind a pointer comes into a table of known size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.context import Context
from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import (
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    i8,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.dialects.pvec_accesses import is_table
from polyopt.ir.affine.affine_nest import AffineLoop, enclosing_loops
from polyopt.ir.affine.linear import Linear
from polyopt.ir.control.equal_values import drop_unused_values
from polyopt.passes.loops.affine_builder import INDEX, AffineBuilder
from polyopt.passes.loops.memory.row_lookups import runs_conditions
from polyopt.passes.loops.memory.table_lookups import TableLookup, find_table_lookups, reaches
from polyopt.passes.loops.plain_bounds import is_divided, with_plain_bounds
from polyopt.passes.loops.replacement import move_all
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES, Target

_FOUND = LoopFacts(carried="reduction", reduces=("least", "greatest"))
_COPIED = LoopFacts(carried="parallel")


@record
class AffineStageTablesPass(ModulePass):
    """Give the bytes that an innermost loop looks up, at places that bytes say, a table of at most
    256, which `affine-vectorize` looks up in registers.

    Requires: nothing; that nobody writes the table in the nest, nor what the places are found from
    before it is read, is proved (`table_lookups.py`).
    Ensures: the same values are loaded. Of the memory behind the pointer nothing is read but what
    lies between two bytes that the nest reads: the least place and the greatest one are found
    first. Where an object is known to be as long, it is looked up itself. A loop that cannot become
    vectors all the same stays as it is, and so do one whose table is longer than what the machine
    looks up in registers, and one of few iterations: of one of unknown length there are two.

        affine.for %i {                            %T = alloca : memref<256xi8>
          %k = affine.load %s[%i]                  least, most = extremes of %s[%i] over %i
          memref.load %t[%k] }               =>    affine.for %k = least to most + 1 {
                                                     T[%k] = t[%k] }
                                                   affine.for %i { … memref.load %T[%k] }
    """

    name = "affine-stage-tables"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        is_wide = target.vector_bits >= CORE.strided.wide_bits
        while _make_bounds_plain(op):
            pass
        for loop in dict.fromkeys(load.parent_op() for load in _bytes_in_loops(op)):
            assert isinstance(loop, affine.ForOp)
            lookups = find_table_lookups(loop)
            fit = all(one.bound <= target.table_bytes for one in lookups)
            if not (lookups and fit and _stage(loop, lookups, is_wide=is_wide)):
                drop_unused_values([loop])


def _bytes_in_loops(op: ModuleOp) -> list[memref.LoadOp]:
    loads = [load for load in operations_in(op, memref.LoadOp) if load.res.type == i8]
    return [load for load in loads if isinstance(load.parent_op(), affine.ForOp)]


def _make_bounds_plain(op: ModuleOp) -> bool:
    """Of one of the loops around what is looked up, the outermost ones first."""
    for load in _bytes_in_loops(op):
        for loop in enclosing_loops(load):
            if is_divided(loop.op):
                with_plain_bounds(loop.op)
                return True
    return False


def _stage(loop: affine.ForOp, lookups: Sequence[TableLookup], *, is_wide: bool) -> bool:
    """Whether vectors come of it; else everything is as before."""
    if not all(map(_are_many, lookups)):
        return False
    groups: dict[object, list[TableLookup]] = {}
    for lookup in lookups:
        if not is_table(lookup.op.memref.type):
            groups.setdefault(lookup.table, []).append(lookup)
    tables = [_Table.of(group) for group in groups.values()]
    copy = _looking_up(loop, lookups, tables)
    if find_vector_loop(copy, is_strided=True, may_leave_out=is_wide) is None:
        for op in reversed([*(op for table in tables for op in table.made), copy]):
            op.detach()
            op.erase()
        return False
    builder = AffineBuilder(Block(), loop)
    filled = [table for table in tables if not table.is_object]
    enough = [form for table in filled for form in _enough(table.lookups[0], loop)]
    if enough:
        branch = builder.branch(enough)
        with branch.then():
            for table in filled:
                table.fill(builder)
            copy.detach()
            builder.block.add_op(copy)
        with branch.orelse():
            builder.insert(loop.clone())
        branch.close()
        _put(builder, loop)
    else:
        for table in filled:
            table.fill_if_it_runs()
    loop.detach()
    loop.erase()
    return True


def _enough(lookup: TableLookup, loop: affine.ForOp) -> list[Linear]:
    """What is at least zero where a loop alone has iterations enough, if that is not known."""
    here = AffineLoop(loop)
    if lookup.iterations is not None or lookup.loops[0].op is not loop:
        return []
    pairs = product(here.uppers or (), here.lowers or ())
    return [upper - lower - CORE.strided.least_staged for upper, lower in pairs]


def _looking_up(
    loop: affine.ForOp, lookups: Sequence[TableLookup], tables: Sequence[_Table]
) -> affine.ForOp:
    """The loop, in front of it, with loads from the tables."""
    near = {lookup: table.value for table in tables for lookup in table.lookups}
    copies: dict[SSAValue, SSAValue] = {}
    copy = loop.clone(copies)
    assert loop.parent is not None
    loop.parent.insert_op_before(copy, loop)
    for lookup in lookups:
        old, byte = copies[lookup.op.res].owner, copies.get(lookup.byte, lookup.byte)
        assert isinstance(old, memref.LoadOp)
        assert old.parent is not None
        wide = arith.ExtUIOp(byte, i64)
        place = arith.IndexCastOp(wide.result, INDEX)
        new = memref.LoadOp.get(near.get(lookup, lookup.op.memref), [place.result])
        new.attributes.update(old.attributes)
        for op in (wide, place, new):
            op.location = old.location
            old.parent.insert_op_before(op, old)
        new.res.name_hint = old.res.name_hint
        old.res.replace_all_uses_with(new.res)
        copies[lookup.op.res] = new.res
        old.detach()
        old.erase()
    drop_unused_values([copy])
    return copy


def _are_many(lookup: TableLookup) -> bool:
    count = lookup.iterations if lookup.loops else None
    return count is None or count >= CORE.strided.least_staged


@record
class _Table:
    """What is looked up from one begin on; `made`, in front of the nest, ends with it."""

    lookups: Sequence[TableLookup]
    made: tuple[Operation, ...]
    is_object: bool
    """It is the object itself; else it has to be filled."""

    @staticmethod
    def of(lookups: Sequence[TableLookup]) -> _Table:
        first = lookups[0]
        bound = max(one.bound for one in lookups)
        builder = AffineBuilder(Block(), first.op)
        is_object = reaches(first, bound)
        if is_object:
            place = [builder.value(form) for form in first.begin]
            address = builder.insert(cmem.AddressOp(first.op.memref, place)).result
            type_: MemRefType[IntegerType] = MemRefType(i8, [bound])
            table = builder.insert(cmem.ViewOp(address, [], type_)).result
        else:
            table = builder.insert(memref.AllocaOp.get(i8, LINE_BYTES, [bound])).memref
        table.name_hint = first.op.memref.name_hint
        made = tuple(builder.block.ops)
        _put(builder, first.loops[0].op)
        return _Table(lookups, made, is_object)

    @property
    def value(self) -> SSAValue:
        return self.made[-1].results[0]

    def fill_if_it_runs(self) -> None:
        """In front of the nest."""
        first = self.lookups[0]
        builder = AffineBuilder(Block(), first.op)
        conditions = runs_conditions(first.loops)
        assert conditions is not None
        if conditions:
            branch = builder.branch(conditions)
            with branch.then():
                self.fill(builder)
            branch.close()
        else:
            self.fill(builder)
        behind = self.made[-1].next_op
        assert behind is not None
        _put(builder, behind)

    def fill(self, builder: AffineBuilder) -> None:
        """With what lies between the least and the greatest place that the nest reads."""
        first = self.lookups[0]
        extremes = [
            _Extreme(builder.insert(memref.AllocaOp.get(i8, shape=[])).memref, *kind)
            for kind in ((arith.MinUIOp, -1), (arith.MaxUIOp, 0))
        ]
        for one in extremes:
            start = arith.ConstantOp(IntegerAttr(one.neutral, i8))
            builder.store(builder.insert(start).result, one.variable, [])
        self._search(builder, extremes, 0, {})
        least, greatest = (_number(builder, builder.load(one.variable, [])) for one in extremes)
        *leading, begin = first.begin
        with builder.loop([least], [greatest + 1], name="k", facts=_COPIED) as loop:
            byte = builder.load(first.op.memref, [*leading, begin + loop.index])
            builder.store(byte, self.value, [loop.index])

    def _search(
        self,
        builder: AffineBuilder,
        extremes: Sequence[_Extreme],
        depth: int,
        here: dict[SSAValue, SSAValue],
    ) -> None:
        """The nest from a depth on, with what the numbers need and no more."""
        loop = self.lookups[0].loops[depth]
        forms = {value: Linear.of(new) for value, new in here.items()}
        lowers, uppers = (
            [form.substitute(forms) for form in bounds or ()]
            for bounds in (loop.lowers, loop.uppers)
        )
        needed = frozenset[Operation]().union(*(one.computed for one in self.lookups))
        with builder.loop(
            lowers, uppers, step=loop.step, name=loop.iv.name_hint, facts=_FOUND
        ) as opened:
            here[loop.iv] = opened.iv
            for op in loop.block.ops:
                if op in needed:
                    copy = builder.insert(op.clone(here))
                    here.update(zip(op.results, copy.results, strict=True))
            if depth + 1 < len(self.lookups[0].loops):
                self._search(builder, extremes, depth + 1, here)
                return
            bytes_ = [here.get(lookup.byte, lookup.byte) for lookup in self.lookups]
            for one in extremes:
                one.take(builder, bytes_)


@record
class _Extreme:
    """The least or the greatest of all bytes that were taken, without a sign."""

    variable: SSAValue
    operation: type[arith.MinUIOp] | type[arith.MaxUIOp]
    neutral: int

    def take(self, builder: AffineBuilder, bytes_: Sequence[SSAValue]) -> None:
        first, *rest = dict.fromkeys(bytes_)
        for byte in rest:
            first = builder.insert(self.operation(first, byte)).result
        before = builder.load(self.variable, [])
        builder.store(builder.insert(self.operation(before, first)).result, self.variable, [])


def _number(builder: AffineBuilder, byte: SSAValue) -> Linear:
    wide = builder.insert(arith.ExtUIOp(byte, i64)).result
    return Linear.of(builder.insert(arith.IndexCastOp(wide, INDEX)).result)


def _put(builder: AffineBuilder, before: Operation) -> None:
    assert before.parent is not None
    move_all(builder.block, before.parent, before)
