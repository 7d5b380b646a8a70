"""Which nests to fuse some iterations late: sweeps over big data that read what the last one wrote
a few rows further on.

    X: for i, for j { B[i, j] = A[i - 1, j] + A[i + 1, j] }
    Y: for i, for j { C[i, j] = B[i + 1, j] - B[i - 1, j] + A[i, j] }
      =>
    for t { X: for j { B[t, j] … }    Y: for j { C[t - 1, j] … } }

No iteration of Y may run before those of X that it depends on, so that nests which `common_data`
would fuse iteration by iteration stay apart. Y moved by the least shift that keeps every dependence
along the outermost loops can share that loop, and that loop alone: rows stay whole, and inside of
it X runs before Y (A. Darte, G. Huard, Loop shifting for loop compaction, IJPP 2000; J. Shirako,
L.-N. Pouchet, V. Sarkar, Oil and water can mix, SC 2014, §III.C). What both touch is then fetched
once, if the rows between stay in a cache.

    benefit      an array that both nests move over alike is brought in for both of them, or, if one
                 writes what the other reads, is written where it will be read: at most `gain` of
                 the bytes that they move alone
    caches       some level holds the rows between, but not what is swept over
    no harm      innermost loops carry nothing: the loops around these, which become serial, are no
                 lanes
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import prod

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.analysis.strides import AccessMatrices, steps_of
from polyopt.poly.cost.locality import serial_statements
from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Tree,
    members_below,
    statements_of,
)
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Array, Scop, Statement
from polyopt.poly.transform.fusing import joined
from polyopt.poly.transform.reindexing import later
from polyopt.support.core_model import CORE, CoreCosts
from polyopt.support.record import record
from polyopt.support.target import Target

Child = tuple[isl.UnionSet, Tree]


def fuse_shifted(
    scop: Scop, tree: Tree, validity: isl.UnionMap, target: Target, least_bytes: int = 0
) -> Tree:
    """Every sequence with neighbours fused where that pays, by the caches of `target` or, where
    these are said, for so many bytes; `tree` itself if it pays nowhere."""
    return _Fuser(AccessMatrices(scop), target, least_bytes).below(tree, TreePosition((), validity))


@record
class _Fuser:
    matrices: AccessMatrices
    target: Target
    least_bytes: int
    shifted: dict[int, tuple[Band, int]] = field(default_factory=dict[int, tuple[Band, int]])
    """The nests made here, by what they are identical to, and how late the last one in each is."""

    def below(self, tree: Tree, place: TreePosition) -> Tree:
        match tree:
            case Leaf() | Mark():
                return tree
            case Band(members, child):
                inner = self.below(child, place.inside(members))
                return tree if inner is child else replace(tree, child=inner)
            case TreeSequence(children, is_ordered):
                parts = [(one, self.below(old, place.among(one))) for one, old in children]
                fused = self._fuse(parts, place) if is_ordered else parts
                if len(fused) == len(children) and all(
                    new is old for (_, new), (_, old) in zip(fused, children, strict=True)
                ):
                    return tree
                return fused[0][1] if len(fused) == 1 else TreeSequence(tuple(fused), is_ordered)

    def _fuse(self, children: Sequence[Child], place: TreePosition) -> list[Child]:
        done = list[Child]()
        for child in children:
            together = self._together(done[-1], child, place) if done else None
            if together is None:
                done.append(child)
            else:
                done[-1] = together
        return done

    def _together(self, first: Child, second: Child, place: TreePosition) -> Child | None:
        """The two as one nest, or None."""
        x, y = first[1], second[1]
        if not isinstance(x, Band) or not isinstance(y, Band):
            return None
        sweeps = self._sweeps(x, place), self._sweeps(y, place)
        both = _both(*sweeps)
        if both is None:
            return None
        pairs = place.pending.intersect_domain(first[0]).intersect_range(second[0])
        least = _least_difference(pairs, x.members[0], y.members[0])
        if least is None:
            return None
        _, before = self.shifted.get(id(x), (x, 0))
        shift = max(0, -least)
        latest = max(shift, before)
        if not 0 < latest <= CORE.shifts.latest or not self._pays(sweeps, both, latest):
            return None
        if any(serial_statements(tree, place.among(one)) for one, tree in (first, second)):
            return None
        functions = x.members[0].function, _later(y.members[0].function, shift)
        function = joined(functions, [first[0], second[0]])
        band = Band((Member(function),), TreeSequence((*_rows(first), *_rows(second))))
        self.shifted[id(band)] = band, latest
        return first[0].union(second[0]), band

    def _sweeps(self, band: Band, place: TreePosition) -> Mapping[str, _Sweep]:
        """How the nest moves over each array from one iteration of its outermost loop to the next;
        nothing where that is not known, or where that loop has no loop inside."""
        found = dict[str, _Sweep]()
        for name in statements_of(band):
            loops = [*place.outer, *band.members, *members_below(band.child, name)]
            along, *inner = steps_of(name, loops)[len(place.outer) :]
            if along is None or not any(inner):
                return {}
            statement = self.matrices.scop.statement(name)
            for access in statement.accesses:
                columns = self.matrices.columns(name, access, [along])
                if columns is None:
                    return {}
                array = self.matrices.scop.array(access.array)
                own = _Sweep(
                    array, columns[0], _most(statement), not access.is_write, access.is_write
                )
                found[array.name] = own.beside(found.get(array.name, own))
        return found

    def _pays(
        self,
        sweeps: Sequence[Mapping[str, _Sweep]],
        both: Mapping[str, _Sweep],
        latest: int,
    ) -> bool:
        """Are fewer bytes moved, and do those stay that are to be found again?"""
        if any(one.array.element_bytes < CORE.shifts.least_element for one in both.values()):
            return False
        apart = sum(one.moved for sweep in sweeps for one in sweep.values())
        if sum(one.moved for one in both.values()) > CORE.shifts.gain * apart:
            return False
        all_bytes = sum(one.bytes for one in both.values())
        if self.least_bytes:
            return all_bytes >= self.least_bytes
        between = sum(one.row_bytes for one in both.values()) * (latest + CORE.shifts.rows)
        core = CoreCosts.of(self.target)
        capacities = core.l2_share * self.target.l2_bytes, core.l3_share * self.target.l3_bytes
        return any(between <= capacity < all_bytes for capacity in capacities)


@record
class _Sweep:
    """What the subscripts of an array change by from one iteration to the next: None if accesses
    differ in that. `most`: so many elements are touched at most."""

    array: Array
    by: tuple[int, ...] | None
    most: int
    is_read: bool
    is_written: bool

    def beside(self, other: _Sweep) -> _Sweep:
        by = self.by if self.by == other.by else None
        read, written = self.is_read or other.is_read, self.is_written or other.is_written
        most = max(self.most, other.most)
        return replace(self, by=by, most=most, is_read=read, is_written=written)

    @property
    def bytes(self) -> int:
        elements = prod(map(self._extent, range(len(self.array.extents))))
        return min(elements, self.most) * self.array.element_bytes

    @property
    def row_bytes(self) -> int:
        """Of what one iteration touches."""
        moved = [k for k, step in enumerate(self.by or ()) if step]
        return self.bytes // max(1, prod(map(self._extent, moved)))

    @property
    def moved(self) -> int:
        """Bytes between the caches and what is behind them; what is only written goes past them."""
        return self.bytes * (self.is_read + self.is_written)

    def _extent(self, dim: int) -> int:
        said = self.array.extents[dim]
        if said is not None and said.isdigit():
            return int(said)
        return CORE.assumed.of_rank(len(self.array.extents))


def _most(statement: Statement) -> int:
    """Its instances, as far as no parameter says how many there are."""
    domain, kind = statement.domain, isl.dim_type.set
    if domain.involves_dims(isl.dim_type.param, 0, domain.dim(isl.dim_type.param)):
        return sys.maxsize
    ends = [(domain.dim_min_val(k), domain.dim_max_val(k)) for k in range(domain.dim(kind))]
    if not all(low.is_int() and high.is_int() for low, high in ends):
        return sys.maxsize
    return prod(high.sub(low).to_python() + 1 for low, high in ends)


def _both(x: Mapping[str, _Sweep], y: Mapping[str, _Sweep]) -> Mapping[str, _Sweep] | None:
    """Those of two nests as one; None if they have nothing to keep for each other."""
    shared = x.keys() & y.keys()
    if any(x[name].by is None or x[name].by != y[name].by for name in shared):
        return None
    if not any(any(x[name].by or ()) for name in shared):
        return None
    return {**x, **y, **{name: x[name].beside(y[name]) for name in shared}}


def _least_difference(pairs: isl.UnionMap, x: Member, y: Member) -> int | None:
    """The least difference of time between what depends on each other; None if there is none."""
    before, after = (isl.UnionMap.from_union_pw_aff(one.function) for one in (x, y))
    times = pairs.apply_domain(before).apply_range(after)
    if times.is_empty():
        return None
    least = isl.Map.from_union_map(times).deltas().dim_min_val(0)
    return least.to_python() if least.is_int() else None


def _later(function: isl.UnionPwAff, shift: int) -> isl.UnionPwAff:
    moved = isl.UnionPwAff.empty(function.get_space())
    for part in pw_affs(function):
        moved = moved.union_add(isl.UnionPwAff.from_pw_aff(later(part, shift)))
    return moved


def _rows(child: Child) -> Sequence[Child]:
    """What one iteration of the outermost loop runs."""
    instances, band = child
    assert isinstance(band, Band)
    rest = band.members[1:]
    below = replace(band, members=rest) if rest else band.child
    if isinstance(below, TreeSequence) and below.is_ordered:
        return below.children
    return [(instances, below)]
