"""Does a schedule tree keep every dependence? If not: which, and between which two instances?

The tree is walked once, from the root, with the dependences { s -> t } that are still to be
ordered there:

    band member f     f(s) > f(t) violates; f(s) < f(t) orders the pair; f(s) = f(t) goes on below
    sequence          children in order: a pair from a later to an earlier child violates, one
                      from an earlier to a later is ordered, one within a child goes on below
    set               children in any order: a pair between two children violates
    leaf              what arrives here is ordered by nothing: it violates

Most dependences are ordered near the root, so little is left below; no lexicographic order is
ever built. What cannot be decided within the operation budget counts as a violation.
"""

from __future__ import annotations

from math import prod

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.scop import Scop
from polyopt.poly.violations import Violation, describe

OPERATIONS = 4_000_000


def check_schedule(
    scop: Scop, dependences: Dependences, schedule: isl.Schedule, *, operations: int = OPERATIONS
) -> list[Violation]:
    """Every kind of dependence and pair of statements for which `schedule` runs some target no
    later than its source; empty if the schedule is legal. What has been proved is remembered: who
    finds a schedule proves it, and who takes it asks again."""
    if _is_proved(scop, dependences, schedule):
        return []
    try:
        with budget("legality", operations):
            strays = _strays_of(scop, schedule)
            if not strays.is_empty():
                return [Violation("domain", pair=str(strays.sample_point()))]
            broken = _broken_pairs(scop, dependences, schedule)
            if broken.is_empty():
                dependences.proved.append((scop, schedule))
    except BudgetExceeded:
        return [Violation("unknown")]
    return describe(scop, dependences, broken)


def is_legal(
    scop: Scop, dependences: Dependences, schedule: isl.Schedule, *, operations: int = OPERATIONS
) -> bool:
    """Whether the schedule runs every instance once, and keeps every dependence: `check_schedule`
    of those who need not tell why."""
    if _is_proved(scop, dependences, schedule):
        return True
    try:
        with budget("legality", operations):
            if not _strays_of(scop, schedule).is_empty():
                return False
            found = _broken_pairs(scop, dependences, schedule).is_empty()
    except BudgetExceeded:
        return False
    if found:
        dependences.proved.append((scop, schedule))
    return found


def _is_proved(scop: Scop, dependences: Dependences, schedule: isl.Schedule) -> bool:
    return any(
        one is scop and proved.plain_is_equal(schedule) for one, proved in dependences.proved
    )


def _strays_of(scop: Scop, schedule: isl.Schedule) -> isl.UnionSet:
    return _strays(scop.domain.intersect_params(scop.known), schedule, scop.known)


def _broken_pairs(scop: Scop, dependences: Dependences, schedule: isl.Schedule) -> isl.UnionMap:
    """{ source -> target }: the dependences that the schedule does not keep."""
    pending = dependences.validity.intersect_params(scop.known)
    broken = isl.UnionMap.empty(pending.get_space())
    for part in _broken(schedule.get_root(), pending):
        broken = broken.union(part)
    if broken.is_empty():
        return broken
    here = scop.domain.intersect_params(scop.known)
    return broken.intersect_domain(here).intersect_range(here)


def keeps(schedule: isl.Schedule, pairs: isl.UnionMap) -> bool:
    """Whether the first of each pair runs before the second; not what is more than the budget of
    whoever asks."""
    return not _broken(schedule.get_root(), pairs)


def _strays(wanted: isl.UnionSet, schedule: isl.Schedule, known: isl.Set) -> isl.UnionSet:
    """The instances that `schedule` runs and should not, leaves out, or runs twice. Asked of the
    tree's map, which has the pieces of all its bands' functions at once, or, where these are many,
    as tiles within tiles' millions, node by node."""
    if _pieces(schedule.get_root()) <= MOST_PIECES:
        order = schedule.get_map().intersect_domain(schedule.get_domain()).intersect_params(known)
        run, twice = order.domain(), isl.UnionSet.empty(order.get_space())
        if not order.is_single_valued():
            twice = order.subtract(order.lexmin()).domain()
    else:
        arriving = schedule.get_domain().intersect_params(known)
        run, twice = _run(schedule.get_root(), arriving)
    return run.subtract(wanted).union(wanted.subtract(run)).union(twice)


MOST_PIECES = 256
"""Hexagons, of 3 pieces in each of two bands around 5 kinds of tiles, take 54 times as long node by
node as by their map."""


