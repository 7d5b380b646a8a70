"""export-cfg: functions as graphs of their blocks, with what is a static control part coloured.

T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, figure 11: -fview-scops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.ir.branches import outgoing
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.passes.exchange.exchange_files import put
from polyopt.passes.exchange.export_dot import svg_of
from polyopt.passes.scop.detection import Findings, find_scops
from polyopt.passes.scop.isolation import isolate_effects
from polyopt.poly.exchange.dot import Cluster, Edge, Graph, Node, dot_text
from polyopt.support.record import record

_TAKEN, _LEFT = "palegreen", "mistyrose"


@record
class ExportCfgPass(ModulePass):
    """Draw each function, or the one named `function`: its blocks with the lines of C that they
    come from, each static control part in a green box, each loop in none in a red one with the
    reason, where control goes as arrows. `only`: blocks without their lines.

    Looked at is what `detect-scops` would find here. Writes `<function>.cfg.dot`, or `.svg` where
    the program `dot` of Graphviz is installed, to the folder `dir` ("-": standard output). The
    module is not changed.

        export-cfg{dir=pictures}
    """

    name = "export-cfg"

    format: Literal["dot", "svg"] = "dot"
    dir: str = "."
    function: str | None = None
    only: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if not isinstance(function, func.FuncOp) or not function.body.blocks:
                continue
            name = function.sym_name.data
            if self.function in (None, name):
                text = dot_text(_graph(function.clone(), only=self.only))
                drawn = text if self.format == "dot" else svg_of(text)
                put(self.dir, f"{name}.cfg.{self.format}", drawn)


def _graph(function: func.FuncOp, *, only: bool) -> Graph:
    """Of a function that may be changed."""
    isolate_effects(function.body)
    flow = ControlFlow(function.body)
    has_loops = bool(flow.loops.top_level or flow.loops.irreducible)
    findings = find_scops(flow) if has_loops else Findings()
    number = flow.cfg.number
    nodes = {block: _node(block, number[block], only=only) for block in flow.cfg.blocks}
    name, members, left = function.sym_name.data, list[Node | Cluster](), dict(nodes)
    for k, plan in enumerate(findings.plans):
        inside = [block for block in flow.cfg.blocks if block in plan.candidate.region.blocks]
        title = f"static control part {name}_{k}" if k else f"static control part {name}"
        members.append(Cluster(title, _taken(left, inside), _TAKEN))
    for loop, why in _outermost(findings).items():
        inside = [block for block in flow.cfg.blocks if block in loop.blocks]
        members.append(Cluster(f"loop {loop.name}: {why}", _taken(left, inside), _LEFT, "dashed"))
    edges = tuple(
        Edge(str(number[block]), str(number[edge.target]))
        for block in flow.cfg.blocks
        for edge in outgoing(block)
        if edge.target in number
    )
    return Graph(name, (*left.values(), *members), edges)


def _taken(left: dict[Block, Node], blocks: Iterable[Block]) -> tuple[Node, ...]:
    """The nodes of the blocks, which stand in no other box."""
    return tuple(left.pop(block) for block in blocks if block in left)


def _outermost(findings: Findings) -> Mapping[NaturalLoop, str]:
    """The loops in no static control part, and why; those within others of them are theirs."""
    taken = {loop for plan in findings.plans for loop in plan.candidate.loops}
    reasons: dict[NaturalLoop, str] = {}
    for loss in findings.losses:
        for loop in loss.loops:
            if loop not in taken and not any(one.encloses(loop) for one in reasons):
                reasons[loop] = loss.why.message
    return reasons


def _node(block: Block, number: int, *, only: bool) -> Node:
    lines: Sequence[str] = [] if only else _lines(block)
    return Node(str(number), (f"{number}", *lines))


def _lines(block: Block) -> list[str]:
    """What is in the block, as "line 3, line 4"."""
    spans = [span_of(op) for op in block.ops]
    found = sorted({span.line for span in spans if span is not None})
    return [f"line {line}" for line in found]
