"""Generated loops run one instance at a time, each with the loops that it is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oracles.polyhedral import Point, Sizes

from polyopt.poly.loops.expressions import evaluate, holds
from polyopt.poly.loops.loop_tree import Branch, Instance, Loop, Node

Iteration = tuple[tuple[Loop, int], ...]
"""The loops around an instance, each with the value of its iterator."""


def run(
    nodes: Sequence[Node], sizes: Sizes, around: Iteration = ()
) -> Iterator[tuple[Point, Iteration]]:
    values = {**sizes, **{loop.iterator: value for loop, value in around}}
    for node in nodes:
        match node:
            case Instance(statement, arguments):
                yield (statement, tuple(evaluate(one, values) for one in arguments)), around
            case Branch(condition, then, orelse):
                yield from run(then if holds(condition, values) else orelse, sizes, around)
            case Loop():
                first, end = evaluate(node.lower, values), evaluate(node.upper, values)
                for value in range(first, end, node.step):
                    yield from run(node.body, sizes, (*around, (node, value)))


def all_loops(nodes: Sequence[Node]) -> Iterator[Loop]:
    for node in nodes:
        match node:
            case Loop():
                yield node
                yield from all_loops(node.body)
            case Branch():
                yield from all_loops(node.then + node.orelse)
            case Instance():
                pass
