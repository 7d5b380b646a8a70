"""Writes a contraction that was found in loops as a `contract.nest`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_body import YieldOp
from polyopt.dialects.loop_facts import LoopAttr
from polyopt.ir.affine.affine_nest import access_of
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.linear_sets import Symbols
from polyopt.passes.loops.contract.find_contraction import Contraction


def nest_of(contraction: Contraction, domain: Constraints) -> NestOp:
    """The operation of the contraction, whose loops have this domain. They stay as they are."""
    nest = contraction.nest
    accumulators = contraction.accumulators
    own = {a.load for a in accumulators}
    loads = [
        op
        for op in nest.operations
        if isinstance(op, affine.LoadOp) and op not in own and op.result.first_use
    ]
    places = [a.subscripts for a in accumulators] + [_subscripts(load) for load in loads]
    symbols = Symbols.of(domain.forms, *places, dims=nest.iterators)
    read = [*(a.load.result for a in accumulators), *(load.result for load in loads)]
    op = NestOp(
        [_role(contraction, iv) for iv in nest.iterators],
        symbols.set(domain.forms, nest.iterators),
        list(symbols.values),
        [a.array for a in accumulators],
        [load.memref for load in loads],
        [symbols.map(forms, nest.iterators) for forms in places],
        Region(_body(contraction, read)),
        [LoopAttr(loop.facts) for loop in nest.loops],
    )
    op.location = contraction.root.location
    return op


def _subscripts(load: affine.LoadOp) -> tuple[Linear, ...]:
    access = access_of(load)
    assert access is not None
    assert access.subscripts is not None
    return tuple(form for form in access.subscripts if form is not None)


def _role(contraction: Contraction, iterator: SSAValue) -> str:
    roles = zip(("rows", "columns", "depth"), contraction.iterators, strict=True)
    return next((role for role, iv in roles if iv is iterator), "batch")


def _body(contraction: Contraction, read: Sequence[SSAValue]) -> Block:
    """What the nest computes from the elements that it reads."""
    iterators = contraction.nest.iterators
    block = Block(arg_types=[*([IndexType()] * len(iterators)), *(value.type for value in read)])
    here: dict[SSAValue, SSAValue] = {}
    for old, new in zip((*iterators, *read), block.args, strict=True):
        new.name_hint = old.name_hint
        here[old] = new
    for op in contraction.nest.operations:
        if not isinstance(op, affine.LoadOp | affine.StoreOp):
            block.add_op(op.clone(here))
    stores = [a.store for a in contraction.accumulators]
    last = YieldOp(*(here.get(store.value, store.value) for store in stores))
    last.location = stores[0].location
    block.add_op(last)
    return block
