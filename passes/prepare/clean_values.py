"""Compute equal values once, and unused ones not at all."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.effects import is_pure
from polyopt.support.record import record


@record
class CleanValuesPass(ModulePass):
    """One walk over the dominator tree and one back over the operations.

    Requires: nothing. Ensures: of equal pure operations of which one dominates the other only
    the first is left, and of equal loads in a block with nothing but loads and pure operations
    between them; pure operations and loads without a use are gone.

        %a = arith.index_cast %i : i32 to index       %a = arith.index_cast %i : i32 to index
        %b = arith.index_cast %i : i32 to index  ->   %x = memref.load %A[%a]
        %x = memref.load %A[%b]
    """

    name = "clean-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                clean_values(ControlFlow(function.body))


def clean_values(flow: ControlFlow) -> None:
    """Share equal values and drop unused ones. No block or edge changes."""
    _share(flow)
    _drop_unused(flow)


def _share(flow: ControlFlow) -> None:
    children = flow.dominators.children
    pending: list[tuple[int, dict[Hashable, Operation]]] = [(0, {})]
    while pending:
        number, known = pending.pop()
        loaded: dict[Hashable, Operation] = {}
        for op in flow.cfg.blocks[number].ops:
            is_load = isinstance(op, memref.LoadOp)
            if not is_load and not is_pure(op):
                loaded.clear()
                continue
            if not op.results:
                continue
            first = (loaded if is_load else known).setdefault(_key(op), op)
            if first is not op:
                for old, new in zip(op.results, first.results, strict=True):
                    old.replace_all_uses_with(new)
                op.detach()
                op.erase()
        below = children[number]
        for child in below:
            pending.append((child, known if len(below) == 1 else dict(known)))


def _key(op: Operation) -> Hashable:
    return (
        op.name,
        tuple(op.operands),
        tuple(op.properties.items()),
        tuple(op.attributes.items()),
        tuple(op.result_types),
    )


def _drop_unused(flow: ControlFlow) -> None:
    for block in reversed(flow.cfg.blocks):
        for op in reversed(block.ops):
            if not (is_pure(op) or isinstance(op, memref.LoadOp)):
                continue
            if not any(result.first_use for result in op.results):
                op.detach()
                op.erase()
