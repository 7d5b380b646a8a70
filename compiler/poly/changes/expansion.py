"""Expansion of temporaries, and where it sets a contraction free.

    sum[]           ->  sum_x[i, j]      a place for each zone (i, j) of the web
    sum[p] (of q)   ->  sum_x[q, p]      only over the dimensions that are needed

`move_over` proposes places, `expanded` checks them and completes them; what the SCoP leaves in the
array is copied out at the end, by a statement of its own. Which array to expand over which loops is
chosen by `band_expansion` for loops in general, and here for contractions: an array is expanded
over the fewest, innermost dimensions of its webs' zones with which one of the updates becomes one
(`contractions.is_contraction`); the loops further out keep reusing the places, so the memory is
that of the tile that runs at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from polyopt.poly.changes.contractions import is_contraction
from polyopt.poly.changes.storage import Move, Web, apply_moves, dataflow, find_webs, zone_of
from polyopt.poly.dependences import final_writes
from polyopt.poly.isl.lists import maps, pieces
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.support.record import record

_MARK = "_x"
"""What the name of an array ends with that holds a variable for each iteration."""


@record
class Expansion:
    """`moves` take the accesses of `source` to a new array whose indices are below `extents`
    (affine in the parameters) and not negative; `copy` brings back what has to last."""

    source: Array
    moves: Move
    extents: tuple[isl.Aff, ...]
    copy: Statement | None


def find_expansion(scop: Scop, array: Array) -> Expansion | None:
    """The expansion of `array` that sets a contraction free, if there is one and it is exact. Which
    loops the values stay in is asked last: where writes have many conditions, it takes long."""
    if not _may_set_free(scop, array):
        return None
    webs = find_webs(scop, array)
    if not webs:
        return None
    move = _freeing_move(scop, webs, min(web.depth for web in webs))
    return None if move is None else expanded(scop, array, move, webs[0].flow)


def _may_set_free(scop: Scop, array: Array) -> bool:
    """Whether some expansion would, were the values never to leave any of the loops."""
    touching = [s for s in scop.statements if any(a.array == array.name for a in s.accesses)]
    none = isl.UnionMap.empty(scop.context.get_space())
    deepest = min((s.domain.dim(isl.dim_type.set) for s in touching), default=0)
    webs = [Web(array, tuple(touching), deepest, none)]
    return _has_accumulation(webs) and any(
        _freeing_move(scop, webs, depth) is not None for depth in range(deepest, 0, -1)
    )


def _freeing_move(scop: Scop, webs: Seq[Web], depth: int) -> Move | None:
    """Over as few of the first `depth` loops as set a contraction free, the innermost of them."""
    candidates = [d for d in range(depth) if not is_subscript(webs, d)]
    for count in range(1, len(candidates) + 1):
        chosen, outer = candidates[-count:], candidates[:-count]
        move = move_over(scop, webs, chosen)
        moved = apply_moves(scop, [move])
        if any(_is_free(moved.statement(s.name), outer) for web in webs for s in web.statements):
            return move
    return None


def _has_accumulation(webs: Iterable[Web]) -> bool:
    """Is the array read and written by one statement of at least three dimensions?"""
    for web in webs:
        for statement in web.statements:
            kinds = {a.is_write for a in statement.accesses if a.array == web.array.name}
            if len(kinds) == 2 and statement.domain.dim(isl.dim_type.set) >= 3:
                return True
    return False


def is_subscript(webs: Iterable[Web], dim: int) -> bool:
    return any(
        access.relation.involves_dims(isl.dim_type.in_, dim, 1)
        for web in webs
        for _, access in web.accesses()
    )


def _is_free(statement: Statement, outer: Seq[int]) -> bool:
    dims = range(statement.domain.dim(isl.dim_type.set))
    return is_contraction(statement, [d for d in dims if d not in outer])


def move_over(scop: Scop, webs: Iterable[Web], dims: Seq[int]) -> Move:
    """Each access to `t[f(i)]` becomes one to `t_x[i_dims, f(i)]`."""
    webs = list(webs)
    source = webs[0].array
    taken = {array.name for array in scop.arrays}
    name = f"{source.name}{_MARK}"
    while name in taken:
        name += "x"
    relations: dict[tuple[str, int], isl.Map] = {}
    for web in webs:
        for place, access in web.accesses():
            zone = zone_of(scop.statement(place[0]), max(dims) + 1)
            for dim in reversed(range(max(dims) + 1)):
                if dim not in dims:
                    zone = zone.project_out(isl.dim_type.out, dim, 1)
            relation = zone.flat_range_product(access.relation)
            relations[place] = relation.set_tuple_name(isl.dim_type.out, name)
    rank = len(dims) + len(source.extents)
    return Move(Array(name, source.element_bytes, (None,) * rank, True), relations)


def expanded_variable(array: Array) -> str | None:
    """The variable that the array holds for each iteration, if it was made for that."""
    stem = array.name.rstrip("x")
    is_made = array.is_local and stem.endswith("_") and len(stem) < len(array.name)
    return stem[:-1] if is_made and array.extents else None


def expanded(
    scop: Scop, array: Array, move: Move, flow: isl.UnionMap | None = None
) -> Expansion | None:
    """With its extents and its copy; None where they are not affine or values would differ. `flow`
    is the array's dataflow, where that is known."""
    moved = apply_moves(scop, [move])
    touched = isl.UnionMap.empty(scop.context.get_space())
    for statement in moved.statements:
        for access in statement.accesses:
            if access.array == move.array.name:
                touched = touched.union(
                    isl.UnionMap.from_map(access.relation.intersect_domain(statement.domain))
                )
    if touched.intersect_params(scop.known).is_empty():
        return None
    extents = used_extents(scop, touched.range())
    if extents is None:
        return None
    lasting = _lasting(scop, array, {name for name, _ in move.relations})
    copy = _copy(scop, array, move, lasting) if not lasting.is_empty() else None
    if not lasting.is_empty() and copy is None:
        return None
    if flow is None:
        flow, _ = dataflow(scop, [array.name])
    new = add_statement(moved, copy) if copy else moved
    if not _keeps_values(flow, scop, new, array, move, lasting):
        return None
    return Expansion(array, move, extents, copy)