def _pieces(node: isl.ScheduleNode) -> int:
    """How many the map of the tree below has of a statement, at most: the products of what each
    band's functions have."""
    below = sum(_pieces(node.child(k)) for k in range(node.n_children())) or 1
    if isl.schedule_node_type(node.get_type()) != isl.schedule_node_type.band:
        return below
    functions = node.band_get_partial_schedule()
    each = (functions.get_at(k) for k in range(len(functions)))
    return below * prod(max((part.n_piece() for part in pw_affs(one)), default=1) for one in each)


def _run(node: isl.ScheduleNode, arriving: isl.UnionSet) -> tuple[isl.UnionSet, isl.UnionSet]:
    """Of the instances that come to the node: those that it runs, and of these those that it runs
    more than once. A band's function says at most one time, so that only children do."""
    kind = isl.schedule_node_type(node.get_type())
    none = isl.UnionSet.empty(arriving.get_space())
    if kind == isl.schedule_node_type.leaf:
        return arriving, none
    if kind == isl.schedule_node_type.band:
        for member in members(node):
            timed = member.domain()
            if not arriving.is_subset(timed):
                arriving = arriving.intersect(timed)
        return _run(node.child(0), arriving)
    if kind in (isl.schedule_node_type.sequence, isl.schedule_node_type.set):
        run, twice = none, none
        for k in range(node.n_children()):
            some, more = _run(node.child(k), arriving)
            twice = twice.union(more).union(some.intersect(run))
            run = run.union(some)
        return run, twice
    if kind == isl.schedule_node_type.filter:
        return _run(node.child(0), arriving.intersect(node.filter_get_filter()))
    if kind in _TRANSPARENT:
        return _run(node.child(0), arriving)
    return none, none


def _broken(node: isl.ScheduleNode, pending: isl.UnionMap) -> list[isl.UnionMap]:
    """The parts of `pending` that the subtree at `node` violates."""
    if pending.is_empty():
        return []
    kind = isl.schedule_node_type(node.get_type())
    if kind == isl.schedule_node_type.leaf:
        return [pending]
    if kind == isl.schedule_node_type.band:
        found = list[isl.UnionMap]()
        for member in members(node):
            late = backward(pending, member)
            if not late.is_empty():
                found.append(late)
            pending = pending.eq_at_multi_union_pw_aff(member)
        return found + _broken(node.child(0), pending)
    if kind in (isl.schedule_node_type.sequence, isl.schedule_node_type.set):
        return _broken_among_children(node, pending, kind == isl.schedule_node_type.sequence)
    if kind == isl.schedule_node_type.filter:
        instances = node.filter_get_filter()
        pending = pending.intersect_domain(instances).intersect_range(instances)
        return _broken(node.child(0), pending)
    if kind in _TRANSPARENT:
        return _broken(node.child(0), pending)
    return [pending]


_TRANSPARENT = (
    isl.schedule_node_type.domain,
    isl.schedule_node_type.context,
    isl.schedule_node_type.guard,
    isl.schedule_node_type.mark,
)


def _broken_among_children(
    node: isl.ScheduleNode, pending: isl.UnionMap, in_order: bool
) -> list[isl.UnionMap]:
    found = list[isl.UnionMap]()
    filters = [node.child(k).filter_get_filter() for k in range(node.n_children())]
    for k, instances in enumerate(filters):
        from_here = pending.intersect_domain(instances)
        if from_here.is_empty():
            continue
        for other in filters[:k] if in_order else filters[:k] + filters[k + 1 :]:
            late = from_here.intersect_range(other)
            if not late.is_empty():
                found.append(late)
        if not _keeps_all(node.child(k), pending, instances, filters[:k] + filters[k + 1 :]):
            found += _broken(node.child(k), from_here.intersect_range(instances))
    return found


def _keeps_all(
    node: isl.ScheduleNode, pending: isl.UnionMap, mine: isl.UnionSet, others: list[isl.UnionSet]
) -> bool:
    """Whether the filter's child orders all that arrives at the sequence, as it often does where
    parts of one statement run by the same functions: asked without the parts' conditions, which
    may be long. If not, nothing is known of the pairs within the filter."""
    shared = mine.universe()
    if all(shared.is_disjoint(other) for other in others):
        return False
    return not _broken(node.child(0), pending)


def members(band: isl.ScheduleNode) -> list[isl.MultiUnionPwAff]:
    """The band's schedule functions, one by one."""
    schedule = band.band_get_partial_schedule()
    return [isl.MultiUnionPwAff.from_union_pw_aff(schedule.get_at(k)) for k in range(len(schedule))]


def backward(pairs: isl.UnionMap, member: isl.MultiUnionPwAff) -> isl.UnionMap:
    """{ s -> t in pairs : member(s) > member(t) }."""
    return pairs.lex_gt_at_multi_union_pw_aff(member)
