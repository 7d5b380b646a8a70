"""Shared loops and loops of lanes as the source's loops, a nest of them one loop in the other.

    for (header: counter before its end; step) inside

Which number a variable of the program is set to in it belongs to each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf, memref, omp
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    MemRefType,
    StringAttr,
)
from xdsl.ir import Block, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, ompx
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.locations import span_of
from polyopt.ir.effects import constant_integer
from polyopt.passes.openmp.races.code import Code
from polyopt.passes.openmp.races.constructs import Construct
from polyopt.passes.openmp.races.serial_writer import SerialWriter, insert_before
from polyopt.passes.openmp.stretches import end_in, loop_nest_of


class SerialLoops:
    def __init__(self, writer: SerialWriter):
        self.writer = writer
        writer.handlers |= {
            omp.WsLoopOp: self._loop,
            omp.SimdOp: self._simd,
        }

    def _loop(self, op: omp.WsLoopOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self.writer.enter(Construct("loop", parent, span_of(op)), code)
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
            self.writer.wait_before(after, code, parent)

    def _simd(self, op: omp.SimdOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self.writer.enter(self._lanes(op, Construct("simd", parent, span_of(op))), code)
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
            insert_before(after, header, inside, latch)
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
        self.writer.read(blocks, construct)


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
