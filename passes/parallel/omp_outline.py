"""omp-outline: parallel regions become functions that a team runs."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.context import Context
from xdsl.dialects import arith, func, omp, scf
from xdsl.dialects.builtin import FunctionType, IndexType, ModuleOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects import cmem, team
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.effects import is_pure
from polyopt.passes.parallel.code import INDEX, Code
from polyopt.passes.parallel.meetings import meet_by_counting, place_for_arrivals
from polyopt.passes.parallel.stand_ins import stand_ins
from polyopt.passes.parallel.worksharing import lower_worksharing
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record
class OmpOutlinePass(ModulePass):
    """Make a function of each `omp.parallel`, and a fork where it was.

    Requires: one block in the region, no privates or reductions on the operation itself.
    Ensures: what the region uses is an argument, apart from what can be had again (constants, the
    addresses of globals, views of these), and that it is a copy of small variables, so that these
    need no place (`stand_ins.py`); results of one `cmem.distinct_objects` are distinct in
    the function too. A team of one is a plain call, which meets nobody; others meet by counting
    (`meetings.py`). Worksharing loops become loops over the member's share.

        omp.parallel num_threads(%n) {        func.func private @f.team0(%member, %size, %A) { … }
          … %A …                         =>
        }                                     scf.if %n == 1 { func.call @f.team0(0, 1, %A) }
                                              else { team.fork @f.team0(%A) threads(%n) }
    """

    name = "omp-outline"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in list(op.ops):
            if isinstance(function, func.FuncOp):
                found = [inner for inner in function.walk() if isinstance(inner, omp.ParallelOp)]
                for number, parallel in enumerate(found):
                    _outline(op, function, parallel, f"{function.sym_name.data}.team{number}")


def _outline(module: ModuleOp, function: func.FuncOp, parallel: omp.ParallelOp, name: str) -> None:
    if parallel.private_vars or parallel.reduction_vars or len(parallel.region.blocks) != 1:
        raise CompileError("omp.parallel with clauses of its own cannot be outlined here")
    body = parallel.region.block
    live = _live_ins(parallel)
    copies = stand_ins(parallel, live)
    entry = Block(arg_types=[INDEX, INDEX, *(value.type for value in live)])
    for argument, hint in zip(entry.args, ["member", "size"], strict=False):
        argument.name_hint = hint
    inner = dict[SSAValue, SSAValue]()
    for argument, value in zip(entry.args[2:], live, strict=True):
        argument.name_hint = value.name_hint
        inner[value] = argument
    _restate_distinctness(entry, live, inner)
    _make_again(parallel, entry, inner)
    for op in list(body.ops):
        op.detach()
        entry.add_op(op)
    for op in entry.walk():
        for number, value in enumerate(op.operands):
            if value in inner:
                op.operands[number] = inner[value]
    end = entry.last_op
    assert isinstance(end, omp.TerminatorOp)
    Rewriter.replace_op(end, func.ReturnOp())
    lower_worksharing(entry)
    given = [copies.get(value, value) for value in live]
    if meet_by_counting(entry) is not None:
        given.append(place_for_arrivals(function, parallel))
    outlined = func.FuncOp(
        name,
        FunctionType.from_lists([argument.type for argument in entry.args], []),
        Region(entry),
        "private",
    )
    outlined.location = function.location
    module.body.block.insert_op_after(outlined, function)
    _fork(parallel, name, given)


def _fork(parallel: omp.ParallelOp, name: str, live: list[SSAValue]) -> None:
    code = Code(Block(), parallel)
    given = parallel.num_threads
    if given is None:
        threads = code.insert(team.AvailableOp())
    elif isinstance(given.type, IndexType):
        threads = given
    else:
        threads = code.insert(arith.IndexCastOp(given, INDEX))
    alone = code.insert(arith.CmpiOp(threads, code.index(1), "sle"))
    here, there = Code(Block(), parallel), Code(Block(), parallel)
    here.block.add_ops(
        [func.CallOp(name, [here.index(0), here.index(1), *live], []), scf.YieldOp()]
    )
    there.block.add_ops([team.ForkOp(name, live, threads), scf.YieldOp()])
    choice = scf.IfOp(alone, [], Region(here.block), Region(there.block))
    code.block.add_op(choice)
    Rewriter.inline_block(code.block, InsertPoint.before(parallel))
    parallel.detach()
    parallel.erase()


def _live_ins(parallel: omp.ParallelOp) -> list[SSAValue]:
    """What the function is to be given, each once, in the order of its first use."""
    found = dict[SSAValue, None]()
    for op in parallel.region.walk():
        for value in op.operands:
            if not is_defined_inside(value, parallel) and not _can_be_had_again(value):
                found[value] = None
    return list(found)


def _can_be_had_again(value: SSAValue) -> bool:
    """Whether the value costs nothing and depends on nothing that would have to be given."""
    if not isinstance(value, OpResult):
        return False
    op = value.op
    if isinstance(op, cmem.DistinctObjectsOp):
        return False
    if not isinstance(op, arith.ConstantOp | cmem.AddressOfOp | cmem.ViewOp) or not is_pure(op):
        return False
    return all(_can_be_had_again(operand) for operand in op.operands)


def _make_again(parallel: omp.ParallelOp, entry: Block, inner: dict[SSAValue, SSAValue]) -> None:
    def again(value: SSAValue) -> SSAValue:
        if value not in inner:
            assert isinstance(value, OpResult)
            for operand in value.op.operands:
                again(operand)
            clone = value.op.clone(value_mapper=inner)
            clone.results[0].name_hint = value.name_hint
            entry.add_op(clone)
        return inner[value]

    for op in parallel.region.walk():
        for value in op.operands:
            if not is_defined_inside(value, parallel):
                again(value)


def _restate_distinctness(
    entry: Block, live: Iterable[SSAValue], inner: dict[SSAValue, SSAValue]
) -> None:
    """Live-ins that come from one promise are told apart in the function too."""
    groups = dict[Operation, list[SSAValue]]()
    for value in live:
        if isinstance(value, OpResult) and isinstance(value.op, cmem.DistinctObjectsOp):
            groups.setdefault(value.op, []).append(value)
    for group in groups.values():
        if len(group) < 2:
            continue
        distinct = cmem.DistinctObjectsOp([inner[value] for value in group])
        entry.add_op(distinct)
        for value, result in zip(group, distinct.res, strict=True):
            result.name_hint = value.name_hint
            inner[value] = result
