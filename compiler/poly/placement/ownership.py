"""Who runs what: the processor that has the element an instance writes first.

Elements are placed by their leading subscripts, one for each axis of the grid (all of them for the
axes of a lattice); an array with fewer dimensions than the grid has axes is on the first processors
of the others. Arrays whose written
subscripts have the same extent, but for a constant, are cut at the same places; where extents are
numbers, it has to be a small one:

    range    [first, last], the hull of what is written on that axis, affine in the parameters
    part     of processor c of n:  first + floor(c*length/n) <= x < first + floor((c+1)*length/n)

Correctness does not depend on this choice: a value is sent from where it was made to where it is
read, whoever that is.

Arrays that nobody has whole (`owned`) are cut by their declared extents, as their owners know
them. Where there are any, every element of every array is somebody's: what lies in front of a range
is the first processor's, and what lies behind it the last one's (`Placement.is_total`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.names import apart
from polyopt.poly.isl.numbers import val
from polyopt.poly.placement.grid import OWN, Axis, Grid, Part, Who, end, first
from polyopt.poly.scop import Access, Scop, Statement
from polyopt.support.record import record


class Unplaceable(Exception):
    """Why the instances of a SCoP cannot be shared out, in a sentence for the user."""


@record
class OwnedRange:
    """What is cut into blocks: `first` to `last`, over the parameters; `is_declared`: of arrays
    that nobody has whole, so that it is cut nowhere else."""

    first: isl.PwAff
    last: isl.PwAff
    is_declared: bool = False


@record
class Placement:
    """`ranges` by part of the grid; `parts` are those that an array's subscripts belong to, one for
    each axis of the grid that is in blocks. `written` holds where every array that is written has
    an element that is: only there are the ranges what they say. `is_total`: parts hold all elements
    there can be, and that is all that is known of them."""

    scop: Scop
    grid: Grid
    ranges: Mapping[Part, OwnedRange]
    parts: Mapping[str, tuple[Part | None, ...]]
    written: isl.Set
    owned: frozenset[str] = frozenset()

    @property
    def is_total(self) -> bool:
        return bool(self.owned)

    def run_by(self, who: Who) -> isl.UnionSet:
        """{ S[i] : the processor runs it }."""
        result = isl.UnionSet.empty(self.written.get_space())
        for statement in self.scop.statements:
            result = result.union(isl.UnionSet.from_set(self._home(statement, who)))
        return result

    def _home(self, statement: Statement, who: Who) -> isl.Set:
        relation = placing_write(statement).relation.intersect_domain(statement.domain)
        return relation.intersect_range(self.elements(relation, who)).domain()

    def elements(self, relation: isl.Map, who: Who) -> isl.Set:
        """The part of the processor of the array that `relation` goes to."""
        array = relation.get_tuple_name(isl.dim_type.out) or ""
        rank = relation.dim(isl.dim_type.out)
        names = [f"e{k}" for k in range(rank)]
        tests = [
            self.grid.constraint(who, self.parts[array][k], k, names)
            for k in range(len(self.grid.axes))
        ]
        parameters = ", ".join(self.grid.names(who))
        text = f"[{parameters}] -> {{ A[{', '.join(names)}] : {' and '.join(tests)} }}"
        return isl.Set(text).set_tuple_name(array)

    def facts(self) -> isl.Set:
        """{ : what holds of every processor's own part, where every array is written }."""
        result = self.grid.processors(OWN).intersect(self.written)
        if self.is_total:
            return result
        for part, one in self.ranges.items():
            result = result.intersect(_at_least(first(OWN, *part), one.first))
            result = result.intersect(_at_most(end(OWN, *part), one.last.add_constant_val(_ONE)))
        return result


_ONE = val(1)
_Param = isl.dim_type.param


Extents = Mapping[str, Sequence[isl.PwAff]]
"""The leading extents of an array, one for each axis that it is cut along at least."""


def place_by_writes(scop: Scop, axes: Sequence[Axis], owned: Extents | None = None) -> Placement:
    """`owned`: the arrays of which each processor has its part before and after. Raises
    Unplaceable."""
    owned = owned or {}
    grid = Grid(tuple(axes))
    _check_names(scop, grid)
    ranges = dict[Part, OwnedRange]()
    parts = dict[str, tuple[Part | None, ...]]()
    for name, extents in owned.items():
        cut = [_declared(extent) for extent in extents]
        parts[name] = _parts(axes, cut, ranges)
    written = dict[str, isl.Set]()
    for statement in scop.statements:
        relation = placing_write(statement).relation.intersect_domain(statement.domain)
        elements = relation.range().intersect_params(scop.known)
        name = placing_write(statement).array
        written[name] = elements.union(written[name]) if name in written else elements
    for name, elements in written.items():
        if name not in owned:
            rank = min(elements.dim(isl.dim_type.set), len(axes))
            parts[name] = _parts(axes, [_hull(elements, axis) for axis in range(rank)], ranges)
    nonempty = isl.Set.universe(scop.context.get_space())
    if not owned:
        for elements in written.values():
            nonempty = nonempty.intersect(elements.params())
    grid = replace(grid, parts=tuple(ranges))
    return Placement(scop, grid, ranges, parts, nonempty.coalesce(), frozenset(owned))


def _declared(extent: isl.PwAff) -> OwnedRange:
    zero = isl.PwAff.zero_on_domain(isl.LocalSpace.from_space(extent.get_domain_space()))
    return OwnedRange(zero, extent.add_constant_val(val(-1)), is_declared=True)


def _hull(elements: isl.Set, axis: int) -> OwnedRange:
    return OwnedRange(elements.dim_min(axis).coalesce(), elements.dim_max(axis).coalesce())


def _parts(
    axes: Sequence[Axis], cut: Sequence[OwnedRange], ranges: dict[Part, OwnedRange]
) -> tuple[Part | None, ...]:
    """Those of an array, by axis."""
    return tuple(
        None if one.is_cyclic or axis >= len(cut) else _part_of(axis, cut[axis], ranges)
        for axis, one in enumerate(axes)
    )


def placing_write(statement: Statement) -> Access:
    """The write that says where instances run. Raises Unplaceable where there is none."""
    for access in statement.accesses:
        if access.is_write:
            return access
    raise Unplaceable("a statement that writes nothing has no place")


def _part_of(axis: int, wanted: OwnedRange, ranges: dict[Part, OwnedRange]) -> Part:
    """The part of an earlier range that differs by constants only, widened, or a new one. Of what
    is declared nothing moves: its part is its own, and others may have it too."""
    number = 0
    while (axis, number) in ranges:
        other = ranges[axis, number]
        before = _difference(wanted.first, other.first)
        behind = _difference(wanted.last, other.last)
        if before is not None and behind is not None and _is_alike(other, before, behind):
            if before == behind == 0 or (other.is_declared and not wanted.is_declared):
                return axis, number
            if not wanted.is_declared:
                ranges[axis, number] = OwnedRange(
                    wanted.first if before < 0 else other.first,
                    wanted.last if behind > 0 else other.last,
                )
                return axis, number
        number += 1
    ranges[axis, number] = wanted
    return axis, number


def _is_alike(other: OwnedRange, before: int, behind: int) -> bool:
    """Whether a range that begins and ends so much later is nearly the other one: any two differ by
    numbers, if they are numbers. Cut at the places of a long one, a short one is all at the first
    processor."""
    length = _difference(other.last, other.first)
    if length is None:
        return True
    shorter = min(length, length + behind - before) + 1
    return ALIKE * (abs(before) + abs(behind)) <= shorter


ALIKE = 8
"""Ranges of known sizes are cut at the same places where they differ by an eighth at most: then no
processor has much less to do than others, and neighbours in two arrays are together."""


def _difference(one: isl.PwAff, other: isl.PwAff) -> int | None:
    """`one - other`, where that is the same number everywhere."""
    value = one.sub(other)
    if value.n_piece() != 1 or not value.is_cst():
        return None
    constants = list[int]()
    value.foreach_piece(lambda _, aff: constants.append(aff.get_constant_val().to_python()))
    return constants[0]


def _check_names(scop: Scop, grid: Grid) -> None:
    space = scop.context.get_space()
    for position in range(space.dim(_Param)):
        name = space.get_dim_name(_Param, position) or ""
        if name.startswith(("own_", "its_", "step_", "extent_")):
            raise Unplaceable(f"the name {name!r} is taken for what processors have")


def _at_least(name: str, bound: isl.PwAff) -> isl.Set:
    return _compared(name, bound, is_lower=True)


def _at_most(name: str, bound: isl.PwAff) -> isl.Set:
    return _compared(name, bound, is_lower=False)


def _compared(name: str, bound: isl.PwAff, *, is_lower: bool) -> isl.Set:
    """{ : name >= bound }, or <= where it is no lower one."""
    (v,) = apart("v", 1, [name])
    relation = "<=" if is_lower else ">="
    allowed = isl.Set(f"[{name}] -> {{ [{v}] : {v} {relation} {name} }}")
    return allowed.intersect(isl.Set.from_pw_aff(bound)).params()
