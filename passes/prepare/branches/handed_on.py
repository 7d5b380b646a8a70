"""What straight code stores and loads again is a value, and what it stores over is not stored.

    store %a, %h[%i]                              %c = 60 * %a
    %b = load %h[%i]             ->               store %c, %h[%i]
    store 60 * %b, %h[%i]

Only of elements that have the same name: another one may be the same, unless it is known to be
apart (`element_places.py`), and keeps what is stored.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from polyopt.ir.control.equal_values import replace_by
from polyopt.ir.effects import is_pure
from polyopt.passes.prepare.branches.element_places import Places
from polyopt.passes.prepare.branches.hammocks import ElementName, place_of


def hand_on_stored(ops: Iterable[Operation], but_for: Container[ElementName]) -> None:
    """In the operations, which stand one behind the other; `but_for` are places that stay as they
    are: sums in variables are known by their loads and stores."""
    stored: dict[ElementName, memref.StoreOp] = {}
    needed: set[Operation] = set()
    places = Places()
    for op in list(ops):
        if isinstance(op, memref.LoadOp):
            last = stored.get(place_of(op))
            if last is not None:
                replace_by(op, (last.value,))
                continue
            place = place_of(op)
            needed |= {one for at, one in stored.items() if not places.are_apart(at, place)}
        elif isinstance(op, memref.StoreOp):
            place = place_of(op)
            before = stored.get(place)
            if before is not None and before not in needed:
                before.detach()
                before.erase()
            stored = {at: one for at, one in stored.items() if places.are_apart(at, place)}
            if place not in but_for:
                stored[place] = op
        elif not is_pure(op):
            stored.clear()


def just_stored(branch: Operation, but_for: Container[ElementName]) -> dict[ElementName, SSAValue]:
    """What elements hold that the branch's block stores in front of it: they are there, and may be
    stored again."""
    found: dict[ElementName, SSAValue] = {}
    later: list[ElementName] = []
    places = Places()
    op = branch.prev_op
    while op is not None and (is_pure(op) or isinstance(op, memref.LoadOp | memref.StoreOp)):
        if isinstance(op, memref.StoreOp):
            place = place_of(op)
            if place not in but_for and all(places.are_apart(place, one) for one in later):
                found[place] = op.value
            later.append(place)
        op = op.prev_op
    return found
