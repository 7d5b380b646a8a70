"""The sizes in which contractions are cut, put on them."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp, UnitAttr
from xdsl.dialects.utils import FastMathFlag

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_forms import Blocking, BlockingAttr
from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.constraints import NotRepresentable
from polyopt.ir.fast_math import permits
from polyopt.passes.loops.contract.block_sizes import choose_blocking, in_groups, with_given
from polyopt.passes.loops.contract.groups import grouping_of_nest, narrow
from polyopt.passes.loops.contract.kept_panels import keeping_loop
from polyopt.passes.loops.contract.structured import Structured
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def plan(module: ModuleOp, target: Target, given: Mapping[str, int]) -> None:
    """As `contract-plan` promises, with the sizes that are given."""
    for nest in operations_in(module, NestOp):
        structured = Structured.of(nest)
        if nest.blocking is not None or structured.panels is None:
            continue
        group = grouping_of_nest(structured, target)
        try:
            chosen = _sizes(structured, target)
        except NotRepresentable:
            continue
        if group is not None:
            narrow(group)
            chosen = in_groups(chosen, group.steps)
        nest.blocking = BlockingAttr(with_given(chosen, given))
        if keeping_loop(structured) is not None:
            nest.kept = UnitAttr()


def _sizes(nest: Structured, target: Target) -> Blocking:
    assert nest.panels is not None
    elements = [one.type for one in nest.updated]
    return choose_blocking(
        target,
        max(e.size for e in elements if isinstance(e, FixedBitwidthType)),
        len(nest.updated),
        len(nest.panels.rows),
        len(nest.panels.columns),
        (nest.known_extent(nest.rows), nest.known_extent(nest.columns)),
        is_fused=_is_fused(nest, target),
    )


def _is_fused(nest: Structured, target: Target) -> bool:
    """Is each update one operation, a product that is added or subtracted unrounded? Where there
    are more registers than a tile of this kind needs, that is of no account."""
    if target.vector_registers > CORE.blocks.few_registers:
        return True
    if target.vector_bits < CORE.blocks.fused_bits:
        return False
    for value in nest.op.yielded:
        update = value.owner
        if not isinstance(update, (arith.AddfOp, arith.SubfOp)):
            return False
        products = [v.owner for v in update.operands if isinstance(v.owner, arith.MulfOp)]
        if not products or not all(
            permits(op, FastMathFlag.ALLOW_CONTRACT) for op in (update, *products)
        ):
            return False
    return True
