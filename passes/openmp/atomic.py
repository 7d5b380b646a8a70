"""A change of a place at once: the machine's own operation, or tried until nobody came between."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects import ompx
from polyopt.passes.openmp.writer import Writer

_KINDS: dict[type[Operation], str] = {
    arith.AddiOp: "add",
    arith.SubiOp: "sub",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
}


def update_at_once(op: ompx.AtomicUpdateOp, writer: Writer, after: Block) -> None:
    """
    old = read; do { new = f(old); } while (exchange(old, new) finds another old)
    """
    if _is_single_operation(op, writer, after):
        return
    region = after.parent
    assert region is not None
    loop = op.region.block
    end = loop.last_op
    assert isinstance(end, ompx.YieldOp)
    new = end.value
    old = loop.args[0]
    first = writer.add(ompx.AtomicReadOp(op.memref, op.indices)).result
    writer.jump(loop, first)
    loop.erase_op(end)
    op.region.move_blocks_before(after)
    inside = writer.at(loop)
    exchange = inside.add(ompx.CompareExchangeOp(old, new, op.memref, op.indices))
    inside.branch(exchange.done, after, loop, (), [exchange.seen])
    op.before.replace_all_uses_with(old)
    op.after.replace_all_uses_with(new)


def _is_single_operation(op: ompx.AtomicUpdateOp, writer: Writer, after: Block) -> bool:
    block = op.region.block
    only, end = block.first_op, block.last_op
    assert isinstance(end, ompx.YieldOp)
    old: BlockArgument = block.args[0]
    if only is None or only.next_op is not end or not isinstance(old.type, IntegerType):
        return False
    kind = _KINDS.get(type(only))
    if kind is None or end.value is not only.results[0]:
        return False
    other = _other_operand(only, old, commutes=kind != "sub")
    if other is None:
        return False
    before = writer.add(ompx.FetchOp(kind, other, op.memref, op.indices)).before
    if list(op.after.uses):
        again = type(only).create(
            operands=[before, other],
            result_types=[before.type],
            properties=dict(only.properties),
        )
        op.after.replace_all_uses_with(writer.add(again).results[0])
    op.before.replace_all_uses_with(before)
    writer.jump(after)
    return True


def _other_operand(op: Operation, old: SSAValue, *, commutes: bool) -> SSAValue | None:
    left, right = op.operands
    if left is old and right is not old:
        return right
    return left if commutes and right is old and left is not old else None
