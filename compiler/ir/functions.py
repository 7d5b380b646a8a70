"""The functions of a module in which something may be gained for loops.

Most functions of most programs have no loops, are called by none that has some, and tell none that
has some how long its loops are: what is prepared in them is prepared for nobody, and takes as long
as in the others. `keep-as-written` finds them (`poly.far_from_loops`), and they stay as the front
end made them, like the functions with loops of which nothing is kept in the end.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import FAR_FROM_LOOPS


def functions_near_loops(module: ModuleOp) -> list[func.FuncOp]:
    """Those with bodies that nobody has found to be far from all loops."""
    return [
        one
        for one in module.ops
        if isinstance(one, func.FuncOp) and one.body.blocks and not is_far_from_loops(one)
    ]


def is_far_from_loops(function: func.FuncOp) -> bool:
    return FAR_FROM_LOOPS in function.attributes
