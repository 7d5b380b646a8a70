"""Blocks under constructs, one construct within the other, as blocks that one thread runs.

Each load and store is noted with the construct that it stands in; what needs nothing is made at the
start of the function. Places are found again by stores of a mark, which nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, func, memref, omp
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    i32,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects import cmem
from polyopt.passes.openmp.races.code import Code
from polyopt.passes.openmp.races.constructs import Construct, SerialView
from polyopt.passes.openmp.stretches import end_in

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


class SerialWriter:
    """Reads blocks and writes them as one thread runs them; `handlers`: what to write for a
    construct, by (operation, code where it was, block behind it, construct around)."""

    def __init__(self, view: SerialView):
        self.view = view
        entry = view.function.body.blocks.first
        assert entry is not None
        self.entry = entry
        self.handlers: dict[type[Operation], Callable[..., None]] = {}
        self.zero, self.mark = self._mark()

    def read(self, blocks: Sequence[Block], construct: Construct | None) -> None:
        for block in blocks:
            self._read_block(block, construct)

    def _read_block(self, block: Block, construct: Construct | None) -> None:
        op = block.first_op
        while op is not None:
            following = op.next_op
            self.note(op, construct)
            handler = self.handlers.get(type(op))
            if handler is not None:
                assert following is not None
                after = block.split_before(following)
                op.detach()
                handler(op, Code(block, op.location), after, construct)
                op.erase(safe_erase=False)
                block, following = after, after.first_op
            op = following

    def note(self, op: Operation, construct: Construct | None) -> None:
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

    def enter(self, construct: Construct, code: Code) -> Construct:
        if construct.parent is None:
            self.view.roots.append(construct)
        construct.begin = self.put_mark(code)
        return construct

    def inline(self, region: Region, after: Block, construct: Construct | None) -> Block:
        """The region's blocks in front of `after`, where they go on."""
        entry = region.blocks.first
        assert entry is not None
        blocks = list(region.blocks)
        end_in(region.blocks, after)
        region.move_blocks_before(after)
        self.read(blocks, construct)
        return entry

    def run_region(
        self, region: Region, code: Code, after: Block, construct: Construct | None
    ) -> None:
        code.jump(self.inline(region, after, construct))

    # Marks

    def _mark(self) -> tuple[SSAValue, SSAValue]:
        """A place in memory, to be written wherever something is to be found again."""
        first = self.entry.first_op
        code = Code(self.entry, self.view.function.location, before=first)
        self.first = code.add(arith.ConstantOp(IntegerAttr.from_index_int_value(0)))
        return self.first.result, code.slot(MemRefType(i32, [1]), "mark")

    def put_mark(self, code: Code) -> memref.StoreOp:
        number = code.add(arith.ConstantOp(IntegerAttr(0, i32))).result
        return code.add(memref.StoreOp.get(number, self.mark, [self.zero]))

    def put_wait(self, code: Code, construct: Construct | None) -> None:
        if construct is not None:
            self.view.waits[self.put_mark(code)] = construct

    def wait(self, op: Operation, code: Code, after: Block, parent: Construct | None) -> None:
        self.put_wait(code, parent)
        code.jump(after)

    def wait_before(self, after: Block, code: Code, parent: Construct | None) -> None:
        self.put_wait(Code(after, code.location, before=after.first_op), parent)


def _orders_nothing(call: func.CallOp | cmem.CallVariadicOp) -> bool:
    name = call.callee.string_value()
    return name in _KNOWN or name.startswith(_ASKS)


def insert_before(after: Block, *blocks: Block) -> None:
    region = after.parent
    assert region is not None
    region.insert_block_before(list(blocks), after)
