"""Searches for the best element look at many elements before they do anything."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import ModuleOp, UnitAttr, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import SELDOM
from polyopt.dialects.locations import span_of_location
from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width, is_pure
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.loop_forms.free_sums import FreeSum
from polyopt.passes.prepare.loop_forms.searches import Search, find_search
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class ScanRecordsPass(ModulePass):
    """A loop that changes variables only where one of elements side by side beats the best one so
    far first asks, for `block` iterations at once, whether any does: a loop without branches, of
    which LLVM makes vectors. Where none does nothing changes, and it goes on with the next block;
    else these iterations run as they were written.

    That is exact for whatever the comparison is, NaNs and signed zeros included: as long as no
    variable has changed, each iteration compares with the values at the start of the block. Of n
    elements in no order about ln(n) are records, of n/block blocks ln(n/block) hold one.

    Loops in others are taken where these call what may do anything; else the polyhedral middle has
    iterations of the loops around as lanes.

    Requires: branches as the source has them (before if-convert); equal values are shared
    (clean-values). Ensures: branches that find records are marked `cmem.seldom`.

        while (i < n) {                            while (n - i >= block) {
          if (a[i] > m) {                            bool any = false;
            m = a[i];                                for (j = i; j != i + block; j++)
            at = i;                        ->          any |= a[j] > m;
          }                                          if (!any) { i += block; continue; }
          i++;                                       … the loop as it was, for one block
        }                                          }
                                                   … and for the rest
    """

    name = "scan-records"

    block: int = 128

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            while _scan_one(function, self.block):
                function.attributes[WRITTEN_ANEW] = UnitAttr()


def _scan_one(function: func.FuncOp, block: int) -> bool:
    """Of a loop that has been taken the branches are marked, and it is not taken again."""
    flow = ControlFlow(function.body)
    for loop in flow.loops.all_loops():
        if not _is_out_of_reach(loop):
            continue
        search = find_search(flow, loop, shortest=4 * block)
        if search is not None and not any(SELDOM in o.branch.attributes for o in search.records):
            _Scan(search, block).write()
            return True
    return False


def _is_out_of_reach(loop: NaturalLoop) -> bool:
    """Of the polyhedral middle, which rather takes the iterations of a loop around it as lanes: in
    none, or in loops each of which calls what may do anything."""
    around = loop.parent
    while around is not None:
        rest = (block for block in around.blocks if block not in loop)
        if not any(isinstance(op, func.CallOp) and not is_pure(op) for b in rest for op in b.ops):
            return False
        around = around.parent
    return True


class _Scan:
    """The blocks in front of the loop, between which and the loop control goes on."""

    def __init__(self, search: Search, size: int):
        self.search = search
        self.size = size
        header = search.header
        assert header.last_op is not None
        self.location = header.last_op.location
        types = [argument.type for argument in header.args]
        self.start = self._block("start", types)
        sums = [one.first.type for one in search.sums]
        self.scan = self._block("scan", [search.counter.type, i1, *sums])
        self.scanned = self._block("scanned", [i1, *sums])
        for old, new in zip(header.args, self.start.args, strict=True):
            new.name_hint = old.name_hint
        self.scan.args[0].name_hint = search.counter.name_hint
        for one, old in zip(search.sums, self.scan.args[2:], strict=True):
            old.name_hint = one.first.name_hint

    def write(self) -> None:
        search = self.search
        for edge in search.loop.entries():
            edge.redirect(self.start, edge.values)
        limit = self._write_start()
        self._write_scan(limit)
        self._write_scanned(limit)
        self._write_latch(limit)
        for found in search.records:
            # A minimum is an instruction: where each element is one it is worth more than a branch.
            if not found.is_extremum_only:
                found.branch.attributes[SELDOM] = UnitAttr()
        message = f"{self.size} iterations at once are asked whether one of them changes anything"
        remark("applied", ScanRecordsPass.name, message, span_of_location(self.location))

    def _block(self, name: str, types: list[Attribute]) -> Block:
        block = Block(arg_types=types)
        body = self.search.header.parent
        assert body is not None
        body.insert_block_before(block, self.search.header)
        return block

    def _end(self, block: Block, op: Operation) -> None:
        op.location = self.location
        block.add_op(op)

    def _put(self, block: Block, op: Operation) -> SSAValue:
        self._end(block, op)
        return op.results[0]

    def _constant(self, block: Block, value: int, width: int) -> SSAValue:
        return self._put(block, arith.ConstantOp.from_int_and_width(value, width))

    def _cloned(
        self, ops: list[Operation], block: Block, counter: SSAValue, sums: Sequence[SSAValue] = ()
    ) -> dict[SSAValue, SSAValue]:
        """Copies of the operations, with the header's arguments as they are at the start but for
        the counter and these sums."""
        values: dict[SSAValue, SSAValue] = dict(
            zip(self.search.header.args, self.start.args, strict=True)
        )
        values[self.search.counter] = counter
        values |= dict(zip((one.first for one in self.search.sums), sums, strict=False))
        for op in ops:
            for operand in op.operands:
                first = self.search.kept.get(operand)
                if first is not None:
                    values[operand] = values.get(first, first)
            copy = op.clone(values)
            copy.location = op.location
            block.add_op(copy)
        return values

    def _write_start(self) -> SSAValue:
        """Whether a whole block of iterations is left; where it ends."""
        search, block = self.search, self.start
        counter = block.args[search.counter.index]
        values = self._cloned(search.in_header(), block, counter)
        bound = values.get(search.bound, search.bound)
        left = self._put(block, arith.SubiOp(bound, counter))
        size = self._constant(block, self.size, bit_width(counter))
        enough = self._put(block, arith.CmpiOp(left, size, "uge"))
        goes_on = values[search.condition]
        whole = self._put(block, arith.AndIOp(goes_on, enough))
        limit = self._put(block, arith.AddiOp(counter, size))
        none = self._constant(block, 0, 1)
        sums = [self._at_start(one) for one in search.sums]
        self._end(
            block,
            cf.ConditionalBranchOp(
                whole, self.scan, [counter, none, *sums], search.header, list(block.args)
            ),
        )
        return limit

    def _write_scan(self, limit: SSAValue) -> None:
        search, block = self.search, self.scan
        counter, any_found, *sums = block.args
        values = self._cloned(search.looked_at(), block, counter, sums)
        found: SSAValue = any_found
        for one in search.records:
            condition = values[one.branch.cond]
            if one.arm is one.branch.else_block:
                truth = self._constant(block, 1, 1)
                condition = self._put(block, arith.XOrIOp(condition, truth))
            found = self._put(block, arith.OrIOp(found, condition))
        following = values[search.following]
        added = [values[one.following] for one in search.sums]
        is_last = self._put(block, arith.CmpiOp(following, limit, "eq"))
        self._end(
            block,
            cf.ConditionalBranchOp(
                is_last, self.scanned, [found, *added], block, [following, found, *added]
            ),
        )

    def _at_start(self, sum: FreeSum) -> SSAValue:
        if sum.store is None:
            assert isinstance(sum.first, BlockArgument)
            return self.start.args[sum.first.index]
        return self._put(self.start, memref.LoadOp.get(sum.store.memref, []))

    def _write_scanned(self, limit: SSAValue) -> None:
        """Where there was a record all is as at the start; else the counter and sums go on."""
        search, block = self.search, self.scanned
        same: list[SSAValue] = list(self.start.args)
        ahead = list(same)
        ahead[search.counter.index] = limit
        passed = self._block("passed", []) if any(one.store for one in search.sums) else None
        for one, added in zip(search.sums, block.args[1:], strict=True):
            if one.store is None:
                assert isinstance(one.first, BlockArgument)
                ahead[one.first.index] = added
            elif passed is not None:
                self._end(passed, memref.StoreOp.get(added, one.store.memref, []))
        if passed is not None:
            self._end(passed, cf.BranchOp(self.start, *ahead))
            ahead = []
        following = passed or self.start
        branch = cf.ConditionalBranchOp(block.args[0], search.header, same, following, ahead)
        self._end(block, branch)

    def _write_latch(self, limit: SSAValue) -> None:
        """The loop as it was goes on to the next block where this one ends."""
        search = self.search
        last = search.latch.last_op
        assert isinstance(last, cf.BranchOp)
        values = list(last.arguments)
        search.latch.erase_op(last)
        is_last = self._put(search.latch, arith.CmpiOp(search.following, limit, "eq"))
        branch = cf.ConditionalBranchOp(is_last, self.start, values, search.header, values)
        self._end(search.latch, branch)
