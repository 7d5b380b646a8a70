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
it does not count. Where iterations update something together, parts of the range are dealt out that
have copies of it (`irregular_parts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf, omp
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, BoolAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import ompx, team
from polyopt.dialects.poly import FOR_LITTLE
from polyopt.ir.branches import outgoing, redirect_all
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.expressions.integer_expr import Compare, Condition
from polyopt.passes.parallel.irregular.block_code import BlockCode
from polyopt.passes.parallel.irregular.dealt_loop import parallel, shared_loop
from polyopt.passes.parallel.irregular.irregular_loops import IrregularLoop
from polyopt.passes.parallel.irregular.irregular_parts import Parts
from polyopt.passes.parallel.irregular.irregular_work import IrregularWork
from polyopt.passes.parallel.irregular.own_storage import own_storage
from polyopt.passes.prepare.branches.block_editing import copied
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class Wanted:
    """`threads` (0: as many as the runtime has) where a loop takes `least` cycles; `deterministic`:
    floating-point sums have the same bits for any number of them."""

    threads: int
    least: int
    deterministic: bool


def write_region(found: IrregularLoop, work: IrregularWork, wanted: Wanted) -> None:
    """Let the loop run in threads where that is worth it, and where it may; else, as it stands, in
    one."""
    (entry,) = found.loop.entries()
    first = list(entry.values)
    location = entry.terminator.location
    body = found.loop.header.parent
    assert body is not None
    code, alone = BlockCode(Block(), location), BlockCode(Block(), location)
    entry.redirect(code.block, ())
    many = _is_worth(found, work, wanted, code, alone.block)
    team_block = Block()
    choice = cf.ConditionalBranchOp(many, team_block, [], alone.block, [])
    choice.attributes[FOR_LITTLE] = UnitAttr()
    code.put(choice)
    code.start(team_block)
    after, passed = _way_on(found, code)
    rounds = ExpressionCode(code.block, location).typed(found.rounds, i64)
    if found.sums or found.bins:
        is_fixed = wanted.deterministic and _rounds_floats(found)
        totals = Parts(found, code, rounds, first, wanted.threads, is_fixed).write()
        passed = [totals.get(value, value) for value in passed]
    else:
        _dealt_out(found, code, rounds, first[0], wanted.threads)
    code.put(cf.BranchOp(after, *passed))
    alone.put(cf.BranchOp(found.loop.header, *first))
    body.insert_block_before([*code.blocks, *alone.blocks], found.loop.header)


def _rounds_floats(found: IrregularLoop) -> bool:
    """What it updates depends on the order."""
    updates = [update for one in (*found.sums, *found.bins) for update in one.updates]
    return any(isa(one.result.type, AnyFloat) for one in updates)


def _way_on(found: IrregularLoop, code: BlockCode) -> tuple[Block, list[SSAValue]]:
    """The block behind the loop that both ways lead to, and what is passed to it: of sums that are
    handed on there is one value behind both."""
    (leaving,) = found.loop.exits()
    after, passed = leaving.target, list(leaving.values)
    carried = [one.place for one in found.sums if one.is_carried]
    if not carried:
        return after, passed
    join = Block(arg_types=[one.type for one in carried])
    leaving.redirect(join, carried)
    region = after.parent
    assert region is not None
    region.insert_block_before(join, after)
    behind = dict(zip(carried, join.args, strict=True))
    at_join = BlockCode(join, code.location)
    at_join.put(cf.BranchOp(after, *(behind.get(value, value) for value in passed)))
    for place, total in behind.items():
        total.name_hint = place.name_hint
        place.replace_uses_with_if(
            total, lambda use: enclosing_block(use.operation) not in found.loop
        )
    return join, carried


# Whether it is worth it


def _is_worth(
    found: IrregularLoop, work: IrregularWork, wanted: Wanted, code: BlockCode, alone: Block
) -> SSAValue:
    """What has to hold, all of it; where there are no iterations, it goes on alone at once."""
    expressions = ExpressionCode(code.block, code.location)
    if work.spans:
        some = expressions.condition(Compare("<", -found.rounds))
        measured = Block()
        code.put(cf.ConditionalBranchOp(some, measured, [], alone, []))
        code.start(measured)
        expressions.block = measured
    cycles = work.cycles
    conditions: list[Condition] = []
    for bins in found.bins:
        cycles -= bins.count * CORE.threads.bin
        conditions.append(Compare("<", -bins.count))
    total = expressions.index(cycles)
    for span in work.spans:
        ends = [code.load(span.array, expressions.index(end)) for end in (span.last, span.first)]
        last, first = map(code.index, ends)
        length = code.value(arith.SubiOp(last, first))
        total = code.add(total, code.times(length, expressions.index(span.cycles)))
    least = expressions.constant(wanted.least)
    holds = code.value(arith.CmpiOp(total, least, "sge"))
    more = [expressions.condition(one) for one in conditions]
    more += [
        expressions.disjoint((one.start, one.end), (other.start, other.end))
        for one, other in found.apart
    ]
    is_copied = bool(found.sums or found.bins)
    if is_copied and not (wanted.deterministic and _rounds_floats(found)):
        available = code.value(team.AvailableOp())
        more.append(code.value(arith.CmpiOp(available, expressions.constant(1), "sgt")))
    for one in more:
        holds = code.value(arith.AndIOp(holds, one))
    return holds


# Chunks


def _dealt_out(
    found: IrregularLoop, code: BlockCode, rounds: SSAValue, first: SSAValue, threads: int
) -> None:
    """The region, at the end of the code."""
    type = found.counter_type
    nsw = IntegerOverflowAttr((IntegerOverflowFlag.NSW,) if found.is_signed else "none")
    steps = rounds if type == i64 else code.value(arith.TruncIOp(rounds, type))
    step = code.number(abs(found.step), type)
    way = code.value(arith.MuliOp(steps, step, overflow=nsw))
    go = arith.AddiOp if found.step > 0 else arith.SubiOp
    end = code.value(go(first, way, overflow=nsw))
    parts, one = code.number(CORE.threads.dealt_parts), code.number(1)
    part = code.value(arith.DivSIOp(rounds, parts))
    chunk = code.value(arith.MaxSIOp(part, one))
    inside = BlockCode(Block(), code.location)
    own = own_storage(found, inside)
    nest = _loop_nest(found, (first, end, step), own, inside)
    inside.put(shared_loop(nest, chunk))
    parallel(code, inside, threads)


def _loop_nest(
    found: IrregularLoop,
    bounds: Sequence[SSAValue],
    own: dict[SSAValue, SSAValue],
    inside: BlockCode,
) -> Operation:
    body = BlockCode(Block(arg_types=[found.counter.type]), inside.location)
    counter = body.block.args[0]
    counter.name_hint = found.counter.name_hint
    op = omp.LoopNestOp.build(operands=[[value] for value in bounds], regions=[Region(body.block)])
    op.location = inside.location
    op.attributes[ompx.DIRECTIONS] = ArrayAttr([StringAttr("up" if found.step > 0 else "down")])
    if not found.is_signed:
        op.attributes[ompx.UNSIGNED] = ArrayAttr([BoolAttr.from_bool(True)])
    body.put(ompx.BodyOp(_iteration(found, counter, own, inside)))
    body.put(omp.YieldOp())
    return op


def _iteration(
    found: IrregularLoop, counter: SSAValue, own: dict[SSAValue, SSAValue], inside: BlockCode
) -> Region:
    """A copy of one iteration: it goes on in the loop whatever the header asks, and ends where it
    would go back there."""
    copies = copied(list(found.loop.blocks), own)
    start, end = copies[found.loop.header], BlockCode(Block(), inside.location)
    end.put(omp.TerminatorOp())
    for block in copies.values():
        redirect_all(block, start, end.block, with_values=False)
    (argument,) = start.args
    argument.replace_all_uses_with(counter)
    start.erase_arg(argument)
    within = {*copies.values(), end.block}
    inner = next(edge for edge in outgoing(start) if edge.target in within)
    last, branch = inner.terminator, cf.BranchOp(inner.target, *inner.values)
    branch.location = last.location
    start.erase_op(last)
    start.add_op(branch)
    return Region([*copies.values(), end.block])
