"""Why the loops of a nest stay in one thread: what depends on what, or how little work it is."""

from __future__ import annotations

from dataclasses import field

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.parallel.arms import Arms
from polyopt.support.record import entity
from polyopt.support.remarks import are_collected, remark

_COMBINES = ("addf", "mulf", "subf", "maximumf", "minimumf", "maxnumf", "minnumf")
"""Of integers, the order may change anyway."""


@entity
class Attempts:
    """Of a nest: the loops that stay in one thread, from the outside in, with the reason where it
    is known already. `shared`: some loop of it runs in threads. `kept` are to stay in one. `met`:
    arrays that nests beside it share out otherwise. `in_rows`: it runs for each element of a row of
    data (`within_rows.py`). `heads`: what is left serial of loops that were split."""

    kept: set[affine.ForOp] = field(default_factory=set[affine.ForOp])
    is_nest: bool = True
    left: list[tuple[affine.ForOp, str | None]] = field(
        default_factory=list[tuple[affine.ForOp, str | None]]
    )
    shared: bool = False
    arms: Arms | None = None
    met: frozenset[SSAValue] = frozenset()
    in_rows: bool = False
    heads: set[affine.ForOp] = field(default_factory=set[affine.ForOp])

    def tell(self, id: str) -> None:
        """A remark for the outermost loop, and for those inside that might have run in threads."""
        if self.shared or not self.left or not are_collected():
            return
        (outermost, reason), *inner = self.left
        told = [(outermost, reason or carried_reason(outermost))]
        told += [(loop, why) for loop, why in inner if why is not None]
        for loop, why in told:
            name = facts_of(loop).iterator
            what = "a loop" if name is None else f"loop {name}"
            remark("missed", id, f"{what} in one thread: {why}", span_of(loop))


def carried_reason(loop: affine.ForOp) -> str:
    """What goes from one iteration to another, with both places in the source."""
    if loop.inits:
        return "an iteration hands a value on to the next one"
    facts = facts_of(loop)
    if facts.is_parallel:
        return "it is short, and runs often"
    if facts.carried == "reduction":
        return f"threads can have no copies of {' and '.join(facts.reduces)} to add up in"
    dependences = dependences_below(loop)
    if not dependences.is_complete:
        return "what it touches is not known"
    carried = dependences.carried_by(AffineLoop(loop))
    if not carried:
        return "no way to share it out is known"
    others = [one for one in carried if not _is_of_update(one)]
    if not others:
        name = _name(carried[0])
        return (
            f"each iteration adds to {name} {_place(carried[0].source.op)}, in an order that only "
            "-ffast-math or -fassociative-math lets change"
        )
    flow = next((one for one in others if one.kind == "RAW"), others[0])
    does = {"RAW": "reads", "WAW": "writes", "WAR": "writes"}[flow.kind]
    did = "writes" if flow.source.is_write else "reads"
    return (
        f"what it {did} of {_name(flow)} {_place(flow.source.op)} a later iteration {does} "
        f"{_place(flow.sink.op)}"
    )


def _name(dependence: Dependence) -> str:
    return dependence.source.array.name_hint or "memory"


def _place(op: Operation) -> str:
    span = span_of(op)
    return "" if span is None else f"in line {span.line}"


def _is_of_update(dependence: Dependence) -> bool:
    """Both ends belong to an operation on the old value of the element that is written."""
    ends = (dependence.source.op, dependence.sink.op)
    return any(
        isinstance(store, affine.StoreOp) and all(end in _update(store) for end in ends)
        for store in ends
    )


def _update(store: affine.StoreOp) -> list[Operation]:
    """The store and the loads of the element that it writes, if a sum of floating-point numbers
    (or what is like one) goes from these to it."""
    combining = store.value.owner
    if not isinstance(combining, Operation):
        return []
    if combining.name.removeprefix("arith.") not in _COMBINES:
        return []
    return [store, *(load for value in combining.operands for load in _old(value, store))]


def _old(value: SSAValue, store: affine.StoreOp) -> list[Operation]:
    load = value.owner
    is_old = (
        isinstance(load, affine.LoadOp)
        and load.memref is store.memref
        and load.map == store.map
        and tuple(load.indices) == tuple(store.indices)
    )
    return [load] if is_old and isinstance(load, Operation) else []
