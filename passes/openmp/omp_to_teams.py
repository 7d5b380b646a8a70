"""OpenMP's constructs as functions that teams run, and branches and calls inside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, omp
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntElementsAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, ompx, team
from polyopt.passes.openmp.atomic import update_at_once
from polyopt.passes.openmp.early_ends import (
    ask_to_leave,
    barrier_to_leave_at,
    end_early,
    is_cancelled,
)
from polyopt.passes.openmp.outline import outline
from polyopt.passes.openmp.stretches import SharedNest, end_in, loop_nest_of, read_nest
from polyopt.passes.openmp.worksharing import (
    deal_out,
    keep_share,
    numbers_in_memory,
    serial,
    share_chunks,
    share_evenly,
)
from polyopt.passes.openmp.writer import INDEX, PTR, Names, Writer
from polyopt.support.record import record

_FINAL = 2
"""Of GNU's runtime. That a task may go on in another thread (`untied`) is never told it: GNU's
forgets it, LLVM's stops where such a task waits for others."""


@record
class OmpToTeamsPass(ModulePass):
    """Lower `omp` and `ompx` to `team`, branches, and calls of the runtime by GNU's names, which
    LLVM's runtime has too.

    A parallel region becomes a function of member, size and what it uses of the outside; a task's
    region one without the two. Loops that are shared become loops over a member's part: static
    schedules are computed from member and size, all others are dealt out by the runtime. What
    stands in regions that are not functions goes into the blocks around them.

    Requires: regions end in `omp.terminator`. Ensures: no operation of `omp` is left, and of
    `ompx` only accesses that are atomic, fences and tasks.

        omp.parallel {                       team.fork @f.omp.0(%A) threads(%n)
          omp.wsloop { … loop_nest … }  =>   func.func private @f.omp.0(%member, %size, %A) {
        }                                      … for (i = first; i < last; i++) …
    """

    name = "omp-to-teams"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = Names(op)
        for function in list(op.ops):
            if isinstance(function, func.FuncOp) and function.body.blocks:
                _Function(names, function, in_team=False).lower()


