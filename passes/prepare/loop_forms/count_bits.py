"""Loops through the bits of an integer are one operation that counts them."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, math, memref
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, UnitAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import constant_integer
from polyopt.ir.insertion import insert_before
from polyopt.passes.prepare.loop_forms.bit_changes import halving_of
from polyopt.passes.prepare.loop_forms.bit_loops import BitLoop, Sum, find_bit_loop
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class CountBitsPass(ModulePass):
    """A loop whose trip count is a count of bits, and of which nothing but sums is left, goes: what
    it leaves behind has a closed form in `math.ctpop`, `math.ctlz` and `math.cttz` of the integer
    that it begins with. So a loop around it is one of straight code.

    How often a loop runs that clears the lowest bit, or shifts, is told by `bit_changes.py`; a sum
    of the same step is the step times that, one of the lowest bits a count of the bits. Integers
    wrap around in both forms alike. (GCC finds the same trip counts,
    `number_of_iterations_bitcount`.)

    Requires: variables that steer are values (promote-scalars). Ensures: the block that was the
    header is still there, with nothing that leads back to it.

        ^head(%v: i32, %c: i32):                          ^head(%v: i32, %c: i32):
          %0 = arith.cmpi ne, %v, %zero : i32               %0 = math.ctpop %v : i32
          cf.cond_br %0, ^body, ^end(%c : i32)      ->      %1 = arith.addi %c, %0 : i32
        ^body:                                              cf.br ^end(%1 : i32)
          %1 = arith.addi %c, %one : i32
          %2 = arith.subi %v, %one : i32
          %3 = arith.andi %v, %2 : i32
          cf.br ^head(%3, %1 : i32, i32)
    """

    name = "count-bits"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and len(function.body.blocks) > 1:
                while _count_one(function):
                    function.attributes[WRITTEN_ANEW] = UnitAttr()


def _count_one(function: func.FuncOp) -> bool:
    for loop in ControlFlow(function.body).loops.all_loops():
        found = find_bit_loop(loop)
        if found is not None:
            span = span_of(found.exit.terminator)
            _Closing(found).run()
            remark("applied", CountBitsPass.name, "the loop is a count of bits", span)
            return True
    return False


@record(eq=False)
class _Bits:
    """How often the loop runs, and how many bits of what it begins with are set."""

    iterations: SSAValue
    ones: SSAValue | None


class _Closing:
    """Closed forms at the start of the header."""

    def __init__(self, found: BitLoop):
        self._found = found
        self._header = found.loop.header
        self._old = list(self._header.ops)
        first = self._header.first_op
        assert first is not None
        self._place = first
        self._new = set[Operation]()

    def run(self) -> None:
        found = self._found
        begun = self._begun()
        bits = self._count(begun)
        final = {found.v: self._last(begun, bits.iterations)}
        behind = {found.following: final[found.v]}
        for one in found.sums:
            value = self._closed(one, bits)
            behind[one.following] = value
            if isinstance(one.place, BlockArgument):
                final[one.place] = value
        self._use(behind if found.tests_behind else final)
        self._leave()

    def _begun(self) -> SSAValue:
        """What the bits are counted of."""
        v = self._found.v
        if self._found.change != "positive":
            return v
        return self._add(arith.MaxSIOp(v, self._number(0, v)))

    def _count(self, begun: SSAValue) -> _Bits:
        ones: SSAValue | None = None
        if self._found.change == "clear" or any(one.step is None for one in self._found.sums):
            ones = self._add(math.CtPopOp(begun))
        match self._found.change:
            case "clear":
                assert ones is not None
                iterations = ones
            case "trailing":
                iterations = self._add(math.CountTrailingZerosOp(begun))
            case "shift" | "positive":
                width = self._number(_width(begun), begun)
                zeros = self._add(math.CountLeadingZerosOp(begun))
                iterations = self._add(arith.SubiOp(width, zeros))
        if self._found.tests_behind:
            iterations = self._add(arith.MaxUIOp(iterations, self._number(1, iterations)))
        return _Bits(iterations, ones)

    def _last(self, begun: SSAValue, iterations: SSAValue) -> SSAValue:
        """What is left of v."""
        v = self._found.v
        match self._found.change:
            case "positive":
                return self._add(arith.MinSIOp(v, self._number(0, v)))
            case "trailing":
                shift = halving_of(self._found.following, v)
                kind = arith.ShRSIOp if shift is arith.ShRSIOp else arith.ShRUIOp
                return self._add(kind(v, iterations))
            case "clear" | "shift":
                return self._number(0, begun)

    def _closed(self, one: Sum, bits: _Bits) -> SSAValue:
        if isinstance(one.place, BlockArgument):
            start: SSAValue = one.place
        else:
            load, _ = one.place
            start = self._add(memref.LoadOp.get(load.memref, []))
            start.name_hint = load.res.name_hint
        times = bits.iterations if one.step is not None else bits.ones
        assert times is not None
        if one.kind is arith.XOrIOp:
            times = self._add(arith.AndIOp(times, self._number(1, times)))
        added = self._as(times, start)
        if one.step is not None and constant_integer(one.step) != 1:
            added = self._add(arith.MuliOp(added, self._as(self._here(one.step), start)))
        value = self._add(one.kind(start, added))
        if not isinstance(one.place, BlockArgument):
            _, store = one.place
            self._add_all(memref.StoreOp.get(value, store.memref, []))
        return value

    def _here(self, step: SSAValue) -> SSAValue:
        number = constant_integer(step)
        return step if number is None else self._number(number, step)

    def _as(self, value: SSAValue, like: SSAValue) -> SSAValue:
        """As a number of the other's type, or its lowest bits."""
        wanted = like.type
        assert isa(wanted, IntegerType)
        if _width(value) == wanted.width.data:
            return value
        if _width(value) < wanted.width.data:
            return self._add(arith.ExtUIOp(value, wanted))
        return self._add(arith.TruncIOp(value, wanted))

    def _use(self, final: dict[BlockArgument, SSAValue] | dict[SSAValue, SSAValue]) -> None:
        """In place of what the loop computed step by step."""
        for old, new in final.items():
            for use in list(old.uses):
                if use.operation not in self._new:
                    use.operation.operands[use.index] = new
            new.name_hint = new.name_hint or old.name_hint

    def _leave(self) -> None:
        found = self._found
        exit = found.exit
        leaving = cf.BranchOp(exit.target, *exit.values)
        insert_before(leaving, exit.terminator)
        for block in list(found.loop.blocks):
            if block is not self._header:
                _erase(block)
        gone = reversed(self._old) if found.tests_behind else [exit.terminator]
        for op in gone:
            self._header.erase_op(op, safe_erase=False)
        if not found.tests_behind:
            for op in reversed(self._old[:-1]):
                if not any(any(one.uses) for one in op.results):
                    self._header.erase_op(op)

    def _number(self, number: int, like: SSAValue) -> SSAValue:
        assert isa(like.type, IntegerType)
        return self._add(arith.ConstantOp(IntegerAttr(number, like.type)))

    def _add(self, op: Operation) -> SSAValue:
        self._add_all(op)
        return op.results[0]

    def _add_all(self, op: Operation) -> None:
        insert_before(op, self._place, self._found.exit.terminator)
        self._new.add(op)


def _width(value: SSAValue) -> int:
    assert isa(value.type, IntegerType)
    return value.type.width.data


def _erase(block: Block) -> None:
    region = block.parent
    assert region is not None
    for op in reversed(list(block.ops)):
        block.erase_op(op, safe_erase=False)
    region.erase_block(block)
