"""print-regions: dominators and the regions of each function, as text before the module.

For people and for tests; the module is not changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.regions import FlowRegion, inner_sequences, sequence
from polyopt.support.record import record


@record
class PrintRegionsPass(ModulePass):
    """Print each function's blocks with their immediate dominators and postdominators, and the
    regions with one entry and one exit that it is composed of, inner ones indented. A region has
    the blocks from its entry up to its exit, which is not in it.

    // f: 0: dominated by -, postdominated by 1
    // f: region 0 to 1
    //   f: region 2 to 3: loop i
    """

    name = "print-regions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in _functions(op):
            flow, name = ControlFlow(function.body), function.sym_name.data
            for block in flow.cfg.blocks:
                above = _number(flow, flow.dominators.immediate(block))
                below = _number(flow, flow.postdominators.immediate(block))
                number = flow.cfg.number[block]
                print(f"// {name}: {number}: dominated by {above}, postdominated by {below}")
            for line in _regions(flow, list(sequence(flow, flow.cfg.blocks[0])), "  "):
                print(f"// {name}:{line}")


def _functions(module: ModuleOp) -> Iterator[func.FuncOp]:
    for op in module.walk():
        if isinstance(op, func.FuncOp) and op.body.blocks:
            yield op


def _regions(flow: ControlFlow, parts: list[FlowRegion], indent: str) -> Iterator[str]:
    for part in parts:
        entry, exit = flow.cfg.number[part.entry], _number(flow, part.exit)
        loop = flow.loops.innermost(part.entry)
        is_loop = loop is not None and loop.header is part.entry and loop.parent is None
        around = flow.loops.innermost(part.exit) if part.exit is not None else None
        if loop is not None and loop.header is part.entry and around is not loop:
            is_loop = True
        told = f": loop {loop.name}" if is_loop and loop is not None else ""
        yield f"{indent}region {entry} to {exit}{told}"
        for inner in inner_sequences(flow, part):
            yield from _regions(flow, inner, indent + "  ")


def _number(flow: ControlFlow, block: Block | None) -> str:
    return "-" if block is None else str(flow.cfg.number[block])