class _Function:
    """One function; those that its regions become are lowered with it."""

    def __init__(
        self, names: Names, function: func.FuncOp, *, in_team: bool, is_cancelled: bool = False
    ):
        self.names = names
        self.is_cancelled = is_cancelled
        self.function = function
        self.in_team = in_team
        self.handlers: dict[type[Operation], Callable[..., None]] = {
            omp.ParallelOp: self._parallel,
            omp.WsLoopOp: self._wsloop,
            omp.SimdOp: self._simd,
            omp.SingleOp: self._single,
            omp.MasterOp: self._masked,
            omp.MaskedOp: self._masked,
            omp.TaskOp: self._task,
            omp.TaskgroupOp: self._taskgroup,
            ompx.CriticalOp: self._critical,
            ompx.OrderedOp: self._ordered,
            ompx.SectionsOp: self._sections,
            ompx.AtomicUpdateOp: self._atomic_update,
            ompx.TeamsOp: self._teams,
            ompx.CancelOp: self._cancel,
            ompx.PostOp: self._post,
            ompx.AwaitOp: self._await,
        }
        self.simple: dict[type[Operation], Callable[[Writer], None]] = {
            omp.BarrierOp: self._barrier,
            omp.FlushOp: lambda writer: _add(writer, ompx.FenceOp()),
            omp.TaskwaitOp: lambda writer: _call(writer, "GOMP_taskwait"),
            omp.TaskyieldOp: lambda writer: _call(writer, "GOMP_taskyield"),
        }

    def lower(self) -> None:
        pending = list(self.function.body.blocks)
        while pending:
            block = pending.pop()
            op = self._first_construct(block)
            if op is None:
                continue
            following = op.next_op
            assert following is not None
            after = block.split_before(following)
            op.detach()
            blocks = set(self.function.body.blocks)
            writer = Writer(self.names, block, op.location)
            simple = self.simple.get(type(op))
            if simple is not None:
                simple(writer)
                writer.jump(after)
                _merge(writer.block, after)
                pending.append(writer.block)
                continue
            self.handlers[type(op)](op, writer, after)
            op.erase(safe_erase=False)
            added = [one for one in self.function.body.blocks if one not in blocks]
            pending += [after, *added]

    def _first_construct(self, block: Block) -> Operation | None:
        for op in block.ops:
            if type(op) in self.handlers or type(op) in self.simple:
                return op
        return None

    # Who runs this

    def _member(self, writer: Writer) -> SSAValue:
        if self.in_team:
            return self.function.body.blocks[0].args[0]
        return writer.number_of("omp_get_thread_num")

    def _size(self, writer: Writer) -> SSAValue:
        if self.in_team:
            return self.function.body.blocks[0].args[1]
        return writer.number_of("omp_get_num_threads")

    # parallel, task

    def _parallel(self, op: omp.ParallelOp, writer: Writer, after: Block) -> None:
        name = self.names.new(f"{self.function.sym_name.data}.omp")
        if op.num_threads is not None:
            threads = writer.add(arith.IndexCastOp(op.num_threads, INDEX)).result
        else:
            threads = writer.number_of("omp_get_max_threads")
        if op.if_expr is not None:
            threads = writer.select(op.if_expr, threads, writer.constant(1, INDEX))
        writer.block.add_op(op)
        leaves = is_cancelled(op.regions[0])
        end_early(op.regions[0], self.names)
        function, live = outline(self.function, op, name, for_team=True)
        op.detach()
        writer.add(team.ForkOp(name, live, threads))
        writer.jump(after)
        _Function(self.names, function, in_team=True, is_cancelled=leaves).lower()

    def _teams(self, op: ompx.TeamsOp, writer: Writer, after: Block) -> None:
        name = self.names.new(f"{self.function.sym_name.data}.teams")
        teams, limit = (
            writer.constant(0, i32) if value is None else writer.from_i64(value, i32)
            for value in (op.teams, op.limit)
        )
        writer.block.add_op(op)
        function, live = outline(self.function, op, name, for_team=False)
        op.detach()
        writer.add(ompx.LeagueOp(name, live, teams, limit))
        writer.jump(after)
        _Function(self.names, function, in_team=False).lower()

    def _cancel(self, op: ompx.CancelOp, writer: Writer, after: Block) -> None:
        ask_to_leave(op, writer)
        writer.jump(after)

    def _barrier(self, writer: Writer) -> None:
        if self.is_cancelled:
            barrier_to_leave_at(writer)
        else:
            writer.add(team.BarrierOp())

    def _end_of(self, writer: Writer, what: str, *, nowait: bool) -> None:
        """Of loops and sections that the runtime deals out."""
        if nowait or self.is_cancelled:
            writer.call(f"GOMP_{what}_end_nowait")
            if not nowait:
                self._barrier(writer)
        else:
            writer.call(f"GOMP_{what}_end")

    def _task(self, op: omp.TaskOp, writer: Writer, after: Block) -> None:
        name = self.names.new(f"{self.function.sym_name.data}.task")
        flags = writer.constant(0, i32)
        if op.final is not None:
            final = writer.select(op.final, writer.constant(_FINAL, i32), writer.constant(0, i32))
            flags = writer.add(arith.OrIOp(flags, final)).result
        writer.block.add_op(op)
        end_early(op.regions[0], self.names)
        function, live = outline(self.function, op, name, for_team=False)
        op.detach()
        writer.add(ompx.SpawnOp(name, live, op.if_expr, flags, *_places(op)))
        writer.jump(after)
        _Function(self.names, function, in_team=False).lower()

    # Loops

    def _wsloop(self, op: omp.WsLoopOp, writer: Writer, after: Block) -> None:
        nest = read_nest(writer, loop_nest_of(op))
        kind = _schedule(op)
        end = Block()
        _before(after, end)
        is_end = None
        if ompx.DISTRIBUTED in op.attributes:
            is_end = keep_share(writer, nest, *_teams_of(writer))
        doacross = _doacross(op)
        if kind in ("dynamic", "guided", "runtime") or op.ordered is not None or doacross:
            is_last = self._dealt(op, nest, kind, writer, end, doacross)
            at_end = writer.at(end)
            self._end_of(at_end, "loop", nowait=op.nowait is not None)
        else:
            is_dealt = kind == "distribute"
            member, size = (
                _teams_of(writer) if is_dealt else (self._member(writer), self._size(writer))
            )
            if op.schedule_chunk is None:
                is_last = share_evenly(writer, nest, member, size, end)
            else:
                is_last = share_chunks(writer, nest, op.schedule_chunk, member, size, end)
            at_end = writer.at(end)
            if op.nowait is None:
                self._barrier(at_end)
        if is_end is not None:
            is_last = at_end.add(arith.AndIOp(is_last, is_end)).result
        self._then_last(at_end, is_last, after)

    def _dealt(
        self,
        op: omp.WsLoopOp,
        nest: SharedNest,
        kind: str,
        writer: Writer,
        end: Block,
        doacross: Sequence[SSAValue],
    ) -> SSAValue:
        """By the runtime."""
        name = f"ordered_{kind}" if op.ordered is not None else kind
        chunk = op.schedule_chunk
        if kind != "runtime" and chunk is None:
            chunk = writer.constant(0 if kind == "static" else 1)
        return deal_out(writer, nest, name, chunk, end, doacross)

    def _post(self, op: ompx.PostOp, writer: Writer, after: Block) -> None:
        together = self._unless_alone(writer, after)
        together.call("GOMP_doacross_post", [numbers_in_memory(together, op.numbers)])
        together.jump(after)

    def _await(self, op: ompx.AwaitOp, writer: Writer, after: Block) -> None:
        together = self._unless_alone(writer, after)
        together.call_variadic("GOMP_doacross_wait", list(op.numbers))
        together.jump(after)

    def _unless_alone(self, writer: Writer, after: Block) -> Writer:
        """A block in front of `after`, for where there are other threads: one alone runs its
        iterations in order, and LLVM's runtime (19) has no counters for it: it crashes there."""
        alone = writer.compare("sle", self._size(writer), writer.constant(1, INDEX))
        together = Block()
        _before(after, together)
        writer.branch(alone, after, together)
        return writer.at(together)

    def _then_last(self, writer: Writer, is_last: SSAValue, after: Block) -> None:
        """What the thread with the last iteration does, if anything, then `after`."""
        last = after.first_op
        if not isinstance(last, ompx.LastOp):
            writer.jump(after)
            return
        last.detach()
        entry = _inline(last.region, after)
        writer.branch(is_last, entry, after)
        last.erase(safe_erase=False)

    def _simd(self, op: omp.SimdOp, writer: Writer, after: Block) -> None:
        serial(writer, read_nest(writer, loop_nest_of(op)), after)

    # sections, single, masked, critical, ordered, taskgroup

    def _sections(self, op: ompx.SectionsOp, writer: Writer, after: Block) -> None:
        count = len(op.sections)
        # Which section comes next (0: none), and which one this thread had before.
        header, again, end = Block(arg_types=[i32, i32]), Block(), Block()
        _before(after, header, again, end)
        first = writer.call("GOMP_sections_start", [writer.constant(count, i32)], [i32])[0]
        writer.jump(header, first, writer.constant(0, i32))
        number, before = header.args
        entries = [_inline(section, again, target=again, leave=end) for section in op.sections]
        values = DenseIntElementsAttr.from_list(VectorType(i32, [count]), list(range(1, count + 1)))
        at_header = writer.at(header)
        if count:
            at_header.add(cf.SwitchOp(number, end, [], values, entries, [[] for _ in entries]))
        else:
            at_header.jump(end)
        at_again = writer.at(again)
        at_again.jump(header, at_again.call("GOMP_sections_next", (), [i32])[0], number)
        at_end = writer.at(end)
        self._end_of(at_end, "sections", nowait=op.nowait is not None)
        is_last = at_end.compare("eq", before, at_end.constant(count, i32))
        self._then_last(at_end, is_last, after)

    def _single(self, op: omp.SingleOp, writer: Writer, after: Block) -> None:
        if op.copyprivate_vars:
            self._single_copied(op, writer, after)
            return
        end = Block()
        _before(after, end)
        entry = _inline(op.region, end)
        writer.branch(writer.truth_of("GOMP_single_start"), entry, end)
        at_end = writer.at(end)
        if op.nowait is None:
            self._barrier(at_end)
        at_end.jump(after)

    def _single_copied(self, op: omp.SingleOp, writer: Writer, after: Block) -> None:
        """One thread leaves the addresses of its variables, the others copy what is there."""
        sizes = op.attributes[ompx.SIZES]
        assert isa(sizes, ArrayAttr[IntegerAttr])
        count = len(op.copyprivate_vars)
        type = MemRefType(i64, [count])
        array = writer.add(
            memref.AllocaOp.build(
                operands=[[], []], result_types=[type], properties={"alignment": None}
            )
        ).memref
        source = writer.call("GOMP_single_copy_start", (), [PTR])[0]
        address = writer.add(cmem.PtrToIntOp(source)).result
        chosen = writer.compare("eq", address, writer.constant(0))
        given, copied, end = Block(), Block(), Block()
        _before(after, given, copied, end)
        entry = _inline(op.region, given)
        writer.branch(chosen, entry, copied)
        at_given = writer.at(given)
        for number, place in enumerate(op.copyprivate_vars):
            index = at_given.constant(number, INDEX)
            value = at_given.add(cmem.PtrToIntOp(place)).result
            at_given.add(memref.StoreOp.get(value, array, [index]))
        zero = at_given.constant(0, INDEX)
        start = at_given.add(cmem.AddressOp(array, [zero])).result
        at_given.call("GOMP_single_copy_end", [start])
        at_given.jump(end)
        at_copied = writer.at(copied)
        view = at_copied.add(cmem.ViewOp(source, [], type)).result
        for number, (place, size) in enumerate(zip(op.copyprivate_vars, sizes, strict=True)):
            index = at_copied.constant(number, INDEX)
            value = at_copied.add(memref.LoadOp.get(view, [index])).res
            theirs = at_copied.add(cmem.IntToPtrOp(value)).result
            at_copied.call("memcpy", [place, theirs, at_copied.constant(size.value.data)], [PTR])
        at_copied.jump(end)
        at_end = writer.at(end)
        self._barrier(at_end)
        at_end.jump(after)

    def _masked(self, op: omp.MasterOp | omp.MaskedOp, writer: Writer, after: Block) -> None:
        chosen = writer.constant(0, INDEX)
        if isinstance(op, omp.MaskedOp) and op.filtered_thread_id is not None:
            chosen = writer.add(arith.IndexCastOp(op.filtered_thread_id, INDEX)).result
        entry = _inline(op.region, after)
        writer.branch(writer.compare("eq", self._member(writer), chosen), entry, after)

    def _critical(self, op: ompx.CriticalOp, writer: Writer, after: Block) -> None:
        name = op.sym.data
        if name in (ompx.REDUCTION, ompx.ATOMIC):
            self._between(op.region, writer, after, "GOMP_atomic_start", "GOMP_atomic_end")
        elif name:
            lock = [writer.add(cmem.AddressOfOp(self.names.lock(name))).result]
            start, end = "GOMP_critical_name_start", "GOMP_critical_name_end"
            self._between(op.region, writer, after, start, end, lock)
        else:
            self._between(op.region, writer, after, "GOMP_critical_start", "GOMP_critical_end")

    def _ordered(self, op: ompx.OrderedOp, writer: Writer, after: Block) -> None:
        self._between(op.region, writer, after, "GOMP_ordered_start", "GOMP_ordered_end")

    def _taskgroup(self, op: omp.TaskgroupOp, writer: Writer, after: Block) -> None:
        start, end = "GOMP_taskgroup_start", "GOMP_taskgroup_end"
        self._between(op.regions[0], writer, after, start, end)

    def _between(
        self,
        region: Region,
        writer: Writer,
        after: Block,
        start: str,
        end: str,
        arguments: Sequence[SSAValue] = (),
    ) -> None:
        """The region between two calls."""
        behind = Block()
        _before(after, behind)
        entry = _inline(region, behind)
        writer.call(start, arguments)
        writer.jump(entry)
        writer.at(behind).call(end, arguments)
        writer.at(behind).jump(after)

    def _atomic_update(self, op: ompx.AtomicUpdateOp, writer: Writer, after: Block) -> None:
        update_at_once(op, writer, after)