def _lasting(scop: Scop, array: Array, writers: set[str]) -> isl.UnionMap:
    """{ S[i] -> t[a] }: the last write of each element whose value may be wanted afterwards, if it
    is one of `writers`."""
    only = replace(
        scop,
        arrays=(array,),
        statements=tuple(
            replace(s, accesses=tuple(a for a in s.accesses if a.array == array.name))
            for s in scop.statements
        ),
    )
    found = isl.UnionMap.empty(scop.context.get_space())
    for part in maps(final_writes(only)):
        if part.get_tuple_name(isl.dim_type.in_) in writers:
            found = found.union(isl.UnionMap.from_map(part))
    return found


def used_extents(scop: Scop, elements: isl.UnionSet) -> tuple[isl.Aff, ...] | None:
    """One more than the greatest index in each dimension, where no index is negative and the
    greatest is one form of the parameters, or the floor of one (of a loop in strides)."""
    places = isl.Set.from_union_set(elements.intersect_params(scop.known))
    zero = val(0)
    extents: list[isl.Aff] = []
    for dim in range(places.dim(isl.dim_type.set)):
        if not places.is_subset(places.lower_bound_val(isl.dim_type.set, dim, zero)):
            return None
        greatest = pieces(places.dim_max(dim).coalesce())
        if len(greatest) != 1:
            return None
        extents.append(greatest[0][1].add_constant_val(val(1)))
    return tuple(extents)


def _copy(scop: Scop, array: Array, move: Move, lasting: isl.UnionMap) -> Statement | None:
    """`t[p] = t_x[place of its last value]` for every element that was written."""
    moved = apply_moves(scop, [move])
    places = isl.UnionMap.empty(scop.context.get_space())
    for statement in moved.statements:
        for access in statement.accesses:
            if access.is_write and access.array == move.array.name:
                places = places.union(
                    isl.UnionMap.from_map(access.relation.intersect_domain(statement.domain))
                )
    found = maps(lasting.reverse().apply_range(places).coalesce())
    if len(found) != 1 or not found[0].is_single_valued():
        return None
    name = f"copy_{array.name}"
    taken = {s.name for s in scop.statements}
    while name in taken:
        name += "x"
    read = found[0].set_tuple_name(isl.dim_type.in_, name)
    domain = read.domain()
    write = isl.Map.identity(domain.get_space().map_from_set())
    write = write.set_tuple_name(isl.dim_type.out, array.name)
    accesses = (
        Access(move.array.name, read, False, True, 0),
        Access(array.name, write, True, True, 1),
    )
    iterators = tuple(f"p{n}" for n in range(domain.dim(isl.dim_type.set)))
    return Statement(name, domain, accesses, (), iterators)


def add_statement(scop: Scop, statement: Statement) -> Scop:
    """The SCoP with one more statement, after all others."""
    instances = isl.UnionSet.from_set(statement.domain)
    order = isl.Schedule.from_domain(instances)
    for dim in reversed(range(statement.domain.dim(isl.dim_type.set))):
        space = isl.LocalSpace.from_space(statement.domain.get_space())
        index = isl.PwAff.from_aff(isl.Aff.var_on_domain(space, isl.dim_type.set, dim))
        function = isl.UnionPwAff.from_pw_aff(index)
        order = order.insert_partial_schedule(isl.MultiUnionPwAff.from_union_pw_aff(function))
    return replace(
        scop,
        statements=(*scop.statements, statement),
        schedule=scop.schedule.sequence(order),
    )


def _keeps_values(
    flow_old: isl.UnionMap, scop: Scop, new: Scop, array: Array, move: Move, lasting: isl.UnionMap
) -> bool:
    """Do all reads get their values as before, and the copy those that last?"""
    flow_new, live_new = dataflow(new, [array.name, move.array.name])
    copied = isl.UnionSet.empty(scop.context.get_space())
    for statement in new.statements[len(scop.statements) :]:
        copied = copied.union(isl.UnionSet.from_set(statement.domain))
    to_copies = flow_new.domain().unwrap().intersect_domain(copied).wrap()
    of_copies = flow_new.intersect_domain(to_copies)
    if not live_new.is_empty() or not flow_new.subtract(of_copies).is_equal(flow_old):
        return False
    return of_copies.range().is_equal(lasting.domain())
