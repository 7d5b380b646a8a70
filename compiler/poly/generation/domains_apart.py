"""Innermost loops over statements with different domains: the iterations apart that run the same.

    for i = 0 to n { if (i >= 1) S(i);  T(i) }    =>    T(0);  for i = 1 to n { S(i); T(i) }

isl calls it the loop type "separate" (T. Grosser, S. Verdoolaege, A. Cohen, Polyhedral AST
generation is more than scanning polyhedra, TOPLAS 2015, section 5). What is asked in each iteration
is in the way of vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from polyopt.poly.isl.budget import called_back
from polyopt.poly.loops.expressions import names_in
from polyopt.poly.loops.loop_tree import Branch, Instance, Loop, Node
from polyopt.support.core_model import CORE


def asks_inside(nodes: Sequence[Node]) -> bool:
    """Does an innermost loop ask by its iterator what to run?"""
    for loop in _loops(nodes):
        if any(True for _ in _loops(loop.body)):
            continue
        for branch in _branches(loop.body):
            if loop.iterator in names_in(branch.condition):
                return True
    return False


def is_much_longer(nodes: Sequence[Node], other: Sequence[Node]) -> bool:
    return _size(nodes) > CORE.code.apart * _size(other)


def with_domains_apart(schedule: isl.Schedule) -> isl.Schedule:
    """The same order, with the innermost loop of each band that has several statements of the type
    "separate"."""

    def separate(node: isl.ScheduleNode) -> isl.ScheduleNode:
        with called_back():
            if node.get_type() != isl.schedule_node_type.band or node.get_domain().n_set() < 2:
                return node
            if _has_band(node.child(0)):
                return node
            last = node.band_n_member() - 1
            return node.band_member_set_ast_loop_type(last, isl.ast_loop_type.separate)

    return schedule.map_schedule_node_bottom_up(separate)


def _has_band(node: isl.ScheduleNode) -> bool:
    if node.get_type() == isl.schedule_node_type.band:
        return True
    return any(_has_band(node.child(k)) for k in range(node.n_children()))


def _loops(nodes: Sequence[Node]) -> Iterator[Loop]:
    for node in nodes:
        match node:
            case Loop():
                yield node
                yield from _loops(node.body)
            case Branch():
                yield from _loops(node.then + node.orelse)
            case Instance():
                pass


def _branches(nodes: Sequence[Node]) -> Iterator[Branch]:
    for node in nodes:
        if isinstance(node, Branch):
            yield node
            yield from _branches(node.then + node.orelse)


def _size(nodes: Sequence[Node]) -> int:
    """How many statements stand in it."""
    size = 0
    for node in nodes:
        match node:
            case Loop():
                size += _size(node.body)
            case Branch():
                size += _size(node.then + node.orelse)
            case Instance():
                size += 1
    return size
