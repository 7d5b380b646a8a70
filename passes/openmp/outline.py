"""A region as a function: what it uses of the outside becomes arguments, constants are made again.

Storage that is captured stands for other objects than the rest does, and the function is told so by
`cmem.distinct_objects`, not by `noalias`: other threads write to it, and what they wrote has to be
seen behind a barrier. A pointer that was `restrict` outside stays it where no thread waits for
another inside.
"""

from __future__ import annotations

from xdsl.dialects import arith, func, memref, omp
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from polyopt.dialects import cmem, ompx
from polyopt.dialects.team import IN_TEAM, MEMBER_AND_SIZE

_KEPT = ("cmem.as_written",)
NOALIAS = "llvm.noalias"
_WAITS = (
    omp.BarrierOp,
    omp.SingleOp,
    omp.TaskOp,
    omp.TaskwaitOp,
    omp.TaskgroupOp,
    omp.FlushOp,
    omp.ParallelOp,
    ompx.CriticalOp,
    ompx.TeamsOp,
    ompx.CancelOp,
    ompx.DoacrossOp,
    ompx.OrderedOp,
    ompx.SectionsOp,
    ompx.AtomicReadOp,
    ompx.AtomicWriteOp,
    ompx.AtomicUpdateOp,
    func.CallOp,
    cmem.CallIndirectOp,
    cmem.CallVariadicOp,
)


def outline(
    parent: func.FuncOp, op: Operation, name: str, *, for_team: bool
) -> tuple[func.FuncOp, list[SSAValue]]:
    """The function of the operation's region, in front of `parent`, and what it is to be called
    with behind (for a team) member and size."""
    region = op.regions[0]
    if for_team:
        _take_by_value(op)
    live = _live_ins(region)
    waits = any(isinstance(inner, _WAITS) or _is_shared_loop(inner) for inner in region.walk())
    entry = region.blocks.first
    assert entry is not None
    types: list[Attribute] = list(MEMBER_AND_SIZE) if for_team else []
    types += [value.type for value in live]
    arguments = [entry.insert_arg(type, number) for number, type in enumerate(types)]
    inside = {inner for block in region.blocks for inner in _operations(block)}
    for value, argument in zip(live, arguments[len(types) - len(live) :], strict=True):
        argument.name_hint = value.name_hint
        argument.location = op.location
        for use in list(value.uses):
            if use.operation in inside:
                use.operation.operands[use.index] = argument
    if for_team:
        arguments[0].name_hint, arguments[1].name_hint = "member", "size"
    _clone_constants(region, inside)
    function = func.FuncOp(
        name,
        FunctionType.from_lists(types, []),
        region=Region(),
        visibility="private",
        arg_attrs=ArrayAttr(
            [DictionaryAttr({})] * (len(types) - len(live))
            + [_argument_attributes(value, waits) for value in live]
        ),
    )
    function.location = op.location
    function.attributes[IN_TEAM] = UnitAttr()
    for kept in _KEPT:
        if kept in parent.attributes:
            function.attributes[kept] = parent.attributes[kept]
    region.move_blocks(function.body)
    for block in function.body.blocks:
        last = block.last_op
        if isinstance(last, omp.TerminatorOp):
            end = func.ReturnOp()
            end.location = last.location
            block.erase_op(last)
            block.add_op(end)
    taken = arguments[len(types) - len(live) :]
    pairs = zip(taken, live, strict=True)
    _tell_apart(function, [argument for argument, value in pairs if _is_object(value)])
    module = parent.parent
    assert module is not None
    module.insert_op_before(function, parent)
    return function, live


