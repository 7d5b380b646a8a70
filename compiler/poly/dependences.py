"""The dependences of a SCoP: which instances must stay in which order, and why.

For the reads R, the writes W and the order `<` of the SCoP's schedule:

    flow      { s -> t : s writes what t reads, no must-write between }   value-based, exact
    output    { s -> t : s and t write one element, no must-write between }
    anti      { s -> t : s reads what t writes, no must-write between }
    live_in   { t -> a : the element a that t reads may hold a value from before the SCoP }

Every pair of instances that touch one element, one of them writing, is ordered by a path in
these, so a schedule that keeps them keeps all memory-based dependences; the form "full" gives
all the pairs themselves, the form "minimal" only those that no path of others stands for. A
may-write is a source that hides nothing: `certain_flow` is the flow in which none has a part.

The dataflow is P. Feautrier, Dataflow analysis of array and scalar references, IJPP 1991, as isl
computes it. Reductions are kept apart as in J. Doerfert, K. Streit, S. Hack, Z. Benaissa,
Polly's polyhedral scheduling in the presence of reductions, IMPACT 2015, but with no transitive
closure: where reassociation is allowed, the updates of an accumulator hide nothing from each
other, so each stays ordered with whatever initialises and whatever reads the accumulator when
the pairs of updates are dropped.

An array of which no write hides another is left to no dataflow: all its pairs are dependences, and
isl would find out besides which reads have no source, by a complement, which explodes where
subscripts are remainders.

When the operation budget is spent the answer is coarser but safe: all pairs that touch one
element, then all pairs in their original order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import islpy as isl

from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import maps
from polyopt.poly.scop import Reduction, Scop, Statement
from polyopt.support.effort import share
from polyopt.support.record import record
from polyopt.support.remarks import remark

OPERATIONS = 4_000_000
"""For all tries together. The most that a kernel of ours takes is 900,000."""

_SAME_CLASS = {"arith.subf": "arith.addf", "arith.subi": "arith.addi"}
"""`x -= a` and `x += b` commute: an operator and the one whose updates it commutes with."""


@record
class Dependences:
    """Union maps { source instance -> target instance }, the source before the target, but for
    `live_in`: { reader -> element }.

    `reduction` holds the pairs that are ordered only because both update one accumulator with
    one operator; they are in none of the others. `reassociate`: they need not be respected.
    `precision` is "exact", "memory" (every pair that touches one element) or "order" (every
    pair; `live_in` is then all reads).
    """

    flow: isl.UnionMap
    anti: isl.UnionMap
    output: isl.UnionMap
    reduction: isl.UnionMap
    live_in: isl.UnionMap
    reassociate: bool = False
    precision: Literal["exact", "memory", "order"] = "exact"

    @cached_property
    def unconditional(self) -> isl.UnionMap:
        """What every schedule must respect, whatever may be reassociated."""
        return self.flow.union(self.anti).union(self.output).coalesce()

    @cached_property
    def validity(self) -> isl.UnionMap:
        """What a schedule must respect."""
        if self.reassociate or self.reduction.is_empty():
            return self.unconditional
        return self.unconditional.union(self.reduction).coalesce()

    @cached_property
    def value_flow(self) -> isl.UnionMap:
        """From where values come, those of accumulators included."""
        return self.flow.union(self.reduction).coalesce()

    @cached_property
    def proved(self) -> list[tuple[Scop, isl.Schedule]]:
        """Schedules that are known to keep these dependences of a SCoP."""
        return []

    def kinds(self) -> dict[str, isl.UnionMap]:
        """The dependences to respect, by name, for messages."""
        if self.precision == "order":
            return {"order": self.flow}
        kinds = {"flow": self.flow, "anti": self.anti, "output": self.output}
        return kinds if self.reassociate else kinds | {"reduction": self.reduction}


Form = Literal["minimal", "reduced", "full"]


def compute_dependences(
    scop: Scop,
    *,
    reassociate: bool = False,
    form: Form = "reduced",
    operations: int = OPERATIONS,
) -> Dependences:
    """The dependences of the SCoP's own schedule, which is the original order.

    `reassociate`: the order of the updates of an accumulator is free (-ffast-math). Raises
    BudgetExceeded only if even the total order costs more than `operations`.
    """
    if form == "minimal":
        reduced = compute_dependences(scop, reassociate=reassociate, operations=operations)
        return _minimal(reduced, operations)
    tries: list[tuple[str, Callable[[], Dependences]]] = [
        ("dataflow", lambda: _pairwise(scop, reassociate, hide=True)),
        (
            "memory-based dependences",
            lambda: _pairwise(scop, reassociate, hide=False, coarse=form == "reduced"),
        ),
    ]
    with share(f"what depends on what in {scop.name!r}", operations):
        for what, compute in tries if form == "reduced" else tries[1:]:
            try:
                with budget(what, operations if what != "dataflow" else -(-operations * 3 // 4)):
                    return compute()
            except BudgetExceeded:
                remark("missed", "dependence-budget", f"{what}: costs too much", scop.span)
        with budget("original order", operations):
            return _total_order(scop)


def _minimal(dependences: Dependences, operations: int) -> Dependences:
    """Without the pairs that others order, with the same transitive closure.

    Of a pair whose ends a path of others connects, the longest such path is made of pairs that
    stay, since time is discrete. Where isl does not know all paths exactly, those of two pairs
    are looked at; a spent budget leaves all pairs."""
    order = dependences.validity
    try:
        with budget("transitive reduction", operations):
            paths, is_exact = order.transitive_closure()
            implied = order.apply_range(paths if is_exact else order)
            return replace(
                dependences,
                flow=dependences.flow.subtract(implied).coalesce(),
                anti=dependences.anti.subtract(implied).coalesce(),
                output=dependences.output.subtract(implied).coalesce(),
                reduction=dependences.reduction.subtract(implied).coalesce(),
            )
    except BudgetExceeded:
        return dependences


def certain_flow(scop: Scop, *, operations: int = OPERATIONS) -> isl.UnionMap:
    """{ s -> t : t certainly reads what s wrote }: both are must-accesses, and no may-write in
    between can have written over it. A spent budget makes nothing certain."""
    try:
        with budget("certain flow", operations):
            sink = scop.accesses(writes=False, must=True).intersect_params(scop.known)
            must = scop.accesses(writes=True, must=True).intersect_params(scop.known)
            may = scop.accesses(writes=True, must=False).intersect_params(scop.known)
            return _flow(scop.schedule, sink, must=must, may=may).get_must_dependence()
    except BudgetExceeded:
        return isl.UnionMap.empty(scop.context.get_space())


def input_dependences(
    scop: Scop, *, operations: int = OPERATIONS, arrays: Iterable[str] | None = None
) -> isl.UnionMap:
    """{ s -> t : s and t read one element, no read between }, of all arrays or of those named.
    They are for locality only, so a spent budget gives none."""
    try:
        with budget("input dependences", operations):
            reads = scop.accesses(writes=False).intersect_params(scop.known)
            if arrays is not None:
                reads = reads.intersect_range(_elements(scop, arrays))
            return _flow(scop.schedule, reads, must=reads).get_may_dependence()
    except BudgetExceeded:
        return isl.UnionMap.empty(scop.context.get_space())


def final_writes(scop: Scop, *, operations: int = OPERATIONS) -> isl.UnionMap:
    """live-out: { s -> a : the value that s writes to a may be there after the SCoP }, without
    the local arrays: the writes that no must-write follows, which is the dataflow against the
    order of time. A spent budget gives all writes."""
    lasting = _elements(scop, [array.name for array in scop.arrays if not array.is_local])
    writes = scop.accesses(writes=True).intersect_params(scop.known).intersect_range(lasting)
    if writes.is_empty():
        return writes
    try:
        with budget("live-out", operations):
            order = scop.times.intersect_domain(writes.domain())
            time = isl.MultiUnionPwAff.from_union_map(order).neg()
            info = isl.UnionAccessInfo.from_sink(writes)
            must = scop.accesses(writes=True, must=True).intersect_range(lasting)
            info = info.set_must_source(must)
            info = info.set_schedule_map(isl.UnionMap.from_multi_union_pw_aff(time))
            return info.compute_flow().get_may_no_source()
    except BudgetExceeded:
        return writes


@record
class ReductionClass:
    """The statements that update elements of `array` by operators that commute."""

    array: str
    operator: str
    statements: frozenset[str]


def reduction_classes(scop: Scop) -> list[ReductionClass]:
    """A class for each accumulating array and operator."""
    found: dict[tuple[str, str], set[str]] = {}
    for statement in scop.statements:
        for one in statement.reductions:
            if _only_updates(statement, one):
                key = one.array, _SAME_CLASS.get(one.operator, one.operator)
                found.setdefault(key, set()).add(statement.name)
    return [
        ReductionClass(array, operator, frozenset(names))
        for (array, operator), names in found.items()
    ]


def _only_updates(statement: Statement, reduction: Reduction) -> bool:
    """Whether an instance reads and writes one element, its accumulator, and touches that in no
    other way. It may read other elements of the array."""
    at = {access.position: access for access in statement.accesses}
    read, write = at[reduction.read], at[reduction.write]
    element = write.relation
    if not (read.is_must and write.is_must and element.is_single_valued()):
        return False
    others = [
        access
        for access in statement.accesses
        if access.array == reduction.array and access not in (read, write)
    ]
    inside = element.intersect_domain(statement.domain)
    return read.relation.is_equal(element) and not any(
        other.is_write or not other.relation.intersect(inside).is_empty() for other in others
    )


def _pairwise(scop: Scop, reassociate: bool, *, hide: bool, coarse: bool = False) -> Dependences:
    """Reads and writes of accumulators by their updates apart from all others: only the former
    can depend on each other by a reduction. Where `hide` is false, no write hides another; where
    it is `coarse`, subscripts that agree but for quotients meet."""
    classes = reduction_classes(scop)
    updating = {(name, one.array) for one in classes for name in one.statements}
    reads = _Split.of(scop, updating, writes=False)
    writes = _Split.of(scop, updating, writes=True)
    hiding = isl.UnionMap.empty(reads.all.get_space())
    if hide:
        must = scop.accesses(writes=True, must=True).intersect_params(scop.known)
        hiding = must.subtract(writes.updates) if reassociate else must
    visible = writes.all.subtract(hiding)
    hidden = hiding.range().universe()
    meeting = _Meeting(scop, coarse)

    def sources_of(sink: isl.UnionMap) -> tuple[isl.UnionMap, isl.UnionMap]:
        """The dependences into a sink, and what of it may hold a value from before."""
        seen, sink = sink.subtract_range(hidden), sink.intersect_range(hidden)
        pairs = meeting.pairs(writes.all, seen)
        if sink.is_empty():
            return pairs, seen
        flow = _flow(scop.schedule, sink, must=hiding, may=visible)
        return flow.get_may_dependence().union(pairs), flow.get_may_no_source().union(seen)

    def before_writes(source: isl.UnionMap) -> isl.UnionMap:
        pairs = meeting.pairs(source, writes.all.subtract_range(hidden))
        source = source.intersect_range(hidden)
        if source.is_empty():
            return pairs
        sink = writes.all.intersect_range(hidden)
        return _flow(scop.schedule, sink, may=source, kill=hiding).get_may_dependence().union(pairs)

    flow, live = sources_of(reads.others)
    output, anti = sources_of(writes.others)[0], before_writes(reads.others)
    reduction = isl.UnionMap.empty(flow.get_space())
    for near in _by_array(scop, classes):
        read, written = (one.of_arrays(scop, near) for one in (reads, writes))
        into, live_updates = sources_of(read)
        over = into if written.is_equal(read) else sources_of(written)[0]
        before = before_writes(read)
        among = _update_pairs(scop, near)
        reduction = reduction.union(into.union(over).union(before).intersect(among))
        flow = flow.union(into.subtract(among))
        output = output.union(over.subtract(among))
        anti = anti.union(before.subtract(among))
        live = live.union(live_updates)
    return Dependences(
        flow.coalesce(),
        anti.coalesce(),
        output.coalesce(),
        reduction.subtract(flow.union(output).union(anti)).coalesce(),
        live,
        reassociate,
        "exact" if hide else "memory",
    )


class _Meeting:
    """Which accesses touch one element, the first of them earlier: composed relations, for which
    nothing has to be maximised. `coarse`: more than those, and nothing that an existential variable
    says."""

    def __init__(self, scop: Scop, coarse: bool):
        self._scop = scop
        self._coarse = coarse

    @cached_property
    def _times(self) -> dict[str, isl.Map]:
        """Of each statement; most SCoPs have no pairs to ask about."""
        order = self._scop.times.intersect_domain(self._scop.domain)
        return {_name(time, isl.dim_type.in_): time for time in maps(order)}

    def pairs(self, first: isl.UnionMap, second: isl.UnionMap) -> isl.UnionMap:
        """{ s -> t : s touches by `first` what t touches by `second` later }"""
        found = isl.UnionMap.empty(first.get_space())
        for meeting in maps(first.apply_range(second.reverse())):
            if self._coarse:
                meeting = meeting.remove_divs()
            source, target = (_name(meeting, end) for end in (isl.dim_type.in_, isl.dim_type.out))
            earlier = self._times[source].lex_lt_map(self._times[target])
            found = found.union(isl.UnionMap.from_map(meeting.intersect(earlier)))
        return found


def _name(relation: isl.Map, end: isl.dim_type) -> str:
    return relation.get_tuple_name(end) or ""


@record
class _Split:
    """The reads or the writes: those of accumulators by their updates, and the others."""

    updates: isl.UnionMap
    others: isl.UnionMap

    @staticmethod
    def of(scop: Scop, updating: Collection[tuple[str, str]], *, writes: bool) -> _Split:
        """`updating`: statements with arrays that they update."""
        accesses = scop.accesses(writes=writes).intersect_params(scop.known)
        updates = isl.UnionMap.empty(accesses.get_space())
        for statement in scop.statements:
            for reduction in statement.reductions:
                if (statement.name, reduction.array) not in updating:
                    continue
                position = reduction.write if writes else reduction.read
                access = next(a for a in statement.accesses if a.position == position)
                relation = access.relation.intersect_domain(statement.domain)
                updates = updates.union(isl.UnionMap.from_map(relation))
        updates = updates.intersect_params(scop.known)
        return _Split(updates, accesses.subtract(updates))

    @property
    def all(self) -> isl.UnionMap:
        return self.updates.union(self.others)

    def of_arrays(self, scop: Scop, classes: Sequence[ReductionClass]) -> isl.UnionMap:
        """The updates of the arrays of the classes."""
        return self.updates.intersect_range(_elements(scop, [one.array for one in classes]))


def _flow(
    schedule: isl.Schedule,
    sink: isl.UnionMap,
    *,
    must: isl.UnionMap | None = None,
    may: isl.UnionMap | None = None,
    kill: isl.UnionMap | None = None,
) -> isl.UnionFlow:
    info = isl.UnionAccessInfo.from_sink(_with_plain_quotients(sink)).set_schedule(schedule)
    if must is not None:
        info = info.set_must_source(_with_plain_quotients(must))
    if may is not None:
        info = info.set_may_source(_with_plain_quotients(may))
    if kill is not None:
        info = info.set_kill(_with_plain_quotients(kill))
    return info.compute_flow()


def _with_plain_quotients(accesses: isl.UnionMap) -> isl.UnionMap:
    """The same accesses, with equalities for what is one: isl sorts the quotients of several
    by each other, and reads beyond the last one where `4 * floor(i / 4) >= i` stands for one."""
    has_quotients = any(
        basic.dim(isl.dim_type.div) for one in maps(accesses) for basic in one.get_basic_maps()
    )
    return accesses.detect_equalities() if has_quotients else accesses


def _total_order(scop: Scop) -> Dependences:
    order = scop.times.intersect_domain(scop.domain)
    none = isl.UnionMap.empty(scop.context.get_space())
    return Dependences(
        flow=order.lex_lt_union_map(order),
        anti=none,
        output=none,
        reduction=none,
        live_in=scop.accesses(writes=False),
        precision="order",
    )


def _elements(scop: Scop, arrays: Iterable[str]) -> isl.UnionSet:
    """All elements, whatever the bounds, of the arrays named."""
    names = frozenset(arrays)
    result = isl.UnionSet.empty(scop.context.get_space())
    for array in scop.arrays:
        if array.name in names:
            space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(array.extents))
            space = space.set_tuple_name(isl.dim_type.set, array.name)
            result = result.union(isl.UnionSet.from_set(isl.Set.universe(space)))
    return result


def _by_array(scop: Scop, classes: Sequence[ReductionClass]) -> list[list[ReductionClass]]:
    """Together those whose pairs of updates can meet in nothing but these. Statements that update
    one array may meet in another one, which they also write: of them each array is asked alone."""
    updating = frozenset[str]().union(*(one.statements for one in classes))
    is_single = all(scop.statement(name).reduction is not None for name in updating)
    if is_single:
        return [[*classes]] if classes else []
    arrays = dict.fromkeys(one.array for one in classes)
    return [[one for one in classes if one.array == array] for array in arrays]


def _update_pairs(scop: Scop, classes: Sequence[ReductionClass]) -> isl.UnionMap:
    """{ s -> t : both are updates of one class }."""
    result = isl.UnionMap.empty(scop.context.get_space())
    for one in classes:
        instances = isl.UnionSet.empty(scop.context.get_space())
        for name in one.statements:
            instances = instances.union(isl.UnionSet.from_set(scop.statement(name).domain))
        result = result.union(isl.UnionMap.from_domain_and_range(instances, instances))
    return result
