"""The first iterations of loops whose counter doubles, while it is less than vectors have lanes.

    for (h = 1; h < n; h *= 2)                         if (1 < n) the loops inside with h = 1
        for (i = 0; i < n; i += 2 * h)           ->    if (2 < n) those with h = 2
            for (j = i; j < i + h; j++)                …
                a[j], a[j + h] = …                     for (h = 8; h < n; h *= 2) …

Butterflies and sums in pairs spend most of their time there: rows of one or two elements, of which
no vectors are made, and in every iteration as many elements as later in long rows. With a number
for the counter the loops inside have strides and lengths that are known: they are one statement
with elements in turns, in a static control part.

    1. the counter starts as a number and is multiplied by one, or shifted to the left
    2. it says how far a loop inside goes, or by how much it goes on
    3. copies of the blocks, one for each number, stand in front of the loop
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects.locations import span_of
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, folded_integer
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.branches.block_editing import copied, keep_written_anew
from polyopt.passes.prepare.loop_forms.copied_loops import (
    can_be_copied,
    drop_constant_arguments,
    edges,
    leave_through_one_block,
)
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark

_ARITHMETIC = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp),
    *(arith.DivSIOp, arith.DivUIOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp),
    arith.IndexCastOp,
)


@record
class PeelDoublingsPass(ModulePass):
    """The iterations in which such a counter is less than `least` are copies in front of the loop.

    Requires: variables are values (promote-scalars). Ensures: loops of more than `largest`
    operations are as they were, and those with calls.

          cf.br ^head(1)                          cf.br ^first
        ^head(%h):                              ^first:
          cf.cond_br %c, ^body, ^end      ->      cf.cond_br %c_1, ^body_1, ^end
        ^body:  … %h …                          ^body_1:  … 1 …  cf.br ^second
          cf.br ^head(%h * 2)                     …  cf.br ^head(8)
    """

    name = "peel-doublings"

    least: int = CORE.code.doubled_least
    largest: int = CORE.code.doubled_body

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            peeled: list[NaturalLoop] = []
            for loop in ControlFlow(function.body).loops.all_loops():
                # A loop around one that has copies now has more blocks than it knows of.
                found = None if any(map(loop.encloses, peeled)) else _doubled(loop)
                if found is None or not can_be_copied(loop, self.largest):
                    continue
                if numbers := [one for one in found.numbers() if one < self.least]:
                    _peel(loop, found, numbers)
                    peeled.append(loop)


@record(eq=False)
class _Doubled:
    """The counter, what it starts as, and what it is multiplied by."""

    counter: BlockArgument
    first: int
    factor: int

    def numbers(self) -> Iterator[int]:
        number = self.first
        for _ in range(CORE.code.doubled_copies):
            yield number
            number *= self.factor


def _doubled(loop: NaturalLoop) -> _Doubled | None:
    """A counter that grows so, and that a loop inside goes by."""
    if not loop.children or len(loop.back_edges()) != 1 or len(loop.entries()) != 1:
        return None
    (back,), (entry,) = loop.back_edges(), loop.entries()
    for counter in loop.header.args:
        first = _number(entry.values[counter.index])
        factor = _factor(back.values[counter.index], counter)
        if first is not None and first > 0 and factor is not None and _leads_inside(counter, loop):
            return _Doubled(counter, first, factor)
    return None


def _factor(value: SSAValue, counter: BlockArgument) -> int | None:
    """Of what `value` is `counter` multiplied by, if that is a number greater than one."""
    op = value.owner
    factor = None
    match op:
        case arith.AddiOp() if op.lhs is counter and op.rhs is counter:
            factor = 2
        case arith.MuliOp() if op.lhs is counter:
            factor = _number(op.rhs)
        case arith.MuliOp() if op.rhs is counter:
            factor = _number(op.lhs)
        case arith.ShLIOp() if op.lhs is counter:
            by = _number(op.rhs)
            factor = None if by is None or not 0 < by < CORE.code.doubled_least else 1 << by
        case _:
            pass
    return factor if factor is not None and 1 < factor <= CORE.code.doubled_least else None


def _number(value: SSAValue) -> int | None:
    op = value.owner
    known = constant_integer(value)
    if known is not None or not isinstance(op, Operation):
        return known
    return folded_integer(op, constant_integer)


def _leads_inside(counter: BlockArgument, loop: NaturalLoop) -> bool:
    """Does a loop inside end where it says, or go on by what it says?"""
    headers = {one.header: one for one in _inside(loop)}
    bounds = {op for header in headers for op in header.ops if isinstance(op, arith.CmpiOp)}
    pending: list[SSAValue] = [counter]
    seen: set[Operation] = set()
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if op in bounds:
                return True
            if op in seen or enclosing_block(op) not in loop:
                continue
            seen.add(op)
            if isinstance(op, _ARITHMETIC):
                pending += op.results
            elif isinstance(op, cf.BranchOp) and op.successor in headers:
                if enclosing_block(op) in headers[op.successor]:
                    return True
    return False


def _inside(loop: NaturalLoop) -> Iterator[NaturalLoop]:
    for child in loop.children:
        yield child
        yield from _inside(child)


def _peel(loop: NaturalLoop, found: _Doubled, numbers: list[int]) -> None:
    leave_through_one_block(loop)
    (back,), (entry,) = loop.back_edges(), loop.entries()
    body = loop.header.parent
    place = loop.header.last_op
    assert body is not None
    assert place is not None
    told = f"{len(numbers)} iterations in front of the loop: {', '.join(map(str, numbers))}"
    remark("applied", PeelDoublingsPass.name, told, span_of(place))
    blocks, index = list(loop.blocks), found.counter.index
    headers: list[Block] = []
    latches: list[Block] = []
    for number in numbers:
        copies = copied(blocks)
        for copy in copies.values():
            body.insert_block_before(copy, loop.header)
        headers.append(copies[loop.header])
        latches.append(copies[back.source])
        _be(headers[-1].args[index], number, headers[-1])
    keep_written_anew(loop.header)
    for number, latch in enumerate(latches):
        following = headers[number + 1] if number + 1 < len(headers) else loop.header
        for edge in list(edges(latch, headers[number])):
            edge.redirect(following, edge.values)
    entry.redirect(headers[0], entry.values)
    for header in headers:
        drop_constant_arguments(header)


def _be(argument: BlockArgument, number: int, block: Block) -> None:
    type = argument.type
    assert isa(type, IntegerType | IndexType)
    constant = arith.ConstantOp(IntegerAttr(number, type))
    first = block.first_op
    assert first is not None
    constant.location = first.location
    argument.replace_all_uses_with(constant.result)
    block.insert_op_before(constant, first)
