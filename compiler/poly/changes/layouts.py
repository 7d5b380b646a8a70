"""An array in another layout while a SCoP runs.

    transpose   A[i, j]  ->  A_layout[j, i]                     the dimensions in another order
    pad         A[i, j]  ->  A_layout[i, j]                     rows that are K elements longer
    split       A[x]     ->  A_layout[x mod K, floor(x / K)]    records of K numbers: each of their
                                                                members in a row of its own

(T. Grosser, Enabling Polyhedral Optimizations in LLVM, 2011, names changes of the memory layout as
what changed accesses are for.) A layout gives each element one place, and no place to two: two
instances touch one element of the new array if they did so of the old one, so all dependences are
those that there were, in whatever order the SCoP runs. Two statements take values across:

    A_in[a]     A_layout[l(a)] = A[a]     what some read may see from before the SCoP
    A_out[a]    A[a] = A_layout[l(a)]     what is written, unless nothing reads it afterwards

Where an array is made and used up inside, neither is there: the layout costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import chain, count
from typing import Literal

import islpy as isl

from polyopt.poly.changes.expansion import used_extents
from polyopt.poly.changes.extents import Extent, greatest_of_forms, is_within, one_bound_each
from polyopt.poly.changes.storage import AccessOf, Move, apply_moves
from polyopt.poly.isl.lists import maps
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.support.record import record

Kind = Literal["transpose", "pad", "split"]

_IN, _OUT, _SET = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.set


class NoLayout(Exception):
    """The array cannot have the layout; the text says why."""


@record
class Layout:
    """`order`: of "transpose", the old dimensions from the outermost new one on. `number`: by how
    many elements rows are longer, or how many a record has."""

    kind: Kind
    order: tuple[int, ...] = ()
    number: int = 0

    def rank(self, rank: int) -> int:
        return rank + (self.kind == "split")

    def map(self, source: str, target: str, rank: int) -> isl.Map:
        """{ source[a] -> target[l(a)] }, which is injective."""
        names = [f"a{k}" for k in range(rank)]
        return isl.Map(f"{{ {source}[{', '.join(names)}] -> {target}[{self._places(names)}] }}")

    def _places(self, names: Seq[str]) -> str:
        if self.kind == "transpose":
            return ", ".join(names[k] for k in self.order)
        if self.kind == "pad":
            return ", ".join(names)
        *outer, last = names
        within = [f"({last}) mod {self.number}", f"floor(({last})/{self.number})"]
        return ", ".join([*outer[:-1], within[0], *outer[-1:], within[1]])

    def padded(self, used: Seq[Extent]) -> tuple[Extent, ...]:
        """The extents of the new array, whose used places are below `used`."""
        if self.kind != "pad":
            return tuple(used)
        return (*used[:-1], used[-1].add_constant_val(val(self.number)))

    def declared(self, sizes: Seq[int]) -> list[int]:
        """The extents of the new array, before it is padded, from those of the old one."""
        if self.kind == "transpose":
            return [sizes[k] for k in self.order]
        if self.kind == "pad":
            return list(sizes)
        *outer, last = sizes
        return [*outer[:-1], self.number, *outer[-1:], -(-last // self.number)]


@record(eq=False)
class Relaid:
    """`source` in its layout: `scop` has the accesses moved, and the copies at its two ends."""

    source: Array
    layout: Layout
    scop: Scop
    move: Move
    extents: tuple[Extent, ...]
    into: Statement | None
    out: Statement | None

    @property
    def copies(self) -> tuple[Statement, ...]:
        return tuple(one for one in (self.into, self.out) if one is not None)

    def around(self, order: isl.Schedule) -> isl.Schedule:
        """An order of the instances that there were, between the two copies."""
        if self.into is not None:
            order = _loops(self.into).sequence(order)
        if self.out is not None:
            order = order.sequence(_loops(self.out))
        return order


def relaid(scop: Scop, source: Array, layout: Layout) -> Relaid:
    """The SCoP, in the order that it has, on the array in another layout. Raises NoLayout, also
    where it cannot be told what has to be copied."""
    rank = len(source.extents)
    _check_layout(source, layout)
    new = Array(
        _fresh(f"{source.name}_layout", [one.name for one in scop.arrays]),
        source.element_bytes,
        (None,) * layout.rank(rank),
        is_local=True,
    )
    places = layout.map(source.name, new.name, rank)
    move = Move(new, _moved(scop, source, layout, places))
    moved = apply_moves(scop, [move])
    coming = _live_in(scop, source)
    going = _written(scop, source)
    _check_conditions(scop, source, coming, going)
    extents = _extents(scop, source, layout, _touched(moved, new))
    names = [one.name for one in scop.statements]
    into = _copy(f"{source.name}_in", names, coming, layout, places)
    out = _copy(f"{source.name}_out", names, going, layout, places)
    if out is not None:
        out = replace(out, accesses=_reversed(out.accesses))
    made = Relaid(source, layout, moved, move, extents, into, out)
    statements = (*moved.statements, *made.copies)
    between = replace(moved, statements=statements, schedule=made.around(moved.schedule))
    return replace(made, scop=between)


# Whether it can be


def _check_layout(source: Array, layout: Layout) -> None:
    rank = len(source.extents)
    if not rank:
        raise NoLayout(f"{source.name} is a single variable, no array")
    if layout.kind == "transpose" and sorted(layout.order) != list(range(rank)):
        raise NoLayout(f"{source.name} has {rank} dimensions, and an order names each once")
    if layout.kind == "transpose" and list(layout.order) == list(range(rank)):
        raise NoLayout(f"this is the order that {source.name} has")
    if layout.kind == "pad" and rank < 2:
        raise NoLayout(f"{source.name} has one row, and nothing comes behind it")


def _check_conditions(scop: Scop, source: Array, coming: isl.Set, going: isl.Set) -> None:
    """What data decide on may not be there to be read, and is not to be written by others."""
    conditional = [
        access
        for one in scop.statements
        for access in one.accesses
        if access.array == source.name
        and not (access.is_must and access.relation.is_single_valued())
    ]
    if not conditional:
        return
    if not going.is_empty() and any(one.is_write for one in conditional):
        raise NoLayout(f"data decide on what is written of {source.name}, which is used later")
    if not coming.is_empty() and None in source.extents:
        raise NoLayout(f"data decide on what is read of {source.name}, whose size is not known")


def _extents(
    scop: Scop, source: Array, layout: Layout, touched: isl.UnionSet
) -> tuple[Extent, ...]:
    """Numbers, where there are such: those of what is used, or of the array as it is declared;
    else affine in the parameters, or the greatest of such forms."""
    used = used_extents(scop, touched)
    if used is not None and all(one.is_cst() for one in used):
        return layout.padded(used)
    if all((one or "").isdigit() for one in source.extents):
        sizes = layout.declared([int(one or "") for one in source.extents])
        if is_within(touched.intersect_params(scop.known), sizes):
            zero = isl.Aff.zero_on_domain_space(scop.context.get_space())
            return layout.padded([zero.add_constant_val(val(one)) for one in sizes])
    elements = touched.intersect_params(scop.known)
    bounds = used or one_bound_each(elements) or greatest_of_forms(elements)
    if bounds is None:
        raise NoLayout(f"what is used of {source.name} does not begin at 0 or has no end")
    return layout.padded(bounds)


# What has to be copied


def _live_in(scop: Scop, source: Array) -> isl.Set:
    """{ A[a] }: what some read may see from before the SCoP."""
    reads = _accesses(scop, source, writes=False)
    surely = _accesses(scop, source, writes=True, must=True)
    info = isl.UnionAccessInfo.from_sink(reads).set_must_source(surely)
    flow = info.set_schedule(scop.schedule).compute_flow()
    return _only(flow.get_must_no_source().range(), scop, source)


def _written(scop: Scop, source: Array) -> isl.Set:
    """{ A[a] }: what may be written, and read after the SCoP."""
    if source.is_local:
        return _only(isl.UnionSet.empty(scop.context.get_space()), scop, source)
    return _only(_accesses(scop, source, writes=True).range(), scop, source)


def _accesses(scop: Scop, source: Array, *, writes: bool, must: bool | None = None) -> isl.UnionMap:
    found = isl.UnionMap.empty(scop.context.get_space())
    for one in maps(scop.accesses(writes=writes, must=must).intersect_params(scop.known)):
        if one.get_tuple_name(_OUT) == source.name:
            found = found.union(isl.UnionMap.from_map(one))
    return found


def _touched(scop: Scop, array: Array) -> isl.UnionSet:
    both = (_accesses(scop, array, writes=way).range() for way in (False, True))
    reads, writes = both
    return reads.union(writes)


def _only(elements: isl.UnionSet, scop: Scop, source: Array) -> isl.Set:
    """As a set of one space, the array's, even if there are none."""
    space = scop.context.get_space().add_unnamed_tuple_ui(len(source.extents))
    found = elements.extract_set(space.set_tuple_name(_SET, source.name))
    return found.intersect_params(scop.known).coalesce()


