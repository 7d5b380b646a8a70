"""Accesses that a file has changed: the same values in other places, in the order of the file.

T. Grosser, Enabling Polyhedral Optimizations in LLVM, 2011, section 6.2, and Polly's importer
since: memory is contracted or expanded by hand, in the file, together with the schedule. Polly
believes it; here the law of `changes/storage` is asked, between the source and the file:

    every read gets its value from the same write as before, or from before the SCoP
    what is in memory at the end is the same, but for arrays that nothing reads afterwards

A contraction may be legal only in the file's order: both are judged together.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from polyopt.poly.changes.expansion import used_extents
from polyopt.poly.changes.single_accesses import by_access
from polyopt.poly.changes.storage import AccessOf, Move, apply_moves, dataflow
from polyopt.poly.dependences import final_writes
from polyopt.poly.exchange.description import DescribedArray, Description
from polyopt.poly.isl.lists import sets
from polyopt.poly.isl.names import apart, parameters_of
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Array, Scop

_Dim = isl.dim_type


class NotMoved(Exception):
    """The accesses of the file cannot be had; the text says why."""


def find_moves(scop: Scop, ours: Description, theirs: Description) -> list[Move]:
    """What `theirs` has otherwise, by array; the two have the same statements, with as many
    accesses of the same kinds. Raises NotMoved."""
    types = {one.name: one.type for one in (*theirs.arrays, *ours.arrays)}
    sizes = {one.name: one for one in theirs.arrays}
    named = {one.name: one for one in theirs.statements}
    sources: dict[str, Array] = {}
    found: dict[str, dict[AccessOf, isl.Map]] = {}
    for mine in ours.statements:
        statement = scop.statement(mine.name)
        pairs = zip(mine.accesses, named[mine.name].accesses, statement.accesses, strict=True)
        for old, new, access in pairs:
            if _is_same(old.relation, new.relation, statement.domain.intersect_params(scop.known)):
                continue
            if new.array not in types:
                raise NotMoved(f"there is no array '{new.array}'")
            if types[new.array] != types[old.array]:
                raise NotMoved(f"'{new.array}' has elements of another type than '{old.array}'")
            relation = new.relation.intersect_domain(statement.domain)
            _check_parameters(scop, relation.get_space())
            if not (access.is_must and relation.is_single_valued()):
                raise NotMoved(f"the {old.kind} {old.relation} is not of one element")
            sources[new.array] = scop.array(access.array)
            found.setdefault(new.array, {})[mine.name, access.position] = new.relation
    known = {array.name for array in scop.arrays}
    return [
        Move(scop.array(name) if name in known else _new(sizes[name], sources[name]), relations)
        for name, relations in found.items()
    ]


def _check_parameters(scop: Scop, space: isl.Space) -> None:
    known = scop.context.get_space()
    for k in range(space.dim(_Dim.param)):
        name = space.get_dim_name(_Dim.param, k) or ""
        if known.find_dim_by_name(_Dim.param, name) < 0:
            raise NotMoved(f"an access speaks of '{name}', which is no parameter of the SCoP")


def _is_same(first: isl.Map, second: isl.Map, domain: isl.Set) -> bool:
    return first.get_space().has_equal_tuples(second.get_space()) and first.intersect_domain(
        domain
    ).is_equal(second.intersect_domain(domain))


def _new(array: DescribedArray, source: Array) -> Array:
    extents = tuple(size if size.isdecimal() else None for size in array.sizes)
    return Array(array.name, source.element_bytes, extents, is_local=True)


def check_moves(scop: Scop, moves: Seq[Move], order: isl.Schedule) -> Scop:
    """The SCoP with the moves, in that order; NotMoved where values would differ."""
    names = affected(scop, moves)
    moved = apply_moves(scop, moves).with_schedule(order)
    for one in (scop, moved):
        for statement in one.statements:
            for access in statement.accesses:
                if access.array in names and not access.is_must:
                    raise NotMoved(f"'{access.array}' is accessed in ways that are not known")
                inside = access.relation.domain()
                if access.array in names and not statement.domain.intersect_params(
                    scop.known
                ).is_subset(inside.align_params(statement.domain.get_space())):
                    raise NotMoved(f"not all instances of '{statement.name}' have an element")
    old, new = only(scop, names), only(moved, names)
    _check_order(new)
    old, new = by_access(old), by_access(new)
    (flow_old, live_old), (flow_new, live_new) = dataflow(old, names), dataflow(new, names)
    for before, after in ((flow_old, flow_new), (live_old, live_new)):
        lost = before.subtract(after).union(after.subtract(before))
        if not lost.is_empty():
            raise NotMoved(f"a read does not get its value from where it did: {lost.sample()}")
    before, after = final_writes(old), final_writes(new)
    lost = before.subtract(after).union(after.subtract(before))
    if not lost.is_empty():
        raise NotMoved(f"memory would not end the same: {lost.sample()}")
    _check_places(scop, moved, moves)
    return moved


def _check_order(scop: Scop) -> None:
    """No two instances at one date touch one element, one of them writing it: nothing would say
    which of them is first, and the dataflow takes both for it."""
    date = scop.times.intersect_domain(scop.domain).intersect_params(scop.known)
    together = date.apply_range(date.reverse())
    together = together.subtract(scop.domain.identity())
    writes = scop.accesses(writes=True)
    touched = writes.union(scop.accesses(writes=False))
    both = writes.apply_range(touched.reverse()).intersect(together)
    if not both.is_empty():
        raise NotMoved(f"two accesses of one element have one date: {both.sample()}")


def affected(scop: Scop, moves: Seq[Move]) -> set[str]:
    """The arrays from which something is moved, or to which."""
    return {move.array.name for move in moves} | {
        access.array
        for move in moves
        for name, position in move.relations
        for access in scop.statement(name).accesses
        if access.position == position
    }


def only(scop: Scop, arrays: set[str]) -> Scop:
    """The SCoP as far as these arrays see it."""
    statements = tuple(
        replace(
            one,
            accesses=tuple(access for access in one.accesses if access.array in arrays),
            reductions=tuple(r for r in one.reductions if r.array in arrays),
        )
        for one in scop.statements
    )
    return replace(scop, statements=statements)


def _check_places(scop: Scop, moved: Scop, moves: Seq[Move]) -> None:
    """Arrays that were there are used where they were used, or where their sizes say that they
    are. Of arrays that last the dataflow has said it."""
    known = {array.name for array in scop.arrays}
    for name in {move.array.name for move in moves} & known:
        places = elements(moved, name).subtract(elements(scop, name))
        array = moved.array(name)
        if None not in array.extents:
            places = places.subtract(_box(array, scop))
        if not places.is_empty():
            raise NotMoved(f"'{name}' may have no such element: {places.sample()}")


def elements(scop: Scop, name: str) -> isl.UnionSet:
    """The elements of the array that the SCoP accesses."""
    both = scop.accesses(writes=False).union(scop.accesses(writes=True))
    found = both.intersect_params(scop.known).range()
    result = isl.UnionSet.empty(scop.context.get_space())
    for part in sets(found):
        if part.get_tuple_name() == name:
            result = result.union(isl.UnionSet.from_set(part))
    return result


def _box(array: Array, scop: Scop) -> isl.UnionSet:
    parameters = parameters_of(scop.context.get_space())
    names = apart("a", len(array.extents), parameters)
    bounds = [f"0 <= {name} < {size}" for name, size in zip(names, array.extents, strict=True)]
    condition = f" : {' and '.join(bounds)}" if bounds else ""
    text = f"{{ {array.name}[{', '.join(names)}]{condition} }}"
    return isl.UnionSet(f"[{', '.join(parameters)}] -> {text}")


def extents_of(moved: Scop, move: Move) -> tuple[isl.Aff, ...]:
    """The sizes of a new array: those of the file, else one more than the greatest subscript.
    Raises NotMoved where a size is not enough, or is not affine."""
    places = elements(moved, move.array.name)
    found = used_extents(moved, places)
    if found is None or len(found) != len(move.array.extents):
        raise NotMoved(f"how large '{move.array.name}' has to be is not an affine function")
    sizes = list[isl.Aff]()
    for size, least in zip(move.array.extents, found, strict=True):
        if size is None:
            sizes.append(least)
            continue
        number = val(int(size))
        enough = isl.PwAff.from_aff(least).le_set(
            isl.PwAff.from_aff(isl.Aff.val_on_domain_space(least.get_domain_space(), number))
        )
        if not moved.known.is_subset(enough):
            raise NotMoved(f"'{move.array.name}' has more elements than {size} in a dimension")
        sizes.append(isl.Aff.val_on_domain_space(least.get_domain_space(), number))
    return tuple(sizes)
