"""The order that one core likes: tiles around vectors, and one pass over big data.

Three orders are made, each legal, and put together:

    deep     bands as deep as the dependences allow (isl, each component for itself): their tiles
             keep data in cache from one use to the next
    points   inside the tiles, and where nothing is tiled: the order of the source, or isl's with
             the outermost parallel loops, whichever has the better innermost loops (`locality`),
             for each component by itself; where a dependence is left in these, and with another
             loop outermost none is, that order, without tiles (`interchanged_nests`)
    fused    neighbours that touch the same big data, in one pass (`fusion`)

That a tile band may stand above any legal order, not only above its own point loops, is what
keeps skewed stencils simple inside: their tiles are skewed, their innermost loops are those of
the source.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, merge_bands
from polyopt.poly.analysis.strides import AccessMatrices, steps_of
from polyopt.poly.changes.common_data import fuse_nests
from polyopt.poly.changes.contractions import CONTRACT, expose_contractions
from polyopt.poly.changes.gathered_updates import gathering_nest
from polyopt.poly.changes.interchanged_nests import interchanged_nests
from polyopt.poly.cost.locality import (
    LocalityModel,
    order_for_locality,
    serial_statements,
    tree_cost,
)
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.legality import is_legal
from polyopt.poly.schedule_tree import (
    Band,
    Member,
    Tree,
    UnsupportedTree,
    bands,
    build_schedule,
    marks,
    read_tree,
    restrict,
    statements_of,
)
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.isl_scheduler import schedule_with_isl
from polyopt.poly.schedulers.tile_models import tile_model_named
from polyopt.poly.scop import Scop, Statement
from polyopt.poly.transform.tiling import SizeChoice, tile_over
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target

CHAINED = 1_200_000
"""Operations for dependences that are only asked for to find a better order; the most that a kernel
of ours takes is 900,000."""

CHAINED_LOOPS = 4
"""Of so many loops between numbers isl is not asked for chains with parallel loops outermost."""


def schedule_for_locality(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """The best order that keeps the dependences: fused, tiled and ordered; or less of these where
    the whole cannot be proved; at last the SCoP's own."""
    span = scop.span
    try:
        with budget("locality", options.operations):
            candidates = _candidates(scop, dependences, options)
    except BudgetExceeded:
        remark("missed", "schedule-budget", "scheduling costs too much: original order kept", span)
        return scop.schedule
    except UnsupportedTree as error:
        remark("missed", "schedule-unsupported", f"original order kept: {error}", span)
        return scop.schedule
    for tree in candidates:
        schedule = build_schedule(scop.domain, tree)
        if is_legal(scop, dependences, schedule):
            return schedule
    remark("missed", "illegal-schedule", "no better order could be proved: original kept", span)
    return scop.schedule


def _candidates(scop: Scop, dependences: Dependences, options: SchedulerOptions) -> list[Tree]:
    """Whole orders, the best first."""
    target = Target.named(options.march)
    lanes = target.lanes(min((a.element_bytes for a in scop.arrays), default=8))
    model = LocalityModel(AccessMatrices(scop), lanes)
    place = TreePosition((), dependences.validity)
    source = read_tree(scop.schedule)
    chained = _chained(scop, dependences)
    apart = replace(options, fuse="min")
    deep = read_tree(schedule_with_isl(scop, chained, apart))
    wide = replace(apart, outer_coincidence=True)
    orders = [
        order_for_locality(merge_bands(read_tree(order), place), model, place)
        for order in _schedules(scop, _worth_asking(scop, dependences, chained), wide)
    ]
    if options.contractions:
        deep = expose_contractions(scop, dependences, deep)
    parts = [
        _Part(*component)
        if _has_contraction(component[1])
        else _order_component(component, source, orders, model, place, options)
        for component in _components(scop, deep)
    ]
    together = _sequence(_rejoin(parts, source, place))
    apart = _sequence(parts)
    # Lanes along one nest's rows are there when another nest has joined it, too.
    plain = replace(model, in_lanes=False)
    return [fuse_nests(together, plain, place), fuse_nests(apart, plain, place), apart]


@record
class _Part:
    """The order of some instances; `is_source` where it is that of the source."""

    instances: isl.UnionSet
    tree: Tree
    is_source: bool = False


def _components(scop: Scop, deep: Tree) -> list[tuple[isl.UnionSet, Tree]]:
    """What isl's scheduler has put into loops of its own, one after the other."""
    if isinstance(deep, TreeSequence) and deep.is_ordered:
        return list(deep.children)
    return [(scop.domain, deep)]


def _has_contraction(tree: Tree) -> bool:
    """Whether the loop stage has its own tiles for some of it."""
    return CONTRACT in marks(tree)


def _schedules(
    scop: Scop, dependences: Sequence[Dependences], options: SchedulerOptions
) -> list[isl.Schedule]:
    """One for each of the dependences, the same ones once."""
    distinct = {id(one): one for one in dependences}
    return [schedule_with_isl(scop, one, options) for one in distinct.values()]


