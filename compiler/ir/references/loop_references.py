"""What the iterations of a loop touch, and how much of that data decide.

Of loops whose bounds or subscripts are loaded inside of them this is what can be asked before any
of them is a static control part: for threads (`passes/parallel`) and for the order of loops
(`passes/irregular`).
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import memref, scf
from xdsl.ir import Operation

from polyopt.ir.effects import is_pure
from polyopt.ir.expressions.integer_expr import Unknown
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference, reference

_STRUCTURE = (scf.IfOp, scf.YieldOp)


class NotProved(Exception):
    """Why iterations may depend on each other, or the loop is none that can be shared out; for the
    user. `op`: where."""

    def __init__(self, message: str, op: Operation | None = None):
        super().__init__(message)
        self.message = message
        self.op = op


def references_of(view: LoopView) -> Iterator[Reference]:
    """All that the iterations touch; nothing else happens in them. Raises NotProved."""
    for op in view.operations():
        match op:
            case memref.LoadOp() | memref.StoreOp():
                found = reference(op, view.evolution)
                if found is None:
                    raise NotProved("what it touches is not known", op)
                yield view.exactly(found)
            case _ if isinstance(op, _STRUCTURE) or op.successors or is_pure(op):
                continue
            case _:
                callee = op.get_attr_or_prop("callee")
                what = "it does what may have effects" if callee is None else "it calls a function"
                raise NotProved(what, op)


def is_irregular(view: LoopView) -> bool:
    """How often some loop inside runs is not known from sums and products of counters and of what
    is there before."""
    pending = list(view.loop.children)
    while pending:
        inner = pending.pop()
        count = view.evolution.trip_count(inner)
        if count is None or any(_is_read_inside(atom, view) for atom in count.taken.all_atoms()):
            return True
        pending += inner.children
    return False


def has_chosen_places(view: LoopView) -> bool:
    """It stores at places that data say which it reads."""
    for op in view.operations():
        found = reference(op, view.evolution) if isinstance(op, memref.StoreOp) else None
        atoms = (
            [] if found is None else [one for index in found.indices for one in index.all_atoms()]
        )
        if any(_is_read_inside(atom, view) for atom in atoms):
            return True
    return False


def _is_read_inside(atom: object, view: LoopView) -> bool:
    """It is loaded, at places that change."""
    if not isinstance(atom, Unknown) or not view.is_inside(atom.value):
        return False
    owner = atom.value.owner
    if not isinstance(owner, memref.LoadOp):
        return True
    place = reference(owner, view.evolution)
    return place is None or not all(map(view.is_fixed, (place.offset, *place.indices)))
