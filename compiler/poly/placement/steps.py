"""A SCoP as steps that every processor takes: compute, exchange, repeat.

    repeat t = first to last
      compute   { S[t, i] : own runs it }                   no value crosses inside
      exchange  B: { B[e] : own has made it, its will read it }

The schedule tree is cut from the root down, no further than values cross: a subtree in which none
does is computed by each processor without a word to the others. What has crossed by the time it is
read is sent as late as can be: at the end of the iteration, or behind the child of a sequence, that
the reader is not in; all values of that iteration or child for one partner and array together. So
communication is outside all loops that carry none of it.

Why that is right, however late others are: the exchanges come in one order on all processors, and
what is sent depends on earlier ones only, so nobody waits in a circle. A value is in its element
until its last reader has run, so it is there when it is sent. Where it arrives, whoever reads what
was in the element before runs before the value was made, in this order too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import islpy as isl

from polyopt.poly.placement.grid import OWN
from polyopt.poly.placement.traffic import Traffic, elements_of, made_by
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Sequence, Tree, restrict
from polyopt.support.record import entity, record


@record(eq=False)
class Compute:
    """The instances that own runs, in the order of `tree`; parameters stand for the steps."""

    instances: isl.UnionSet
    tree: Tree


@record(eq=False)
class Exchange:
    """What own sends to its, by array; what it computes when that is on its way, and before what it
    gets is in place. Behind the last one nothing is computed: nobody sends what it gets."""

    elements: Mapping[str, isl.Set]
    meanwhile: Compute | None = None
    is_last: bool = False


@record(eq=False)
class Repeat:
    """For `name` from `first` to `last`, over the parameters and the steps around; steps of it in
    which nothing happens to anyone are harmless."""

    name: str
    first: isl.PwAff
    last: isl.PwAff
    body: tuple[ProcessStep, ...]


ProcessStep = Compute | Exchange | Repeat


def steps_of(traffic: Traffic, tree: Tree) -> tuple[ProcessStep, ...]:
    """All that is to be done, the last exchange apart."""
    return _Cut(traffic).steps(tree, traffic.placement.scop.domain)


def last_exchange(traffic: Traffic) -> Exchange:
    """What everybody needs to have all that the SCoP leaves."""
    return Exchange(_between_two(traffic, traffic.left_over), is_last=True)


def _between_two(traffic: Traffic, values: isl.UnionSet) -> Mapping[str, isl.Set]:
    """The elements of the values that one of two processors sends to the other, as plain as can be
    said: that parts of two processors are equal or apart along an axis often leaves a row and a
    column of many cases, and sometimes makes two cases of one."""
    result = dict[str, isl.Set]()
    for name, all in elements_of(values).items():
        crossing = all.intersect_params(traffic.two_processors).coalesce()
        if not crossing.is_empty():
            plain = crossing.gist_params(traffic.two_processors).coalesce()
            result[name] = min(all, plain, key=lambda one: one.n_basic_set())
    return result


@entity
class _Cut:
    traffic: Traffic
    names: list[str] = field(default_factory=list[str])

    def steps(self, tree: Tree, unit: isl.UnionSet) -> tuple[ProcessStep, ...]:
        """Those of the instances in `unit`, whose order is `tree`."""
        if not self._crosses(unit):
            return self._computed(tree, unit)
        match tree:
            case Leaf():
                raise AssertionError("instances that depend on each other are ordered")
            case Mark(_, child):
                return self.steps(child, unit)
            case Sequence(children):
                return self._one_after_another(children, unit)
            case Band(members, child):
                rest = Band(members[1:], child, tree.permutable) if members[1:] else child
                return self._repeated(members[0], rest, unit)

    def _crosses(self, unit: isl.UnionSet) -> bool:
        flow = self.traffic.crossing_for_certain.intersect_range(unit)
        return not made_by(flow.domain(), unit).is_empty()

    def _computed(self, tree: Tree, unit: isl.UnionSet) -> tuple[ProcessStep, ...]:
        mine = unit.intersect(self.traffic.placement.run_by(OWN)).coalesce().drop_unused_params()
        return () if mine.is_empty() else (Compute(mine, restrict(tree, mine)),)

    def _one_after_another(
        self, children: tuple[tuple[isl.UnionSet, Tree], ...], unit: isl.UnionSet
    ) -> tuple[ProcessStep, ...]:
        steps = list[ProcessStep]()
        parts = [unit.intersect(filter) for filter, _ in children]
        for number, (part, (_, child)) in enumerate(zip(parts, children, strict=True)):
            steps += self.steps(child, part)
            behind = isl.UnionSet.empty(unit.get_space())
            for later in parts[number + 1 :]:
                behind = behind.union(later)
            steps += self._exchanged(part, behind)
        return tuple(steps)

    def _repeated(self, member: Member, rest: Tree, unit: isl.UnionSet) -> tuple[ProcessStep, ...]:
        name = f"step_{len(self.names)}"
        self.names.append(name)
        order = isl.UnionMap.from_union_pw_aff(member.function).intersect_domain(unit)
        values = isl.Set.from_union_set(order.range())

        def at(relation: str) -> isl.UnionSet:
            wanted = isl.Set(f"[{name}] -> {{ [x] : x {relation} {name} }}")
            return order.intersect_range(isl.UnionSet.from_set(wanted)).domain()

        now, later = at("="), at(">")
        body = (*self.steps(rest, now), *self._exchanged(now, later))
        return (Repeat(name, values.dim_min(0), values.dim_max(0), body),)

    def _exchanged(self, unit: isl.UnionSet, behind: isl.UnionSet) -> tuple[ProcessStep, ...]:
        """What crosses from `unit` to `behind`, without what has crossed inside already."""
        crossing = self.traffic.crossing
        needed = made_by(crossing.intersect_range(behind).domain(), unit)
        had = made_by(crossing.intersect_range(unit).domain(), unit)
        elements = _between_two(self.traffic, needed.subtract(had))
        return (Exchange(elements),) if elements else ()
