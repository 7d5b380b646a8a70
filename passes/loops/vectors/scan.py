"""Recurrences whose iterations can be taken together: each leaves what the one before has left,
combined with something of its own.

    x = x + f(i)          a running sum, of which each step may be wanted
    x = min(x, f(i))      and other associative operations
    x = c(i) x + f(i)     linear: (c, f) after (d, g) is (c d, c g + f), which is associative too

What goes from one iteration to the next is an element that stays where it is, or an array's row,
of which each iteration reads what the one before has stored. In a vector, log2(lanes) steps give
each lane what all lanes up to it make of nothing; what came before is combined with it at the end,
so that vectors wait for each other for one operation only.

(G. E. Blelloch, Prefix sums and their applications, CMU-CS-90-190, 1990; P. M. Kogge, H. S. Stone,
A parallel algorithm for the efficient solution of a general class of recurrence equations, IEEE
Trans. Computers C-22(8), 1973.)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.elementwise import COMBINERS
from polyopt.ir.fast_math import may_reassociate
from polyopt.support.record import record

_SUMS = (arith.AddfOp, arith.AddiOp)
_DIFFERENCES = (arith.SubfOp, arith.SubiOp)
_PRODUCTS = (arith.MulfOp, arith.MuliOp)
_LINEAR = (*_SUMS, *_DIFFERENCES, *_PRODUCTS, arith.NegfOp)
_ASSOCIATIVE = frozenset(kind for kind, name in COMBINERS.items() if name not in ("add", "mul"))


@record
class Scan:
    """What an iteration leaves in the place of `store`: `taken` are the loads of what the one
    before has left there, `again` those of what this one has. `is_cell`: the place is the same in
    all iterations."""

    store: affine.StoreOp
    taken: tuple[affine.LoadOp, ...]
    again: tuple[affine.LoadOp, ...]
    operations: tuple[Operation, ...]
    is_cell: bool

    @property
    def value(self) -> SSAValue:
        return self.store.value

    @property
    def loads(self) -> tuple[affine.LoadOp, ...]:
        return (*self.taken, *self.again)

    @property
    def before(self) -> frozenset[SSAValue]:
        return frozenset(load.result for load in self.taken)

    @cached_property
    def reach(self) -> frozenset[SSAValue]:
        """All that depends on what the iteration before has left."""
        return self.reach_of(self.taken)

    def reach_of(self, loads: Sequence[affine.LoadOp]) -> frozenset[SSAValue]:
        found: set[SSAValue] = {load.result for load in loads}
        for op in self.operations:
            if any(operand in found for operand in op.operands):
                found.update(op.results)
        return frozenset(found)

    @cached_property
    def path(self) -> list[tuple[Operation, int]] | None:
        """The operations from what it takes to what it leaves, last first, each with the operand
        that depends on what is taken, if it is one of each."""
        found: list[tuple[Operation, int]] = []
        value = self.value
        while value not in self.before:
            if not isinstance(value, OpResult) or value not in self.reach:
                return None
            places = [k for k, one in enumerate(value.op.operands) if one in self.reach]
            if len(places) != 1 or not _order_is_free(value.op):
                return None
            found.append((value.op, places[0]))
            value = value.op.operands[places[0]]
        return found

    @cached_property
    def combine(self) -> Operation | None:
        """The operation that takes iterations together, where it is no sum."""
        kinds = {type(op) for op, _ in self.path or ()}
        if len(kinds) != 1 or not kinds <= _ASSOCIATIVE:
            return None
        return None if self.path is None else self.path[0][0]

    @cached_property
    def is_linear(self) -> bool:
        """Is it what was left before, times something, plus something?"""
        return bool(self.path) and all(
            isinstance(op, _LINEAR) or (isinstance(op, arith.DivfOp) and place == 0)
            for op, place in self.path or ()
        )

    @cached_property
    def has_factor(self) -> bool:
        return self.combine is None and any(
            not isinstance(op, _SUMS) and (place == 1 or not isinstance(op, _DIFFERENCES))
            for op, place in self.path or ()
        )

    @cached_property
    def is_steady(self) -> bool:
        """Is the factor the same in all iterations? Its powers are computed once."""
        return not any(
            isinstance(op, (*_PRODUCTS, arith.DivfOp)) and self._moves(op.operands[1 - place])
            for op, place in self.path or ()
        )

    def _moves(self, value: SSAValue) -> bool:
        if not isinstance(value, OpResult) or value.op.parent is not self.store.parent:
            return False
        return not isinstance(value.op, arith.ConstantOp)


def _order_is_free(op: Operation) -> bool:
    is_float = isinstance(op.results[0].type, (Float32Type, Float64Type))
    return not is_float or may_reassociate(op)


def find_scans(loop: AffineLoop, operations: Sequence[Operation]) -> tuple[Scan, ...] | None:
    """The recurrences of straight code in a loop, if they are all that it carries."""
    scans: list[Scan] = []
    for store in operations:
        if not isinstance(store, affine.StoreOp):
            continue
        found = _cell if stride_of(store, loop) == 0 else _row
        places = found(store, operations, loop)
        if places is None:
            return None
        taken, again = places
        if not taken and found is _row:
            continue
        one = _scan(store, taken, again, operations, is_cell=found is _cell)
        if one is None:
            return None
        scans.append(one)
    if not scans or len({one.store.memref for one in scans}) != len(scans):
        return None
    return tuple(scans) if _is_acyclic(scans) and _carries_only(scans, loop) else None


_Loads = tuple[list[affine.LoadOp], list[affine.LoadOp]]
"""Of what the iteration before has left, and of what this one has."""


def _cell(
    store: affine.StoreOp, operations: Sequence[Operation], loop: AffineLoop
) -> _Loads | None:
    taken, again = list[affine.LoadOp](), list[affine.LoadOp]()
    side = taken
    for op in operations:
        if op is store:
            side = again
        elif isinstance(op, (affine.LoadOp, affine.StoreOp)) and op.memref is store.memref:
            if isinstance(op, affine.StoreOp) or subscripts_of(op) != subscripts_of(store):
                return None
            side.append(op)
    return (taken, again) if taken else None


def _row(store: affine.StoreOp, operations: Sequence[Operation], loop: AffineLoop) -> _Loads:
    places = subscripts_of(store)
    if places is None or stride_of(store, loop) != 1:
        return [], []
    before = tuple(form.substitute({loop.iv: Linear.of(loop.iv) - 1}) for form in places)
    loads = [one for one in operations if isinstance(one, affine.LoadOp)]
    near = [one for one in loads if one.memref is store.memref]
    return [one for one in near if subscripts_of(one) == before], []


def _scan(
    store: affine.StoreOp,
    taken: Sequence[affine.LoadOp],
    again: Sequence[affine.LoadOp],
    operations: Sequence[Operation],
    *,
    is_cell: bool,
) -> Scan | None:
    found = Scan(store, tuple(taken), tuple(again), tuple(operations), is_cell)
    return found if found.combine is not None or found.is_linear else None


def _is_acyclic(scans: Sequence[Scan]) -> bool:
    """What a scan combines may come from other scans, but not from itself around them."""
    needs = {
        one: {
            other
            for other in scans
            if other is not one and one.store.value in other.reach_of(other.loads)
        }
        for one in scans
    }
    while needs:
        ready = [one for one, others in needs.items() if not others & needs.keys()]
        if not ready:
            return False
        for one in ready:
            del needs[one]
    return True


def _carries_only(scans: Sequence[Scan], loop: AffineLoop) -> bool:
    """Nothing but the scans goes from one iteration to another, and what they combine is in no
    array that the iteration writes to in front: it is read as soon as anything needs the scan."""
    dependences = dependences_below(loop.op)
    if not dependences.is_complete:
        return False
    own: dict[Operation, int] = {
        op: number for number, one in enumerate(scans) for op in (one.store, *one.loads)
    }
    early = {op for one in scans for op in _computing(one)} - own.keys()
    for dependence in dependences.dependences:
        if dependence.kind == "RAW" and dependence.sink.op in early:
            if dependence.has_distance("d0 = 0"):
                return False
    return all(
        own.get(dependence.source.op, -1) == own.get(dependence.sink.op, -2)
        for dependence in dependences.carried_by(loop)
    )


def _computing(one: Scan) -> set[Operation]:
    """What is needed for what the scan stores."""
    found: set[Operation] = set()
    pending = [one.value.owner]
    while pending:
        op = pending.pop()
        if isinstance(op, Operation) and op.parent is one.store.parent and op not in found:
            found.add(op)
            pending += [value.owner for value in op.operands]
    return found
