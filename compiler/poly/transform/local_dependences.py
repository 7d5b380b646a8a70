"""The dependences of a SCoP whose tiles work on copies, from those that it had.

    what there was      between the same instances, under their longer names
    in a tile           A_in[t, a] before what touches the copy of a in tile t, what writes it
                        before A_out[t, a]
    between tiles       the buffer is one: all of a tile's instances that touch it before all of a
                        later one's; and A_out[t, a] before the A_in[t', a] of later tiles
    with others         the copies touch A as any statement does

These are more pairs than there have to be: what there was between two tiles goes through copies
now, and pairs of different places in a buffer need no order. Nothing is left out, and none of it
asks for the last write of a place, which costs much where the order is one of tiles. For the same
reason, what is between tiles does not say which tiles there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.budget import budget
from polyopt.poly.isl.lists import maps
from polyopt.poly.schedule_tree import joint
from polyopt.poly.scop import Scop, Statement
from polyopt.poly.transform.local_copies import Buffer

OPERATIONS = 4_000_000


def local_dependences(
    scop: Scop,
    before: Dependences,
    back: isl.UnionPwMultiAff,
    numbers: Sequence[isl.UnionPwAff],
    buffers: Sequence[Buffer],
) -> Dependences:
    """`scop` is the new one, with its schedule; `back` gives each instance the name that it had in
    the old one; `numbers` are those of the tiles that instances and copies are in. Raises
    BudgetExceeded."""
    domain = scop.domain.intersect_params(scop.known)

    def renamed(pairs: isl.UnionMap) -> isl.UnionMap:
        """Without the divisions by which old names are made long: the new domains say the same."""
        longer = pairs.preimage_domain_union_pw_multi_aff(back)
        longer = longer.preimage_range_union_pw_multi_aff(back)
        return longer.intersect_domain(domain).intersect_range(domain).coalesce()

    with budget("dependences of copies", OPERATIONS):
        result = replace(
            before,
            flow=renamed(before.flow),
            anti=renamed(before.anti),
            output=renamed(before.output),
            reduction=renamed(before.reduction),
            live_in=before.live_in.preimage_domain_union_pw_multi_aff(back),
            precision="memory",
        )
        places = isl.UnionMap.from_multi_union_pw_aff(joint(numbers))
        for buffer in buffers:
            for more in (_in_tiles, _between_tiles, _with_others):
                result = more(result, scop, buffer, places)
    return result


def _in_tiles(
    result: Dependences, scop: Scop, buffer: Buffer, numbers: isl.UnionMap
) -> Dependences:
    reads = numbers.flat_range_product(_relations(scop, buffer.array.name, writes=False))
    writes = numbers.flat_range_product(_relations(scop, buffer.array.name, writes=True))
    into = writes.intersect_domain(_all_of(buffer.into))
    out = reads.intersect_domain(_all_of(buffer.out))
    others = writes.subtract_domain(_all_of(buffer.into))
    flow = into.apply_range(reads.reverse()).union(others.apply_range(out.reverse()))
    return replace(
        result,
        flow=result.flow.union(flow),
        output=result.output.union(into.apply_range(others.reverse())),
        live_in=_without(result.live_in, scop, buffer),
    )


def _between_tiles(
    result: Dependences, scop: Scop, buffer: Buffer, numbers: isl.UnionMap
) -> Dependences:
    touching = _relations(scop, buffer.array.name, writes=False).union(
        _relations(scop, buffer.array.name, writes=True)
    )
    users = numbers.intersect_domain(touching.domain())
    anti, flow = users.lex_lt_union_map(users), result.flow
    out = _all_of(buffer.out)
    if buffer.into is not None and buffer.out is not None:
        elements = _relations(scop, buffer.source.name, writes=True).intersect_domain(out)
        again = _relations(scop, buffer.source.name, writes=False)
        again = again.intersect_domain(_all_of(buffer.into))
        same = elements.apply_range(again.reverse())
        later = anti.intersect_domain(out).intersect_range(_all_of(buffer.into))
        flow = flow.union(later.intersect(same))
    return replace(result, flow=flow, anti=result.anti.union(anti))


def _with_others(
    result: Dependences, scop: Scop, buffer: Buffer, numbers: isl.UnionMap
) -> Dependences:
    """Between the copies and what else touches the array."""
    array = buffer.source.name
    copies = _all_of(buffer.into).union(_all_of(buffer.out))
    reads = _relations(scop, array, writes=False).intersect_params(scop.known)
    writes = _relations(scop, array, writes=True).intersect_params(scop.known)

    def pairs(before: isl.UnionMap, after: isl.UnionMap) -> isl.UnionMap:
        """Of one of the copies and one of the others."""
        total = isl.UnionMap.empty(scop.context.get_space())
        for source, sink in (
            (before.intersect_domain(copies), after.subtract_domain(copies)),
            (before.subtract_domain(copies), after.intersect_domain(copies)),
        ):
            if not (source.is_empty() or sink.is_empty()):
                info = isl.UnionAccessInfo.from_sink(sink).set_may_source(source)
                flow = info.set_schedule(scop.schedule).compute_flow()
                total = total.union(flow.get_may_dependence())
        return total

    into = reads.intersect_domain(_all_of(buffer.into)).intersect_domain(scop.domain)
    domain = scop.domain
    reads, writes = reads.intersect_domain(domain), writes.intersect_domain(domain)
    return replace(
        result,
        flow=result.flow.union(pairs(writes, reads)),
        anti=result.anti.union(pairs(reads, writes)),
        output=result.output.union(pairs(writes, writes)),
        live_in=result.live_in.union(into),
    )


def _relations(scop: Scop, array: str, *, writes: bool) -> isl.UnionMap:
    """{ S[i] -> A[a] }, whichever instances there are."""
    found = isl.UnionMap.empty(scop.context.get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == array and access.is_write == writes:
                found = found.union(isl.UnionMap.from_map(access.relation))
    return found


def _all_of(copy: Statement | None) -> isl.UnionSet:
    if copy is None:
        return isl.UnionSet("{ }")
    return isl.UnionSet.from_set(isl.Set.universe(copy.domain.get_space()))


def _without(live_in: isl.UnionMap, scop: Scop, buffer: Buffer) -> isl.UnionMap:
    """Without what the instances in tiles read of the array: they read copies."""
    inside = {name for name, _ in buffer.moved}
    left = isl.UnionMap.empty(scop.context.get_space())
    for one in maps(live_in):
        names = one.get_tuple_name(isl.dim_type.in_), one.get_tuple_name(isl.dim_type.out)
        if not (names[0] in inside and names[1] == buffer.source.name):
            left = left.union(isl.UnionMap.from_map(one))
    return left
