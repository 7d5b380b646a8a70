"""What a loop carries decides how its iterations may run at once.

A dependence { s -> t } is carried by dimension d of a schedule f if f(s) and f(t) are equal
before d and differ at d. With the distance Δ = f(t) - f(s) of what reaches the loop, k for the
loop and k+1 for the next one inside (J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix,
SC 2014, §IV.A):

    doall                      Δ_k = 0: nothing is carried, iterations run in any order
    reduction                  Δ_k = 0, or the pair only updates one accumulator
    pipeline                   Δ_k = 0, or Δ_k >= 1 and Δ_(k+1) >= 0: iterations of the loop may
                               run at once, each a step of the inner loop behind the last one
    reduction and pipeline     each pair by one of them, where no pipeline does for all
    serial                     anything else

The same holds of a generated loop with the instances that it runs and no others: a dependence
between other instances is none of its business, so that two loops made from one dimension can
differ (T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, §7.2.1).
"""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.lists import maps
from polyopt.poly.legality import backward
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Tree
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Scop
from polyopt.support.record import record


@record
class LoopParallelism:
    """`is_parallel`: nothing is carried; `reductions`: the arrays whose reductions are all that
    is carried (empty if nothing or more is). `pipeline`: the arrays whose reductions are carried
    beside what goes forward along the next loop; None if that is no pipeline."""

    is_parallel: bool = False
    reductions: tuple[str, ...] = ()
    pipeline: tuple[str, ...] | None = None

    @property
    def kind(self) -> str:
        """In one or two words, with the arrays of reductions."""
        if self.is_parallel:
            return "doall"
        if self.pipeline is None:
            return f"reduction({', '.join(self.reductions)})" if self.reductions else "serial"
        return f"reduction({', '.join(self.pipeline)}) & pipeline" if self.pipeline else "pipeline"


@record
class MemberParallelism:
    """A member of a band, `depth` loops inside, and what it carries."""

    member: Member
    depth: int
    parallelism: LoopParallelism


def judge_loop(
    scop: Scop,
    dependences: Dependences,
    schedule: isl.UnionMap,
    depth: int,
    inner: isl.UnionMap | None = None,
) -> LoopParallelism:
    """The loop at `depth` that runs the instances of `schedule` { S[i] -> [c_0, ..., c_depth] }.
    `inner` is { S[i] -> [c_0, ..., c_depth, c_(depth+1)] } of the one loop inside it, if there is
    one that runs all of its instances. A loop that runs nothing carries nothing."""
    at_all = _Reaching.of(dependences, lambda pairs: _among(pairs, schedule.domain()))
    if at_all.firm.is_empty() and at_all.updates.is_empty():
        return LoopParallelism(is_parallel=True)  # its functions, which may be long, are not asked
    time = isl.MultiUnionPwAff.from_union_map(schedule)
    here = time.drop_dims(isl.dim_type.out, 0, depth)
    following = None
    if inner is not None:
        following = isl.MultiUnionPwAff.from_union_map(inner).drop_dims(
            isl.dim_type.out, 0, depth + 1
        )

    def reaching(pairs: isl.UnionMap) -> isl.UnionMap:
        if not depth or pairs.is_empty():
            return pairs
        return pairs.eq_at_multi_union_pw_aff(time.drop_dims(isl.dim_type.out, depth, 1))

    left = _Reaching(reaching(at_all.firm), reaching(at_all.updates))
    return _judge(scop, left, here, following)


def judge_tree(scop: Scop, dependences: Dependences, tree: Tree) -> list[MemberParallelism]:
    """Every member of every band, outer before inner, judged before any loops are generated. The
    next loop inside is the next member, or the first of a band that stands directly below."""
    reaching = _Reaching.of(dependences, lambda pairs: pairs)
    return _judge_below(scop, tree, reaching, 0)


