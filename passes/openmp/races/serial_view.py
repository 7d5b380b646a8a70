"""A function as one thread alone would run it, with each access under the constructs around it.

Constructs become the blocks that they are around; a shared loop becomes the source's loop, a nest
of them one loop in the other. What they meant is kept beside: `under` has, for each load and store,
the innermost construct that it stands in. Where all threads wait for each other, and where they may
do so in ways that are not seen through (a flush, an atomic flag), stands a store to `waits`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, cf, func, memref, omp
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, ompx
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.locations import span_of
from polyopt.ir.effects import constant_integer
from polyopt.passes.openmp.races.code import Code
from polyopt.passes.openmp.races.constructs import Construct, SerialView
from polyopt.passes.openmp.races.variables import add_shadows, load_globals_once
from polyopt.passes.openmp.stretches import end_in, loop_nest_of

_ASKS = "omp_get_"
"""How functions begin that only ask the runtime something."""
_KNOWN = frozenset(
    (
        *("printf", "fprintf", "puts", "fputs", "putchar", "fflush", "exit", "abort", "assert"),
        *(
            "malloc",
            "calloc",
            "realloc",
            "free",
            "memset",
            "memcpy",
            "rand",
            "srand",
            "atoi",
            "atof",
        ),
        *("sqrt", "fabs", "exp", "log", "sin", "cos", "tan", "pow", "floor", "ceil", "abs"),
    )
)
"""Functions of the C library that no program orders its threads by."""


def serial_view(function: func.FuncOp, thread_local: frozenset[str]) -> SerialView:
    """Changes the function."""
    view = SerialView(function, thread_local)
    _Serial(view).run()
    return view


class _Serial:
    def __init__(self, view: SerialView):
        self.view = view
        self.function = view.function
        entry = self.function.body.blocks.first
        assert entry is not None
        self.entry = entry
        self.code = Code(entry, self.function.location)
        self.zero, self.mark = self._mark()
        self.handlers: dict[type[Operation], Callable[..., None]] = {
            omp.ParallelOp: self._parallel,
            omp.WsLoopOp: self._loop,
            omp.SimdOp: self._simd,
            omp.SingleOp: self._single,
            omp.MasterOp: self._master,
            omp.MaskedOp: self._unknown,
            ompx.LastOp: self._unknown,
            ompx.TeamsOp: self._teams,
            ompx.PostOp: self._wait,
            ompx.AwaitOp: self._wait,
            ompx.CriticalOp: self._lock,
            ompx.OrderedOp: self._lock,
            ompx.SectionsOp: self._sections,
            ompx.AtomicUpdateOp: self._atomic_update,
            ompx.AtomicReadOp: self._atomic_read,
            ompx.AtomicWriteOp: self._atomic_write,
            omp.BarrierOp: self._wait,
            omp.FlushOp: self._wait,
        }

    def run(self) -> None:
        self._read(list(self.function.body.blocks), None)
        for root in self.view.roots:
            load_globals_once(self.view, root)
        add_shadows(self.view, self.first)

    # Blocks

    def _read(self, blocks: Sequence[Block], construct: Construct | None) -> None:
        for block in blocks:
            self._read_block(block, construct)

    def _read_block(self, block: Block, construct: Construct | None) -> None:
        op = block.first_op
        while op is not None:
            following = op.next_op
            self._note(op, construct)
            handler = self.handlers.get(type(op))
            if handler is not None:
                assert following is not None
                after = block.split_before(following)
                op.detach()
                handler(op, Code(block, op.location), after, construct)
                op.erase(safe_erase=False)
                block, following = after, after.first_op
            op = following

    def _note(self, op: Operation, construct: Construct | None) -> None:
        match op:
            case memref.LoadOp() | memref.StoreOp():
                if construct is not None:
                    self.view.under[op] = construct
            case memref.AllocaOp():
                home = None if construct is None else construct.find("parallel")
                self.view.homes[op.memref] = home
                self._put_first(op)
            case cmem.AddressOfOp():
                self._put_first(op)
            case func.CallOp() | cmem.CallVariadicOp() if _orders_nothing(op):
                return
            case func.CallOp() | cmem.CallIndirectOp() | cmem.CallVariadicOp():
                for one in () if construct is None else construct.around():
                    one.has_calls = True
            case omp.TaskOp() | omp.TaskgroupOp() | omp.TaskwaitOp() | omp.TaskyieldOp():
                for one in () if construct is None else construct.around():
                    one.has_tasks = True
            case _:
                return

    def _put_first(self, op: Operation) -> None:
        """What needs nothing is made at the start of the function: it is the same for all of a
        static control part."""
        if not op.operands and op.parent is not self.entry:
            op.detach()
            self.entry.insert_op_before(op, self.first)

    def _enter(self, construct: Construct, code: Code) -> Construct:
        if construct.parent is None:
            self.view.roots.append(construct)
        construct.begin = self._put_mark(code)
        return construct

    def _inline(self, region: Region, after: Block, construct: Construct | None) -> Block:
        """The region's blocks in front of `after`, where they go on."""
        entry = region.blocks.first
        assert entry is not None
        blocks = list(region.blocks)
        end_in(region.blocks, after)
        region.move_blocks_before(after)
        self._read(blocks, construct)
        return entry

    def _run(self, region: Region, code: Code, after: Block, construct: Construct | None) -> None:
        code.jump(self._inline(region, after, construct))

    # Marks

    def _mark(self) -> tuple[SSAValue, SSAValue]:
        """A place in memory, to be written wherever something is to be found again."""
        first = self.entry.first_op
        code = Code(self.entry, self.function.location, before=first)
        self.first = code.add(arith.ConstantOp(IntegerAttr.from_index_int_value(0)))
        return self.first.result, code.slot(MemRefType(i32, [1]), "mark")

    def _put_mark(self, code: Code) -> memref.StoreOp:
        number = code.add(arith.ConstantOp(IntegerAttr(0, i32))).result
        return code.add(memref.StoreOp.get(number, self.mark, [self.zero]))

    def _put_wait(self, code: Code, construct: Construct | None) -> None:
        if construct is not None:
            self.view.waits[self._put_mark(code)] = construct

    def _wait(self, op: Operation, code: Code, after: Block, parent: Construct | None) -> None:
        self._put_wait(code, parent)
        code.jump(after)

    # Regions

    def _parallel(
        self, op: omp.ParallelOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        construct = Construct("parallel", parent, span_of(op))
        if op.num_threads is not None:
            one = code.add(arith.ConstantOp(IntegerAttr(1, i64))).result
            many = code.add(arith.CmpiOp(op.num_threads, one, "sgt"))
            code = self._where(many.result, code, after, construct)
        if op.if_expr is not None:
            code = self._where(op.if_expr, code, after, construct)
        self._enter(construct, code)
        end = Block()
        _insert(after, end)
        self._run(op.regions[0], code, end, construct)
        at_end = Code(end, code.location)
        construct.end = self._put_mark(at_end)
        at_end.jump(after)

    def _where(self, condition: SSAValue, code: Code, after: Block, construct: Construct) -> Code:
        """What follows runs where the condition holds."""
        inside = Block()
        _insert(after, inside)
        branch = cf.ConditionalBranchOp(condition, inside, (), after, ())
        construct.conditions.append(code.add(branch))
        return Code(inside, code.location)

    def _single(self, op: omp.SingleOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self._enter(Construct("single", parent, span_of(op)), code)
        self._run(op.regions[0], code, after, construct)
        if op.nowait is None:
            self._wait_before(after, code, parent)

    def _wait_before(self, after: Block, code: Code, parent: Construct | None) -> None:
        self._put_wait(Code(after, code.location, before=after.first_op), parent)

    def _master(self, op: omp.MasterOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self._enter(Construct("master", parent, span_of(op)), code)
        self._run(op.regions[0], code, after, construct)

    def _unknown(self, op: Operation, code: Code, after: Block, parent: Construct | None) -> None:
        self._run(op.regions[0], code, after, Construct("unknown", parent, span_of(op)))

    def _teams(self, op: ompx.TeamsOp, code: Code, after: Block, parent: Construct | None) -> None:
        """What one team does, by its first thread."""
        self._run(op.regions[0], code, after, parent)

    def _sections(
        self, op: ompx.SectionsOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        around = self._enter(Construct("sections", parent, span_of(op)), code)
        for section in op.sections:
            following = Block()
            _insert(after, following)
            construct = self._enter(Construct("section", around, span_of(op)), code)
            self._run(section, code, following, construct)
            code = Code(following, code.location)
        code.jump(after)
        if op.nowait is None:
            self._wait_before(after, code, parent)

    def _lock(
        self,
        op: ompx.CriticalOp | ompx.OrderedOp,
        code: Code,
        after: Block,
        parent: Construct | None,
    ) -> None:
        name = f"critical {op.sym.data}" if isinstance(op, ompx.CriticalOp) else "ordered"
        construct = Construct("lock", parent, span_of(op), lock=name)
        self._run(op.regions[0], code, after, construct)

    # Atomic

    def _atomic(self, op: Operation, parent: Construct | None) -> Construct:
        return Construct("lock", parent, span_of(op), lock="atomic")

    def _atomic_update(
        self, op: ompx.AtomicUpdateOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        construct = self._atomic(op, parent)
        old = code.add(memref.LoadOp.get(op.memref, list(op.indices)))
        block = op.region.block
        block.args[0].replace_all_uses_with(old.res)
        for inner in list(block.ops):
            inner.detach()
            if isinstance(inner, ompx.YieldOp):
                store = code.add(memref.StoreOp.get(inner.value, op.memref, list(op.indices)))
                op.after.replace_all_uses_with(inner.value)
                self.view.under[store] = construct
            else:
                code.block.add_op(inner)
                self._note(inner, parent)
        op.before.replace_all_uses_with(old.res)
        self.view.under[old] = construct
        code.jump(after)

    def _atomic_read(
        self, op: ompx.AtomicReadOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        load = code.add(memref.LoadOp.get(op.memref, list(op.indices)))
        op.result.replace_all_uses_with(load.res)
        self.view.under[load] = self._atomic(op, parent)
        self._wait(op, code, after, parent)

    def _atomic_write(
        self, op: ompx.AtomicWriteOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        self._put_wait(code, parent)
        store = code.add(memref.StoreOp.get(op.value, op.memref, list(op.indices)))
        self.view.under[store] = self._atomic(op, parent)
        code.jump(after)

    # Loops

    def _loop(self, op: omp.WsLoopOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self._enter(Construct("loop", parent, span_of(op)), code)
        construct.nowait = op.nowait is not None
        other = op.attributes.get(ompx.SCHEDULE)
        if isinstance(other, StringAttr):
            construct.schedule = other.data
        elif op.schedule_kind is not None:
            construct.schedule = str(op.schedule_kind.data)
        if op.schedule_chunk is not None:
            construct.chunk = constant_integer(op.schedule_chunk)
        lanes = op.body.block.first_op
        within = construct
        if isinstance(lanes, ompx.DoacrossOp):
            # Which iterations wait for which is not followed.
            within = Construct("unknown", construct, span_of(op))
        if isinstance(lanes, omp.SimdOp):
            within = self._lanes(lanes, Construct("simd", construct, span_of(op)))
            # Lanes are of one chunk: which iterations these are is known where they are neighbours.
            within.has_calls |= op.schedule_chunk is not None or construct.schedule != "static"
        self._nest(loop_nest_of(op), code, after, within)
        construct.headers = within.headers
        construct.own |= within.own
        if op.nowait is None:
            self._wait_before(after, code, parent)

    def _simd(self, op: omp.SimdOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self._enter(self._lanes(op, Construct("simd", parent, span_of(op))), code)
        self._nest(loop_nest_of(op), code, after, construct)

    def _lanes(self, op: omp.SimdOp, construct: Construct) -> Construct:
        """What the operation says of its lanes."""
        if op.safelen is not None:
            construct.safelen = op.safelen.value.data
        construct.own = {_object(value) for value in (*op.private_vars, *op.reduction_vars)}
        construct.has_calls = any(
            not isinstance(one.type, MemRefType) or memref_type(one).element_type == cmem.PTR
            for one in op.reduction_vars
        )
        return construct

    def _nest(self, op: omp.LoopNestOp, code: Code, after: Block, construct: Construct) -> None:
        """Each loop as `for (header: counter before its end; step) inside`."""
        block = op.body.block
        body = block.first_op
        assert isinstance(body, ompx.BodyOp)
        directions = op.attributes[ompx.DIRECTIONS]
        assert isa(directions, ArrayAttr[StringAttr])
        unsigned = op.attributes.get(ompx.UNSIGNED)
        signs = list(unsigned) if isa(unsigned, ArrayAttr[BoolAttr]) else [None] * len(directions)
        for value in _counters(body, list(block.args)):
            construct.own.add(value)
        exit = after
        loops = zip(
            block.args, op.lowerBound, op.upperBound, op.step, directions, signs, strict=True
        )
        for argument, lower, upper, step, word, sign in loops:
            is_unsigned = sign == BoolAttr.from_bool(True)
            header, inside, latch = Block(arg_types=[argument.type]), Block(), Block()
            _insert(after, header, inside, latch)
            value = header.args[0]
            value.name_hint = argument.name_hint
            argument.replace_all_uses_with(value)
            code.jump(header, lower)
            at_header = Code(header, code.location)
            predicate = ("u" if is_unsigned else "s") + ("gt" if word.data == "down" else "lt")
            goes_on = at_header.add(arith.CmpiOp(value, upper, predicate))
            at_header.add(cf.ConditionalBranchOp(goes_on.result, inside, (), exit, ()))
            at_latch = Code(latch, code.location)
            operation = arith.SubiOp if word.data == "down" else arith.AddiOp
            flags = IntegerOverflowAttr("none" if is_unsigned else (IntegerOverflowFlag.NSW,))
            at_latch.jump(header, at_latch.add(operation(value, step, overflow=flags)).result)
            construct.headers.append(header)
            code, exit = Code(inside, code.location), latch
        region = body.region
        blocks = list(region.blocks)
        end_in(region.blocks, exit, after)
        region.move_blocks_before(after)
        code.jump(blocks[0])
        self._read(blocks, construct)


def _orders_nothing(call: func.CallOp | cmem.CallVariadicOp) -> bool:
    name = call.callee.string_value()
    return name in _KNOWN or name.startswith(_ASKS)


def _object(value: SSAValue) -> SSAValue:
    """The variable, or the address, that a view is of."""
    while isinstance(value.owner, cmem.ViewOp):
        value = value.owner.operands[0]
    return value


def _counters(body: ompx.BodyOp, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """The variables that the body begins with setting to the nest's numbers."""
    entry = body.region.blocks.first
    assert entry is not None
    numbers = set(arguments)
    found: list[SSAValue] = []
    for op in entry.ops:
        if isinstance(op, memref.StoreOp):
            if op.value not in numbers:
                break
            found.append(_object(op.memref))
        elif any(operand in numbers for operand in op.operands) and len(op.results) == 1:
            if not isinstance(op, arith.TruncIOp | arith.ExtSIOp | arith.ExtUIOp):
                break
            numbers.add(op.results[0])
    return found


def _insert(after: Block, *blocks: Block) -> None:
    region = after.parent
    assert region is not None
    region.insert_block_before(list(blocks), after)
