"""Where temporaries live: the same values in other places, so that less has to stay in order.

A scalar that every iteration writes anew orders all iterations, although no value goes from one
to the next. Its values fall apart into webs (the statements that pass values to each other) and
each web into zones (the outer iterations that the values never leave); a web may live anywhere
where a zone's values are not disturbed:

    results      in the element that the zone's last statement writes: no memory is needed
                 (M. Kruse, T. Grosser, DeLICM: Scalar Dependence Removal at Zero Memory Cost,
                 CGO 2018)
    expansion    in an array with a place for each zone (P. Feautrier, Array Expansion, ICS 1988)

What is proposed is a change of access relations only. `is_same_dataflow` is the law it must keep:
every read gets its value from the same write as before, and what is in memory at the end is the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

import islpy as isl

from polyopt.poly.changes.single_accesses import by_access
from polyopt.poly.dependences import final_writes
from polyopt.poly.isl.lists import basic_maps, maps
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.support.record import record

MOST_PAIRS = 32
"""isl's operations do not tell what a subset with many quotients costs: 4,000,000 of them took
minutes. Two planes by `t % 2` have 18."""

AccessOf = tuple[str, int]
"""A statement's name and the position of an access."""


@record
class Move:
    """The accesses at these places go to `array`, by these relations."""

    array: Array
    relations: Mapping[AccessOf, isl.Map]


@record
class Web:
    """`statements` pass values of `array`, whose `flow` it is, to each other; no value leaves the
    iteration of the first `depth` dimensions that it was written in, none comes in from before."""

    array: Array
    statements: tuple[Statement, ...]
    depth: int
    flow: isl.UnionMap

    def accesses(self) -> Iterable[tuple[AccessOf, Access]]:
        for statement in self.statements:
            for access in statement.accesses:
                if access.array == self.array.name:
                    yield (statement.name, access.position), access


def find_webs(scop: Scop, array: Array) -> list[Web]:
    """The webs of an array that is only accessed by must-accesses; none if some read may see a
    value from before the SCoP, or if the subscripts have too many quotients to say so."""
    touching = [s for s in scop.statements if any(a.array == array.name for a in s.accesses)]
    accesses = [a for s in touching for a in s.accesses if a.array == array.name]
    if not all(a.is_must for a in accesses):
        return []
    if all(_reads_always(s, array) for s in touching):
        return []  # the first instance of all does, and nothing has been written
    if _weight_of_pairs(accesses) > MOST_PAIRS:
        return []
    if not _touched(scop, array, writes=False).is_subset(_touched(scop, array, writes=True)):
        return []  # what is never written holds a value from before: no dataflow has to say so
    flow, live_in = dataflow(scop, {array.name})
    if not live_in.is_empty():
        return []
    name = isl.dim_type.out
    edges = [(pairs.get_tuple_name(name) or "", pairs) for pairs in maps(_untagged(flow))]
    groups: list[set[str]] = []
    for statement in touching:
        linked = {statement.name}
        for source, pairs in edges:
            target = pairs.get_tuple_name(isl.dim_type.in_) or ""
            if statement.name in (source, target):
                linked |= {source, target}
        merged = [group for group in groups if group & linked]
        groups = [group for group in groups if not group & linked]
        groups.append(linked.union(*merged))
    webs: list[Web] = []
    for group in groups:
        members = tuple(s for s in touching if s.name in group)
        inner = [pairs for source, pairs in edges if source in group]
        webs.append(Web(array, members, _depth(members, inner), flow))
    return webs


def _reads_always(statement: Statement, array: Array) -> bool:
    """Whether each instance reads an element, before it writes."""
    return any(
        a.array == array.name and not a.is_write and _covers(statement, a.relation)
        for a in statement.accesses
    )


def _weight_of_pairs(accesses: Iterable[Access]) -> int:
    """What it takes to compare each write with each access: the cases of the existential variables
    of both, which stand for quotients."""
    counts = [(a.is_write, _existentials(a.relation)) for a in accesses]
    writes = [n for is_write, n in counts if is_write]
    return sum((1 << min(own + other, 20)) - 1 for own in writes for _, other in counts)


