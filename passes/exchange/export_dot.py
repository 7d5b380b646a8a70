"""poly-export-dot: SCoPs, dependences and schedules as graphs to look at."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.problem import read_problem
from polyopt.passes.exchange.exchange_files import chosen_scops, file_of, put
from polyopt.poly.exchange.dot import Graph, dot_text
from polyopt.poly.exchange.graphs import dependence_graph, schedule_graph, scop_graph
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record
class PolyExportDotPass(ModulePass):
    """Draw each SCoP, or the one named `scop`: its statements in their loops, its dependences, or
    its schedule tree, whichever `graph` is, or "all" of them.

    Writes `<function>___<scop>.<graph>.dot`, or `.svg` where the program `dot` of Graphviz is
    installed, to the folder `dir` ("-": standard output). The module is not changed.

        poly-export-dot{graph=dependences format=svg dir=pictures}
    """

    name = "poly-export-dot"

    graph: Literal["scop", "dependences", "schedule", "all"] = "schedule"
    format: Literal["dot", "svg"] = "dot"
    dir: str = "."
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graphs = GRAPHS if self.graph == "all" else {self.graph: GRAPHS[self.graph]}
        for scop in chosen_scops(op, self.scop):
            for name, graph in graphs.items():
                text = _text_of(scop, graph)
                drawn = text if self.format == "dot" else svg_of(text)
                put(self.dir, file_of(scop, f"{name}.{self.format}"), drawn)


def _dependences(op: ScopOp) -> Graph:
    problem = read_problem(op)
    return dependence_graph(problem.scop, problem.dependences)


GRAPHS: dict[str, Callable[[ScopOp], Graph]] = {
    "scop": lambda op: scop_graph(read_scop(op)),
    "dependences": _dependences,
    "schedule": lambda op: schedule_graph(read_scop(op)),
}


def _text_of(op: ScopOp, graph: Callable[[ScopOp], Graph]) -> str:
    try:
        return dot_text(graph(op))
    except UnsupportedTree as error:
        raise CompileError(f"SCoP '{op.scop_name.data}' cannot be drawn: {error}") from None


def svg_of(text: str) -> bytes:
    """The picture that Graphviz draws; CompileError where it is not installed."""
    program = shutil.which("dot")
    if program is None:
        raise CompileError(
            "an SVG is drawn by the program 'dot', which is not installed",
            hint="install Graphviz, or export with format=dot",
        )
    drawn = subprocess.run(
        [program, "-Tsvg"], input=text.encode(), capture_output=True, check=False
    )
    if drawn.returncode != 0:
        raise CompileError(f"dot failed: {drawn.stderr.decode(errors='replace').strip()}")
    return drawn.stdout
