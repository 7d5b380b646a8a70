"""What generated loops cost besides the instances that they run: their size and their control.

For comparing loop generators with each other; counted by going through the loops at given sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyopt.poly.loops.expressions import evaluate, holds
from polyopt.poly.loops.loop_tree import (
    All,
    Any,
    Branch,
    Compare,
    Condition,
    Const,
    Expr,
    FloorDiv,
    Instance,
    Loop,
    Max,
    Min,
    Mod,
    Name,
    Node,
    Product,
    Select,
    Sum,
)
from polyopt.support.record import entity, record


@record
class CodeSize:
    """`operations`: the arithmetic, minima, maxima and comparisons of bounds, conditions and
    arguments."""

    loops: int = 0
    branches: int = 0
    instances: int = 0
    operations: int = 0

    def __add__(self, other: CodeSize) -> CodeSize:
        return CodeSize(
            self.loops + other.loops,
            self.branches + other.branches,
            self.instances + other.instances,
            self.operations + other.operations,
        )


@entity
class Control:
    """`starts` of loops, of which `empty` ones run no iteration; `tests` of branches; `work`: the
    operations of all bounds, conditions and arguments each time that they are computed."""

    starts: int = 0
    empty: int = 0
    iterations: int = 0
    tests: int = 0
    instances: int = 0
    work: int = 0


def code_size(nodes: Sequence[Node]) -> CodeSize:
    total = CodeSize()
    for node in nodes:
        match node:
            case Loop(_, lower, upper):
                own = CodeSize(loops=1, operations=operations(lower) + operations(upper))
                total += own + code_size(node.body)
            case Branch(condition, then, orelse):
                own = CodeSize(branches=1, operations=operations(condition))
                total += own + code_size(then) + code_size(orelse)
            case Instance(_, arguments):
                total += CodeSize(instances=1, operations=sum(map(operations, arguments)))
    return total


def control(nodes: Sequence[Node], sizes: Mapping[str, int]) -> Control:
    """What running the loops costs for these values of the parameters."""
    total = Control()
    _run(nodes, sizes, total)
    return total


def _run(nodes: Sequence[Node], values: Mapping[str, int], total: Control) -> None:
    for node in nodes:
        match node:
            case Loop():
                total.work += operations(node.lower) + operations(node.upper)
                steps = range(evaluate(node.lower, values), evaluate(node.upper, values), node.step)
                total.starts += 1
                total.empty += not steps
                total.iterations += len(steps)
                for step in steps:
                    _run(node.body, {**values, node.iterator: step}, total)
            case Branch(condition, then, orelse):
                total.tests += 1
                total.work += operations(condition)
                _run(then if holds(condition, values) else orelse, values, total)
            case Instance(_, arguments):
                total.instances += 1
                total.work += sum(map(operations, arguments))


def operations(part: Expr | Condition) -> int:
    """How many machine operations `part` is, each division, minimum and comparison being one."""
    match part:
        case Const() | Name():
            return 0
        case Product(factor, term):
            return operations(term) + (factor != -1)
        case FloorDiv(term) | Mod(term) | Compare(term):
            return 1 + operations(term)
        case Sum(terms) | Min(terms) | Max(terms):
            return len(terms) - 1 + sum(map(operations, terms))
        case All(parts) | Any(parts):
            return max(len(parts) - 1, 0) + sum(map(operations, parts))
        case Select(condition, then, orelse):
            return 1 + operations(condition) + operations(then) + operations(orelse)
