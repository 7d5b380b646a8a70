"""What control hands over arrives as it was meant; xDSL's verifier asks this of some operations.

A branch brings its block as many values as that takes, of its types; so does the end of a region
for the results of the operation around it, and, in a `scf.while`, for the other region.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import affine, scf
from xdsl.ir import Attribute, Operation, Region
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from polyopt.ir.branches import Edge

_GIVING = (
    affine.ForOp,
    affine.IfOp,
    affine.ParallelOp,
    scf.ExecuteRegionOp,
    scf.ForOp,
    scf.IfOp,
    scf.IndexSwitchOp,
)
"""Operations whose results are what a yield at the end of their regions brings."""


def check_handovers(root: Operation) -> None:
    """Raise VerifyException, at the operation, for values in `root` that are handed over to what
    takes others."""
    for op in root.walk():
        for position, target in enumerate(op.successors):
            brought = [value.type for value in Edge(op, position).values]
            _compare(op, brought, target.arg_types, "its block")
        if isinstance(op, scf.WhileOp):
            _check_while(op)
        elif isinstance(op, _GIVING):
            _check_ends(op, op.regions, op.result_types)


def _check_while(loop: scf.WhileOp) -> None:
    """The first region hands over to the second, and to the results; the second to the first."""
    starts = [region.block.arg_types for region in loop.regions]
    _compare(loop, [value.type for value in loop.arguments], starts[0], "its first region")
    for end in _ends([loop.before_region]):
        if isinstance(end, scf.ConditionOp):
            brought = [value.type for value in end.args]
            _compare(end, brought, starts[1], "the second region")
            _compare(end, brought, loop.result_types, "the loop")
        elif end is None or isinstance(end, scf.YieldOp) or not end.has_trait(IsTerminator):
            message = f"the first region of {loop.name} does not end in {scf.ConditionOp.name}"
            loop.emit_error(message, VerifyException(message))
    for end in _ends([loop.after_region]):
        _check_end(end, starts[0], loop)


def _check_ends(op: Operation, regions: Iterable[Region], taken: Sequence[Attribute]) -> None:
    """A region that is not there brings nothing."""
    for number, region in enumerate(regions):
        if not region.blocks:
            _compare(op, (), taken, f"its region {number}")
    for end in _ends(regions):
        _check_end(end, taken, op)


def _check_end(end: Operation | None, taken: Sequence[Attribute], around: Operation) -> None:
    """A yield brings its operands; what else ends a block goes elsewhere, and a block that nothing
    ends brings nothing."""
    if isinstance(end, affine.YieldOp | scf.YieldOp):
        _compare(end, [value.type for value in end.operands], taken, around.name)
    elif end is None or not end.has_trait(IsTerminator):
        _compare(end or around, (), taken, around.name)


def _ends(regions: Iterable[Region]) -> list[Operation | None]:
    return [block.last_op for region in regions for block in region.blocks]


def _compare(
    op: Operation, brought: Sequence[Attribute], taken: Sequence[Attribute], taker: str
) -> None:
    if list(brought) != list(taken):
        message = f"{op.name} brings {_said(brought)}, but {taker} takes {_said(taken)}"
        op.emit_error(message, VerifyException(message))


def _said(types: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, types))})"