# The new SCoP


def _fresh(name: str, taken: Seq[str]) -> str:
    return next(one for one in chain((name,), (f"{name}{k}" for k in count(2))) if one not in taken)


def _moved(scop: Scop, source: Array, layout: Layout, places: isl.Map) -> dict[AccessOf, isl.Map]:
    found = dict[AccessOf, isl.Map]()
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array != source.name:
                continue
            if layout.kind == "split" and not access.relation.is_single_valued():
                raise NoLayout(f"which elements of {source.name} are touched, data decide")
            there = access.relation.apply_range(places).gist_domain(statement.domain)
            found[statement.name, access.position] = there.coalesce()
    if not found:
        raise NoLayout(f"nothing here touches {source.name}")
    return found


def _copy(
    name: str, taken: Seq[str], elements: isl.Set, layout: Layout, places: isl.Map
) -> Statement | None:
    """A statement for each of the elements, which copies it to its place in the layout. It counts
    as the array does; records member by member."""
    if elements.is_empty():
        return None
    name = _fresh(name, taken)
    by_place = layout.kind == "split"
    domain = (elements.apply(places) if by_place else elements).set_tuple_name(name)
    identity = isl.Map.identity(domain.get_space().map_from_set())
    old, new = (places.get_tuple_name(kind) or "" for kind in (_IN, _OUT))
    from_old = places.reverse().coalesce() if by_place else identity
    to_new = identity if by_place else places
    read, write = (
        relation.set_tuple_name(_IN, name).set_tuple_name(_OUT, array)
        for relation, array in ((from_old, old), (to_new, new))
    )
    accesses = Access(old, read, False, True, 0), Access(new, write, True, True, 1)
    iterators = tuple(f"a{k}" for k in range(domain.dim(_SET)))
    return Statement(name, domain, accesses, (), iterators)


def _reversed(accesses: Seq[Access]) -> tuple[Access, Access]:
    """The copy the other way."""
    read, write = accesses
    return (
        replace(write, is_write=False, position=0),
        replace(read, is_write=True, position=1),
    )


def _loops(copy: Statement) -> isl.Schedule:
    """Over the elements, in their order in memory."""
    order = isl.Schedule.from_domain(isl.UnionSet.from_set(copy.domain))
    space = isl.LocalSpace.from_space(copy.domain.get_space())
    for k in reversed(range(copy.domain.dim(_SET))):
        index = isl.UnionPwAff.from_pw_aff(
            isl.PwAff.from_aff(isl.Aff.var_on_domain(space, _SET, k))
        )
        order = order.insert_partial_schedule(isl.MultiUnionPwAff.from_union_pw_aff(index))
    return order
