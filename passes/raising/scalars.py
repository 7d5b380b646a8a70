"""Values that pass from one statement to another go through memory of their own.

To the polyhedral middle a scalar is an array of no dimensions. A value that was loaded, or that
was computed from such a value, and that is used beyond the straight-line code that computes it,
is stored to a cell and loaded where it is used; so are the values that a loop carries. What is
computed from iterators and parameters alone is computed again instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from xdsl.dialects import affine, memref
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

MakeCell = Callable[[SSAValue], SSAValue]
"""A memref of rank 0 for a value, made outside the region."""

NESTED = (affine.ForOp, affine.IfOp)
LOADS = (affine.LoadOp, memref.LoadOp)


def segments_of(block: Block) -> Iterator[list[Operation] | affine.ForOp | affine.IfOp]:
    """The block's runs of straight-line code and the loops and branches between them."""
    run: list[Operation] = []
    for op in block.ops:
        if isinstance(op, NESTED):
            if run:
                yield run
            yield op
            run = []
        elif not isinstance(op, affine.YieldOp):
            run.append(op)
    if run:
        yield run


def is_inside(value: SSAValue, region: Iterable[Operation]) -> bool:
    """Is `value` defined in one of the operations of `region`?"""
    op = value.owner.parent_op()
    while op is not None and op not in region:
        op = op.parent_op()
    return op is not None


def is_recomputable(value: SSAValue, region: Sequence[Operation]) -> bool:
    """Is `value` from outside, an iterator, or computed from such values alone?"""
    owner = value.owner
    if isinstance(owner, Block) or not is_inside(value, region):
        return True
    if isinstance(owner, LOADS) or owner.regions:
        return False
    return all(is_recomputable(operand, region) for operand in owner.operands)


def demote(loop: affine.ForOp | affine.IfOp, make_cell: MakeCell) -> affine.ForOp | affine.IfOp:
    """Rewrite a loop or branch so that nothing but iterators, values from outside and what is
    computed from these passes between segments; the operation that replaces it."""
    results = [op for op in loop.walk() if isinstance(op, NESTED) and op.results]
    for op in results:
        new = _without_results(op, make_cell)
        loop = new if op is loop else loop
    for block in [block for op in loop.walk() for region in op.regions for block in region.blocks]:
        for segment in list(segments_of(block)):
            if isinstance(segment, list):
                _demote_from(segment, loop, make_cell)
    return loop


def _without_results(
    op: affine.ForOp | affine.IfOp, make_cell: MakeCell
) -> affine.ForOp | affine.IfOp:
    """What `op` yields is stored; what it carries and its results are loaded."""
    cells = [make_cell(result) for result in op.results]
    for result, cell in zip(op.results, cells, strict=True):
        result.replace_all_uses_with(_load(cell, InsertPoint.after(op), op))
    for region in op.regions:
        _store_yielded(region, cells)
    new: affine.ForOp | affine.IfOp
    if isinstance(op, affine.IfOp):
        new = affine.IfOp.build(
            operands=[op.args],
            properties=op.properties,
            result_types=[[]],
            regions=[op.detach_region(region) for region in op.regions],
        )
    else:
        body = op.body.block
        for value, cell in zip(op.inits, cells, strict=True):
            _store(value, cell, InsertPoint.before(op), op)
        for argument, cell in zip(list(body.args[1:]), cells, strict=True):
            argument.replace_all_uses_with(_load(cell, InsertPoint.at_start(body), op))
            body.erase_arg(argument)
        new = affine.ForOp.from_region(
            op.lowerBoundOperands,
            op.upperBoundOperands,
            (),
            (),
            op.lowerBoundMap,
            op.upperBoundMap,
            op.detach_region(op.body),
            op.step,
        )
    new.attributes, new.location = dict(op.attributes), op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    Rewriter.erase_op(op)
    return new


def _store_yielded(region: Region, cells: Sequence[SSAValue]) -> None:
    terminator = region.block.last_op
    assert isinstance(terminator, affine.YieldOp)
    for value, cell in zip(terminator.arguments, cells, strict=True):
        _store(value, cell, InsertPoint.before(terminator), terminator)
    terminator.operands = ()


def _demote_from(
    segment: list[Operation], loop: affine.ForOp | affine.IfOp, make_cell: MakeCell
) -> None:
    """Give a cell to each value of `segment` that is used elsewhere and not computed again."""
    here = set(segment)
    for op in segment:
        for value in op.results:
            elsewhere = [use.operation for use in value.uses if use.operation not in here]
            if not elsewhere or is_recomputable(value, [loop]):
                continue
            cell = make_cell(value)
            _store(value, cell, InsertPoint.after(op), op)
            users: dict[tuple[Block, int], list[Operation]] = {}
            for user in elsewhere:
                assert user.parent is not None
                users.setdefault((user.parent, _segment_number(user)), []).append(user)
            for together in users.values():
                first = min(together, key=_position)
                loaded = _load(cell, InsertPoint.before(first), first)
                for user in together:
                    for k, operand in enumerate(user.operands):
                        if operand is value:
                            user.operands[k] = loaded


def _segment_number(op: Operation) -> int:
    """How many loops and branches stand before `op` in its block."""
    count, before = 0, op.prev_op
    while before is not None:
        count += isinstance(before, NESTED)
        before = before.prev_op
    return count


def _position(op: Operation) -> int:
    assert op.parent is not None
    return op.parent.get_operation_index(op)


def _store(value: SSAValue, cell: SSAValue, place: InsertPoint, like: Operation) -> None:
    store = affine.StoreOp(value, cell, [])
    store.location = like.location
    Rewriter.insert_op(store, place)


def _load(cell: SSAValue, place: InsertPoint, like: Operation) -> SSAValue:
    load = affine.LoadOp(cell, [])
    load.location = like.location
    Rewriter.insert_op(load, place)
    return load.result