def _places(op: omp.TaskOp) -> tuple[list[SSAValue], list[SSAValue]]:
    """Those that a task depends on, which it writes to and which it only reads."""
    writes, reads = list[SSAValue](), list[SSAValue]()
    kinds = () if op.depend_kinds is None else op.depend_kinds
    for place, kind in zip(op.depend_vars, kinds, strict=True):
        is_read = kind.data is omp.DependKind.TASKDEPENDIN
        (reads if is_read else writes).append(place)
    return writes, reads


def _schedule(op: omp.WsLoopOp) -> str:
    """ "auto" is ours to choose."""
    other = op.attributes.get(ompx.SCHEDULE)
    if isinstance(other, StringAttr):
        return other.data
    is_dynamic = op.schedule_kind is not None and op.schedule_kind.data is omp.ScheduleKind.DYNAMIC
    return "dynamic" if is_dynamic else "static"


def _add(writer: Writer, op: Operation) -> None:
    writer.add(op)


def _call(writer: Writer, name: str) -> None:
    writer.call(name)


def _doacross(op: omp.WsLoopOp) -> Sequence[SSAValue]:
    """The rounds of loops whose iterations wait for one another, if they do."""
    inner = op.body.block.first_op
    return list(inner.rounds) if isinstance(inner, ompx.DoacrossOp) else ()


def _teams_of(writer: Writer) -> tuple[SSAValue, SSAValue]:
    """Which team of its league this one is, and how many there are."""
    return writer.number_of("omp_get_team_num"), writer.number_of("omp_get_num_teams")


def _before(after: Block, *blocks: Block) -> None:
    region = after.parent
    assert region is not None
    region.insert_block_before(list(blocks), after)


def _inline(
    region: Region, before: Block, target: Block | None = None, leave: Block | None = None
) -> Block:
    """The region's blocks in front of `before`, where they go on (or in `target`; where they leave
    it early in `leave`)."""
    entry = region.blocks.first
    assert entry is not None
    end_in(region.blocks, target or before, leave)
    region.move_blocks_before(before)
    return entry


def _merge(block: Block, after: Block) -> None:
    """`after` is nobody else's: its operations go on where the block ends."""
    last = block.last_op
    assert last is not None
    block.erase_op(last)
    for op in list(after.ops):
        op.detach()
        block.add_op(op)
    region = after.parent
    assert region is not None
    region.detach_block(after)
    after.erase()
