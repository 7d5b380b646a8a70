"""Variables that inner loops add to (or multiply, or keep the greatest in), each row for itself.

    for i { x = st[i]                              for i { x = st[i], p = 0
            for j { x = next(x)             =>             for j { x = next(x)
                    if (in(x)) c += 1 } }                          if (in(x)) p += 1 }
                                                           c += p }

In the inner loops nothing of it goes from one row to the next then, and what does stands behind
them, where lanes run one after the other. The terms are taken together in another order: only where
that changes nothing, or is permitted.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.loop_facts import NO_FACTS, set_facts
from polyopt.ir.elementwise import neutral_of
from polyopt.ir.fast_math import permits
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.vectors.accumulations import Accumulation, combined, find_accumulation


def with_row_sums(op: affine.ForOp) -> tuple[list[Operation], affine.ForOp] | None:
    """Detached operations that stand for the loop, the last of which is the loop without such
    variables in its inner loops; None where these add to none."""
    if op.inits:
        return None
    inner = [one for one in op.body.block.ops if isinstance(one, affine.ForOp)]
    found = {loop: list(_accumulations(op, loop)) for loop in inner}
    if not any(found.values()):
        return None
    nest = op.clone()
    copies = dict(zip(op.walk(), nest.walk(), strict=True))
    set_facts(nest, NO_FACTS)
    variables: list[Operation] = []
    for loop, sums in found.items():
        copy = copies[loop]
        assert isinstance(copy, affine.ForOp)
        for one in sums:
            variables.append(_take_apart(copy, one, copies))
            set_facts(copy, NO_FACTS)
    return [*variables, nest], nest


def _accumulations(op: affine.ForOp, inner: affine.ForOp) -> Iterator[Accumulation]:
    """Those in variables of the function that nothing else in `op` touches."""
    operations = list(inner.body.block.ops)
    if inner.inits or any(one.regions for one in operations):
        return
    for store in operations:
        if not isinstance(store, affine.StoreOp) or store.indices or store.map.data.results:
            continue
        one = find_accumulation(store, operations)
        if one is None or not isinstance(store.memref.owner, memref.AllocaOp):
            continue
        others = (other for other in op.walk() if other not in (one.load, one.store))
        if not any(_may_touch(other, store.memref) for other in others):
            yield one


def _may_touch(op: Operation, variable: SSAValue) -> bool:
    return any(
        isinstance(value.type, MemRefType) and may_overlap(value, variable) for value in op.operands
    )


def _take_apart(
    inner: affine.ForOp, one: Accumulation, copies: dict[Operation, Operation]
) -> Operation:
    """Let the copy of the inner loop add to a variable of its own, which is added behind it."""
    type_, variable = one.store.value.type, one.store.memref
    own = memref.AllocaOp.get(type_, shape=[])
    is_finite = permits(one.combine, FastMathFlag.NO_INFS)
    before = AffineBuilder(Block(), inner)
    nothing = arith.ConstantOp.create(
        properties={"value": neutral_of(one.reduction, type_, is_finite=is_finite)},
        result_types=[type_],
    )
    before.store(before.insert(nothing).result, own.memref, [])
    load, store, combine = (copies[each] for each in (one.load, one.store, one.combine))
    load.operands[0] = own.memref
    store.operands[1] = own.memref
    term = combine.operands[list(one.combine.operands).index(one.term)]
    body = AffineBuilder(Block(), combine)
    sum_ = combined(body, one, load.results[0], term)
    _without_overflow(sum_)
    behind = AffineBuilder(Block(), inner)
    total = combined(
        behind, one, behind.load(variable, []), behind.load(own.memref, []), is_last=True
    )
    _without_overflow(total)
    behind.store(total, variable, [])
    _move(body, combine, is_before=True)
    combine.results[0].replace_all_uses_with(sum_)
    combine.detach()
    combine.erase()
    _move(before, inner, is_before=True)
    _move(behind, inner, is_before=False)
    return own


def _without_overflow(value: SSAValue) -> None:
    """In another order sums may wrap that do not in their own."""
    op = value.owner
    assert isinstance(op, Operation)
    if isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        op.overflow_flags = arith.IntegerOverflowAttr("none")


def _move(builder: AffineBuilder, beside: Operation, *, is_before: bool) -> None:
    operations, home = list(builder.block.ops), beside.parent
    assert home is not None
    for one in operations:
        one.detach()
    if is_before:
        home.insert_ops_before(operations, beside)
    else:
        home.insert_ops_after(operations, beside)
