"""contract-plan: the sizes in which contractions are cut, as data on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp, UnitAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.passes import ModulePass

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_forms import Blocking, BlockingAttr
from polyopt.ir.constraints import NotRepresentable
from polyopt.ir.fast_math import permits
from polyopt.passes.loops.contract.blocking import choose_blocking
from polyopt.passes.loops.contract.kept_panels import keeping_loop
from polyopt.passes.loops.contract.structured import Structured
from polyopt.support.target import Target

_FEW_REGISTERS = 16
_BITS_WITH_FMA = 256
"""x86 has fused operations where it has vectors of this width."""


@dataclass(frozen=True)
class ContractPlanPass(ModulePass):
    """Say of each `contract.nest` in which sizes it is to be cut (`blocking`).

    Requires: nothing. A nest that has sizes keeps them.
    Ensures: nothing is computed otherwise. Sizes that are zero here are chosen by the model
    (`blocking.py`) for the machine `march`. A nest whose column panels a loop around it does not
    change (`kept_panels.py`) is `kept`. One that has nothing to pack gets no sizes.
    """

    name = "contract-plan"

    march: str = "native"
    rows: int = 0
    vectors: int = 0
    depth: int = 0
    row_block: int = 0
    column_block: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        for nest in [one for one in op.walk() if isinstance(one, NestOp)]:
            structured = Structured.of(nest)
            if nest.blocking is not None or structured.panels is None:
                continue
            try:
                nest.blocking = BlockingAttr(self._sizes(structured, target))
            except NotRepresentable:
                continue
            if keeping_loop(structured) is not None:
                nest.kept = UnitAttr()

    def _sizes(self, nest: Structured, target: Target) -> Blocking:
        assert nest.panels is not None
        elements = [one.type for one in nest.updated]
        chosen = choose_blocking(
            target,
            max(e.size for e in elements if isinstance(e, FixedBitwidthType)),
            len(nest.updated),
            len(nest.panels.rows),
            len(nest.panels.columns),
            (nest.known_extent(nest.rows), nest.known_extent(nest.columns)),
            is_fused=_is_fused(nest, target),
        )
        given = {
            name: value
            for name in ("rows", "vectors", "depth", "row_block", "column_block")
            if (value := getattr(self, name))
        }
        return replace(chosen, **given)


def _is_fused(nest: Structured, target: Target) -> bool:
    """Is each update one operation, a product that is added or subtracted unrounded? Where there
    are more registers than a tile of this kind needs, that is of no account."""
    if target.vector_registers > _FEW_REGISTERS:
        return True
    if target.vector_bits < _BITS_WITH_FMA:
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
