"""Variables of one block, conditionals included, become values that the conditionals give.

    store %a, %x                             %v = scf.if %c -> (f32) {
    scf.if %c {                                %b = load %B[%i]
      %b = load %B[%i]             ->          yield %b
      store %b, %x                           } else { yield %a }
    }                                        use %v
    use (load %x)

Those that are read before they are written in each run of the block, such as sums, stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects import memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.passes.prepare.branches.selected_values import select_values
from polyopt.passes.prepare.ssa_construction import is_variable


def promote_locals(block: Block) -> None:
    if not any(isinstance(op, scf.IfOp) for op in block.ops):
        return
    stored = {op.memref: None for op in block.walk() if isinstance(op, memref.StoreOp)}
    promoted = [one for one in stored if _is_local(one, block) and _is_written_first(one, block)]
    for variable in promoted:
        _promote(variable, block, None)
        alloca = variable.owner
        assert isinstance(alloca, memref.AllocaOp)
        alloca.detach()
        alloca.erase()
    if promoted:
        for conditional in reversed([op for op in block.walk() if isinstance(op, scf.IfOp)]):
            select_values(conditional)


def _is_local(variable: SSAValue, block: Block) -> bool:
    """A variable that is only loaded and stored, in this block and conditionals of it alone."""
    alloca = variable.owner
    return (
        isinstance(alloca, memref.AllocaOp)
        and is_variable(alloca)
        and all(_is_in(use.operation, block) for use in variable.uses)
    )


def _is_in(op: Operation, block: Block) -> bool:
    around = op.parent
    while around is not block and around is not None:
        parent = around.parent_op()
        around = parent.parent if isinstance(parent, scf.IfOp) else None
    return around is block


def _is_written_first(variable: SSAValue, block: Block) -> bool:
    """On each way through the block, before it is read, and on none of them in part."""
    return _written(variable, block.ops) is True


def _written(variable: SSAValue, operations: Iterable[Operation]) -> bool | None:
    """Whether the operations write it before anything reads it; None if something may read what
    was there before, or they write it on some ways only."""
    for op in operations:
        if isinstance(op, memref.StoreOp) and op.memref is variable:
            return True
        if isinstance(op, memref.LoadOp) and op.memref is variable:
            return None
        if isinstance(op, scf.IfOp):
            arms = [_written(variable, region.block.ops) for region in _arms(op)]
            arms += [False] * (2 - len(arms))
            if None in arms or arms[0] is not arms[1]:
                return None
            if arms[0]:
                return True
    return False


def _arms(op: scf.IfOp) -> Iterator[Region]:
    return (region for region in op.regions if region.blocks)


def _promote(variable: SSAValue, block: Block, value: SSAValue | None) -> SSAValue | None:
    """What it is behind the block, where it is `value` before."""
    for op in list(block.ops):
        if isinstance(op, memref.StoreOp) and op.memref is variable:
            value = op.value
        elif isinstance(op, memref.LoadOp) and op.memref is variable:
            assert value is not None
            op.res.replace_all_uses_with(value)
        elif isinstance(op, scf.IfOp) and any(_touches(one, variable) for one in op.walk()):
            value = _given(variable, op, value)
            continue
        else:
            continue
        op.detach()
        op.erase()
    return value


def _touches(op: Operation, variable: SSAValue) -> bool:
    return variable in op.operands


def _given(variable: SSAValue, old: scf.IfOp, value: SSAValue | None) -> SSAValue | None:
    """The value behind a conditional, which gives it if its arms leave others."""
    for region in old.regions:
        if not region.blocks:
            region.add_block(Block([scf.YieldOp()]))
    then, orelse = (_promote(variable, region.block, value) for region in old.regions)
    if then is orelse:
        return then
    assert then is not None
    assert orelse is not None
    for region, one in zip(old.regions, (then, orelse), strict=True):
        end = region.block.last_op
        assert isinstance(end, scf.YieldOp)
        region.block.insert_op_before(scf.YieldOp(*end.operands, one), end)
        end.detach()
        end.erase()
    types = [*(one.type for one in old.results), then.type]
    taken, other = (old.detach_region(region) for region in list(old.regions))
    new = scf.IfOp(old.cond, types, taken, other)
    new.location = old.location
    new.attributes = dict(old.attributes)
    around = old.parent
    assert around is not None
    around.insert_op_before(new, old)
    for before, after in zip(old.results, new.results, strict=False):
        after.name_hint = before.name_hint
        before.replace_all_uses_with(after)
    new.results[-1].name_hint = variable.name_hint
    old.detach()
    old.erase()
    return new.results[-1]
