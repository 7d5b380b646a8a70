"""Loops through the bits of an integer, or sums of parts, are one operation that counts them."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, func, math, memref
from xdsl.dialects.builtin import IntegerType, ModuleOp, UnitAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.equal_values import drop_unused
from polyopt.ir.effects import as_signed, bit_width, constant_integer, is_speculatable
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.loop_forms.bit_changes import halving_of
from polyopt.passes.prepare.loop_forms.bit_loops import BitLoop, Sum, find_bit_loop
from polyopt.passes.prepare.loop_forms.bit_places import PlaceLoop, find_place_loop
from polyopt.passes.prepare.loop_forms.closed_loops import ClosedLoop
from polyopt.passes.prepare.loop_forms.summed_bits import SummedBits, may_sum_bits
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
    `number_of_iterations_bitcount`.) A loop over the places of bits (`x >> b & 1`, `x & 1 << b`) is
    found by `bit_places.py`; a sum of ever wider parts of an integer, without a loop, by
    `summed_bits.py`.

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
        for function in functions_near_loops(op):
            if _count_sums(function):
                function.attributes[WRITTEN_ANEW] = UnitAttr()
            while len(function.body.blocks) > 1 and _count_one(function):
                function.attributes[WRITTEN_ANEW] = UnitAttr()


def _count_sums(function: func.FuncOp) -> bool:
    """Were there sums of ever wider parts?"""
    operations = list(function.walk())
    constants = [op.result for op in operations if isinstance(op, arith.ConstantOp)]
    if not may_sum_bits(one for one in map(constant_integer, constants) if one is not None):
        return False
    sums, count = SummedBits(), 0
    for op in operations:
        source = sums.counted_by(op)
        if source is None:
            continue
        (sum_,) = op.results
        new: list[Operation] = [math.CtPopOp(source)]
        assert isa(sum_.type, IntegerType)
        if sum_.type != source.type:
            new.append(arith.ExtUIOp(new[0].results[0], sum_.type))
        assert op.parent is not None
        op.parent.insert_ops_before(new, op)
        sum_.replace_all_uses_with(new[-1].results[0])
        remark("applied", CountBitsPass.name, "the sum is a count of bits", span_of(op))
        count += 1
    if count:
        drop_unused(reversed(operations), lambda op: bool(op.results) and is_speculatable(op))
    return count > 0


def _count_one(function: func.FuncOp) -> bool:
    for loop in ControlFlow(function.body).loops.all_loops():
        found = find_bit_loop(loop) or find_place_loop(loop)
        if found is not None:
            span = span_of(found.exit.terminator)
            _Counting(found).run() if isinstance(found, BitLoop) else _Masking(found).run()
            remark("applied", CountBitsPass.name, "the loop is a count of bits", span)
            return True
    return False


@record(eq=False)
class _Bits:
    """How often the loop runs, and how many bits of what it begins with are set."""

    iterations: SSAValue
    ones: SSAValue | None


class _Counting:
    """Closed forms of a loop that runs once for each bit."""

    def __init__(self, found: BitLoop):
        self._found = found
        self._to = ClosedLoop(found.loop, found.exit, tests_behind=found.tests_behind)

    def run(self) -> None:
        found = self._found
        begun = self._begun()
        bits = self._count(begun)
        final: dict[SSAValue, SSAValue] = {found.v: self._last(begun, bits.iterations)}
        behind = {found.following: final[found.v]}
        for one in found.sums:
            value = _closed(self._to, one, bits.iterations if one.step is not None else bits.ones)
            behind[one.following] = value
            if isinstance(one.place, BlockArgument):
                final[one.place] = value
        self._to.end(behind if found.tests_behind else final)

    def _begun(self) -> SSAValue:
        """What the bits are counted of."""
        v = self._found.v
        if self._found.change != "positive":
            return v
        return self._to.add(arith.MaxSIOp(v, self._to.number(0, v)))

    def _count(self, begun: SSAValue) -> _Bits:
        to, ones = self._to, None
        if self._found.change == "clear" or any(one.step is None for one in self._found.sums):
            ones = to.add(math.CtPopOp(begun))
        match self._found.change:
            case "clear":
                assert ones is not None
                iterations = ones
            case "trailing":
                iterations = to.add(math.CountTrailingZerosOp(begun))
            case "shift" | "positive":
                width = to.number(bit_width(begun), begun)
                zeros = to.add(math.CountLeadingZerosOp(begun))
                iterations = to.add(arith.SubiOp(width, zeros))
        if self._found.tests_behind:
            iterations = to.add(arith.MaxUIOp(iterations, to.number(1, iterations)))
        return _Bits(iterations, ones)

    def _last(self, begun: SSAValue, iterations: SSAValue) -> SSAValue:
        """What is left of v."""
        v = self._found.v
        match self._found.change:
            case "positive":
                return self._to.add(arith.MinSIOp(v, self._to.number(0, v)))
            case "trailing":
                shift = halving_of(self._found.following, v)
                kind = arith.ShRSIOp if shift is arith.ShRSIOp else arith.ShRUIOp
                return self._to.add(kind(v, iterations))
            case "clear" | "shift":
                return self._to.number(0, begun)


class _Masking:
    """Closed forms of a loop over places of bits: the bits that are set in them are counted."""

    def __init__(self, found: PlaceLoop):
        self._found = found
        self._to = ClosedLoop(found.loop, found.exit)
        self._here = dict[SSAValue, SSAValue]()

    def run(self) -> None:
        found = self._found
        final: dict[SSAValue, SSAValue] = {found.place: self._to.number(found.last, found.place)}
        for one in found.counts:
            value = _closed(self._to, one.sum, self._ones(self._as_here(one.source)))
            if isinstance(one.sum.place, BlockArgument):
                final[one.sum.place] = value
        self._to.end(final)

    def _ones(self, source: SSAValue) -> SSAValue:
        mask = self._found.mask
        if mask != 2 ** bit_width(source) - 1:
            number = as_signed(mask, bit_width(source))
            source = self._to.add(arith.AndIOp(source, self._to.number(number, source)))
        return self._to.add(math.CtPopOp(source))

    def _as_here(self, value: SSAValue) -> SSAValue:
        """The same in front of the loop, where each iteration computes it."""
        op = value.owner
        if isinstance(op, Block) or op.parent not in self._found.loop.blocks:
            return value
        if value not in self._here:
            copy = op.clone({one: self._as_here(one) for one in op.operands})
            self._to.add_all(copy)
            self._here |= zip(op.results, copy.results, strict=True)
        return self._here[value]


def _closed(to: ClosedLoop, one: Sum, times: SSAValue | None) -> SSAValue:
    """What the sum is behind the loop, when its step (or one) is added that many times."""
    assert times is not None
    if isinstance(one.place, BlockArgument):
        start: SSAValue = one.place
    else:
        load, _ = one.place
        start = to.add(memref.LoadOp.get(load.memref, []))
        start.name_hint = load.res.name_hint
    if one.kind is arith.XOrIOp:
        times = to.add(arith.AndIOp(times, to.number(1, times)))
    added = to.resized(times, start)
    if one.step is not None and constant_integer(one.step) != 1:
        number = constant_integer(one.step)
        step = one.step if number is None else to.number(number, one.step)
        added = to.add(arith.MuliOp(added, to.resized(step, start)))
    value = to.add(one.kind(start, added))
    if not isinstance(one.place, BlockArgument):
        _, store = one.place
        to.add_all(memref.StoreOp.get(value, store.memref, []))
    return value