def _take_by_value(op: Operation) -> None:
    """Variables that no thread changes while the team runs are read once, before; inside stands
    storage of the thread's own, which becomes a value. Tasks read that when they are made: they
    may run when their thread's storage is gone."""
    region = op.regions[0]
    copies = set[SSAValue]()
    for value in _live_ins(region):
        if not _is_object(value) or cmem.memref_type(value).get_num_dims() != 0:
            continue
        uses = [use for use in value.uses if region.is_ancestor(use.operation)]
        if all(isinstance(use.operation, memref.LoadOp) for use in uses):
            copies.add(_copy_into(op, value))
    if not copies:
        return
    for task in [inner for inner in region.walk() if isinstance(inner, omp.TaskOp)]:
        for value in _live_ins(task.regions[0]):
            if value in copies:
                copies.add(_copy_into(task, value))


def _copy_into(op: Operation, value: SSAValue) -> SSAValue:
    """Storage in the operation's region that has what is in the variable before; it is read there
    instead of the variable."""
    region, outside = op.regions[0], op.parent
    entry = region.blocks.first
    assert entry is not None
    assert outside is not None
    assert isinstance(value, OpResult)
    uses = [use for use in value.uses if region.is_ancestor(use.operation)]
    load = memref.LoadOp.get(value, [])
    outside.insert_op_before(load, op)
    own = value.op.clone()
    store = memref.StoreOp.get(load.res, own.results[0], [])
    first = entry.first_op
    assert first is not None
    for one in (own, store):
        entry.insert_op_before(one, first)
    for one in (load, own, store):
        one.location = op.location
    load.res.name_hint = own.results[0].name_hint = value.name_hint
    value.replace_uses_with_if(own.results[0], lambda use: use in uses)
    return own.results[0]


def _operations(block: Block) -> list[Operation]:
    return [inner for op in block.ops for inner in op.walk()]


def _live_ins(region: Region) -> list[SSAValue]:
    """The values of the outside that are no constants, in the order of their use."""
    found: dict[SSAValue, None] = {}
    for op in region.walk():
        for operand in op.operands:
            if not region.is_ancestor(operand.owner) and not _is_constant(operand):
                found[operand] = None
    return list(found)


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, arith.ConstantOp)


def _clone_constants(region: Region, inside: set[Operation]) -> None:
    entry = region.blocks.first
    assert entry is not None
    clones: dict[SSAValue, SSAValue] = {}
    for op in list(inside):
        for number, operand in enumerate(op.operands):
            if not _is_constant(operand) or operand.owner in inside:
                continue
            if operand not in clones:
                assert isinstance(operand, OpResult)
                clone = operand.op.clone()
                clone.location = operand.op.location
                first = entry.first_op
                assert first is not None
                entry.insert_op_before(clone, first)
                clones[operand] = clone.results[0]
            op.operands[number] = clones[operand]


def _is_shared_loop(op: Operation) -> bool:
    """Other threads wait at its end."""
    return isinstance(op, omp.WsLoopOp) and op.nowait is None


def _argument_attributes(value: SSAValue, waits: bool) -> DictionaryAttr:
    if waits or not isinstance(value, BlockArgument):
        return DictionaryAttr({})
    function = value.block.parent_op()
    if not isinstance(function, func.FuncOp) or function.arg_attrs is None:
        return DictionaryAttr({})
    if function.body.blocks.first is not value.block:
        return DictionaryAttr({})
    known = function.arg_attrs.data[value.index].data
    return DictionaryAttr({NOALIAS: UnitAttr()} if NOALIAS in known else {})


def _is_object(value: SSAValue) -> bool:
    """Storage of its own that no pointer leads to."""
    if not isinstance(value, OpResult) or not isinstance(value.op, memref.AllocaOp):
        return False
    return all(not isinstance(use.operation, cmem.AddressOp) for use in value.uses)


def _tell_apart(function: func.FuncOp, objects: list[BlockArgument]) -> None:
    if len(objects) < 2:
        return
    entry = function.body.blocks.first
    assert entry is not None
    assert entry.first_op is not None
    op = cmem.DistinctObjectsOp(objects)
    op.location = function.location
    entry.insert_op_before(op, entry.first_op)
    for argument, result in zip(objects, op.results, strict=True):
        result.name_hint = argument.name_hint
        argument.replace_uses_with_if(result, lambda use: use.operation is not op)
