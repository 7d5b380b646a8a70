"""Accesses with the instances that they have, two of them that race, and what can be said of two
without asking when they meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.passes.openmp.races.constructs import Construct
from polyopt.passes.openmp.races.updates import RaceUpdate
from polyopt.passes.scop.candidate import MemoryOp
from polyopt.passes.scop.plan import ScopPlan
from polyopt.poly.analysis.races import Instances
from polyopt.poly.example import Example
from polyopt.support.record import record


@record(eq=False)
class Reach:
    """An access; `update`: the one that reads what this one writes back, changed."""

    op: MemoryOp
    base: SSAValue
    construct: Construct
    block: Block
    loops: tuple[NaturalLoop, ...]
    instances: Instances
    is_write: bool
    update: RaceUpdate | None

    @property
    def maker(self) -> Construct | None:
        """What says which thread does it; None: each one does."""
        return self.construct.find("loop", "single", "master", "section", "unknown")


@record(eq=False)
class Race:
    """`around`: the shared loop or the lanes that race among themselves, None for two constructs.
    `touches` are all accesses of the object that were understood; `all_seen`: there are no
    others."""

    first: Reach
    second: Reach
    around: Construct | None
    pairs: isl.Map
    example: Example
    plan: ScopPlan
    touches: Sequence[Reach]
    all_seen: bool


def loop_of(lanes: Construct) -> Construct | None:
    """The shared loop whose iterations are these lanes (`for simd`), if it is one."""
    loop = lanes.parent if lanes.kind == "simd" else None
    return loop if loop is not None and loop.headers == lanes.headers else None


def up_to(inner: Construct, outer: Construct | None) -> list[Construct]:
    """The constructs from the inside out, `outer` the last one, or left out if it is none."""
    found: list[Construct] = []
    for one in inner.around():
        found.append(one)
        if one is outer:
            break
    return found


def locks(touch: Reach) -> set[str]:
    found: set[str] = set()
    for one in touch.construct.around():
        if one.kind == "parallel":
            break
        if one.kind == "lock":
            found.add(one.lock)
    return found


def is_one_update(read: Reach, write: Reach) -> bool:
    return write.update is not None and write.update.load is read.op


def undoes(x: Reach, y: Reach) -> bool:
    """One of two writes by all threads adds to what is there, the other one does not: of those that
    write, and read, the same each, nobody is harmed."""
    return x.is_write and y.is_write and (x.update is None) != (y.update is None)


def pairs(touches: Sequence[Reach]) -> Iterator[tuple[Reach, Reach]]:
    """Two accesses in one order and the other, one of them writing: what is read after it was
    written first."""
    writes = [one for one in touches if one.is_write]
    reads = [one for one in touches if not one.is_write]
    yield from ((write, read) for write in writes for read in reads)
    yield from ((read, write) for write in writes for read in reads)
    yield from ((first, second) for first in writes for second in writes)
