"""Which values cross from one processor to another: the flow dependences across a placement.

    flow      { [S[i] -> A[e]] -> T[j] : T[j] reads from A[e] what S[i] wrote there }
    final     { [S[i] -> A[e]] : what S[i] wrote to A[e] is there after the SCoP }

A value is a pair of its maker and the element that it is in. What is sent from own to its is in
sets of values, so that no value is sent to one processor twice; what travels are the elements.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import islpy as isl

from polyopt.poly.dependences import final_writes
from polyopt.poly.isl.lists import maps, sets
from polyopt.poly.placement.grid import ITS, OWN, exchanged
from polyopt.poly.placement.ownership import Placement, Unplaceable
from polyopt.poly.scop import Scop
from polyopt.support.record import record


@record(eq=False)
class Traffic:
    """`flow` and `final` as above, whoever runs what."""

    placement: Placement
    flow: isl.UnionMap
    final: isl.UnionSet

    @cached_property
    def crossing(self) -> isl.UnionMap:
        """The flow from what own runs to what its runs. It holds of two processors; of one, it is
        what stays there."""
        made = _values_of(self.flow.domain(), self.placement.run_by(OWN))
        return self.flow.intersect_domain(made).intersect_range(self.placement.run_by(ITS))

    @cached_property
    def crossing_for_certain(self) -> isl.UnionMap:
        """The flow between two processors, for asking whether there is any."""
        return self.crossing.intersect_params(self.two_processors)

    @cached_property
    def two_processors(self) -> isl.Set:
        """{ : what holds of the parts of any two processors }."""
        facts = self.placement.facts()
        return self.placement.grid.distinct().intersect(facts).intersect(exchanged(facts))

    @cached_property
    def held(self) -> isl.UnionSet:
        """The values that own makes and its reads."""
        return self.crossing.domain()

    @cached_property
    def left_over(self) -> isl.UnionSet:
        """The values own makes that are there after the SCoP, and that its has not read: of arrays
        that everybody has whole."""
        made = _values_of(self.final, self.placement.run_by(OWN))
        for name, elements in elements_of(made).items():
            if name in self.placement.owned:
                everywhere = isl.UnionSet.from_set(isl.Set.universe(elements.get_space()))
                made = made.subtract(made.unwrap().intersect_range(everywhere).wrap())
        return made.subtract(self.held)


def traffic_of(placement: Placement) -> Traffic:
    """Raises Unplaceable for a SCoP that is not known exactly; BudgetExceeded."""
    scop = placement.scop
    return Traffic(placement, _flow(scop), final_writes(scop).wrap())


def _flow(scop: Scop) -> isl.UnionMap:
    sink = scop.accesses(writes=False).intersect_params(scop.known)
    source = scop.accesses(writes=True).intersect_params(scop.known)
    info = isl.UnionAccessInfo.from_sink(sink).set_schedule(scop.schedule)
    full = info.set_must_source(source).compute_flow().get_full_must_dependence()
    result = isl.UnionMap.empty(full.get_space())
    for one in maps(full):
        result = result.union(isl.UnionMap.from_map(one.range_reverse().uncurry()))
    return result.coalesce()


def check_exact(scop: Scop, owned: Collection[str] = ()) -> None:
    """Raise Unplaceable where it depends on data which element is written, or which one is read of
    an array that is written. Of others everybody has all; of the `owned` all that may be read is
    sent, since nothing else can be done."""
    written = {one.array for each in scop.statements for one in each.accesses if one.is_write}
    for statement in scop.statements:
        for access in statement.accesses:
            is_open = access.array in owned and not access.is_write
            if access.array in written and not access.is_exact and not is_open:
                verb = "written" if access.is_write else "read"
                raise Unplaceable(f"which element of '{access.array}' is {verb} depends on data")


def _values_of(values: isl.UnionSet, makers: isl.UnionSet) -> isl.UnionSet:
    """Those of the values that the makers make."""
    return values.unwrap().intersect_domain(makers).wrap()


def made_by(values: isl.UnionSet, makers: isl.UnionSet) -> isl.UnionSet:
    return _values_of(values, makers)


def elements_of(values: isl.UnionSet) -> dict[str, isl.Set]:
    """{ A[e] : a value is in it }, by array."""
    elements = values.unwrap().range().coalesce()
    return {one.get_tuple_name() or "": one for one in sets(elements) if not one.is_empty()}
