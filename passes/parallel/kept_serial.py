"""Loops that the programmer keeps in one thread: by `#pragma polyopt serial`, `optnone` or
`target`."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from polyopt.dialects.cmem import linker_marks
from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.serial_places import SerialPlace, serial_places_of


def is_kept_serial(function: FuncOp) -> bool:
    """By `optnone`, or since it is for a CPU that the functions of its threads are not for."""
    return not {"optnone", "target"}.isdisjoint(linker_marks(function))


def serial_loops(module: ModuleOp) -> set[affine.ForOp]:
    """The loops that run a statement of a place that is to be serial, in whatever order the loops
    are now: but for those that go by the name of a loop around that place."""
    places = serial_places_of(module)
    if not places:
        return set()
    return {
        op
        for op in module.walk()
        if isinstance(op, affine.ForOp) and any(_is_kept(op, place) for place in places)
    }


def _is_kept(loop: affine.ForOp, place: SerialPlace) -> bool:
    name = facts_of(loop).iterator
    if name is not None and place.loops and name not in place.loops:
        return False
    return any(
        isinstance(op, affine.StoreOp) and place.holds(span_of(op)) for op in loop.body.walk()
    )
