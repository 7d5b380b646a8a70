"""Loops that a pass before has made of another one: what stands against them says nothing about
the source."""

from __future__ import annotations

from polyopt.dialects.cmem import SELDOM
from polyopt.dialects.locations import span_of
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.support.diagnostics import Span


def places_taken_before(flow: ControlFlow) -> set[Span]:
    """Where the operations stand of loops that are asked many iterations at once whether one of
    them changes anything (`scan-records`), and of the loops that ask."""
    places: set[Span] = set()
    loops = flow.loops.all_loops()
    asked = {_place(loop) for loop in loops if _looks_for_records(loop)} - {None}
    for loop in loops:
        if _place(loop) in asked:
            spans = (span_of(op) for block in loop.blocks for op in block.ops)
            places.update(span for span in spans if span is not None)
    return places


def _looks_for_records(loop: NaturalLoop) -> bool:
    if loop.children:
        return False
    branches = (block.last_op for block in loop.blocks)
    return any(branch is not None and SELDOM in branch.attributes for branch in branches)


def _place(loop: NaturalLoop) -> Span | None:
    return None if loop.header.last_op is None else span_of(loop.header.last_op)
