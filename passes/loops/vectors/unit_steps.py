"""Steps that are known when the loop runs, and are one in most runs.

    for j: s += x[i * p + j * q]     =>     if (q == 1) for j: s += x[i * p + j]
                                            else        for j: s += x[i * p + j * q]

Strides come with the data, as those of NumPy's arrays do, and along the rows lanes mostly lie side
by side. (gcc's -fversion-loops-for-strides; LLVM does so only in loops that store something.)
"""

from __future__ import annotations

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, OpResult, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, is_defined_inside
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import replace_op
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.support.record import record


@record
class _Stride:
    """`product` is the iterator of the loop times `factor`, which the loop does not change."""

    product: arith.MuliOp
    factor: SSAValue


def with_unit_steps(op: affine.ForOp) -> tuple[affine.ForOp, affine.ForOp] | None:
    """The loop twice in its place: for where all steps that are only known when it runs are one, in
    lanes side by side, and as it was. None, and nothing is changed, where there are no such steps,
    or no such lanes."""
    steps = _steps(AffineLoop(op))
    if not steps:
        return None
    unit = _unit(op, steps)
    block = op.parent
    assert block is not None
    block.insert_op_before(unit, op)
    found = find_vector_loop(unit, is_strided=True)
    unit.detach()
    if found is None or found.gathers:
        unit.erase()
        return None
    builder, other = AffineBuilder(Block(), op), op.clone()
    factors = [Linear.of(_index(one, builder)) for one in dict.fromkeys(s.factor for s in steps)]
    branch = builder.branch([side for one in factors for side in (one - 1, -one + 1)])
    with branch.then():
        builder.insert(unit)
    with branch.orelse():
        builder.insert(other)
    branch.close()
    replace_op(op, builder.block)
    return unit, other


def _steps(loop: AffineLoop) -> list[_Stride]:
    """In the places of loads, sums of such products among them."""
    found: dict[SSAValue, _Stride] = {}
    for load in loop.block.ops:
        pending = list(load.indices) if isinstance(load, memref.LoadOp) else []
        while pending:
            owner = pending.pop().owner
            if isinstance(owner, (arith.AddiOp, arith.SubiOp)):
                pending += owner.operands
            elif isinstance(owner, arith.MuliOp):
                factor = _factor(owner, loop)
                if factor is not None:
                    found[owner.result] = _Stride(owner, factor)
    return list(found.values())


def _factor(product: arith.MuliOp, loop: AffineLoop) -> SSAValue | None:
    """Of a product of the iterator and a value that is there in front of the loop."""
    if product.parent is not loop.block:
        return None
    for one, other in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
        if other is not loop.iv:
            continue
        if isinstance(one, OpResult) and isinstance(one.op, arith.IndexCastOp):
            one = one.op.input
        return None if is_defined_inside(one, loop.op) else one
    return None


def _unit(op: affine.ForOp, steps: list[_Stride]) -> affine.ForOp:
    products = [one.product for one in steps]
    places = [number for number, one in enumerate(op.body.block.ops) if one in products]
    unit = op.clone()
    inside = list(unit.body.block.ops)
    for place in places:
        product = inside[place]
        product.results[0].replace_all_uses_with(unit.body.block.args[0])
        product.detach()
        product.erase()
    return unit


def _index(value: SSAValue, builder: AffineBuilder) -> SSAValue:
    if isinstance(value.type, IndexType):
        return value
    return builder.insert(arith.IndexCastOp(value, IndexType())).result
