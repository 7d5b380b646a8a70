"""Values of a nest's innermost code that are the same for all columns: computed once for a row."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.loops.registers.nest_groups import Group, is_count
from polyopt.passes.loops.registers.register_nest import RegisterNest


def uniform_values(
    nest: RegisterNest, group: Group, columns: AffineLoop, *folded: SSAValue
) -> set[SSAValue]:
    """The values of the group that are the same in all lanes, in which other iterators than that of
    the columns may be `folded`."""
    moving = (columns.iv, *folded)
    found: set[SSAValue] = set()
    for op in group.operations:
        if isinstance(op, affine.LoadOp):
            array, forms = group.elements[op]
            if (array, forms) not in nest.held and not any(f.uses(moving) for f in forms):
                found.add(op.result)
        elif is_count(op):
            if op.operands[0] not in moving:
                found.add(op.results[0])
        elif not isinstance(op, affine.StoreOp) and all(
            _is_outside(nest, v) or v in found for v in op.operands
        ):
            found.update(op.results)
    return found


def _is_outside(nest: RegisterNest, value: SSAValue) -> bool:
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    return owner is not None and not nest.root.is_ancestor(owner)