def _existentials(relation: isl.Map) -> int:
    return max((part.dim(isl.dim_type.div) for part in basic_maps(relation)), default=0)


def _touched(scop: Scop, array: Array, *, writes: bool) -> isl.UnionSet:
    """The elements of the array that the SCoP reads, or writes."""
    own = (
        isl.UnionSet.from_set(access.relation.intersect_domain(one.domain).range())
        for one in scop.statements
        for access in one.accesses
        if access.array == array.name and access.is_write == writes
    )
    none = isl.UnionSet.empty(scop.context.get_space())
    return reduce(isl.UnionSet.union, own, none).intersect_params(scop.known)


def _depth(statements: Iterable[Statement], flow: Iterable[isl.Map]) -> int:
    """How many leading dimensions the two ends of every flow have in common."""
    depth = min(s.domain.dim(isl.dim_type.set) for s in statements)
    for pairs in flow:
        while depth and not _agree(pairs, depth):
            depth -= 1
    return depth


def _agree(pairs: isl.Map, depth: int) -> bool:
    equal = isl.Map.universe(pairs.get_space())
    for dim in range(depth):
        equal = equal.equate(isl.dim_type.in_, dim, isl.dim_type.out, dim)
    return pairs.is_subset(equal)


def zone_of(statement: Statement, depth: int) -> isl.Map:
    """{ S[i] -> [i_0, ..., i_(depth - 1)] }"""
    identity = isl.Map.identity(statement.domain.get_space().map_from_set())
    identity = identity.reset_tuple_id(isl.dim_type.out)
    return identity.project_out(
        isl.dim_type.out, depth, statement.domain.dim(isl.dim_type.set) - depth
    )


def dataflow(scop: Scop, arrays: Iterable[str]) -> tuple[isl.UnionMap, isl.UnionMap]:
    """({ [T[j] -> read[position]] -> S[i] }, { [T[j] -> read[position]] -> a }): from which
    instance each read of these arrays gets its value, and which reads see a value from before
    the SCoP."""
    names = set(arrays)
    empty = isl.UnionMap.empty(scop.context.get_space())
    reads, writes, order = empty, empty, empty
    touching = [s for s in scop.statements if any(a.array in names for a in s.accesses)]
    whole = scop.times
    for statement in touching:
        time = whole.intersect_domain(isl.UnionSet.from_set(statement.domain))
        order = order.union(time)
        for access in statement.accesses:
            if access.array not in names:
                continue
            relation = access.relation.intersect_domain(statement.domain)
            if access.is_write:
                writes = writes.union(isl.UnionMap.from_map(relation))
                continue
            tag = _tag(statement, access.position)
            reads = reads.union(isl.UnionMap.from_map(tag.apply_range(relation)))
            order = order.union(isl.UnionMap.from_map(tag).apply_range(time))
    info = isl.UnionAccessInfo.from_sink(reads.intersect_params(scop.known))
    info = info.set_must_source(writes.intersect_params(scop.known)).set_schedule_map(order)
    flow = info.compute_flow()
    return flow.get_must_dependence().reverse(), flow.get_must_no_source()


def _tag(statement: Statement, position: int) -> isl.Map:
    """{ [T[j] -> read[position]] -> T[j] }"""
    space = statement.domain.get_space()
    mark = isl.Set(f"{{ read[{position}] }}")
    universe = isl.Set.universe(space)
    return isl.Map.from_domain_and_range(universe, mark).domain_map()


def sources_of(flow: isl.UnionMap, statement: Statement, position: int) -> isl.UnionMap:
    """{ T[j] -> S[i] } of one access that reads, of a `dataflow`."""
    return isl.UnionMap.from_map(_tag(statement, position).reverse()).apply_range(flow)


def _untagged(flow: isl.UnionMap) -> isl.UnionMap:
    """{ T[j] -> S[i] }"""
    return flow.domain().unwrap().domain_map().reverse().apply_range(flow)


