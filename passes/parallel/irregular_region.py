"""A loop of the source beside itself in a parallel region, whose threads ask for chunks of it.

    ^before:                                 %many = arith.cmpi sge, %cycles, %least
      cf.br ^header(%first)           =>     cf.cond_br %many, ^team, ^alone
                                           ^team:
                                             omp.parallel { omp.wsloop schedule(dynamic, %chunk) {
                                               omp.loop_nest (%i) = (%first) to (%end) … } }
                                             cf.br ^after
                                           ^alone:
                                             cf.br ^header(%first)

Chunks are dealt out when they are asked for, not shared out before: rows of a graph differ, and so
does how soon a point escapes. A chunk is a fixed part of the range, large enough that to ask for
it does not count.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf, omp
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, ompx
from polyopt.dialects.poly import FOR_LITTLE
from polyopt.ir.branches import outgoing, redirect_all
from polyopt.ir.cfg import enclosing_block
from polyopt.ir.integer_expr import Compare, Expr
from polyopt.passes.parallel.irregular_loops import IrregularLoop
from polyopt.passes.parallel.shared_sums import add_sum, begin_sum
from polyopt.passes.prepare.block_editing import copied
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.support.core_model import CORE


def write_region(found: IrregularLoop, cycles: Expr, least: int, threads: int) -> None:
    """Let the loop run in so many threads (0: in as many as the runtime has) where `cycles`, which
    is the same in all iterations, are `least` or more; else, as it stands, in one."""
    (entry,) = found.loop.entries()
    first = entry.values[0]
    location = entry.terminator.location
    body = found.loop.header.parent
    assert body is not None
    test, team, alone = Block(), Block(), Block()
    body.insert_block_before([test, team, alone], found.loop.header)
    entry.redirect(test, ())
    code = ExpressionCode(test, location)
    rounds = code.typed(found.rounds, i64)
    many = code.condition(Compare("<=", Expr.constant(least) - cycles))
    choice = cf.ConditionalBranchOp(many, team, [], alone, [])
    choice.attributes[FOR_LITTLE] = UnitAttr()
    _put(test, choice, location)
    _put(alone, cf.BranchOp(found.loop.header, first), location)
    _put(team, _parallel(found, first, rounds, team, threads, location), location)
    _put(team, cf.BranchOp(found.after, *found.passed), location)


def _parallel(
    found: IrregularLoop,
    first: SSAValue,
    rounds: SSAValue,
    team: Block,
    threads: int,
    location: LocationAttr,
) -> Operation:
    """The region; what it is computed from goes to the end of `team`."""
    type = found.counter.type
    assert isa(type, IntegerType)
    nsw = IntegerOverflowAttr((IntegerOverflowFlag.NSW,) if found.is_signed else "none")
    steps = rounds if type == i64 else _value(team, arith.TruncIOp(rounds, type), location)
    step = _value(team, arith.ConstantOp(IntegerAttr(abs(found.step), type)), location)
    way = _value(team, arith.MuliOp(steps, step, overflow=nsw), location)
    go = arith.AddiOp if found.step > 0 else arith.SubiOp
    end = _value(team, go(first, way, overflow=nsw), location)
    parts = _value(team, arith.ConstantOp(IntegerAttr(CORE.threads.dealt_parts, i64)), location)
    one = _value(team, arith.ConstantOp(IntegerAttr(1, i64)), location)
    part = _value(team, arith.DivSIOp(rounds, parts), location)
    chunk = _value(team, arith.MaxSIOp(part, one), location)
    wanted = [IntegerAttr(threads, i64)] if threads else []
    number = [_value(team, arith.ConstantOp(value), location) for value in wanted]
    inside = Block()
    own: dict[SSAValue, SSAValue] = {}
    for variable in found.private:
        assert isinstance(variable, OpResult)
        own[variable] = _copy(inside, variable.op, own).results[0]
    for one in found.sums:
        assert isinstance(one.variable, OpResult)
        own[one.variable] = _copy(inside, one.variable.op, own).results[0]
        begin_sum(one, own[one.variable], inside, location)
    for op in _views_of(found):
        own |= zip(op.results, _copy(inside, op, own).results, strict=True)
    nest = _loop_nest(found, (first, end, step), own, location)
    loop = omp.WsLoopOp.build(
        operands=[[], [], [], [], [], [], [chunk]],
        properties={
            "schedule_kind": omp.ScheduleKindAttr(omp.ScheduleKind.DYNAMIC),
            "nowait": UnitAttr(),
        },
        regions=[Region(Block([nest]))],
    )
    _put(inside, loop, location)
    for one in found.sums:
        add_sum(one, own[one.variable], inside, location)
    _put(inside, omp.TerminatorOp(), location)
    return omp.ParallelOp.build(operands=[[], [], [], number, [], []], regions=[Region(inside)])


def _views_of(found: IrregularLoop) -> list[Operation]:
    """What stands in front of the loop and says where its arrays are: made again in the region, it
    says so there, too. In the order in which it is computed."""
    ops: dict[Operation, None] = {}

    def visit(value: SSAValue) -> None:
        owner = value.owner
        is_outside = isinstance(owner, Operation) and enclosing_block(owner) not in found.loop
        if isinstance(owner, cmem.ViewOp | cmem.AddressOfOp) and is_outside and owner not in ops:
            for operand in owner.operands:
                visit(operand)
            ops[owner] = None

    for block in found.loop.blocks:
        for op in block.walk():
            for operand in op.operands:
                visit(operand)
    return list(ops)


def _copy(block: Block, op: Operation, known: dict[SSAValue, SSAValue]) -> Operation:
    copy = op.clone(known)
    _put(block, copy, op.location)
    for old, new in zip(op.results, copy.results, strict=True):
        new.name_hint = old.name_hint
    return copy


def _loop_nest(
    found: IrregularLoop,
    bounds: Sequence[SSAValue],
    own: dict[SSAValue, SSAValue],
    location: LocationAttr,
) -> Operation:
    block = Block(arg_types=[found.counter.type])
    block.args[0].name_hint = found.counter.name_hint
    op = omp.LoopNestOp.build(operands=[[value] for value in bounds], regions=[Region(block)])
    op.location = location
    op.attributes[ompx.DIRECTIONS] = ArrayAttr([StringAttr("up" if found.step > 0 else "down")])
    if not found.is_signed:
        op.attributes[ompx.UNSIGNED] = ArrayAttr([BoolAttr.from_bool(True)])
    _put(block, ompx.BodyOp(_iteration(found, block.args[0], own, location)), location)
    _put(block, omp.YieldOp(), location)
    return op


def _iteration(
    found: IrregularLoop, counter: SSAValue, own: dict[SSAValue, SSAValue], location: LocationAttr
) -> Region:
    """A copy of one iteration: it goes on in the loop whatever the header asks, and ends where it
    would go back there."""
    copies = copied(list(found.loop.blocks), own)
    start, end = copies[found.loop.header], Block()
    _put(end, omp.TerminatorOp(), location)
    for block in copies.values():
        redirect_all(block, start, end, with_values=False)
    (argument,) = start.args
    argument.replace_all_uses_with(counter)
    start.erase_arg(argument)
    inside = next(edge for edge in outgoing(start) if edge.target is not found.after)
    last, branch = inside.terminator, cf.BranchOp(inside.target, *inside.values)
    start.erase_op(last)
    _put(start, branch, last.location)
    return Region([*copies.values(), end])


def _put(block: Block, op: Operation, location: LocationAttr) -> None:
    op.location = location
    block.add_op(op)


def _value(block: Block, op: Operation, location: LocationAttr) -> SSAValue:
    _put(block, op, location)
    return op.results[0]
