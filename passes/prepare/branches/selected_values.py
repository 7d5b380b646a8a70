"""Conditionals that only compute become selections.

    %v = scf.if %c -> (i32) {             %a = arith.subi %x, %n
      %a = arith.subi %x, %n        ->    %v = arith.select %c, %a, %y
      yield %a
    } else { yield %y }

What could trap where C does not run it stays where it is, and so does what is long: lanes of
vectors pay for both sides.
"""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, Region

from polyopt.ir.effects import is_speculatable
from polyopt.support.core_model import CORE

EXPENSIVE = frozenset(
    f"math.{name}"
    for name in (
        *("exp", "exp2", "log", "log2", "log10", "powf"),
        *("sin", "cos", "tan", "tanh", "atan", "atan2"),
    )
)


def is_cheap_anywhere(op: Operation) -> bool:
    """The operation may run where C does not run it, and takes little time there."""
    return is_speculatable(op) and op.name not in EXPENSIVE


def select_values(conditional: scf.IfOp) -> bool:
    """Gives whether the conditional is gone."""
    regions = [region for region in conditional.regions if region.blocks]
    if not conditional.results or len(regions) != 2:
        return False
    if sum(len(_computed(region)) for region in regions) > CORE.code.selected:
        return False
    if not all(is_cheap_anywhere(op) for region in regions for op in _computed(region)):
        return False
    around = conditional.parent
    assert around is not None
    for region in regions:
        for op in _computed(region):
            op.detach()
            around.insert_op_before(op, conditional)
    then, orelse = (region.block.last_op for region in regions)
    assert then is not None
    assert orelse is not None
    for old, yes, no in zip(conditional.results, then.operands, orelse.operands, strict=True):
        chosen = arith.SelectOp(conditional.cond, yes, no)
        chosen.location = conditional.location
        chosen.result.name_hint = old.name_hint
        around.insert_op_before(chosen, conditional)
        old.replace_all_uses_with(chosen.result)
    conditional.detach()
    conditional.erase()
    return True


def _computed(region: Region) -> list[Operation]:
    return [op for op in region.block.ops if not isinstance(op, scf.YieldOp)]