def _chained(scop: Scop, dependences: Dependences) -> Dependences:
    """Each update of an accumulator after the last one. What this asks for is more than is
    needed, but simpler: with the updates unordered isl sees each of them depend on what comes
    before and precede what comes after, and gives up the outer loops of factorisations."""
    if not dependences.reassociate or dependences.reduction.is_empty():
        return dependences
    return compute_dependences(scop, operations=CHAINED)


def _worth_asking(
    scop: Scop, dependences: Dependences, chained: Dependences
) -> Sequence[Dependences]:
    """Not for chains along many loops between numbers: the last iteration of each leads to the next
    one of all around, and isl's integers grow beyond reason (a convolution of six loops, four of
    them between numbers: more than a minute)."""
    return [dependences] if _most_between_numbers(scop) >= CHAINED_LOOPS else [dependences, chained]


def _most_between_numbers(scop: Scop) -> int:
    """The most loops of a statement that run between numbers, if some loops run as far as sizes
    say."""
    if not scop.domain.dim(isl.dim_type.param):
        return 0
    return max(map(_between_numbers, scop.statements), default=0)


def _between_numbers(statement: Statement) -> int:
    alone = statement.domain.project_out_all_params()
    kind = isl.dim_type.set
    return sum(
        alone.dim_has_lower_bound(kind, dim) and alone.dim_has_upper_bound(kind, dim)
        for dim in range(alone.dim(kind))
    )


def _order_component(
    component: tuple[isl.UnionSet, Tree],
    source: Tree,
    orders: Sequence[Tree],
    model: LocalityModel,
    place: TreePosition,
    options: SchedulerOptions,
) -> _Part:
    """The cheapest of the orders, inside tiles where these pay."""
    instances, deep = component
    place = place.among(instances)
    own = merge_bands(restrict(source, instances), place)
    others = [restrict(order, instances) for order in orders]

    def cost(tree: Tree) -> float:
        return tree_cost(tree, model, place)

    points = own
    ordered = order_for_locality(own, model, place)
    if cost(ordered) < cost(own):
        points = ordered
    best = min(others, key=cost)
    if cost(best) <= CORE.orders.gain * cost(points):
        points = best
    serial = serial_statements(points, place)
    gathering = gathering_nest(own, instances, place)
    if gathering is not None and not serial_statements(gathering, place):
        if cost(gathering) <= CORE.orders.gain * cost(points):
            return _Part(instances, gathering)
    if serial:
        turned = [order_for_locality(one, model, place) for one in interchanged_nests(own, place)]
        best = min(turned, key=cost, default=points)
        if cost(best) <= CORE.orders.gain * cost(points) and _has_long_rows(best, model):
            return _Part(instances, best)
    sizes = _sizes(options, model, points, serial)
    tiled = tile_over(deep, points, sizes) if options.tile else None
    return _Part(instances, tiled or points, is_source=tiled is None and points is own)


def _has_long_rows(tree: Tree, model: LocalityModel) -> bool:
    """May its innermost loop run over as many elements as vectors need to be worth it, for all that
    arrays of declared sizes say?"""
    inner = bands(tree)[-1]
    members = [member for band in bands(tree) for member in band.members]
    matrices, lengths = model.matrices, list[int]()
    for name in statements_of(inner):
        along = steps_of(name, members)[-1]
        for access in matrices.scop.statement(name).accesses:
            if matrices.stride(name, access, along) in (1, -1):
                length = matrices.scop.array(access.array).extents[-1] or ""
                lengths += [int(length)] if length.isdigit() else []
    return min(lengths, default=sys.maxsize) >= CORE.orders.row_vectors * model.lanes


def _rejoin(parts: Sequence[_Part], source: Tree, place: TreePosition) -> list[_Part]:
    """Neighbours that keep the order of the source share the loops that they share there."""
    joined = list[_Part]()
    for part in parts:
        if joined and joined[-1].is_source and part.is_source:
            instances = joined[-1].instances.union(part.instances)
            tree = merge_bands(restrict(source, instances), place.among(instances))
            joined[-1] = _Part(instances, tree, is_source=True)
        else:
            joined.append(part)
    return joined


def _sequence(parts: Sequence[_Part]) -> Tree:
    if len(parts) == 1:
        return parts[0].tree
    return TreeSequence(tuple((part.instances, part.tree) for part in parts))


def _sizes(
    options: SchedulerOptions, model: LocalityModel, points: Tree, serial: frozenset[str]
) -> SizeChoice:
    """Sizes by the model; those of the options, where given, for the bands that it would tile."""
    make = tile_model_named(options.tile_model)
    choose = make(model.matrices, points, Target.named(options.march), serial)

    def given(band: Band, outer: Sequence[Member]) -> Sequence[int] | None:
        sizes = choose(band, outer)
        if sizes is None or not options.tile_sizes:
            return sizes
        last = len(options.tile_sizes) - 1
        return tuple(options.tile_sizes[min(k, last)] for k in range(len(sizes)))

    return given
