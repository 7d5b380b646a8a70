"""Functions of random control flow, whose blocks do nothing but branch."""

from __future__ import annotations

import random

from xdsl.context import Context
from xdsl.dialects import builtin, func
from xdsl.dialects.cf import Cf
from xdsl.parser import Parser

from polyopt.ir.control.control_flow import ControlFlow

Edges = list[tuple[int, ...]]
"""For each block where it goes: nowhere but out of the function, to one or to one of two."""


def random_edges(seed: int) -> Edges:
    """Blocks that all are reached in a chain, with branches on and back. Nothing goes to the
    first one, and the last one returns."""
    rng = random.Random(f"flow {seed}")
    count = rng.randint(2, 8)
    edges = Edges()
    for block in range(count - 1):
        onward, other = block + 1, rng.randint(1, count - 1)
        edges.append(rng.choice([(onward,), (onward, other), (other, onward)]))
    return [*edges, ()]


def flow_of(edges: Edges) -> ControlFlow:
    """Block n of the region is n in `edges`."""
    lines = list[str]()
    for block, targets in enumerate(edges):
        match targets:
            case ():
                branch = "func.return"
            case (one,):
                branch = f"cf.br ^b{one}"
            case _:
                branch = f"cf.cond_br %c, ^b{targets[0]}, ^b{targets[1]}"
        lines.append(branch if block == 0 else f"^b{block}: {branch}")
    context = Context()
    for dialect in (builtin.Builtin, func.Func, Cf):
        context.load_dialect(dialect)
    module = Parser(context, "func.func @f(%c: i1) {\n" + "\n".join(lines) + "\n}").parse_module()
    module.verify()
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    return ControlFlow(function.body)


def reached(edges: Edges, start: int, avoiding: int | None = None) -> set[int]:
    """By any way from `start`, itself among them, that does not come to `avoiding`."""
    found = {start} - {avoiding}
    pending = list(found)
    while pending:
        new = {one for one in edges[pending.pop()] if one != avoiding} - found
        found |= new
        pending += new
    return found