def _judge_below(
    scop: Scop, tree: Tree, reaching: _Reaching, depth: int
) -> list[MemberParallelism]:
    match tree:
        case Leaf():
            return []
        case Mark(_, child):
            return _judge_below(scop, child, reaching, depth)
        case TreeSequence(children):
            return [
                one
                for instances, child in children
                for one in _judge_below(scop, child, reaching.among(instances), depth)
            ]
        case Band(members, child):
            found = list[MemberParallelism]()
            for k, member in enumerate(members):
                after = members[k + 1] if k + 1 < len(members) else _first_member(child)
                here, following = _time(member), after and _time(after)
                judged = _judge(scop, reaching, here, following)
                found.append(MemberParallelism(member, depth + k, judged))
                reaching = reaching.equal_at(here)
            return found + _judge_below(scop, child, reaching, depth + len(members))


def _first_member(tree: Tree) -> Member | None:
    while isinstance(tree, Mark):
        tree = tree.child
    return tree.members[0] if isinstance(tree, Band) else None


def _time(member: Member) -> isl.MultiUnionPwAff:
    return isl.MultiUnionPwAff.from_union_pw_aff(member.function)


@record
class _Reaching:
    """The dependences that no loop around carries: those to respect in any case, and those among
    the updates of one accumulator that are free."""

    firm: isl.UnionMap
    updates: isl.UnionMap

    @staticmethod
    def of(dependences: Dependences, change: Callable[[isl.UnionMap], isl.UnionMap]) -> _Reaching:
        updates = dependences.reduction
        if not dependences.reassociate:
            updates = updates.subtract(updates)
        return _Reaching(change(dependences.validity), change(updates))

    def among(self, instances: isl.UnionSet) -> _Reaching:
        return _Reaching(_among(self.firm, instances), _among(self.updates, instances))

    def equal_at(self, time: isl.MultiUnionPwAff) -> _Reaching:
        return _Reaching(_equal(self.firm, time), _equal(self.updates, time))


def _judge(
    scop: Scop,
    reaching: _Reaching,
    here: isl.MultiUnionPwAff,
    following: isl.MultiUnionPwAff | None,
) -> LoopParallelism:
    updates = reaching.updates.subtract(_equal(reaching.updates, here))
    arrays = _arrays(scop, updates)
    firm = reaching.firm.subtract(_equal(reaching.firm, here))
    if firm.is_empty():
        return LoopParallelism(not arrays, arrays)
    if following is None or not _is_forward(firm, following):
        return LoopParallelism()
    return LoopParallelism(pipeline=() if _is_forward(updates, following) else arrays)


def _is_forward(pairs: isl.UnionMap, time: isl.MultiUnionPwAff) -> bool:
    """Whether all pairs go forward, or nowhere, along a loop that both their ends are in."""
    known = time.domain()
    ends = pairs.domain().union(pairs.range())
    return ends.is_subset(known) and backward(pairs, time).is_empty()


def _arrays(scop: Scop, updates: isl.UnionMap) -> tuple[str, ...]:
    """The accumulators of the updates."""
    names = {part.get_tuple_name(isl.dim_type.in_) for part in maps(updates)}
    updating = [one for one in scop.statements if one.name in names]
    arrays = {one.array for statement in updating for one in statement.reductions}
    if any(len(one.reductions) > 1 for one in updating):
        arrays = {one for one in arrays if _meet_in(scop, updates, one)}
    return tuple(sorted(arrays))


def _meet_in(scop: Scop, updates: isl.UnionMap, array: str) -> bool:
    """Do some of them update an element of the array twice?"""
    places = isl.UnionMap.empty(updates.get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == array and access.is_write:
                places = places.union(isl.UnionMap.from_map(access.relation))
    return not updates.intersect(places.apply_range(places.reverse())).is_empty()


def _among(pairs: isl.UnionMap, instances: isl.UnionSet) -> isl.UnionMap:
    return pairs.intersect_domain(instances).intersect_range(instances)


def _equal(pairs: isl.UnionMap, time: isl.MultiUnionPwAff) -> isl.UnionMap:
    return pairs if pairs.is_empty() else pairs.eq_at_multi_union_pw_aff(time)