def apply_moves(scop: Scop, moves: Iterable[Move]) -> Scop:
    """The SCoP with its accesses moved; a new array is added to its arrays."""
    where = {place: (move.array, to) for move in moves for place, to in move.relations.items()}

    def moved(statement: Statement) -> Statement:
        accesses: list[Access] = []
        for access in statement.accesses:
            found = where.get((statement.name, access.position))
            if found is not None:
                access = replace(access, array=found[0].name, relation=found[1])
            accesses.append(access)
        return replace(statement, accesses=tuple(accesses), reductions=())

    known = {array.name for array in scop.arrays}
    new = {array.name: array for array, _ in where.values() if array.name not in known}
    return replace(
        scop,
        statements=tuple(moved(statement) for statement in scop.statements),
        arrays=(*scop.arrays, *new.values()),
    )


def is_same_dataflow(scop: Scop, moves: Seq[Move]) -> bool:
    """After the moves, does every read get its value from the same write, and is what remains in
    memory the same?"""
    arrays = {move.array.name for move in moves} | {
        access.array
        for move in moves
        for name, position in move.relations
        for access in scop.statement(name).accesses
        if access.position == position
    }
    old = by_access(_only(scop, arrays))
    new = by_access(_only(apply_moves(scop, moves), arrays))
    flow_old, live_old = dataflow(old, arrays)
    flow_new, live_new = dataflow(new, arrays)
    return (
        flow_old.is_equal(flow_new)
        and live_old.is_equal(live_new)
        and final_writes(old).is_equal(final_writes(new))
    )


def _only(scop: Scop, arrays: set[str]) -> Scop:
    """The SCoP as far as these arrays see it."""
    statements: list[Statement] = []
    for statement in scop.statements:
        accesses = tuple(a for a in statement.accesses if a.array in arrays)
        statements.append(replace(statement, accesses=accesses))
    return replace(scop, statements=tuple(statements))


def move_to_results(
    scop: Scop, webs: Iterable[Web], is_worth: Callable[[Move], bool] = lambda move: True
) -> list[Move]:
    """For each web whose zones end in one write elsewhere, the move there: all of them if they
    are legal together, else those that are legal one after the other. None at all where no move
    alone is worth it, which is asked first: what is legal takes the dataflow of both SCoPs."""
    choices = [list(_moves_to_results(scop, web)) for web in webs]
    if not any(is_worth(move) for moves in choices for move in moves):
        return []
    first = [moves[0] for moves in choices if moves]
    if is_same_dataflow(scop, first):
        return first
    accepted: list[Move] = []
    for moves in choices:
        for move in moves:
            together = [*accepted, move]
            if together != first and is_same_dataflow(scop, together):
                accepted.append(move)
                break
    return accepted


def _moves_to_results(scop: Scop, web: Web) -> Iterable[Move]:
    for last in web.statements:
        writes = [a for a in last.accesses if a.is_write]
        if last.domain.dim(isl.dim_type.set) != web.depth or len(writes) != 1:
            continue
        (write,) = writes
        if write.array == web.array.name or not write.is_must:
            continue
        element = zone_of(last, web.depth).reverse().apply_range(write.relation)
        element = element.intersect_domain(last.domain.apply(zone_of(last, web.depth)))
        if not element.is_single_valued() or not element.is_injective():
            continue
        relations = {
            place: zone_of(scop.statement(place[0]), web.depth).apply_range(element).coalesce()
            for place, _ in web.accesses()
        }
        if all(_covers(scop.statement(n), to) for (n, _), to in relations.items()):
            # Subscripts as a program has them: that two are the same is seen on their text, too.
            plain = {
                (n, position): to.gist_domain(scop.statement(n).domain)
                for (n, position), to in relations.items()
            }
            yield Move(scop.array(write.array), plain)


def _covers(statement: Statement, relation: isl.Map) -> bool:
    return statement.domain.is_subset(relation.domain())
