"""Instances that nothing needs: what they write is neither read by others nor there at the end.

T. Grosser, Enabling Polyhedral Optimizations in LLVM, 2011, section 6.1: a schedule may be partial,
and instances without a time are not run. Here that has to be proved. Let D be what is left out:

    { d -> s in flow : d in D, s not in D } is empty      no value goes from D to the others
    { d -> a in live-out : d in D } is empty              none of its values is there afterwards

Then every other instance reads what it read before, and memory ends as it did: the last write
before a read, and the last one of all, is not in D, so it is the last one without D, too. What
has to stay in order among the others is asked anew: an order may have gone by way of D.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyopt.poly.dependences import final_writes
from polyopt.poly.scop import Scop


def needed(scop: Scop, flow: isl.UnionMap, left_out: isl.UnionSet) -> isl.UnionMap:
    """{ d -> s } and { d -> a }: which instances and elements need some of `left_out`. `flow` is
    that of the SCoP's values, or more."""
    left_out = left_out.intersect_params(scop.known)
    readers = flow.intersect_domain(left_out).subtract_range(left_out)
    lasting = final_writes(scop).intersect_domain(left_out)
    return readers.union(lasting).intersect_params(scop.known)


def without(scop: Scop, left_out: isl.UnionSet) -> Scop:
    """The SCoP that does not run these instances."""
    kept = scop.domain.subtract(left_out)
    return replace(
        scop,
        statements=tuple(
            replace(one, domain=one.domain.subtract(part_of(left_out, one.domain)).coalesce())
            for one in scop.statements
        ),
        schedule=scop.schedule.intersect_domain(kept),
    )


def part_of(instances: isl.UnionSet, domain: isl.Set) -> isl.Set:
    """Those of the domain's statement."""
    return instances.align_params(domain.get_space()).extract_set(
        domain.align_params(instances.get_space()).get_space()
    )
