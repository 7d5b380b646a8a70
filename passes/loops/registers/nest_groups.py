"""A nest as outer loops around groups: straight code and perfect nests of serial loops by turns.

    for o: for y: for x:                    outer loops, each holding the next alone
      s = 0                                 a straight group
      for c: for p:                         a serial group: a perfect nest of its own
        s += in[c, y + p, x] * w[o, c, p]
      out[o, y, x] = max(s, 0)              a straight group

Of a perfect nest alone, the innermost loops that no result depends on are the serial ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, is_defined_inside, perfect_nest
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.elementwise import has_lanes
from polyopt.support.record import record

Element = tuple[SSAValue, tuple[Linear, ...]]
"""An array and the subscripts of one element, over the iterators of the nest."""


@record
class Group:
    """Straight-line code, in `loops` of its own or in none. `loops` are serial, outermost first."""

    loops: tuple[AffineLoop, ...]
    operations: tuple[Operation, ...]

    @cached_property
    def handed_on(self) -> set[SSAValue]:
        """What later groups take from it, not through memory."""
        own = set(self.operations)
        results = (value for op in self.operations for value in op.results)
        return {one for one in results if any(use.operation not in own for use in one.uses)}

    @cached_property
    def accesses(self) -> list[ElementAccess]:
        return [op for op in self.operations if isinstance(op, affine.LoadOp | affine.StoreOp)]

    @cached_property
    def elements(self) -> dict[ElementAccess, Element]:
        found: dict[ElementAccess, Element] = {}
        for op in self.accesses:
            forms = subscripts_of(op)
            assert forms is not None
            found[op] = (op.memref, forms)
        return found


def read_groups(root: affine.ForOp) -> tuple[tuple[AffineLoop, ...], tuple[Group, ...]] | None:
    """The outer loops and the groups in them."""
    nest = perfect_nest(root)
    if any(loop.lowers is None or loop.uppers is None for loop in nest.loops):
        return None
    groups = list(_groups(nest.operations))
    if any(op.regions for group in groups for op in group.operations):
        return None
    if not all(_is_understood(op, group, root) for group in groups for op in group.operations):
        return None
    outer = nest.loops
    if len(groups) == 1 and not groups[0].loops:
        # The innermost loops that no result depends on are serial.
        stores = [p for op, p in groups[0].elements.items() if isinstance(op, affine.StoreOp)]
        while outer and not any(f.coefficient(outer[-1].iv) for _, forms in stores for f in forms):
            outer = outer[:-1]
        groups = [Group(nest.loops[len(outer) :], groups[0].operations)]
    return (outer, tuple(groups)) if outer else None


def _groups(operations: Sequence[Operation]) -> Iterator[Group]:
    run: list[Operation] = []
    for op in operations:
        if not isinstance(op, affine.ForOp):
            run.append(op)
            continue
        if run:
            yield Group((), tuple(run))
            run = []
        inner = perfect_nest(op)
        yield Group(inner.loops, tuple(inner.operations))
    if run:
        yield Group((), tuple(run))


def _is_understood(op: Operation, group: Group, root: affine.ForOp) -> bool:
    """Has the operation a form for lanes, and a place that is known?"""
    if any(loop.lowers is None or loop.uppers is None or loop.op.inits for loop in group.loops):
        return False
    if is_count(op):
        return True
    if not isinstance(op, affine.LoadOp | affine.StoreOp):
        return has_lanes(op)
    forms = subscripts_of(op)
    if forms is None:
        return False
    values = {value for form in forms for value in form.values if is_defined_inside(value, root)}
    return all(not isinstance(value, OpResult) for value in values)


def is_count(op: Operation) -> bool:
    """Is it an iterator as a number?"""
    return (
        isinstance(op, arith.IndexCastOp)
        and isinstance(op.result.type, IntegerType)
        and not isinstance(op.input, OpResult)
    )
