"""Rows that the loops around a nest look up: `T[c[p]][x][z]`, seen from the loops over x and z.

A subscript is a sum of what the nest counts by and of values that no loop of the nest changes:

    T[k - 1][c[p]][x][z + 1]     leading k - 1, c[p];   inside x, z + 1
    t[3 * c[p] + x]              leading 3 * c[p];      inside x

The leading part is found from numbers, from loops around the nest, and from elements of arrays
that nobody writes in the nest, by operations that cannot fail.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import (
    AffineLoop,
    accesses_in,
    enclosing_loops,
    is_defined_inside,
)
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.effects import constant_integer, is_speculatable
from polyopt.ir.expressions.shapes import is_row_major
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.record import record

Place = memref.LoadOp | memref.StoreOp

_LOADS = (affine.LoadOp, memref.LoadOp)


@record
class Lookup:
    """`op` touches element `inside` of the row `leading` of its array; the row is the same in all
    iterations of `loops`, each inside of the one before. Of the row's subscripts the last one is
    where it begins in the first dimension of `inside`, if `is_added`."""

    op: Place
    loops: tuple[AffineLoop, ...]
    leading: tuple[Linear, ...]
    inside: tuple[Linear, ...]
    is_added: bool

    @property
    def root(self) -> affine.ForOp:
        return self.loops[0].op


def find_lookup(op: Place) -> Lookup | None:
    """None where subscripts are affine already, in one loop alone (which `looked_up_rows.py` has
    vectors for), where a part of one changes in another way in the innermost loops, or where what
    it is found from may be written in the nest."""
    loops = enclosing_loops(op)
    if not loops or not is_row_major(memref_type(op.memref)):
        return None
    depths = _Depths(tuple(loops))
    forms = [depths.form(index) for index in op.indices]
    known = [form for form in forms if form is not None]
    found = [number for number, form in enumerate(known) if depths.computed(form)]
    if len(known) != len(forms) or not found:
        return None
    values = [value for form in known for value in depths.computed(form)]
    first = max(depths.of(value) or 0 for value in values)
    nests = (tuple(loops[depth:]) for depth in range(first, len(loops) - 1))
    lookups = (_seen_from(op, nest, known, found[-1]) for nest in nests)
    return next((one for one in lookups if one is not None and _stands_still(one)), None)


def _seen_from(
    op: Place, nest: tuple[AffineLoop, ...], forms: Sequence[Linear], last: int
) -> Lookup | None:
    """The row that subscripts up to number `last` say; None where others than that one move."""
    ivs = [loop.iv for loop in nest]
    if is_defined_inside(op.memref, nest[0].op) or any(form.uses(ivs) for form in forms[:last]):
        return None
    moving = Linear(tuple((value, factor) for value, factor in forms[last].terms if value in ivs))
    is_added = bool(moving.terms)
    inside = (*([moving] if is_added else []), *forms[last + 1 :])
    leading = (*forms[:last], forms[last] - moving)
    return Lookup(op, nest, leading, inside, is_added) if inside else None


def values_of(lookup: Lookup) -> list[SSAValue]:
    """What the row is found from that the nest computes."""
    values = dict.fromkeys(value for form in lookup.leading for value in form.values)
    return [one for one in values if is_defined_inside(one, lookup.root)]


def loads_of(lookup: Lookup) -> list[Operation]:
    """The loads among what `values_of` need, each once."""
    pending, found = list(values_of(lookup)), dict[Operation, None]()
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and lookup.root.is_ancestor(owner):
            if isinstance(owner, _LOADS):
                found[owner] = None
            pending += owner.operands
    return list(found)


def runs_conditions(nest: Sequence[AffineLoop]) -> tuple[Linear, ...] | None:
    """What is at least zero where the nest has an iteration; None where that depends on where the
    nest is."""
    ivs = [loop.iv for loop in nest]
    forms: dict[Linear, None] = {}
    for loop in nest:
        if loop.lowers is None or loop.uppers is None:
            return None
        for upper in loop.uppers:
            forms |= {upper - lower - 1: None for lower in loop.lowers}
    if any(form.uses(ivs) for form in forms):
        return None
    return tuple(form for form in forms if form.terms or form.constant < 0)


def _stands_still(lookup: Lookup) -> bool:
    """Does nobody write what the row is found from, in the nest?"""
    loads = loads_of(lookup)
    if not loads:
        return True
    if runs_conditions(lookup.loops) is None:
        return False
    arrays = [one.operands[0] for one in loads]
    if any(is_defined_inside(array, lookup.root) for array in arrays):
        return False
    for access in accesses_in(lookup.root):
        if access is None:
            return False
        if access.is_write and any(may_overlap(access.array, array) for array in arrays):
            return False
    return True


@record
class _Depths:
    """In how many of the loops around, from the outermost one on, values change."""

    loops: tuple[AffineLoop, ...]

    def form(self, index: SSAValue) -> Linear | None:
        """The index over iterators and values that only some of the loops change, sums taken apart;
        None where it is anything else."""
        owner = index.owner
        if isinstance(owner, (arith.AddiOp, arith.SubiOp)) and isinstance(index.type, IndexType):
            left, right = self.form(owner.lhs), self.form(owner.rhs)
            if left is None or right is None:
                return None
            return left + right if isinstance(owner, arith.AddiOp) else left - right
        if isinstance(owner, arith.MuliOp) and isinstance(index.type, IndexType):
            factor, form = constant_integer(owner.rhs), self.form(owner.lhs)
            if factor is not None and form is not None:
                return form * factor
        form = linear_of(index)
        return form if all(self.of(value) is not None for value in form.values) else None

    def of(self, value: SSAValue) -> int | None:
        """None where more than iterators and elements that stand still say what it is."""
        for number, loop in enumerate(self.loops):
            if value is loop.iv:
                return number + 1
        if not is_defined_inside(value, self.loops[0].op):
            return 0
        owner = value.owner
        if not isinstance(owner, Operation) or not self._may_be_first(owner):
            return None
        depths = [self.of(operand) for operand in owner.operands]
        known = [one for one in depths if one is not None]
        return max(known, default=0) if len(known) == len(depths) else None

    def computed(self, form: Linear) -> list[SSAValue]:
        """What of the form is neither an iterator nor from in front of the loops."""
        ivs = [loop.iv for loop in self.loops]
        inside = self.loops[0].op
        return [one for one in form.values if one not in ivs and is_defined_inside(one, inside)]

    def _may_be_first(self, op: Operation) -> bool:
        """May it run in front of loops that do not change what it computes?"""
        if isinstance(op, _LOADS):
            return any(op.parent is loop.block for loop in self.loops)
        return is_speculatable(op) and not op.regions
