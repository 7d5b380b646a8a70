"""The constructs of OpenMP around an access, as data: who runs it, and who is kept from it; and a
function with its accesses under them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal

from xdsl.dialects import func, memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.passes.openmp.races.updates import RaceUpdate
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity

MemoryOp = memref.LoadOp | memref.StoreOp

Kind = Literal[
    "parallel", "loop", "simd", "single", "master", "sections", "section", "lock", "unknown"
]
"""`lock`: of those that have the name `lock` one at a time. `unknown`: who runs it is not known."""
ORDERED = "ordered"
"""The name of the lock whose holders come in the order of the iterations."""


@entity
class Construct:
    """`begin` is an operation in front of all that stands in it. `headers`, of a loop or a nest of
    loops, are the blocks that its loops come back to.

    `own` are the variables that each of its threads or lanes has for itself. `has_calls` and
    `has_tasks`: there are calls and tasks in it that may wait for others or let them go on.
    `conditions` (of a parallel region): what has to hold for it to be run by more than one
    thread."""

    kind: Kind
    parent: Construct | None
    span: Span | None
    begin: memref.StoreOp | None = None
    end: memref.StoreOp | None = None
    headers: list[Block] = field(default_factory=list[Block])
    schedule: str = "static"
    chunk: int | None = 1
    nowait: bool = False
    lock: str = ""
    safelen: int | None = None
    own: set[SSAValue] = field(default_factory=set[SSAValue])
    has_calls: bool = False
    has_tasks: bool = False
    conditions: list[Operation] = field(default_factory=list[Operation])

    def around(self) -> Iterator[Construct]:
        """It, and those around it, from the inside out."""
        one: Construct | None = self
        while one is not None:
            yield one
            one = one.parent

    def find(self, *kinds: Kind) -> Construct | None:
        """The innermost one of these kinds."""
        return next((one for one in self.around() if one.kind in kinds), None)


@entity
class SerialView:
    """`under`: the innermost construct around each load and store; `roots`: those with no other
    one around them; `waits`: stores that stand where threads may wait for each other. `homes`: the
    parallel region that a local variable belongs to, None for the function.

    `shadows` stand for variables. `originals`: the access of the source that one to a shadow stands
    for; `updates`: what a store to a shadow does with what was there; `reads`: how many loads a
    variable has. `uniform`: what was read from globals, the same for all threads, as those that
    are `thread_local` are not."""

    function: func.FuncOp
    thread_local: frozenset[str]
    roots: list[Construct] = field(default_factory=list[Construct])
    under: dict[Operation, Construct] = field(default_factory=dict[Operation, Construct])
    homes: dict[SSAValue, Construct | None] = field(
        default_factory=dict[SSAValue, "Construct | None"]
    )
    waits: dict[Operation, Construct] = field(default_factory=dict[Operation, Construct])
    shadows: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    originals: dict[Operation, MemoryOp] = field(default_factory=dict[Operation, MemoryOp])
    updates: dict[Operation, RaceUpdate] = field(default_factory=dict[Operation, RaceUpdate])
    uniform: set[SSAValue] = field(default_factory=set[SSAValue])
    reads: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
